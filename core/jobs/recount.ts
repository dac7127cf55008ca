/** The job that counts the responses of a form again, as often as something asks for it: there is one for each form. */
import { keys } from '#core/db/keys.ts';
import type { Write } from '#core/db/table.ts';
import { queueJob } from './job.ts';

/**
 * The data of the job that counts a form again. `all`: passes through all responses. `recent`: passes once more
 * through those of the last minutes, which a lagging index may have left out. `again`: starts the next recount.
 */
export type Recount = {
  formId: string;
  epoch: number;
  /** When the recount began; in the phase `again`, when the last one ended. */
  startedAt: string;
  phase: 'all' | 'recent' | 'again';
  /** `changes` of the counters at the end of the last recount; if it is the same a week later, nothing is to be done. */
  changes?: number;
  /** Where the pass continues: the partition of responses, and the position in it. */
  partition?: number;
  after?: string;
};

/** Builds the write that queues the job of a form, in place of the one that it has. */
export const queueRecount = (data: Recount, now: Date): Write =>
  queueJob<Recount>({ key: keys.recount(data.formId), kind: 'recount', data }, now);

/** Builds the write that begins a recount of a form at once, whether or not a change was counted. */
export const restartRecount = (formId: string, now: Date): Write =>
  queueRecount({ formId, epoch: 0, startedAt: now.toISOString(), phase: 'again', changes: -1 }, now);
