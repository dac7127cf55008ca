/** How often the choices of a question were selected, from the counters of a form. */
import { loadQuestionCells } from '#core/counts/answer-counters.ts';
import { shortName } from '#core/counts/cells.ts';
import { type Counters, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { Table } from '#core/db/table.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';

/** Whether the counters of a form are used: it has more responses than are counted directly, and all are included. */
export const areUsed = (counters: Counters | undefined): counters is Counters =>
  counters?.isComplete === true && counters.submitted > MAX_COUNTED_DIRECTLY;

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
