/** How many submitted responses are as old as those that are deleted for their age. */
import type { Table } from '#core/db/table.ts';
import { listEntries } from './store.ts';

/** Counts the responses to a form that were submitted until a time: exact below `limit`, else `limit`. */
export async function countSubmittedUntil(table: Table, formId: string, until: string, limit: number): Promise<number> {
  const { entries } = await listEntries(table, formId, ['SUBMITTED'], { limit });
  return entries.filter(({ submittedAt }) => submittedAt !== null && submittedAt <= until).length;
}
