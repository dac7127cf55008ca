/** Reads a partition to its end, page by page. */
import type { Item, PageRequest, Table } from './table.ts';

/** The items of a partition in pages of `limit`; each page is read on demand. */
export async function* pagesOf(table: Table, request: PageRequest): AsyncGenerator<Item[]> {
  let { after } = request;
  do {
    const page = await table.page({ ...request, after });
    yield page.items;
    after = page.last ?? undefined;
  } while (after !== undefined);
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
