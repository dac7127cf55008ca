/** The table port on the AWS SDK, which retries throttling and lost connections; `read` retries unprocessed keys. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '#core/db/table.ts';
import { busy } from './busy.ts';
import { count, page, read } from './dynamo-read.ts';
import { remove } from './dynamo-remove.ts';
import { write } from './dynamo-write.ts';

/** The table port for a table. */
export function dynamoTable(client: DynamoDBClient, tableName: string): Table {
  const target = { client, tableName };
  return {
    read: (keys) => busy(() => read(target, keys)),
    page: (request) => busy(() => page(target, request)),
    count: (request) => busy(() => count(target, request)),
    write: (writes) => busy(() => write(target, writes, crypto.randomUUID())),
    remove: (keys) => busy(() => remove(target, keys)),
  };
}
