/**
 * The table port over the AWS SDK. Reading stands in `dynamo-read.ts`, writing in `dynamo-write.ts`. Retries of
 * throttling and lost answers are the SDK's; retries of transaction conflicts and of unprocessed keys are ours.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/db/table.ts';
import { busy } from './busy.ts';
import { count, page, read } from './dynamo-read.ts';
import { write } from './dynamo-write.ts';

/** The table port over a document client and one table. */
export function dynamoTable(client: DynamoDBDocumentClient, tableName: string): Table {
  const target = { client, tableName };
  return {
    read: (keys) => busy(() => read(target, keys)),
    page: (request) => busy(() => page(target, request)),
    count: (request) => busy(() => count(target, request)),
    write: (writes, writeId = crypto.randomUUID()) => busy(() => write(target, writes, writeId)),
  };
}
