/** One client per service and process, with connections kept alive. Only files of `core/aws` use them. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Config } from './config.ts';
import { countCapacity } from './meter.ts';

/** The document client of the table's account and region, or of `DYNAMODB_ENDPOINT`. */
export function documentClient(config: Pick<Config, 'dynamoEndpoint' | 'region'>): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: config.region,
    // Each throttled attempt doubles a wait of up to a second: with more of them a function would run out of its own
    // time before it could answer 503.
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    ...(config.dynamoEndpoint
      ? { endpoint: config.dynamoEndpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  countCapacity(documents);
  return documents;
}
