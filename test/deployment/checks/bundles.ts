/** A bundle contains what its function starts with, and only what it may use, by name. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import { listSecrets } from '#core/aws/secrets.ts';
import { assetNames } from '#core/pages/shell/assets.ts';
import { type Check, differing, inputsOf, lambdasOf } from './description.ts';

const FILES: readonly Need[] = [
  ...(['files:read', 'files:write', 'files:remove', 'files:list'] as const),
  ...(['covers:read', 'covers:write', 'exports:read', 'exports:write', 'assets:read'] as const),
];

/** Packages that only functions with one of some needs may contain; without needs, no function may. */
const LIMITED: Readonly<Record<string, readonly Need[]>> = {
  '@aws-sdk/client-s3': FILES,
  '@aws-sdk/s3-request-presigner': FILES,
  '@aws-sdk/client-ssm': ['tokens:sign', 'states:sign', 'providers:call', 'sheets:call'],
  '@aws-sdk/client-ses': ['mail:send'],
  'openid-client': ['providers:call'],
  exceljs: [],
  fauxqs: [],
  'oidc-provider': [],
  'zod-openapi': [],
};

/** Handlers that walk the paths of responses or check the patterns of conditions. */
const MATCHING =
  /^functions\/(?:responses|connections|workflow|exports|files\/(?:upload|complete|clear|delete)|forms\/(?:publish|import|restore|[a-z]+-(?:highlight|changes))|views\/list-distinct|pages\/(?:respondents|reviewers|organizers|builders|authors)|workers)/;

const mayMatchPatterns = (file: string): boolean => MATCHING.test(file);

/**
 * The most KB of 1,000 bytes that a function loads when it starts, or a function of pages until it responds with one of them
 * (`functions/pages/respondents.ts: functions/pages/show-landing.ts`): those of the first pattern that matches.
 */
const CEILINGS_KB: readonly (readonly [file: RegExp, kilobytes: number])[] = [
  // Authors also merge, restore and undo, see warnings and drawings of rules, order all
  // questions, and preview the pages of respondents.
  [/^functions\/pages\/authors/, 500],
  // With the templates in two languages.
  [/^functions\/pages\/builders/, 435],
  [/^functions\/pages\/respondents.*\/show-landing/, 340],
  [/^functions\/pages\/(?:respondents|reviewers|organizers)/, 400],
  [/^functions\/(?:pages\/assets|fallback)/, 295],
  // With the counters of all answers, which recounts move too.
  [/^functions\/workers\//, 405],
  // With the clients of S3 or of identity providers, or with every rule of a form.
  [
    /^functions\/(?:files|connections)\/|\/(?:get-cover|upload-cover|(?:create|update|duplicate|import)-form|(?:set|update)-highlight|download-export)\.ts$/,
    395,
  ],
  // With the checks of a workflow, the merge of changes and the words for what changed; with jobs and the writer of XLSX.
  [
    /^functions\/(?:forms\/(?:publish-form|(?:get|publish)-changes|restore-version|get-highlight)|exports\/download-table)\.ts$/,
    350,
  ],
  [/^/, 340],
];

const ceilingOf = (file: string): number => CEILINGS_KB.find(([pattern]) => pattern.test(file))?.[1] ?? 0;

/** No bundle contains a package that its function does not need, and none is larger than its ceiling. */
export const checkBundles: Check = ({ functions, bundles }) =>
  functions.flatMap(({ name, file, needs }) => {
    const bundle = bundles.find((each) => each.file === file);
    if (!bundle) return [`${name} has no bundle`];
    const unneeded = Object.entries(LIMITED).filter(
      ([limited, allowed]) => bundle.packages.has(limited) && !allowed.some((need) => needs.includes(need)),
    );
    const cannotRead = listSecrets(needs).length > 0 && !bundle.packages.has('@aws-sdk/client-ssm');
    // The first request of a function of pages loads one of them.
    const loaded = new Map([[file, bundle.startBytes], ...bundle.pageBytes]);
    const tooLarge = [...loaded].flatMap(([each, bytes]) => {
      const [kilobytes, ceiling] = [Math.round(bytes / 1_000), ceilingOf(each === file ? file : `${file}: ${each}`)];
      return kilobytes > ceiling
        ? [`${each} loads ${kilobytes} KB before its first response; its ceiling is ${ceiling} KB`]
        : [];
    });
    return [
      ...tooLarge,
      ...unneeded.map(([limited]) => `the bundle of ${name} contains ${limited}, which it must not use`),
      ...(bundle.packages.has('re2js') && !mayMatchPatterns(file)
        ? [`the bundle of ${name} contains re2js, but it never walks a path`]
        : []),
      ...(cannotRead ? [`${name} never reads its secrets: its bundle does not contain the client of SSM`] : []),
    ];
  });

const StoredCode = z.object({ key: z.string(), source: z.object({ path: z.string() }) });
/** The end of a module that exports `handler`, as esbuild writes it. */
const EXPORTS_HANDLER = /export\s*\{[^}]*\bhandler\b[^}]*\};?\s*$/;

/** The archive of the code of every function has the module that Lambda loads, with its handler, and the assets of pages. */
export const checkCode: Check = (description) => {
  const stored = inputsOf(description, 'aws:s3/bucketObjectv2:BucketObjectv2', StoredCode);
  const paths = new Map(stored.map(({ inputs }) => [inputs.key, inputs.source.path]));
  const lambdas = lambdasOf(description);
  return description.functions.flatMap(({ name, directory }) => {
    const lambda = lambdas.get(name);
    const path = paths.get(lambda?.s3Key ?? '');
    if (!lambda || !path) return [`${name} has no code`];
    const files = new Set<string>();
    const { 'index.mjs': module } = unzipSync(readFileSync(path), {
      filter: (file) => files.add(file.name) && file.name === 'index.mjs',
    });
    const needed = directory ? ['manifest.json', ...Object.values(assetNames())] : [];
    const lost = needed.map((asset) => `${directory}/${asset}`).filter((file) => !files.has(file));
    return [
      ...differing(`the handler of ${name}`, lambda.handler, 'index.handler'),
      ...(module ? [] : [`the code of ${name} has no index.mjs`]),
      ...(module && !EXPORTS_HANDLER.test(Buffer.from(module).toString())
        ? [`index.mjs of ${name} has no handler`]
        : []),
      ...lost.map((file) => `the code of ${name} has no ${file}`),
    ];
  });
};
