/** Which questions of a section are the rows of one table, and what such a table offers. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Question } from '#core/structure/question-model.ts';
import { pointLabel } from './point-label.ts';

/** The most questions, and the most choices or points, of a table. */
const MAX_ROWS = 30;
const MAX_COLUMNS = 11;

/** What a row of a table offers. */
export type Column = { value: string; label: string };

/** Lists what a question offers in a table; undefined for a question that cannot be in one. */
export function listColumns({ type, choices, scale, sourceId }: Question): Column[] | undefined {
  if (type === 'LINEAR_SCALE' && scale) {
    return Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => {
      const point = scale.minVal + index;
      return { value: String(point), label: pointLabel(point, scale) };
    });
  }
  if (
    type !== 'SINGLE_CHOICE' ||
    sourceId !== undefined ||
    !choices ||
    choices.some(({ isOther, limit }) => isOther || limit !== undefined)
  ) {
    return undefined;
  }
  return choices.map(({ id, name }) => ({ value: id, label: name }));
}

/** Lists the labels of what a question offers in a table; undefined for a question that cannot be in one. */
export const listLabels = (question: Question): string[] | undefined =>
  listColumns(question)?.map(({ label }) => label);

/** Whether a question is the next row of the table of the one above. */
function continues(above: Question, question: Question): boolean {
  const labels = question.grid && above.type === question.type ? listLabels(question) : undefined;
  return labels !== undefined && labels.length <= MAX_COLUMNS && isDeepStrictEqual(labels, listLabels(above));
}

/** Groups what belongs to the questions of a section: those of a table together, in order, and any other alone. */
export function groupByTable<T>(items: readonly T[], toQuestion: (item: T) => Question): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const above = last?.at(-1);
    if (last && above && last.length < MAX_ROWS && continues(toQuestion(above), toQuestion(item))) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Finds the tables of a section as respondents see them: by the id of each of their questions, all of them in order. */
export function findTables(questions: readonly Question[]): ReadonlyMap<string, readonly Question[]> {
  const shown = questions.filter(({ hidden }) => !hidden);
  const tables = groupByTable(shown, (question) => question).filter(({ length }) => length > 1);
  return new Map(tables.flatMap((table) => table.map(({ id }) => [id, table] as const)));
}
