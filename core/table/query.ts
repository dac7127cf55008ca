/** Queries over submitted responses: a page of those that match a filter, and the distinct answers to a question. */

import { indexKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { problems } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { pageEntries, pageResponses } from '#core/responses/store.ts';
import { MAX_ITEM_BYTES, wireBytes } from '#core/schema/page-size.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { choiceNames, distinctValues, matchesFilter } from './filter.ts';
import type { DistinctAnswers, FilterInput } from './model.ts';
import { submittedPages } from './submitted.ts';

/** A request reads at most 1,000 responses, even if few of them match. */
const MAX_PAGES = 10;
const MAX_DISTINCT = 1_000;

type Filters = FilterInput['filters'];

/** Throws 404 for a question that never belonged to the form, or was deleted without answers. */
export function requireQuestions(structure: Structure, questionIds: readonly string[]): void {
  const known = (id: string): boolean =>
    findQuestion(structure, id) !== undefined || structure.removed.some((question) => question.id === id);
  if (!questionIds.every(known)) throw problems.notFound();
}

/**
 * The next responses that match, oldest submission first, at most `limit`. `last` is the position after which to
 * continue, null at the end; `positions` has the position of each response.
 */
export async function pageMatching(
  app: Pick<Ports, 'table'>,
  structure: Structure,
  filters: Filters,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ responses: Response[]; last: string | null; positions: ReadonlyMap<string, string> }> {
  if (filters.length === 0) return pageResponses(app.table, structure.formId, ['SUBMITTED'], { limit, after });
  const responses: Response[] = [];
  const positions = new Map<string, string>();
  let last: string | null = null;
  for await (const page of submittedPages(app.table, structure.formId, { after, maxPages: MAX_PAGES })) {
    const matching = page.responses.filter((response) =>
      matchesFilter(filters, countedAnswers({ response, structure })),
    );
    const taken = matching.slice(0, limit - responses.length);
    responses.push(...taken);
    for (const [id, position] of page.positions) positions.set(id, position);
    last = taken.length < matching.length ? (positions.get(taken.at(-1)?.id ?? '') ?? null) : page.last;
    if (responses.length === limit) break;
  }
  return { responses, last, positions };
}

/**
 * A page of the distinct answers to a question, in the responses that match the filters of the other questions. Reads
 * at most 1,000 responses, and stops before a response whose values would exceed 1,000 values or the size of one HTTP
 * response. `last` is the position after which to continue, null at the end; values can be repeated on later pages.
 */
export async function distinctAnswers(
  app: Pick<Ports, 'table'>,
  structure: Structure,
  { questionId, filters, after }: { questionId: string; filters: Filters; after: string | undefined },
): Promise<{ answers: DistinctAnswers['answers']; last: string | null }> {
  const others = filters.filter((filter) => filter.questionId !== questionId);
  const ownFilters = filters.filter((filter) => filter.questionId === questionId);
  const selected = new Set(ownFilters.flatMap(({ answers }) => answers.map(({ option }) => option)));
  const names = choiceNames(structure, questionId);
  const found = new Map<string, DistinctAnswers['answers'][number]>();
  let bytes = 0;
  let last: string | null = null;
  for await (const page of submittedPages(app.table, structure.formId, { after, maxPages: MAX_PAGES })) {
    for (const response of page.responses) {
      const answerTo = countedAnswers({ response, structure });
      const answer = matchesFilter(others, answerTo) ? answerTo(questionId) : undefined;
      const values = (answer ? distinctValues(answer, names) : []).map(({ displayValue, matchValue }) => ({
        displayValue,
        matchValue,
        selected: selected.has(matchValue),
      }));
      const added = values.filter(({ matchValue }) => !found.has(matchValue));
      const addedBytes = added.reduce((sum, value) => sum + wireBytes(value), 0);
      const isFull = found.size + added.length > MAX_DISTINCT || bytes + addedBytes > MAX_ITEM_BYTES;
      if (isFull && found.size > 0) return { answers: sorted(found), last };
      for (const value of values) found.set(value.matchValue, value);
      bytes += addedBytes;
      last = page.positions.get(response.id) ?? last;
    }
    last = page.last;
  }
  return { answers: sorted(found), last };
}

const sorted = (found: ReadonlyMap<string, DistinctAnswers['answers'][number]>): DistinctAnswers['answers'] =>
  [...found.values()].sort(
    (a, b) => a.displayValue.localeCompare(b.displayValue, 'en') || (a.matchValue < b.matchValue ? -1 : 1),
  );

// The responses before and after one in the order of submission.

/** How many responses in each direction are compared with a filter. */
const MAX_LOOKED_AT = 100;

export type Neighbours = { previous: string | undefined; next: string | undefined };

/**
 * The ids of the submitted responses next to one, of those that match a filter; none for a draft. With a filter, only
 * the nearest 100 responses are looked at.
 */
export async function neighboursOf(
  { table }: Pick<Ports, 'table'>,
  { response, structure }: { response: Response; structure: Structure },
  filters: FilterInput['filters'],
): Promise<Neighbours> {
  if (response.progress !== 'SUBMITTED') return { previous: undefined, next: undefined };
  const after = indexKeys.response(response).gsi2sk;
  const nearest = async (descending: boolean): Promise<string | undefined> => {
    const isOther = ({ id }: { id: string }): boolean => id !== response.id;
    if (filters.length === 0) {
      const range = { limit: 2, after, descending };
      return (await pageEntries(table, response.formId, ['SUBMITTED'], range)).entries.find(isOther)?.id;
    }
    const range = { limit: MAX_LOOKED_AT, after, descending };
    const { responses } = await pageResponses(table, response.formId, ['SUBMITTED'], range);
    const matches = (each: Response) => matchesFilter(filters, countedAnswers({ response: each, structure }));
    return responses.find((each) => isOther(each) && matches(each))?.id;
  };
  const [previous, next] = await Promise.all([nearest(true), nearest(false)]);
  return { previous, next };
}
