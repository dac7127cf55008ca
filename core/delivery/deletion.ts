/** Carries out queued deletions in two passes, and logs a receipt with what was removed. */
import type { Ports } from '#core/db/ports.ts';
import { purge } from '#core/deletion/purge.ts';
import type { Deletion, Removed } from '#core/deletion/queue.ts';
import type { Delivery } from '#core/outbox/delivery.ts';
import { UPLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import { attemptEach, DONE, type Outcome } from './attempt.ts';
import { tallyResponses } from './tally.ts';

/** When the second pass begins: upload URLs have expired, and indexes have settled. */
const SECOND_PASS_SECONDS = 2 * UPLOAD_URL_SECONDS;
/** The number of steps of one attempt. */
const STEPS = 5;

export const deletions = attemptEach({ claimSeconds: 300, parallel: 5, minMs: 20_000, attempt });

async function attempt(app: Ports, { data }: Delivery<Deletion>): Promise<Outcome> {
  let { removed } = data;
  // What the response counted is subtracted, so its tally is not simply removed with its other items.
  if (data.type === 'response') await tallyResponses(app, [data.id]);
  for (let count = 1; count <= STEPS; count += 1) {
    // Each step removes what the one before has left.
    const step = await purge(app, data);
    removed = sum(removed, step.removed);
    if (!step.isComplete) continue;
    if (data.pass === 1) return next({ ...data, pass: 2, removed }, SECOND_PASS_SECONDS);
    app.log({ level: 'info', receipt: 'deletion', type: data.type, id: data.id, ...removed });
    return DONE;
  }
  return next({ ...data, removed }, 0);
}

const next = (data: Deletion, seconds: number): Outcome => ({ result: 'continue', data, seconds });

const sum = (a: Removed, b: Partial<Removed>): Removed => {
  const total = { ...a };
  for (const name of Object.keys(a) as (keyof Removed)[]) total[name] += b[name] ?? 0;
  return total;
};
