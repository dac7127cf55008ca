/** The distinct answers to a question among the responses that match a filter. */

import type { Ports } from '#core/db/ports.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { MAX_ITEM_BYTES, wireBytes } from '#core/schema/page-size.ts';
import { findPlacement, type Structure } from '#core/structure/structure.ts';
import { choiceNames, distinctValues, matchesFilter } from './filter.ts';
import type { DistinctAnswers, FilterInput } from './model.ts';
import { readSubmittedBatches } from './submitted.ts';

/** A request reads at most 1,000 responses, even if few of them match. */
const MAX_BATCHES = 10;
const MAX_DISTINCT = 1_000;

type Filters = FilterInput['filters'];

/** Throws 404 for a question that never belonged to the form, or was deleted without answers. */
export function requireQuestions(structure: Structure, questionIds: readonly string[]): void {
  if (!questionIds.every((id) => findPlacement(structure, id))) throw problems.notFound();
}

/**
 * Lists distinct answers to a question, in the responses that match the filters of the other questions. Reads
 * at most 1,000 responses, and stops before a response whose values would exceed 1,000 values or the size of one HTTP
 * response. `last` is the position after which to continue, null at the end; values can be repeated later.
 */
export async function findDistinctAnswers(
  app: Pick<Ports, 'table'>,
  structure: Structure,
  { questionId, filters, after }: { questionId: string; filters: Filters; after: string | undefined },
): Promise<{ answers: DistinctAnswers['answers']; last: string | null }> {
  const otherFilters = filters.filter((filter) => filter.questionId !== questionId);
  const ownFilters = filters.filter((filter) => filter.questionId === questionId);
  const selected = new Set(ownFilters.flatMap(({ answers }) => answers.map(({ option }) => option)));
  const names = choiceNames(structure, questionId);
  const answersByValue = new Map<string, DistinctAnswers['answers'][number]>();
  let bytes = 0;
  let last: string | null = null;
  for await (const batch of readSubmittedBatches(app.table, structure.formId, { after, maxBatches: MAX_BATCHES })) {
    for (const response of batch.responses) {
      const answerTo = countedAnswers({ response, structure });
      const answer = matchesFilter(otherFilters, answerTo) ? answerTo(questionId) : undefined;
      const values = (answer ? distinctValues(answer, names) : []).map(({ displayValue, matchValue }) => ({
        displayValue,
        matchValue,
        selected: selected.has(matchValue),
      }));
      const added = values.filter(({ matchValue }) => !answersByValue.has(matchValue));
      const addedBytes = added.reduce((sum, value) => sum + wireBytes(value), 0);
      const isFull = answersByValue.size + added.length > MAX_DISTINCT || bytes + addedBytes > MAX_ITEM_BYTES;
      if (isFull && answersByValue.size > 0) return { answers: sortAnswers(answersByValue), last };
      for (const value of values) answersByValue.set(value.matchValue, value);
      bytes += addedBytes;
      last = batch.positions.get(response.id) ?? last;
    }
    last = batch.last;
  }
  return { answers: sortAnswers(answersByValue), last };
}

const sortAnswers = (
  answersByValue: ReadonlyMap<string, DistinctAnswers['answers'][number]>,
): DistinctAnswers['answers'] =>
  [...answersByValue.values()].sort(
    (a, b) => a.displayValue.localeCompare(b.displayValue, 'en') || (a.matchValue < b.matchValue ? -1 : 1),
  );
