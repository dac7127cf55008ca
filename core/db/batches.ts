/** Writes more items than one transaction takes. */

import { NEVER } from './keys.ts';
import type { Item, PageRequest, Table, Write } from './table.ts';

/** The largest number of items in one write. */
export const MAX_WRITES = 100;

/** Performs writes in order that need not be atomic together. */
export async function writeInBatches(table: Table, writes: readonly Write[]): Promise<void> {
  for (let index = 0; index < writes.length; index += MAX_WRITES) {
    await table.write(writes.slice(index, index + MAX_WRITES));
  }
}

// Reads a partition to its end, page by page.

/** The items of a partition in pages of `limit`; each page is read on demand. */
export async function* pagesOf(table: Table, request: PageRequest): AsyncGenerator<Item[]> {
  let { after } = request;
  do {
    const page = await table.page({ ...request, after });
    yield page.items;
    after = page.last ?? undefined;
  } while (after !== undefined);
}

/**
 * The entries of a partition of index 1 that are due, the longest due first, in pages of `limit`. An index lags: a page
 * may hold nothing but entries of what is done or claimed by now, and what is due may follow in the next one.
 */
export async function* duePagesOf(table: Table, request: PageRequest, now: Date): AsyncGenerator<Item[]> {
  const end = `${now.toISOString()}${NEVER}`;
  for await (const items of pagesOf(table, request)) {
    const due = items.filter(({ gsi1sk = '' }) => gsi1sk < end);
    yield due;
    if (due.length < items.length) return;
  }
}

/** Reads each page while the previous one is processed. */
export async function* readAhead<T>(pages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = pages[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const page = await next;
    if (page.done) return;
    next = iterator.next();
    // Marks the rejection as handled if the consumer stops early; otherwise the `await` above throws it.
    next.catch(() => {});
    yield page.value;
  }
}
