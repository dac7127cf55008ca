/** Checks filters against the questions of a form. Apart from what reads responses, which functions of views do not load. */
import { type Fault, problems } from '#core/problems/problems.ts';
import { findPlacement, type Structure } from '#core/structure/structure.ts';
import { orderOf } from './filter.ts';
import type { FilterInput } from './model.ts';
import { listColumns } from './table.ts';

type Filters = FilterInput['filters'];

/** Throws 404 for a question that never belonged to the form, or was deleted without answers. */
export function requireQuestions(structure: Structure, questionIds: readonly string[]): void {
  if (!questionIds.every((id) => findPlacement(structure, id))) throw problems.notFound();
}

/**
 * Checks a filter against the questions of a form. Throws 404 for a question that never belonged to it, or was deleted without
 * answers, and 400 for a bound that does not fit the answers to its question.
 */
export function requireFilter(structure: Structure, filters: Filters): void {
  requireQuestions(
    structure,
    filters.map(({ questionId }) => questionId),
  );
  const faults = listBoundFaults(structure, filters, '/body/filters');
  if (faults.length > 0) throw problems.invalid(faults);
}

/** Lists the bounds that do not fit the answers to their questions. `pointer`: where the filters are. */
export function listBoundFaults(structure: Structure, filters: Filters, pointer: string): Fault[] {
  const columns = new Map(listColumns(structure).map((column) => [column.id, column]));
  return filters.flatMap((entry, index) =>
    BOUNDS.flatMap((name) => {
      const column = columns.get(entry.questionId);
      const bound = entry[name];
      if (!column || bound === undefined) return [];
      const order = orderOf(column.type, column.question);
      // A removed text may have asked for numbers.
      if (order === undefined && column.question === undefined) return [];
      const isFit = order === 'number' ? Number.isFinite(Number(bound)) : order === 'date' && typeof bound === 'string';
      const detail =
        order === undefined
          ? 'needs a question for a number or a date'
          : `must be a ${order}, as the answers to its question are`;
      return isFit ? [] : [{ pointer: `${pointer}/${index}/${name}`, detail }];
    }),
  );
}

const BOUNDS = ['min', 'max'] as const;
