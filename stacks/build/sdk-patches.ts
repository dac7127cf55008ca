/**
 * What bundles leave out of the AWS SDK and of zod, by reason. A patch names modules inside packages, which an upgrade can
 * move, so there are only those that save at least 8 KB of what a function loads when it starts; `test/slow/bundle.test.ts`
 * bundles a function without each of them.
 */
import type { Need } from '#core/api/declare.ts';
import { OBJECT_KINDS } from '#core/db/bucket.ts';

/** Returns the contents of a module in place of its source. */
type Rewrite = (source: string) => string;

export type Patch = {
  reason: string;
  /** The KB of 1,000 bytes that it saves when submit-response starts, measured on 2026-11-29 beside the other patches. */
  savesKb: number;
  /** Not in functions with one of these needs, unless what is needed is in a file next to the bundle. */
  unlessNeeded?: readonly Need[];
  /** By the end of the path of a module. */
  modules: Readonly<Record<string, Rewrite>>;
};

export const SECRETS: readonly Need[] = ['tokens:sign', 'states:sign', 'providers:call', 'sheets:call'];
export const OBJECTS: readonly Need[] = OBJECT_KINDS.flatMap(
  (kind) => [`${kind}:read`, `${kind}:write`, `${kind}:remove`] as const,
);
export const FILES: readonly Need[] = [...OBJECTS, 'assets:read', 'objects:remove'];

/** A module with the same exports, all undefined. */
export function emptied(source: string): string {
  const declared = [...source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  const listed = [...source.matchAll(/^export \{([^{}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/^\w+ as /, '')),
  );
  return [...declared, ...listed].map((name) => `export const ${name} = undefined;`).join('\n');
}

/** An emptied module whose plugin adds no middleware. */
const withoutPlugin =
  (plugin: string): Rewrite =>
  (source) =>
    emptied(source).replace(`${plugin} = undefined`, `${plugin} = () => ({ applyToStack() {} })`);

/** A module with the same classes of errors, made by one function. */
function shortened(source: string): string {
  const names = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
  return `
    import { DynamoDBServiceException } from './DynamoDBServiceException';
    const named = (name) => class extends DynamoDBServiceException {
      static shapeId = 'com.amazonaws.dynamodb#' + name;
      constructor(options) { super({ name, $fault: 'client', ...options }); }
    };
    ${names.map((name) => `export const ${name} = named('${name}');`).join('\n')}`;
}

export const SDK_PATCHES: readonly Patch[] = [
  {
    reason: 'Lambda has credentials and the region in the environment, no configuration files, and node:crypto',
    savesKb: 52,
    modules: {
      'credential-provider-node/dist-es/index.js': () => `
        import { fromEnv } from '@aws-sdk/credential-provider-env';
        export const defaultProvider = () => fromEnv();`,
      'shared-ini-file-loader/loadSharedConfigFiles.js': () => `
        export const CONFIG_PREFIX_SEPARATOR = '.';
        export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
      'regionConfig/getInstanceMetadataRegion.js': emptied,
      'checksum/sha256/Sha256Js.js': emptied,
      'checksum/crc32/Crc32Js.js': emptied,
    },
  },
  {
    reason: 'zod: JSON Schemas are for the OpenAPI document, and all schemas are parsed with messages of our own',
    savesKb: 20,
    modules: {
      'zod/v4/core/json-schema-processors.js': emptied,
      'zod/v4/core/to-json-schema.js': emptied,
      'zod/v4/locales/en.js': () => 'export default () => ({ localeError: () => "is not valid" });',
    },
  },
  {
    reason: 'the client of DynamoDB has an endpoint provider of its own and does not discover endpoints',
    savesKb: 19,
    modules: {
      'client-dynamodb/dist-es/endpoint/endpointResolver.js': emptied,
      'endpoint-cache/dist-es/index.js': () => 'export class EndpointCache {}',
    },
  },
  {
    reason:
      'the client of DynamoDB sends no user agent, traces, logs or event streams, and retries in the standard mode',
    savesKb: 14,
    modules: {
      'middleware-user-agent/user-agent-middleware.js': withoutPlugin('getUserAgentPlugin'),
      'middleware-recursion-detection/getRecursionDetectionPlugin.js': withoutPlugin('getRecursionDetectionPlugin'),
      'middleware-logger/loggerMiddleware.js': withoutPlugin('getLoggerPlugin'),
      'client-dynamodb/package.json': () => 'export default { version: "" }',
      'signature-v4/dist-es/HeaderFormatter.js': () => 'export class HeaderFormatter {}',
      'util-retry/AdaptiveRetryStrategy.js': emptied,
    },
  },
  {
    reason: 'only other clients use times and rules for endpoints',
    savesKb: 11,
    unlessNeeded: [...FILES, ...SECRETS, 'mail:send'],
    modules: {
      'service-customizations/s3.js': emptied,
      'serde/date-utils.js': emptied,
      'util-endpoints/aws.js': emptied,
    },
  },
  {
    reason: 'of the errors of DynamoDB, only the names matter',
    savesKb: 8,
    modules: { 'client-dynamodb/dist-es/models/errors.js': shortened },
  },
];
