/** The list of responses in the order of the answers to a question: up to 1,000 responses are read and sorted. */

import { countedAnswers } from '#core/responses/answers.ts';
import { loadResponses } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { readMatches, type SearchPorts, type TableQuery, type Visit } from './matches.ts';
import type { PageOfResponses, PageRequest } from './page.ts';
import { compareSorted, parseSortPosition, type SortPosition, sortPosition, sortValue } from './sort.ts';

type SortedQuery = TableQuery & { sort: { questionId: string; descending?: boolean | undefined } };

/**
 * Lists responses that match, sorted by the answers to a question; undefined for a form with more than 1,000 submitted
 * responses. Without an answer they are last; equal answers are sorted newest first.
 */
export async function listSortedResponses(
  app: SearchPorts,
  structure: Structure,
  query: SortedQuery,
  { limit, after, before, visit }: PageRequest,
): Promise<PageOfResponses | undefined> {
  const sorted = await sortMatches(app, structure, query, visit);
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

/**
 * Sorts the positions of the responses that match; undefined for a form with more than 1,000 submitted responses. The answers
 * are not kept.
 */
export async function sortMatches(
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
