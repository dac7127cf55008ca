/** Reads the submitted responses that match a filter and a search, in the order of submission, in growing batches. */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { indexKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Consistency } from '#core/db/table.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import { isReferenceOf, parseReference, toResponseId } from '#core/responses/reference.ts';
import {
  type EntryBatch,
  LARGEST_KB,
  listEntries,
  loadResponseBatch,
  loadResponses,
  type ResponseEntry,
} from '#core/responses/store.ts';
import { MAX_SEARCHED, MAX_SEARCHED_MB } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { buildFilter, hasConditions } from './filter.ts';
import type { FilterInput } from './model.ts';

/** How many responses are read first, in case they suffice, and how fast the number grows: few round trips for 1,000. */
const FIRST_BATCH = 100;
const GROWTH = 4;
/**
 * The size of the responses that are read at once, by index entries that may say twice as much: an HTTP response, which has
 * 5 MB at most, cannot have more of them.
 */
const BATCH_KB = 10_240;

/** Which responses, and in which order; `sort` without a question is the order of submission. */
export type TableQuery = FilterInput & {
  /** Text in the name, username or e-mail address of the respondent, or the reference of the response. */
  respondent?: string | undefined;
  sort?: { questionId?: string | undefined; descending?: boolean | undefined } | undefined;
};

/** Whether the query matches every submitted response. */
export const isUnfiltered = ({ filters, from, to, respondent = '' }: TableQuery): boolean =>
  !filters.some(hasConditions) && from === undefined && to === undefined && respondent === '';

/** What a search uses. */
export type SearchPorts = Pick<Ports, 'table' | 'now'>;

/** Called with every response that matches the search, whether it matches the filters or not. */
export type Visit = (response: Response) => void;

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
  const { respondent = '' } = query;
  const filter = buildFilter(structure, query.filters);
  // Indexes lag, so a response that was submitted again can have two entries.
  const seen = new Set<string>();
  const range = positionsOf(query, descending);
  const referenced = await loadReferenced(app, formId, respondent, reading.consistency);
  if (referenced) {
    const position = indexKeys.response(referenced).gsi2sk ?? '';
    const isAhead = after === undefined || (descending ? position < after : position > after);
    const isWithin = position >= (query.from ?? '') && (query.to === undefined || position < query.to);
    if (isAhead && isWithin) visit?.(referenced);
    const isMatching = isAhead && isWithin && filter.matches(countedAnswers({ response: referenced, structure }));
    yield { responses: isMatching ? [referenced] : [], last: null, positions: new Map([[referenced.id, position]]) };
    return;
  }
  // A response that is outside of the range has neighbours within it.
  let position = [after, range.start]
    .filter((each) => each !== undefined)
    .toSorted()
    .at(descending ? 0 : -1);
  let [remaining, remainingKb] = [most, reading.maxKb ?? MAX_SEARCHED_MB * 1_000];
  for (let size = first; remaining > 0 && remainingKb >= LARGEST_KB; size *= growth) {
    const request = { after: position, limit: Math.min(size, remaining), maxKb: Math.min(BATCH_KB, remainingKb) };
    const listed = await listEntries(app.table, formId, ['SUBMITTED'], { ...request, descending });
    const batch = cutAt(listed, range.isBeyond);
    remaining -= batch.positions.size;
    remainingKb -= batch.kb;
    const found = respondent.trim() === '' ? batch.entries : await findEntries(app, batch.entries, respondent);
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

/** Reads the submitted response that a search names by its reference or its id, in a form of any size; undefined for any other text. */
async function loadReferenced(
  app: SearchPorts,
  formId: string,
  respondent: string,
  consistency: Consistency | undefined,
): Promise<Response | undefined> {
  const reference = parseReference(respondent);
  const id = reference === undefined ? undefined : toResponseId(reference, formId);
  if (id === undefined) return undefined;
  const [response] = await loadResponses(app.table, [id], consistency);
  return response?.formId === formId && response.progress === 'SUBMITTED' ? response : undefined;
}

/** The position after which the responses of a query begin, and whether one is beyond them. Positions begin with a time. */
function positionsOf(
  { from, to }: Pick<TableQuery, 'from' | 'to'>,
  descending: boolean,
): { start: string | undefined; isBeyond: ((position: string) => boolean) | undefined } {
  const isBefore = from === undefined ? undefined : (position: string) => position < from;
  const isAfter = to === undefined ? undefined : (position: string) => position >= to;
  return descending ? { start: to, isBeyond: isBefore } : { start: from, isBeyond: isAfter };
}

/** Ends a batch at the first entry beyond the responses that are asked for. */
function cutAt(batch: EntryBatch, isBeyond: ((position: string) => boolean) | undefined): EntryBatch {
  const [end] = isBeyond ? [...batch.positions].filter(([, position]) => isBeyond(position)) : [];
  if (!end || !isBeyond) return batch;
  const positions = new Map([...batch.positions].filter(([, position]) => !isBeyond(position)));
  return { ...batch, entries: batch.entries.filter(({ id }) => positions.has(id)), positions, last: null };
}

/** Finds the entries that a search for respondents finds. */
async function findEntries(
  app: SearchPorts,
  entries: readonly ResponseEntry[],
  respondent: string,
): Promise<ResponseEntry[]> {
  const search = buildSearch(respondent);
  const findUser = await loadListedUsers(
    app,
    entries.map(({ userId }) => userId),
  );
  return entries.filter(({ id, userId }) => search(id, findUser(userId)));
}

/**
 * Builds a search: a response is found by its reference, and by a part of the name, the username or an address of its
 * respondent, in any case. An empty text finds all.
 */
export function buildSearch(text: string): (responseId: string, respondent: ShortUser) => boolean {
  const search = text.trim().toLowerCase();
  const reference = parseReference(search);
  return (id, respondent) =>
    search === '' || (reference !== undefined && isReferenceOf(reference, id)) || isNamed(respondent, search);
}

const isNamed = ({ name, username, emails }: ShortUser, search: string): boolean =>
  [name, username, ...emails].some((part) => part.toLowerCase().includes(search));
