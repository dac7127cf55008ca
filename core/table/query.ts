/** The distinct answers to a question among the responses that match a filter. */

import type { Counters } from '#core/counts/counters.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { MAX_ITEM_BYTES, wireBytes } from '#core/schema/page-size.ts';
import { shortName } from '#core/schema/schema.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { areUsed, type CountedValue, type CountedValues, isCounted, listCountedValues } from './counted.ts';
import { choiceNames, distinctValues, hasConditions } from './filter.ts';
import { isUnfiltered, readMatches, type SearchPorts } from './matches.ts';
import type { DistinctAnswers, FilterInput } from './model.ts';
import { listColumns } from './table.ts';

const MAX_DISTINCT = 1_000;

type DistinctRequest = {
  questionId: string;
  query: FilterInput;
  after: string | undefined;
  counters: Counters | undefined;
};

/**
 * Lists distinct answers to a question, in the responses that match the filters of the other questions. Those to a
 * question with choices or a scale come from the counters, if no other question is filtered; otherwise it reads at most
 * 1,000 responses, and stops before a response whose values would exceed 1,000 values or the size of one HTTP
 * response. `last` is the position after which to continue, null at the end; values can be repeated later.
 */
export async function findDistinctAnswers(
  app: SearchPorts,
  structure: Structure,
  { questionId, query, after, counters }: DistinctRequest,
): Promise<{ answers: DistinctAnswers['answers']; last: string | null }> {
  const { filters } = query;
  const otherFilters = filters.filter((filter) => filter.questionId !== questionId && hasConditions(filter));
  const others = { ...query, filters: otherFilters };
  const ownFilters = filters.filter((filter) => filter.questionId === questionId);
  const selected = new Set(ownFilters.flatMap(({ answers = [] }) => answers.map(({ option }) => option)));
  const column = listColumns(structure).find(({ id }) => id === questionId);
  if (column && isCounted(column) && areUsed(counters) && after === undefined && isUnfiltered(others)) {
    const counted = (await listCountedValues(app.table, structure, counters, [column])).get(questionId);
    const values = counted && (await nameRemoved(app, structure, questionId, counted));
    const answers = values?.map(({ displayValue, matchValue }) => ({
      displayValue,
      matchValue,
      selected: selected.has(matchValue),
    }));
    if (answers) return { answers: answers.sort(compareAnswers), last: null };
  }
  const names = choiceNames(structure, questionId);
  const answersByValue = new Map<string, DistinctAnswers['answers'][number]>();
  let bytes = 0;
  let last: string | null = null;
  for await (const batch of readMatches(app, structure, others, { after, descending: false })) {
    for (const response of batch.responses) {
      const answer = countedAnswers({ response, structure })(questionId);
      const values = (answer ? distinctValues(answer, column?.question, names) : []).map(
        ({ displayValue, matchValue }) => ({
          displayValue,
          matchValue,
          selected: selected.has(matchValue),
        }),
      );
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

/**
 * Adds the choices that the question does not offer any more, with the names that they have in the first 1,000 responses;
 * undefined if these do not have all of them.
 */
async function nameRemoved(
  app: SearchPorts,
  structure: Structure,
  questionId: string,
  { values, unnamed }: CountedValues,
): Promise<CountedValue[] | undefined> {
  const named = new Map<string, CountedValue>();
  if (unnamed.size === 0) return [...values];
  for await (const { responses } of readMatches(app, structure, { filters: [] }, { descending: false })) {
    for (const { answers } of responses) {
      const answer = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
      for (const value of answer
        ? distinctValues(answer, findQuestion(structure, questionId)?.question, new Map())
        : []) {
        const count = unnamed.get(shortName(value.matchValue));
        if (count !== undefined) named.set(value.matchValue, { ...value, count });
      }
    }
    if (named.size === unnamed.size) return [...values, ...named.values()];
  }
  return undefined;
}

type DistinctAnswer = DistinctAnswers['answers'][number];

const compareAnswers = (a: DistinctAnswer, b: DistinctAnswer): number =>
  a.displayValue.localeCompare(b.displayValue, 'en') || (a.matchValue < b.matchValue ? -1 : 1);

const sortAnswers = (answersByValue: ReadonlyMap<string, DistinctAnswer>): DistinctAnswer[] =>
  [...answersByValue.values()].sort(compareAnswers);
