/** Reading a partition to its end, page by page: for those that are bounded by what one person does. */
import type { Item, PageRequest, Table } from './table.ts';

/** The items of a partition in pages of `limit`; the next page is read when it is asked for. */
export async function* pagesOf(table: Table, request: PageRequest): AsyncGenerator<Item[]> {
  let { after } = request;
  do {
    const page = await table.page({ ...request, ...(after === undefined ? {} : { after }) });
    yield page.items;
    after = page.last ?? undefined;
  } while (after !== undefined);
}
