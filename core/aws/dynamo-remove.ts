/** Removes many items of the table that need not be removed together. */
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { type Key, keyText } from '#core/db/keys.ts';
import { StorageBusy } from '#core/db/table.ts';
import { MAX_ATTEMPTS, pause } from './busy.ts';
import { bare, type Target } from './dynamo-read.ts';

/** The most requests of one BatchWriteItem. */
const BATCH = 25;
/** How many batches are sent at once. */
const PARALLEL = 8;

/** Removes items by key; absent ones are ignored. Throws StorageBusy when requests stay unprocessed. */
export async function remove(target: Target, keys: readonly Key[]): Promise<void> {
  // DynamoDB rejects a batch with duplicate keys.
  const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  const batches = Array.from({ length: Math.ceil(distinct.length / BATCH) }, (_, index) =>
    distinct.slice(index * BATCH, (index + 1) * BATCH),
  );
  for (let index = 0; index < batches.length; index += PARALLEL) {
    // Not all at once: there are 50 connections.
    await Promise.all(batches.slice(index, index + PARALLEL).map((batch) => removeBatch(target, batch)));
  }
}

async function removeBatch({ client, tableName }: Target, keys: readonly Key[]): Promise<void> {
  let pending: WriteRequest[] = keys.map((key) => ({ DeleteRequest: { Key: bare(key) } }));
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const output = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: pending } }));
    pending = output.UnprocessedItems?.[tableName] ?? [];
    if (pending.length > 0 && attempt >= MAX_ATTEMPTS)
      throw new StorageBusy(new Error('removals are still unprocessed after all attempts'));
    if (pending.length > 0) await pause(attempt);
  }
}
