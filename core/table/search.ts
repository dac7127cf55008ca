/**
 * The table as a list: submitted responses that match a filter and a search, in the order of submission or of the answers
 * to a question, forwards and backwards.
 */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { indexKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Consistency } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { isReferenceOf, parseReference } from '#core/responses/reference.ts';
import {
  LARGEST_KB,
  listEntries,
  loadResponseBatch,
  loadResponses,
  type ResponseEntry,
} from '#core/responses/store.ts';
import { MAX_SEARCHED, MAX_SEARCHED_MB } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSortable } from '#core/structure/types/types.ts';
import { buildFilter } from './filter.ts';
import type { FilterInput } from './model.ts';
import { compareSorted, parseSortPosition, type SortPosition, sortPosition, sortValue } from './sort.ts';
import { listColumns } from './table.ts';

/** How many responses are read first, in case they suffice, and how fast the number grows: few round trips for 1,000. */
const FIRST_BATCH = 100;
const GROWTH = 4;
/**
 * The size of the responses that are read at once, by index entries that may say twice as much: an HTTP response, which has
 * 5 MB at most, cannot have more of them.
 */
const BATCH_KB = 10_240;

/** Which responses, and in which order; `sort` without a question is the order of submission. */
export type TableQuery = {
  filters: FilterInput['filters'];
  /** Text in the name, username or e-mail address of the respondent, or the reference of the response. */
  respondent?: string | undefined;
  sort?: { questionId?: string | undefined; descending?: boolean | undefined } | undefined;
};

type SortedQuery = TableQuery & { sort: { questionId: string; descending?: boolean | undefined } };

/** A page of a list: after a position, before one, or from the beginning. */
export type PageRequest = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  /** Makes the first page read on when it is full, up to 1,000 responses, to count those that match. */
  whole?: WholePass | undefined;
};
/** `visit` is called with every response that matches the search, whether it matches the filters or not. */
export type WholePass = { visit?: Visit | undefined };
export type Visit = (response: Response) => void;

/** How many responses match, among those that were read; `isComplete`: all of them were. */
export type MatchCount = { count: number; isComplete: boolean };

/** What a search uses. */
export type SearchPorts = Pick<Ports, 'table' | 'now'>;

/**
 * Responses in order. `last` is the position after which the list continues, `first` the one before which there are more;
 * null at the ends. `positions` has the position of each response.
 */
export type PageOfResponses = {
  responses: Response[];
  first: string | null;
  last: string | null;
  positions: ReadonlyMap<string, string>;
  /** Undefined if the list was not read from the beginning to its end. */
  matches: MatchCount | undefined;
};

/** Whether the query matches every submitted response. */
export const isUnfiltered = ({ filters, respondent = '' }: TableQuery): boolean =>
  filters.every(({ answers }) => answers.length === 0) && respondent === '';

/**
 * Lists responses that match, in the order of submission. One request reads at most 1,000 responses, so a page can have
 * fewer than `limit` before the end.
 */
export async function listMatchingResponses(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  { limit, after, before, whole }: PageRequest,
): Promise<PageOfResponses> {
  const descending = query.sort?.descending ?? false;
  if (before === undefined) {
    const pass = after === undefined ? whole : undefined;
    const forwards = await readForwards(app, structure, query, { limit, after, descending, whole: pass });
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

type Range = { limit: number; after: string | undefined; descending: boolean; whole?: WholePass | undefined };

async function readForwards(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  { limit, after, descending, whole }: Range,
): Promise<Omit<PageOfResponses, 'first'>> {
  const readsOnePage = isUnfiltered(query) && !whole;
  const responses: Response[] = [];
  const positions = new Map<string, string>();
  let last: string | null = null;
  let [count, isComplete] = [0, false];
  const range = readsOnePage ? { after, descending, first: limit, most: limit } : { after, descending };
  for await (const batch of readMatches(app, structure, query, { ...range, visit: whole?.visit })) {
    count += batch.responses.length;
    isComplete = batch.last === null;
    if (responses.length < limit) {
      const selected = batch.responses.slice(0, limit - responses.length);
      responses.push(...selected);
      for (const [id, position] of batch.positions) positions.set(id, position);
      last = selected.length < batch.responses.length ? (positions.get(selected.at(-1)?.id ?? '') ?? null) : batch.last;
    }
    if (responses.length === limit && !whole) break;
  }
  const hasAll = isComplete && count === responses.length;
  const matches = after === undefined && (whole || hasAll) ? { count, isComplete } : undefined;
  return { responses, last: hasAll ? null : last, positions, matches };
}

type Matches = { responses: Response[]; last: string | null; positions: ReadonlyMap<string, string> };
/**
 * `first`: how many responses are read first; `growth`: how many times as many next; `most`: how many altogether. `maxKb`:
 * the size of all of them, by their index entries, and at least that of the largest response.
 */
type Reading = {
  after?: string | undefined;
  descending: boolean;
  first?: number | undefined;
  most?: number | undefined;
  growth?: number | undefined;
  maxKb?: number | undefined;
  consistency?: Consistency | undefined;
  visit?: Visit | undefined;
};

/** Reads batches of responses that match, each on demand, from at most 1,000 responses of at most 50 MB. */
export async function* readMatches(
  app: SearchPorts,
  structure: Structure,
  query: TableQuery,
  { after, descending, first = FIRST_BATCH, most = MAX_SEARCHED, growth = GROWTH, visit, ...reading }: Reading,
): AsyncGenerator<Matches, void, undefined> {
  const { formId } = structure;
  const search = query.respondent?.trim().toLowerCase() ?? '';
  const filter = buildFilter(structure, query.filters);
  // Indexes lag, so a response that was submitted again can have two entries.
  const seen = new Set<string>();
  let position = after;
  let [remaining, remainingKb] = [most, reading.maxKb ?? MAX_SEARCHED_MB * 1_000];
  for (let size = first; remaining > 0 && remainingKb >= LARGEST_KB; size *= growth) {
    const range = { after: position, limit: Math.min(size, remaining), maxKb: Math.min(BATCH_KB, remainingKb) };
    const batch = await listEntries(app.table, formId, ['SUBMITTED'], { ...range, descending });
    remaining -= batch.positions.size;
    remainingKb -= batch.kb;
    const found = search === '' ? batch.entries : await findEntries(app, batch.entries, search);
    const entries = found.filter(({ id }) => !seen.has(id));
    const { responses } = await loadResponseBatch(
      app.table,
      formId,
      ['SUBMITTED'],
      { ...batch, entries },
      reading.consistency,
    );
    for (const response of responses) {
      seen.add(response.id);
      visit?.(response);
    }
    const matching = responses.filter((response) => filter.matches(countedAnswers({ response, structure })));
    yield { responses: matching, last: batch.last, positions: batch.positions };
    if (batch.last === null) return;
    position = batch.last;
  }
}

/**
 * Finds the entries with the reference that a text in lower case is, and those of respondents whose name, username or
 * e-mail address contains it.
 */
async function findEntries(
  app: SearchPorts,
  entries: readonly ResponseEntry[],
  search: string,
): Promise<ResponseEntry[]> {
  const reference = parseReference(search);
  const findUser = await loadListedUsers(
    app,
    entries.map(({ userId }) => userId),
  );
  return entries.filter(
    ({ id, userId }) => (reference !== undefined && isReferenceOf(reference, id)) || isNamed(findUser(userId), search),
  );
}

const isNamed = ({ name, username, emails }: ShortUser, search: string): boolean =>
  [name, username, ...emails].some((text) => text.toLowerCase().includes(search));

// The order of the answers to a question.

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
 * Lists responses that match, sorted by the answers to a question; undefined for a form with more than 1,000 submitted
 * responses. Without an answer they are last; equal answers are sorted newest first.
 */
export async function listSortedResponses(
  app: SearchPorts,
  structure: Structure,
  query: SortedQuery,
  { limit, after, before, whole }: PageRequest,
): Promise<PageOfResponses | undefined> {
  const sorted = await sortMatches(app, structure, query, whole?.visit);
  if (!sorted) return undefined;
  const compare = compareSorted(query.sort.descending ?? false);
  const [from, until] = [after, before].map((text) => (text === undefined ? undefined : parseSortPosition(text)));
  const start = from ? indexOrEnd(sorted, (row) => compare(row, from) > 0) : 0;
  const end = until ? indexOrEnd(sorted, (row) => compare(row, until) >= 0) : Math.min(start + limit, sorted.length);
  const begin = until ? Math.max(end - limit, 0) : start;
  const rows = sorted.slice(begin, until && begin === 0 ? limit : end);
  const loaded = await loadResponses(
    app.table,
    rows.map(({ id }) => id),
  );
  const responses = loaded.filter(({ formId, progress }) => formId === structure.formId && progress === 'SUBMITTED');
  const positions = new Map(rows.map((row) => [row.id, sortPosition(row)]));
  const [top] = rows;
  const bottom = rows.at(-1);
  return {
    responses,
    positions,
    first: begin > 0 && top ? sortPosition(top) : null,
    last: begin + rows.length < sorted.length && bottom ? sortPosition(bottom) : null,
    matches: { count: sorted.length, isComplete: true },
  };
}

const indexOrEnd = <T>(rows: readonly T[], isFound: (row: T) => boolean): number => {
  const index = rows.findIndex(isFound);
  return index === -1 ? rows.length : index;
};

type SortedRow = SortPosition & { id: string };

/** Sorts the positions of the responses that match; the answers are not kept. */
async function sortMatches(
  app: SearchPorts,
  structure: Structure,
  query: SortedQuery,
  visit?: Visit,
): Promise<SortedRow[] | undefined> {
  const { questionId, descending = false } = query.sort;
  const readValue = sortValue(structure, questionId);
  const rows: SortedRow[] = [];
  let isComplete = false;
  const reading = { descending: true, visit };
  for await (const { responses, positions, last } of readMatches(app, structure, query, reading)) {
    for (const response of responses) {
      const value = readValue(countedAnswers({ response, structure })(questionId));
      rows.push({ id: response.id, value, position: positions.get(response.id) ?? '' });
    }
    isComplete = last === null;
  }
  return isComplete ? rows.sort(compareSorted(descending)) : undefined;
}

// The responses before and after one, in the order of the table.

/** How many responses in each direction are compared with a filter or a search. */
const MAX_COMPARED = 100;

/** The nearest response that matches, or the position from which to search on if none of the compared ones does. */
export type Neighbour = { id: string } | { continueAt: string } | undefined;
export type Neighbours = { previous: Neighbour; next: Neighbour };

/**
 * Finds the submitted responses next to one in the order of the table, of those that match; none for a draft. With a
 * filter or a search, the nearest 100 responses are compared, in the order of answers the first 1,000.
 */
export async function findNeighbours(
  app: SearchPorts,
  { response, structure }: { response: Response; structure: Structure },
  query: TableQuery,
): Promise<Neighbours> {
  const { questionId, descending = false } = query.sort ?? {};
  if (response.progress !== 'SUBMITTED') return { previous: undefined, next: undefined };
  if (questionId !== undefined) {
    const sorted = await sortMatches(app, structure, { ...query, sort: { questionId, descending } });
    const index = sorted?.findIndex(({ id }) => id === response.id) ?? -1;
    if (sorted && index === -1) return { previous: undefined, next: undefined };
    if (sorted) return { previous: sorted[index - 1], next: sorted[index + 1] };
  }
  // A form with too many responses to be sorted by answers has the order of submission, newest first.
  const isReversed = questionId !== undefined || descending;
  const after = indexKeys.response(response).gsi2sk;
  const isAll = isUnfiltered(query);
  const isOther = ({ id }: { id: string }): boolean => id !== response.id;
  const findNearest = async (towards: boolean): Promise<Neighbour> => {
    if (isAll) {
      const range = { limit: 2, after, descending: towards };
      return (await listEntries(app.table, response.formId, ['SUBMITTED'], range)).entries.find(isOther);
    }
    const reading = { after, descending: towards, first: MAX_COMPARED, most: MAX_COMPARED };
    for await (const { responses, last } of readMatches(app, structure, query, reading)) {
      return responses.find(isOther) ?? (last === null ? undefined : { continueAt: last });
    }
    return undefined;
  };
  const [previous, next] = await Promise.all([findNearest(!isReversed), findNearest(isReversed)]);
  return { previous, next };
}
