/** Writes more items than one transaction takes. */

import { NEVER } from './keys.ts';
import type { Item, ItemListRequest, Table, Write } from './table.ts';

/** The largest number of items in one write. */
export const MAX_WRITES = 100;

/** Performs writes in order that need not be atomic together. */
export async function writeInBatches(table: Table, writes: readonly Write[]): Promise<void> {
  for (let index = 0; index < writes.length; index += MAX_WRITES) {
    await table.write(writes.slice(index, index + MAX_WRITES));
  }
}

// Reads a partition to its end, batch by batch.

/** Reads the items of a partition in batches of `limit`; each batch is read on demand. */
export async function* readBatches(table: Table, request: ItemListRequest): AsyncGenerator<Item[]> {
  let { after } = request;
  do {
    const batch = await table.list({ ...request, after });
    yield batch.items;
    after = batch.last ?? undefined;
  } while (after !== undefined);
}

/**
 * Reads the due entries of a partition of index 1, the longest due first, in batches of `limit`. An index lags: a batch
 * may hold nothing but entries of what is done or claimed by now, and what is due may follow in the next one.
 */
export async function* readDueBatches(table: Table, request: ItemListRequest, now: Date): AsyncGenerator<Item[]> {
  const end = `${now.toISOString()}${NEVER}`;
  for await (const items of readBatches(table, request)) {
    const due = items.filter(({ gsi1sk = '' }) => gsi1sk < end);
    yield due;
    if (due.length < items.length) return;
  }
}

/** Reads each batch while the previous one is processed. */
export async function* readAhead<T>(batches: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const batch = await next;
    if (batch.done) return;
    next = iterator.next();
    // Marks the rejection as handled if the consumer stops early; otherwise the `await` above throws it.
    next.catch(() => {});
    yield batch.value;
  }
}
