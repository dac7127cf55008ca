/** The DynamoDB client of a process, with connections kept alive. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';
import type { Config } from './config.ts';
import { countCapacity } from './meter.ts';

/** Middleware of the SDK that DynamoDB does not need: a quarter of the CPU of a call, most of it for the user agent. */
const UNNEEDED = ['getUserAgentMiddleware', 'recursionDetectionMiddleware', 'loggerMiddleware'];

/** The document client of the table's account and region, or of `DYNAMODB_ENDPOINT`. */
export function documentClient(config: Pick<Config, 'dynamoEndpoint' | 'region'>): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: config.region,
    maxAttempts: SDK_ATTEMPTS,
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
    ...(config.dynamoEndpoint
      ? { endpoint: config.dynamoEndpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });
  for (const name of UNNEEDED) client.middlewareStack.remove(name);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  countCapacity(documents);
  return documents;
}
