/** The DynamoDB client of a process, with connections kept alive. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';
import type { Config } from './config.ts';
import { countCapacity } from './meter.ts';
import { Sha256 } from './sha256.ts';

/** Middleware of the SDK that DynamoDB does not need: a quarter of the CPU of a call, most of it for the user agent. */
const UNNEEDED = ['getUserAgentMiddleware', 'recursionDetectionMiddleware', 'loggerMiddleware'];

/**
 * The client of the table's account and region, or of `DYNAMODB_ENDPOINT`. It composes the middleware of each command
 * once, at the first call: further middleware must be added before.
 */
export function dynamoClient(config: Pick<Config, 'dynamoEndpoint' | 'region'>): DynamoDBClient {
  const url = new URL(config.dynamoEndpoint ?? `https://dynamodb.${config.region}.amazonaws.com`);
  const client = new DynamoDBClient({
    region: config.region,
    maxAttempts: SDK_ATTEMPTS,
    retryMode: 'standard',
    cacheMiddleware: true,
    sha256: Sha256,
    endpoint: url.href,
    // The SDK's own provider evaluates rules for each call, which know no more than this about a table.
    endpointProvider: () => ({ url }),
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
    ...(config.dynamoEndpoint ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
  });
  for (const name of UNNEEDED) client.middlewareStack.remove(name);
  signOnce(client);
  countCapacity(client);
  return client;
}

/** Makes the signer of a client once; the SDK makes one for each call. */
function signOnce({ config }: DynamoDBClient): void {
  const { signer } = config;
  let made: ReturnType<typeof signer> | undefined;
  config.signer = (scheme) => {
    made ??= signer(scheme);
    return made;
  };
}
