/** One client per service and process, with connections kept alive. Only files of `core/aws` use them. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Config } from './config.ts';

/** The document client of the table's account and region, or of `DYNAMODB_ENDPOINT`. */
export function documentClient(config: Pick<Config, 'dynamoEndpoint' | 'region'>): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region: config.region,
    maxAttempts: 5,
    ...(config.dynamoEndpoint
      ? { endpoint: config.dynamoEndpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
