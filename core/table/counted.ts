/**
 * The values of questions with how many submitted responses have each, from the counters: for questions that select
 * choices or points of a scale, in forms with more responses than a request counts.
 */
import { loadQuestionCells } from '#core/counts/answer-counters.ts';
import { ANSWERED, ASKED, type Row } from '#core/counts/cells.ts';
import { type Counters, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { Table } from '#core/db/table.ts';
import { isId, shortName } from '#core/schema/schema.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { formatScale } from '#core/structure/types/scale.ts';
import { getTraits, isChoiceType } from '#core/structure/types/traits.ts';
import { hasConditions, hasOptionsOnly } from './filter.ts';
import { isUnfiltered, type TableQuery } from './matches.ts';
import { listColumns, type TableColumn } from './table.ts';

/** A value as filters and lists of distinct answers have it. */
export type CountedValue = { matchValue: string; displayValue: string; count: number };
/**
 * The values of a question. `unnamed`: how often choices were selected that it does not offer any more and whose names the
 * structure has not kept, by the names of their cells; these names are in the responses only.
 */
export type CountedValues = { values: readonly CountedValue[]; unnamed: ReadonlyMap<string, number> };

/** Whether the counters of a form are used: it has more responses than are counted directly, and all are included. */
export const areUsed = (counters: Counters | undefined): counters is Counters =>
  counters?.isComplete === true && counters.submitted > MAX_COUNTED_DIRECTLY;

/** Whether the counters have the values of a question. How a removed question displays its points is not known. */
export const isCounted = ({ type, question }: TableColumn): boolean =>
  isChoiceType(type) || (question !== undefined && getTraits(type).isNumber === true);

/**
 * Counts the responses that match a filter and a search: all of them, from the counters. Undefined if these do not tell,
 * since they have each question by itself: for a filter of several questions or of several choices of one, and a search.
 */
export function countMatching(
  table: Table,
  structure: Structure,
  counters: Counters | undefined,
  query: Omit<TableQuery, 'sort'>,
): Promise<number> | undefined {
  const [filter, ...others] = query.filters.filter(hasConditions);
  const column = listColumns(structure).find(({ id }) => id === filter?.questionId);
  if (!filter || !column || others.length > 0 || !isUnfiltered({ ...query, filters: [] })) return undefined;
  if (!hasOptionsOnly(filter) || !areUsed(counters)) return undefined;
  const options = new Set(filter.answers?.map(({ option }) => option));
  const { selectsOne, isNumber } = getTraits(column.type);
  const hasOneEach = selectsOne === true || isNumber === true || (isChoiceType(column.type) && options.size === 1);
  if (!isCounted(column) || !hasOneEach) return undefined;
  // An option that nobody can have chosen names no cell.
  const chosen = [...options].filter((option) => (isNumber ? /^\d+$/.test(option) : isId(option)));
  return loadQuestionCells(table, structure.formId, counters, [column.id]).then((cells) => {
    const row = cells.get(shortName(column.id));
    return chosen.reduce((sum, option) => sum + (row?.get(isNumber ? option : shortName(option)) ?? 0), 0);
  });
}

/** Lists the values of some questions that are counted, in the order of the question, by question id. */
export async function listCountedValues(
  table: Table,
  structure: Structure,
  counters: Counters | undefined,
  columns: readonly TableColumn[],
): Promise<ReadonlyMap<string, CountedValues>> {
  if (columns.length === 0 || !counters) return new Map();
  const ids = columns.map(({ id }) => id);
  const cells = await loadQuestionCells(table, structure.formId, counters, ids);
  return new Map(columns.map((column) => [column.id, listValues(structure, column, cells.get(shortName(column.id)))]));
}

function listValues(structure: Structure, { id, type, question }: TableColumn, row: Row = new Map()): CountedValues {
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
  const values = [...listChoices(structure, id), ...(structure.removedChoices ?? [])].flatMap((choice) => {
    const cell = shortName(choice.id);
    const count = unnamed.get(cell) ?? 0;
    unnamed.delete(cell);
    return count > 0 ? [{ matchValue: choice.id, displayValue: choiceName(choice), count }] : [];
  });
  return { values, unnamed };
}
