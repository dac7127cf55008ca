/** The DynamoDB client of a process, with connections kept alive. */

import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import type { Checksum, SourceData } from '@smithy/types';
import { requestContext } from '#core/db/request-context.ts';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';
import type { Config } from './config.ts';

/** Middleware of the SDK that DynamoDB does not need: a quarter of the CPU of a call, most of it for the user agent. */
const UNNEEDED = ['getUserAgentMiddleware', 'recursionDetectionMiddleware', 'loggerMiddleware'];

/**
 * The client of the table's account and region, or of `DYNAMODB_ENDPOINT`. It composes the middleware of each command
 * once, at the first call: further middleware must be added before.
 */
export function dynamoClient(
  config: Pick<Config, 'dynamoEndpoint' | 'region'>,
  maxAttempts = SDK_ATTEMPTS,
): DynamoDBClient {
  const url = new URL(config.dynamoEndpoint ?? `https://dynamodb.${config.region}.amazonaws.com`);
  const client = new DynamoDBClient({
    region: config.region,
    maxAttempts,
    retryMode: 'standard',
    cacheMiddleware: true,
    sha256: Sha256,
    endpoint: url.href,
    // The SDK's own provider evaluates rules for each call, and always with this result for a table.
    endpointProvider: () => ({ url }),
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
    ...(config.dynamoEndpoint ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
  });
  for (const name of UNNEEDED) client.middlewareStack.remove(name);
  signOnce(client);
  countCapacity(client);
  compactConfig(client);
  return client;
}

/** Creates the signer of a client once; the SDK creates one for each call. */
function signOnce({ config }: DynamoDBClient): void {
  const { signer } = config;
  let createdSigner: ReturnType<typeof signer> | undefined;
  config.signer = (scheme) => {
    createdSigner ??= signer(scheme);
    return createdSigner;
  };
}

/**
 * Replaces the configuration of a client by a compact copy. The SDK copies its configuration three times in each call, and assembles it
 * member by member, so that V8 keeps it as a hash table, which takes twenty times as long to copy.
 */
function compactConfig(client: DynamoDBClient): void {
  const config = { ...client.config };
  Object.assign(client, { config });
  // The middleware that writes requests and reads responses was created with the original.
  getSchemaSerdePlugin(config).applyToStack(client.middlewareStack);
}

// Counts the calls and capacity units of each request, in a middleware of the SDK client that sees every call.

/** Adds middleware that requests the consumed capacity of each call and adds it to the request context. */
export function countCapacity(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const };
      const result = await next({ ...args, input });
      const context = requestContext();
      if (context) {
        context.calls += 1;
        context.capacityUnits += sumUnits(result.output);
      }
      return result;
    },
    { step: 'initialize', name: 'countCapacity', priority: 'low' },
  );
}

function sumUnits(output: object): number {
  const consumed: unknown = Reflect.get(output, 'ConsumedCapacity');
  const parts = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'CapacityUnits') : undefined;
    return sum + (typeof units === 'number' ? units : 0);
  }, 0);
}

// SHA-256 for the signer of the SDK, which makes four digests for each call. Node's `createHmac` takes 2 µs with a key
// object and 10 µs with bytes (24.21), which the SDK's own class passes.

/** A digest; with a secret, an HMAC. */
export class Sha256 implements Checksum {
  readonly #secret: SourceData | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#secret = secret;
    this.#hash = createDigest(secret);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = createDigest(this.#secret);
  }
}

function createDigest(secret: SourceData | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac(
    'sha256',
    typeof secret === 'string' ? createSecretKey(secret, 'utf8') : createSecretKey(toBytes(secret)),
  );
}

const toBytes = (data: Exclude<SourceData, string>): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
