/** Reads the submitted responses of a form in order, for tables, filters and counts. */
import { readAhead } from '#core/db/pages.ts';
import type { Table } from '#core/db/table.ts';
import { pageResponses } from '#core/responses/store.ts';

const PAGE = 100;

type ResponsePage = Awaited<ReturnType<typeof pageResponses>>;
type Range = { after?: string | undefined; maxPages?: number };

/**
 * Pages of 100 submitted responses, oldest submission first; the next page is read while one is processed. Indexes
 * lag, so a response that was submitted again can have two entries; it is returned once.
 */
export const submittedPages = (table: Table, formId: string, range: Range = {}): AsyncIterable<ResponsePage> =>
  readAhead(pagesFrom(table, formId, range));

async function* pagesFrom(
  table: Table,
  formId: string,
  { after, maxPages = Number.POSITIVE_INFINITY }: Range,
): AsyncGenerator<ResponsePage, void, undefined> {
  let position = after;
  const seen = new Set<string>();
  for (let count = 0; count < maxPages; count += 1) {
    const page = await pageResponses(table, formId, ['SUBMITTED'], { limit: PAGE, after: position });
    const responses = page.responses.filter(({ id }) => !seen.has(id));
    for (const { id } of responses) seen.add(id);
    yield { ...page, responses };
    if (page.last === null) return;
    position = page.last;
  }
}
