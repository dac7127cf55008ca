/**
 * Runs before each test file: a table of its own and a fresh app on it, so that files run in parallel, share a
 * worker's modules, and see nothing of each other.
 */
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, vi } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';
import { emulatorClient, ensureTable } from '#stacks/local/table.ts';

const tableName = `test-${randomUUID()}`;
process.env.TABLE_NAME = tableName;

beforeAll(async () => {
  vi.useRealTimers();
  replaceApp(createApp(parseConfig(process.env)));
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  await ensureTable(client, tableName);
  client.destroy();
});

afterAll(async () => {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  client.destroy();
});
