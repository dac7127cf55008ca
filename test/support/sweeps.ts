/** Runs the worker that attempts what is due, now or as if time had passed. The clock of requests stays. */

import type { Ports } from '#core/db/ports.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import { type App, app } from '#core/http/app.ts';
import { readDueJobs } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { CLEAN_UP_SECONDS } from '#core/schema/upload.ts';
import { sweepJobs } from '#core/workers/kinds.ts';
import { handler } from '#functions/workers/sweep.ts';
import { deliverStream } from './workers.ts';

const HOUR_SECONDS = 3_600;
/** When deletions are attempted: at once, after failed attempts and claims have ended, and for the second passes. */
const HOURS = [0, 1, 3, 6, 12];
/** The time that the worker has for a sweep. */
const SWEEP_MS = 120_000;

/** The Lambda context of a worker, as far as workers use it. */
export const workerContext = (remainingMs = SWEEP_MS): Parameters<typeof handler>[1] =>
  ({ getRemainingTimeInMillis: () => remainingMs, awsRequestId: 'test' }) as Parameters<typeof handler>[1];

/** Runs the workers of jobs once, now: `deliver` with what was written since the last time, then the sweep. */
export async function runSweep(): Promise<void> {
  await deliverStream({ only: ['deliver'] });
  await handler({}, workerContext());
}

/** Sweeps with its own time limit, also when a test calls it in the middle of a request. */
const sweep = (changes: Partial<App>): Promise<unknown> =>
  inRequestContext({ calls: 0, capacityUnits: 0, deadline: performance.now() + SWEEP_MS }, () =>
    sweepJobs({ ...app(), ...changes }, () => true),
  );

/** Attempts what is due some seconds from now. */
export async function sweepIn(seconds: number): Promise<void> {
  const now = new Date(app().now().getTime() + seconds * 1_000);
  await sweep({ now: () => now });
}

/** All jobs that are due, except for exports. */
export async function allDue(ports: Ports): Promise<Job[]> {
  const all: Job[] = [];
  for await (const batch of readDueJobs(ports, 'main')) all.push(...batch);
  return all;
}

/** Carries out the clean-ups that are due within some seconds; by default all, as if nothing happened until then. */
export const cleanUp = (afterSeconds = CLEAN_UP_SECONDS + 1): Promise<void> => sweepIn(afterSeconds);

/** Carries out all queued deletions, both passes of each, as if the hours between them had passed. */
export async function finishDeletions(): Promise<void> {
  for (const hours of HOURS) await sweepIn(hours * HOUR_SECONDS);
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
