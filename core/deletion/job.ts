/** Carries out queued deletions in two passes, and logs a receipt with what was removed. */

import { tallyResponses } from '#core/counts/tally.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { UPLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import type { Deletion, RemovedCounts } from './marks.ts';
import { purge } from './purge.ts';

/** When the second pass begins: upload URLs have expired, and indexes have settled. */
const SECOND_PASS_SECONDS = 2 * UPLOAD_URL_SECONDS;
/** When a step that removed nothing is repeated: an index names what was removed for about a second more. */
const SETTLED_SECONDS = 10;
/** The number of steps of one attempt. */
const STEPS = 5;
/** The time that must be left to begin a step. */
const STEP_MS = 20_000;

export const deletions = attemptEach({ claimSeconds: 300, parallel: 5, minMs: STEP_MS, attempt });

async function attempt(app: Ports, { data }: Job<Deletion>): Promise<JobOutcome> {
  let { removed, after } = data;
  // What the response counted is subtracted, so its tally is not simply removed with its other items.
  if (data.type === 'response') await tallyResponses(app, [data.id]);
  for (let count = 1; count <= STEPS && remainingMs() >= STEP_MS; count += 1) {
    // Each step continues after the one before.
    const step = await purge(app, data, after);
    removed = addRemoved(removed, step.removed);
    after = step.after;
    if (step.isComplete) return finishPass(app, { ...data, removed });
    const isIdle = Object.values(step.removed).every((number) => number === 0);
    if (isIdle) return continueLater({ ...data, removed, after: undefined }, SETTLED_SECONDS);
  }
  return continueLater({ ...data, removed, after }, 0);
}

/** Ends a pass in which nothing is left to remove, and begins the second one after the first. */
function finishPass(app: Ports, { after: _end, ...data }: Deletion): JobOutcome {
  if (data.pass === 1) return continueLater({ ...data, pass: 2 }, SECOND_PASS_SECONDS);
  app.log({ level: 'info', receipt: 'deletion', type: data.type, id: data.id, ...data.removed });
  return DONE;
}

const continueLater = (data: Deletion, seconds: number): JobOutcome => ({ result: 'continue', data, seconds });

const addRemoved = (a: RemovedCounts, b: Partial<RemovedCounts>): RemovedCounts => {
  const total = { ...a };
  for (const name of Object.keys(a) as (keyof RemovedCounts)[]) total[name] += b[name] ?? 0;
  return total;
};
