/**
 * The values of questions with how many submitted responses have each, from the counters: for questions that select
 * choices or points of a scale, in forms with more responses than a request counts.
 */
import { loadQuestionCells } from '#core/counts/answer-counters.ts';
import { ANSWERED, ASKED, type Row, shortName } from '#core/counts/cells.ts';
import { type Counters, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { Table } from '#core/db/table.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { formatScale } from '#core/structure/types/scale.ts';
import { isChoiceType, traitsOf } from '#core/structure/types/traits.ts';
import { distinctValues } from './filter.ts';
import { readSubmittedBatches } from './submitted.ts';
import type { TableColumn } from './table.ts';

/** A request reads at most 1,000 responses to find the names of removed choices. */
const MAX_BATCHES = 10;

/** A value as filters and lists of distinct answers have it. */
export type CountedValue = { matchValue: string; displayValue: string; count: number };
/** The values of a question; `isComplete`: all that responses have. */
export type CountedValues = { values: readonly CountedValue[]; isComplete: boolean };

/** Whether the counters of a form are used: it has more responses than are counted directly, and all are included. */
export const areUsed = (counters: Counters | undefined): counters is Counters =>
  counters?.isComplete === true && counters.submitted > MAX_COUNTED_DIRECTLY;

/** Whether the counters have the values of a question. Of a removed question the names of choices are not known. */
export const isCounted = ({ type, question }: TableColumn): boolean =>
  question !== undefined && (isChoiceType(type) || traitsOf(type).isNumber === true);

/** Reads how often each choice of a question was selected, by choice id. */
export async function loadChoiceCounts(
  table: Table,
  structure: Structure,
  counters: Counters,
  questionId: string,
): Promise<ReadonlyMap<string, number>> {
  const cells = await loadQuestionCells(table, structure.formId, counters, [questionId]);
  const row = cells.get(shortName(questionId));
  return new Map(listChoices(structure, questionId).map(({ id }) => [id, row?.get(shortName(id)) ?? 0]));
}

/** Lists the values of some questions that are counted, in the order of the question, by question id. */
export async function listCountedValues(
  table: Table,
  structure: Structure,
  counters: Counters,
  columns: readonly TableColumn[],
): Promise<ReadonlyMap<string, CountedValues>> {
  if (columns.length === 0) return new Map();
  const ids = columns.map(({ id }) => id);
  const cells = await loadQuestionCells(table, structure.formId, counters, ids);
  const listed = columns.map((column) => ({
    id: column.id,
    ...listValues(structure, column, cells.get(shortName(column.id))),
  }));
  const removed = await findRemovedChoices(
    table,
    structure.formId,
    new Map(listed.map(({ id, unnamed }) => [id, unnamed])),
  );
  return new Map(
    listed.map(({ id, values, unnamed }) => {
      const named = removed.filter(({ questionId }) => questionId === id);
      return [id, { values: [...values, ...named], isComplete: named.length === unnamed.size }] as const;
    }),
  );
}

/** The values of a question, and the counts of choices that it does not offer any more, by the names of their cells. */
function listValues(
  structure: Structure,
  { id, type, question }: TableColumn,
  row: Row = new Map(),
): { values: CountedValue[]; unnamed: Map<string, number> } {
  const counted = [...row].filter(([cell, count]) => count > 0 && cell !== ASKED && cell !== ANSWERED);
  if (!isChoiceType(type)) {
    const points = counted.map(([cell, count]) => ({ matchValue: cell, displayValue: cell, count }));
    const named = points.map((point) => ({
      ...point,
      displayValue: formatScale(Number(point.matchValue), question?.scale),
    }));
    return { values: named.sort((a, b) => Number(a.matchValue) - Number(b.matchValue)), unnamed: new Map() };
  }
  const unnamed = new Map(counted.filter(([cell]) => !cell.endsWith('>')));
  const values = listChoices(structure, id).flatMap((choice) => {
    const cell = shortName(choice.id);
    const count = unnamed.get(cell) ?? 0;
    unnamed.delete(cell);
    return count > 0 ? [{ matchValue: choice.id, displayValue: choiceName(choice), count }] : [];
  });
  return { values, unnamed };
}

/** Finds removed choices with the names that they had, in the responses that selected them. */
async function findRemovedChoices(
  table: Table,
  formId: string,
  unnamed: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Promise<(CountedValue & { questionId: string })[]> {
  const found = new Map<string, CountedValue & { questionId: string }>();
  const total = [...unnamed.values()].reduce((sum, { size }) => sum + size, 0);
  if (total === 0) return [];
  for await (const { responses } of readSubmittedBatches(table, formId, { maxBatches: MAX_BATCHES })) {
    for (const { answers } of responses) {
      for (const [questionId, counts] of unnamed) {
        const answer = counts.size > 0 && Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
        for (const value of answer ? distinctValues(answer, new Map()) : []) {
          const count = counts.get(shortName(value.matchValue));
          if (count !== undefined) found.set(`${questionId} ${value.matchValue}`, { questionId, ...value, count });
        }
      }
    }
    if (found.size === total) break;
  }
  return [...found.values()];
}
