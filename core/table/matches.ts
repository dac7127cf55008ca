/** Reads the submitted responses that match a filter and a search, in the order of submission, in growing batches. */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { indexKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Consistency } from '#core/db/table.ts';
import { type Current, countedAnswers } from '#core/responses/answers.ts';
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
import { displayValue } from '#core/structure/types/types.ts';
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
  /** Text in the name, username or e-mail address of the respondent or in an answer, or the reference of the response. */
  respondent?: string | undefined;
  sort?: { questionId?: string | undefined; descending?: boolean | undefined } | undefined;
};

/** Whether the query matches every submitted response. */
export const isUnfiltered = ({ filters, from, to, copies, respondent = '' }: TableQuery): boolean =>
  ![from, to, copies].some((condition) => condition !== undefined) && !filters.some(hasConditions) && respondent === '';

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
    const kept = isMatching ? await keepCopies(app, query, [referenced]) : [];
    yield { responses: kept, last: null, positions: new Map([[referenced.id, position]]) };
    return;
  }
  // Few requests ask for them.
  const copies = query.copies && (await import('./failed-copies.ts'));
  const failed = await copies?.listFailedSubmissions(app.table, formId, MAX_SEARCHED);
  if (copies && failed) {
    const find = (responses: Response[]) => findResponses(app, structure, responses, respondent);
    const range = { after, descending, visit, consistency: reading.consistency };
    yield* copies.readFailedMatches(app.table, structure, query, failed, { ...range, find });
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
    const entries = await keepCopies(
      app,
      query,
      batch.entries.filter(({ id }) => !seen.has(id)),
    );
    const loaded = await loadResponseBatch(
      app.table,
      formId,
      ['SUBMITTED'],
      { ...batch, entries },
      reading.consistency,
    );
    for (const { id } of loaded.responses) seen.add(id);
    const responses = await findResponses(app, structure, loaded.responses, respondent);
    for (const response of responses) visit?.(response);
    const matching = responses.filter((response) => filter.matches(countedAnswers({ response, structure })));
    yield { responses: matching, last: batch.last, positions: batch.positions };
    if (batch.last === null) return;
    position = batch.last;
  }
}

/** Keeps those of some submissions that have the copies which a query asks for. */
const keepCopies = async <T extends ResponseEntry>(
  { table }: SearchPorts,
  { copies }: Pick<TableQuery, 'copies'>,
  entries: T[],
): Promise<T[]> => (copies === undefined ? entries : (await import('./failed-copies.ts')).keepFailed(table, entries));

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

/** Finds the responses that a search finds. */
async function findResponses(
  app: SearchPorts,
  structure: Structure,
  responses: Response[],
  text: string,
): Promise<Response[]> {
  if (text.trim() === '') return responses;
  const search = buildSearch(structure, text);
  const findUser = await loadListedUsers(
    app,
    responses.map(({ userId }) => userId),
  );
  return responses.filter((response) => search(response, findUser(response.userId)));
}

/**
 * Builds a search: a response is found by its reference, and by a part of the name, the username or an address of its
 * respondent, or of an answer as it is displayed, in any case. An empty text finds all.
 */
export function buildSearch(
  structure: Structure,
  text: string,
): (response: Response, respondent: ShortUser) => boolean {
  const search = text.trim().toLowerCase();
  const reference = parseReference(search);
  return (response, respondent) =>
    search === '' ||
    (reference !== undefined && isReferenceOf(reference, response.id)) ||
    isNamed(respondent, search) ||
    isAnswered({ response, structure }, search);
}

const isNamed = ({ name, username, emails }: ShortUser, search: string): boolean =>
  [name, username, ...emails].some((part) => part.toLowerCase().includes(search));

/** Whether an answer that counts has the text. The path is followed only for responses that have it in some answer. */
function isAnswered(current: Current, search: string): boolean {
  const answerTo = countedAnswers(current);
  return Object.entries(current.response.answers).some(
    ([questionId, answer]) => displayValue(answer).toLowerCase().includes(search) && answerTo(questionId) !== undefined,
  );
}
