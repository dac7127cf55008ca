/**
 * Runs before each test file is loaded, which may use it at once: a table and a bucket of its own and a fresh app on them, so
 * that files run in parallel, share a worker's modules, and see nothing of each other.
 */
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';
import { deleteTable, emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { emulatorBucketClient } from '#stacks/local/s3/client.ts';

// Properties draw the same values in every run, so that a failure has a cause in the change it follows. Another seed
// looks for new failures.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

const name = `test-${randomUUID()}`;
process.env.TABLE_NAME = name;
process.env.BUCKET_NAME = name;

vi.useRealTimers();
replaceApp(createApp(parseConfig(process.env)));
await makeTable();

async function makeTable(): Promise<void> {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  const bucketClient = emulatorBucketClient(process.env.S3_ENDPOINT ?? '');
  await Promise.all([ensureTable(client, name), bucketClient.send(new CreateBucketCommand({ Bucket: name }))]);
  client.destroy();
  bucketClient.destroy();
}

afterAll(async () => {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  await deleteTable(client, name);
  client.destroy();
});
