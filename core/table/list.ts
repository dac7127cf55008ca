/** The pages of the list of responses: those that match, in the order of submission or of the answers to a question. */
import { problems } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { MAX_SEARCHED, MAX_SEARCHED_MB } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSortable } from '#core/structure/types/formats.ts';
import { isUnfiltered, readMatches, type SearchPorts, type TableQuery } from './matches.ts';
import type { PageOfResponses, PageRequest } from './page.ts';
import { listSortedResponses } from './sorted-list.ts';
import { listColumns } from './table.ts';

/**
 * Lists responses that match, in the order that the query asks for. Throws 400 for a question whose answers have no order,
 * and for a form with too many responses to be sorted by answers.
 */
export async function listResponses(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  page: PageRequest,
): Promise<PageOfResponses> {
  const { questionId, descending } = query.sort ?? {};
  if (questionId === undefined) return listMatchingResponses(app, structure, query, page);
  const column = listColumns(structure).find(({ id }) => id === questionId);
  const invalid = (detail: string) => problems.invalid([{ pointer: '/body/sort/questionId', detail }]);
  if (!column || !isSortable(column)) throw invalid('must be a question with one choice, a number or a date');
  const sorted = await listSortedResponses(app, structure, { ...query, sort: { questionId, descending } }, page);
  if (!sorted)
    throw invalid(`needs a form with at most ${MAX_SEARCHED} submitted responses, of at most ${MAX_SEARCHED_MB} MB`);
  return sorted;
}

/**
 * Lists responses that match, in the order of submission. One request reads at most 1,000 responses, so a page can have
 * fewer than `limit` before the end.
 */
export async function listMatchingResponses(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  { limit, after, before, countsAll = false, visit, onMatch }: PageRequest,
): Promise<PageOfResponses> {
  const descending = query.sort?.descending ?? false;
  if (before === undefined) {
    const counting = after === undefined && countsAll ? { countsAll, visit, onMatch } : {};
    const forwards = await readForwards(app, structure, query, { limit, after, descending, ...counting });
    const [start] = forwards.responses;
    const first = after === undefined || !start ? null : (forwards.positions.get(start.id) ?? null);
    return { ...forwards, first };
  }
  const range = { limit, after: before, descending: !descending };
  const backwards = await readForwards(app, structure, query, range);
  // The first page is full, also when the rows before this one do not fill it.
  if (backwards.last === null && backwards.responses.length < limit) {
    return listMatchingResponses(app, structure, query, { limit });
  }
  const [end] = backwards.responses;
  const last = (end && backwards.positions.get(end.id)) ?? before;
  return { ...backwards, responses: backwards.responses.toReversed(), first: backwards.last, last };
}

type Range = Omit<PageRequest, 'before'> & { descending: boolean };

async function readForwards(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  { limit, after, descending, countsAll = false, visit, onMatch }: Range,
): Promise<Omit<PageOfResponses, 'first'>> {
  const readsOnePage = isUnfiltered(query) && !countsAll;
  const responses: Response[] = [];
  const positions = new Map<string, string>();
  let last: string | null = null;
  let [count, isComplete] = [0, false];
  const range = readsOnePage ? { after, descending, first: limit, most: limit } : { after, descending };
  for await (const batch of readMatches(app, structure, query, { ...range, visit })) {
    count += batch.responses.length;
    if (onMatch) batch.responses.forEach(onMatch);
    isComplete = batch.last === null;
    if (responses.length < limit) {
      const selected = batch.responses.slice(0, limit - responses.length);
      responses.push(...selected);
      for (const [id, position] of batch.positions) positions.set(id, position);
      last = selected.length < batch.responses.length ? (positions.get(selected.at(-1)?.id ?? '') ?? null) : batch.last;
    }
    if (responses.length === limit && !countsAll) break;
  }
  const hasAll = isComplete && count === responses.length;
  const matches = after === undefined && (countsAll || hasAll) ? { count, isComplete } : undefined;
  return { responses, last: hasAll ? null : last, positions, matches };
}
