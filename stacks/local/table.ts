/** Creates the table of `core/db/keys.ts` in an emulator, once. */
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE_DEFINITION } from '#core/db/keys.ts';

/** A client of an emulator. */
export const emulatorClient = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } });

/** Creates the table if it is not there yet. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const { attributes, key, indexes, ttlAttribute } = TABLE_DEFINITION;
  const schemaOf = ({ hash, range }: { hash: string; range: string }) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const create = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: schemaOf(key),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: schemaOf(index),
      Projection: { ProjectionType: 'KEYS_ONLY' },
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
