/** How many submitted responses are as old as those that are deleted for their age. */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Expiry } from '#core/jobs/expiry.ts';
import { parseJob } from '#core/jobs/job.ts';
import { listEntries } from './store.ts';

/** Counts the responses to a form that were submitted until a time: exact below `limit`, else `limit`. */
export async function countSubmittedUntil(table: Table, formId: string, until: string, limit: number): Promise<number> {
  const { entries } = await listEntries(table, formId, ['SUBMITTED'], { limit });
  return entries.filter(({ submittedAt }) => submittedAt !== null && submittedAt <= until).length;
}

/** How many responses that are about to be deleted are counted. */
const MAX_GOING_COUNTED = 100;

/** How many responses a form deletes next for their age, and when. `isMore`: there are more. */
export type Going = { count: number; at: string; isMore: boolean };

/** Finds how many responses a form deletes next for their age; undefined if it deletes none. */
export async function loadGoing(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  formId: string,
  { retentionDays }: Pick<Gate, 'retentionDays'>,
): Promise<Going | undefined> {
  if (retentionDays === null) return undefined;
  const [item] = await table.read([keys.expiry(formId)], 'eventual');
  const job = parseJob<Expiry>(item);
  if (job?.data.going === undefined || job.dueAt < now().toISOString()) return undefined;
  const count = await countSubmittedUntil(table, formId, job.data.going, MAX_GOING_COUNTED);
  return count === 0 ? undefined : { count, at: job.dueAt, isMore: count === MAX_GOING_COUNTED };
}
