/** The job of a form that deletes what is kept for a limited time. It exists only while there is such a thing. */
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { newJob, parseJob, replaceJob } from './job.ts';

/**
 * The data of the job. A pass walks the lists of drafts and of submitted responses; `next`: when the first of what it has seen so far is
 * due. In the phase `last` a pass that finds nothing ends the job: an earlier one has found nothing, but an index may lack what is new.
 */
export type Expiry = {
  phase?: 'last' | undefined;
  /** Where the pass continues: the partition, and the position in it. */
  partition?: number | undefined;
  after?: string | undefined;
  next?: string | undefined;
  /** The next pass deletes what was submitted until then. */
  going?: string | undefined;
};

/** The job works once a day at most. */
export const EXPIRY_SECONDS = 24 * 60 * 60;

/**
 * Builds the write by which the job of a form looks at what is stored now: none if it will anyway. `item`: its item as it was
 * read after that was stored.
 */
export function ensureExpiry(formId: string, item: Item | undefined, now: Date): Write[] {
  const job = parseJob<Expiry>(item);
  if (job && job.data.phase !== 'last') return [];
  const next = { key: keys.expiry(formId), kind: 'expiry' as const, data: {}, dueInSeconds: EXPIRY_SECONDS };
  return [replaceJob(newJob<Expiry>(next, now), job)];
}

/** Builds the write by which the job of a form looks at once at what is stored, by settings that have changed in the same transaction. */
export function restartExpiry(formId: string, item: Item | undefined, now: Date): Write {
  const next = { key: keys.expiry(formId), kind: 'expiry' as const, data: {} };
  return replaceJob(newJob<Expiry>(next, now), parseJob(item));
}
