/** The table of `core/db/keys.ts` in an emulator: creates it, deletes it, and deletes its expired items. */
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_DEFINITION, TTL_ATTRIBUTE } from '#core/db/keys.ts';
import type { Dynamo } from './dynamo.ts';

/** Creates a client of an emulator, in the default region of the service: some emulators keep regions apart. */
export const emulatorClient = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** Creates the table if it is not there yet. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const { attributes, key, indexes, projected, ttlAttribute } = TABLE_DEFINITION;
  const toKeySchema = ({ hash, range }: { hash: string; range: string }) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const create = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: toKeySchema(key),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: toKeySchema(index),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projected] },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  try {
    await client.send(create);
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  const specification = { AttributeName: ttlAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: specification }));
}

/** Whether the table is there. */
export async function hasTable(client: DynamoDBClient, tableName: string): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName: tableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/** Deletes the table if it is there. */
export async function deleteTable(client: DynamoDBClient, tableName: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** The most items that one sweep deletes. */
const MAX_SWEPT_ITEMS = 1_000;

/** Deletes items whose TTL lies before `now`, at most 1,000, and returns how many. An item that was prolonged stays. */
export async function deleteExpired(
  dynamo: Pick<Dynamo, 'expiredKeys'>,
  client: DynamoDBClient,
  tableName: string,
  now: Date,
): Promise<number> {
  const documents = DynamoDBDocumentClient.from(client);
  let deleted = 0;
  for (const { pk, sk } of dynamo.expiredKeys(tableName, now, MAX_SWEPT_ITEMS)) {
    const condition = {
      ConditionExpression: '#ttl < :now',
      ExpressionAttributeNames: { '#ttl': TTL_ATTRIBUTE },
      ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1_000) },
    };
    try {
      await documents.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk }, ...condition }));
      deleted += 1;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
  return deleted;
}
