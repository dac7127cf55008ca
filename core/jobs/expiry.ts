/** The job of a form that deletes what is kept for a limited time. It exists only while there is such a thing. */
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { newJob, parseJob, replaceJob } from './job.ts';

/**
 * The data of the job. A pass walks the lists of drafts and of submitted responses; `next`: when the first of what it has seen so far is
 * due. In the phase `last` a pass that finds nothing ends the job: an earlier one has found nothing, but an index may lack what is new.
 * `guestless`: how many passes in a row have found no draft of a guest; after two, a form that keeps other drafts for ever lists none
 * until there is one. `hasGuests`: this pass has found one.
 */
export type Expiry = {
  phase?: 'last' | undefined;
  /** Where the pass continues: the partition, and the position in it. */
  partition?: number | undefined;
  after?: string | undefined;
  next?: string | undefined;
  guestless?: number | undefined;
  hasGuests?: boolean | undefined;
  /** The next pass deletes what was submitted until then. */
  going?: string | undefined;
};

/** The job works once a day at most. */
export const EXPIRY_SECONDS = 24 * 60 * 60;

/**
 * Builds the write by which the job of a form looks at what is stored now, also at drafts: none if it will anyway. `item`: its item as it
 * was read after that was stored.
 */
export function ensureExpiry(formId: string, item: Item | undefined, now: Date): Write[] {
  const job = parseJob<Expiry>(item);
  const isEnding = job?.data.phase === 'last';
  if (job && !isEnding && job.data.guestless === undefined) return [];
  const { going } = job?.data ?? {};
  const untilDue = job && !isEnding ? Math.ceil((Date.parse(job.dueAt) - now.getTime()) / 1_000) : EXPIRY_SECONDS;
  const next = {
    ...{ key: keys.expiry(formId), kind: 'expiry' as const, data: going === undefined ? {} : { going } },
    // A pass that is under way begins again when its claim ends.
    dueInSeconds: Math.min(Math.max(untilDue, 0), EXPIRY_SECONDS),
  };
  return [replaceJob(newJob<Expiry>(next, now), job)];
}

/** Builds the write by which the job of a form looks at once at what is stored, by settings that have changed in the same transaction. */
export function restartExpiry(formId: string, item: Item | undefined, now: Date): Write {
  const next = { key: keys.expiry(formId), kind: 'expiry' as const, data: {} };
  return replaceJob(newJob<Expiry>(next, now), parseJob(item));
}
