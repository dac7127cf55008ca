/** Creates a table for the test file that imports it, so that files run in parallel and see nothing of each other. */
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { emulatorClient, ensureTable } from '#stacks/local/table.ts';

const tableName = `test-${randomUUID()}`;
process.env.TABLE_NAME = tableName;

beforeAll(async () => {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  await ensureTable(client, tableName);
  client.destroy();
});

afterAll(async () => {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  client.destroy();
});
