/** Queued deletions in tests. */
import { inRequestContext } from '#core/db/request-context.ts';
import { sweepDeliveries } from '#core/delivery/handlers.ts';
import { type App, app } from '#core/http/app.ts';

const HOUR_MS = 3_600_000;
/** When deliveries are attempted: at once, after failed attempts and claims have ended, and for the second passes. */
const HOURS = [0, 1, 3, 6, 12];
/** The time that the worker has for a sweep. */
const SWEEP_MS = 120_000;

/** Sweeps as the worker does: with its own time, also when a test calls it in the middle of a request. */
const sweep = (changes: Partial<App>): Promise<unknown> =>
  inRequestContext({ calls: 0, capacityUnits: 0, deadline: performance.now() + SWEEP_MS }, () =>
    sweepDeliveries({ ...app(), ...changes }, () => true),
  );

/** Carries out all queued deletions, both passes of each, as if the hours between them had passed. */
export async function finishDeletions(): Promise<void> {
  for (const hours of HOURS) {
    const now = () => new Date(Date.now() + hours * HOUR_MS);
    await sweep({ now });
  }
}

/** Attempts what is due now: the first pass of deletions. Returns whether an error interrupted it. */
export async function isInterrupted(): Promise<boolean> {
  let failures = 0;
  const { log } = app();
  const counting: typeof log = (entry) => {
    if (entry.level === 'error') failures += 1;
  };
  try {
    await sweep({ log: counting });
  } catch {
    failures += 1;
  }
  return failures > 0;
}
