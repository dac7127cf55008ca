/** What exports and counts have in common: how far a job is that reads all responses of a form, and whether its result is that of now. */
import { isPending, type Job } from '#core/jobs/job.ts';
import { timeAfter } from '#core/schema/format.ts';

/** Why a job has failed. */
export const REASONS = ['interrupted', 'storage_busy', 'too_large', 'internal_error'] as const;

/** The progress of a run; `total`: null until the responses are counted. */
export type Progress = { processed: number; total: number | null };

/** What is known of a form when a job is requested, in the data of the job: whether something has changed since follows from it. */
export type AsOf = {
  structureVersion: number;
  /** The change number of the form's submitted responses; null without counters. */
  changes: number | null;
  /** The position of the newest submission; null without any. Counters follow later than the index. */
  newest: string | null;
};

/** The data of a job, as it is read with the state of the job. */
export type Requested<T> = T &
  Pick<Job, 'state' | 'attempts'> & {
    createdAt: string;
    finishedAt: string | null;
    reason?: (typeof REASONS)[number];
  };

/** Reads how far a job is. */
export const readProgress = <T extends Progress>(job: Job<T>): Requested<T> => ({
  ...job.data,
  state: job.state,
  attempts: job.attempts,
  // A run starts from the beginning.
  processed: job.state === 'QUEUED' ? 0 : job.data.processed,
  createdAt: job.queuedAt,
  finishedAt: isPending(job) ? null : job.updatedAt,
  ...(job.state === 'FAILED' && { reason: job.reason as (typeof REASONS)[number] }),
});

/** Returns a job that is requested now, before it is read again. */
export const newlyRequested = <T>(data: T, now: Date): Requested<T> => ({
  ...data,
  ...{ state: 'QUEUED', attempts: 0, createdAt: now.toISOString(), finishedAt: null },
});

/** How long the request of an edit takes at most: until then, a run may read the response as it was before. */
const EDIT_SECONDS = 30;

/** Whether the submitted responses of a form have not changed since a job was requested, as far as is known; `editedAt`: when an edit began last. */
export function isUnchanged(
  job: Pick<AsOf, 'changes' | 'newest'> & { createdAt: string },
  { editedAt, changes, newest }: Pick<AsOf, 'changes' | 'newest'> & { editedAt: string | null },
): boolean {
  if (editedAt !== null && job.createdAt <= timeAfter(new Date(editedAt), EDIT_SECONDS)) return false;
  return changes !== null && job.changes === changes && job.newest === newest;
}
