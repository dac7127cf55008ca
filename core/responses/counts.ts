/**
 * How many responses a form has. Up to 200 are counted directly, which is exact at once; more are read from the
 * counters, which follow a change within seconds.
 */
import type { Table } from '#core/db/table.ts';
import type { Counters } from './counters.ts';
import type { ResponseProgress } from './model.ts';
import { countUpTo } from './store.ts';

/** The largest number of responses that a request counts. */
export const MAX_COUNTED_DIRECTLY = 200;

/** `counting`: the counters are being built; there are at least as many responses. */
export type ResponseCounts = { draftCount: number; submittedCount: number; counting: boolean };

/** The numbers of responses of a form with these counters. Looks at a bounded number of index entries. */
export async function countResponses(
  table: Table,
  formId: string,
  counters: Counters | undefined,
): Promise<ResponseCounts> {
  if (counters?.isComplete && counters.drafts + counters.submitted > MAX_COUNTED_DIRECTLY) {
    return { draftCount: counters.drafts, submittedCount: counters.submitted, counting: false };
  }
  const [drafts, submitted] = await Promise.all([
    countDirectly(table, formId, 'DRAFT'),
    countDirectly(table, formId, 'SUBMITTED'),
  ]);
  return {
    draftCount: drafts.isExact ? drafts.count : Math.max(drafts.count, counters?.drafts ?? 0),
    submittedCount: submitted.isExact ? submitted.count : Math.max(submitted.count, counters?.submitted ?? 0),
    counting: !(drafts.isExact && submitted.isExact) && !counters?.isComplete,
  };
}

/** The number of a form's responses with a progress; beyond 200 it may be larger. */
export async function countDirectly(
  table: Table,
  formId: string,
  progress: ResponseProgress,
): Promise<{ count: number; isExact: boolean }> {
  const count = await countUpTo(table, formId, progress, MAX_COUNTED_DIRECTLY + 1);
  return { count, isExact: count <= MAX_COUNTED_DIRECTLY };
}
