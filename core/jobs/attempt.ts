/**
 * Attempts jobs: claims them, runs the handler of their kind, and stores the outcome. A job is attempted at
 * least once; handlers make its effect happen once.
 */

import { readDueBatches } from '#core/db/batches.ts';
import { type Key, keyText, type Lane, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import { type Item, StorageBusy, type Write } from '#core/db/table.ts';
import { timeAfter } from '#core/schema/format.ts';
import {
  claimJob,
  completeJob,
  continueJob,
  deferJob,
  failJob,
  isAtLastAttempt,
  isDue,
  isPending,
  JOB_KINDS,
  type Job,
  type JobKind,
  parseJob,
  postponeJob,
  removeJob,
  replaceJob,
} from './job.ts';

/**
 * The outcome of an attempt.
 * - `done`: the item is removed; with `record` it stays as the record of what was done, with this data.
 * - `failed`: attempts end at once; repeating it without a change would fail again.
 * - `retry`: attempted again after a pause, of at least `minSeconds`; fails after the last attempt, unless it is a
 *   maintenance job.
 * - `wait`: not attempted, because something else is under way; due again after some seconds.
 * - `continue`: attempted again with other data after some seconds, as the next step of a longer job.
 */
export type JobOutcome =
  | { result: 'done'; record?: object }
  | { result: 'failed'; reason: string }
  | { result: 'retry'; reason: string; minSeconds?: number }
  | { result: 'wait'; seconds: number }
  | { result: 'continue'; data: object; seconds: number };

export const DONE = { result: 'done' } as const satisfies JobOutcome;

/**
 * Whether an outcome ends the attempts of a job without success. The job fails then; a maintenance job that is to be retried
 * is still attempted, but needs the attention of an operator.
 */
export const isFinalFailure = (job: Job, outcome: JobOutcome, now: Date): boolean =>
  outcome.result === 'failed' || (outcome.result === 'retry' && isAtLastAttempt(job, now));

/** The outcome of an attempt; `renewed`: the job as it was stored when the attempt renewed its claim, if it did. */
type AttemptOutcome = JobOutcome & { renewed?: Job };

/** How jobs of a kind are attempted. */
export type JobHandler<P extends Ports = Ports> = {
  /** How long a claim lasts: longer than an attempt takes. */
  claimSeconds: number;
  /** Attempts jobs that were claimed, and returns an outcome for each, in their order. An error is a `retry`. */
  attempt(app: P, jobs: readonly Job[]): Promise<readonly AttemptOutcome[]>;
  /** Builds the writes in the transaction with which a job is DONE or FAILED. */
  onEnd?(job: Job, now: Date): readonly Write[];
};

export type JobHandlers<P extends Ports> = Readonly<Partial<Record<JobKind, JobHandler<P>>>>;

/** How jobs of a kind are attempted one by one. */
type SingleJobHandler<P extends Ports, T extends object> = Omit<JobHandler<P>, 'attempt'> & {
  /** How many are attempted at once: too many would time out while they wait for a connection. */
  parallel: number;
  /** The time that must be left to begin one. */
  minMs: number;
  /**
   * Attempts a job that was claimed. `renew` renews its claim meanwhile and stores its data; it returns false when the
   * job was claimed by another worker, or deleted.
   */
  attempt(app: P, job: Job<T>, renew: (data: T) => Promise<boolean>): Promise<JobOutcome>;
};

/** When a job for which too little time was left is due: the sweep that had no time left has ended then. */
const NEXT_SWEEP_SECONDS = 60;

/** Builds a handler that attempts jobs one by one: an error is a `retry` of this job only. */
export const attemptEach = <P extends Ports, T extends object>(handler: SingleJobHandler<P, T>): JobHandler<P> => ({
  ...handler,
  async attempt(app, jobs) {
    const outcomes: AttemptOutcome[] = [];
    for (let index = 0; index < jobs.length; index += handler.parallel) {
      const group = jobs.slice(index, index + handler.parallel) as Job<T>[];
      // One group after the other: `parallel` limits what runs at once.
      outcomes.push(...(await Promise.all(group.map((job) => attemptOne(app, job, handler)))));
    }
    return outcomes;
  },
});

async function attemptOne<P extends Ports, T extends object>(
  app: P,
  job: Job<T>,
  { claimSeconds, minMs, attempt }: SingleJobHandler<P, T>,
): Promise<AttemptOutcome> {
  if (remainingMs() < minMs) return { result: 'wait', seconds: NEXT_SWEEP_SECONDS };
  let renewed: Job<T> | undefined;
  const renew = async (data: T): Promise<boolean> => {
    const before = renewed ?? job;
    const next = { ...before, data, dueAt: timeAfter(app.now(), claimSeconds) };
    const isRenewed = await wasWritten(app.table, [replaceJob(next, before)]);
    if (isRenewed) renewed = next;
    return isRenewed;
  };
  const outcome = await attempt(app, job, renew).catch((error: unknown) => retryAfter(app, [job], error));
  return renewed ? { ...outcome, renewed } : outcome;
}

/** Logs an error that an attempt has thrown, and returns the outcome of its jobs. */
function retryAfter(app: Ports, jobs: readonly Job[], error: unknown): JobOutcome {
  const [first] = jobs;
  app.log({
    level: 'error',
    job: first?.kind,
    key: first?.key.pk,
    count: jobs.length,
    cause: describeCause(error),
  });
  return { result: 'retry', reason: 'internal_error' };
}

const describeCause = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The number of due jobs that are read from each shard of a lane at once: an export takes all memory and time there is. */
const SHARD_BATCH_SIZE: Readonly<Record<Lane, number>> = { main: 25, exports: 1 };

/**
 * Reads all due jobs of a lane, in batches of up to 100 or one by one; the next batch is read on demand. Indexes lag, so
 * each job is read from the table, and a batch may be empty although others follow.
 */
export async function* readDueJobs(app: Ports, lane: Lane): AsyncGenerator<Job[]> {
  const now = app.now();
  const limit = SHARD_BATCH_SIZE[lane];
  let shards = partitions.due(lane).map((shard) => readDueBatches(app.table, { ...shard, limit }, now));
  while (shards.length > 0) {
    const batches = await Promise.all(shards.map((shard) => shard.next()));
    shards = shards.filter((_, index) => !batches[index]?.done);
    yield loadDueJobs(
      app,
      batches.flatMap(({ done, value }) => (done ? [] : value)),
    );
  }
}

/** Reads the jobs with some keys that are due, each once; those of a newer version, of kinds that this one lacks, are left to it. */
export async function loadDueJobs(app: Ports, keys: readonly Key[]): Promise<Job[]> {
  const distinct = new Map(keys.map(({ pk, sk }) => [keyText({ pk, sk }), { pk, sk }]));
  const items: (Item | undefined)[] = await app.table.read([...distinct.values()]);
  const now = app.now();
  const isAttempted = (job: Job | undefined) => job !== undefined && job.kind in JOB_KINDS && isDue(job, now);
  return items.map((item) => parseJob(item)).filter(isAttempted) as Job[];
}

/** How many attempts had which result. */
export type AttemptCounts = Partial<Record<JobOutcome['result'] | 'claimedByOther', number>>;

/**
 * Claims jobs, attempts them kind by kind, and stores the outcomes. Returns how many had which result. Those of a
 * kind without a handler are skipped. Throws the first error of storage, after everything else is done.
 */
export async function attemptJobs<P extends Ports>(
  app: P,
  jobs: readonly Job[],
  handlers: JobHandlers<P>,
): Promise<AttemptCounts> {
  const results = await allDone(
    [...Map.groupBy(jobs, ({ kind }) => kind)].map(([kind, group]) => {
      const handler = handlers[kind];
      return handler ? attemptGroup(app, group, handler) : Promise.resolve([]);
    }),
  );
  const counts: AttemptCounts = {};
  for (const result of results.flat()) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

type Result = JobOutcome['result'] | 'claimedByOther';

/** Like Promise.all, but waits for the others when one fails: Lambda would suspend them, and resume them later. */
async function allDone<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function attemptGroup<P extends Ports>(app: P, group: readonly Job[], handler: JobHandler<P>): Promise<Result[]> {
  const attempts = group.map((job) => tryToClaim(app, job, handler));
  const claims = (await Promise.allSettled(attempts)).map((claim) =>
    claim.status === 'fulfilled' ? claim.value : undefined,
  );
  const claimedJobs = claims.filter((job) => job?.state === 'RUNNING') as Job[];
  const failed = claims.flatMap((job): Result[] => (job?.state === 'FAILED' ? ['failed'] : []));
  const results = await attemptClaimed(app, claimedJobs, handler);
  // Throws the first error of a claim.
  await Promise.all(attempts);
  return [...failed, ...results];
}

async function attemptClaimed<P extends Ports>(
  app: P,
  jobs: readonly Job[],
  handler: JobHandler<P>,
): Promise<Result[]> {
  if (jobs.length === 0) return [];
  const outcomes = await handler.attempt(app, jobs).catch((error: unknown) => {
    const outcome = retryAfter(app, jobs, error);
    return jobs.map(() => outcome);
  });
  return allDone(jobs.map((job, index) => storeOutcome(app, job, outcomes[index], handler)));
}

type OnEnd = Pick<JobHandler, 'onEnd'>;

/**
 * Claims a job. Returns undefined when another worker has it, it was changed since, or storage is busy. Then it is due
 * again later.
 */
async function tryToClaim(
  app: Ports,
  job: Job,
  handler: OnEnd & Pick<JobHandler, 'claimSeconds'>,
): Promise<Job | undefined> {
  const claimedJob = claimJob(job, handler.claimSeconds, app.now());
  try {
    if (!(await storeState(app, job, claimedJob, handler))) return undefined;
    if (claimedJob.state === 'FAILED') reportFailure(app, claimedJob, claimedJob.reason);
    return claimedJob;
  } catch (error) {
    if (!(error instanceof StorageBusy)) throw error;
    return undefined;
  }
}

/** Stores an outcome, unless the job was replaced meanwhile; the newer one has its own attempts. */
async function storeOutcome(
  app: Ports,
  claimed: Job,
  outcome: AttemptOutcome | undefined,
  handler: OnEnd,
): Promise<Result> {
  if (!outcome) throw new Error(`the handler of ${claimed.kind} returned too few outcomes`);
  const job = outcome.renewed ?? claimed;
  const now = app.now();
  const next = nextState(job, outcome, now);
  const isStored = next ? storeState(app, job, next, handler) : wasWritten(app.table, [removeJob(job)]);
  if (!(await isStored)) return 'claimedByOther';
  if ('reason' in outcome && isFinalFailure(job, outcome, now)) reportFailure(app, job, outcome.reason);
  return next?.state === 'FAILED' ? 'failed' : outcome.result;
}

/** Stores the next state of a job. Returns false when it was changed since. */
const storeState = (app: Ports, before: Job, next: Job, { onEnd }: OnEnd): Promise<boolean> =>
  wasWritten(app.table, [replaceJob(next, before), ...((!isPending(next) && onEnd?.(next, app.now())) || [])]);

const reportFailure = (app: Ports, { kind, key }: Job, reason: string | undefined): void =>
  app.log({ level: 'error', failedJob: kind, key: key.pk, reason });

/** Returns the next state of a job; undefined to remove it. */
function nextState(job: Job, outcome: JobOutcome, now: Date): Job | undefined {
  switch (outcome.result) {
    case 'done':
      return outcome.record && completeJob({ ...job, data: outcome.record }, now);
    case 'failed':
      return failJob(job, outcome.reason, now);
    case 'retry':
      return isFinalFailure(job, outcome, now) && !JOB_KINDS[job.kind].isMaintenance
        ? failJob(job, outcome.reason, now)
        : postponeJob(job, outcome.reason, now, outcome.minSeconds);
    case 'wait':
      return deferJob(job, outcome.seconds, now);
    case 'continue':
      return continueJob(job, outcome.data, outcome.seconds, now);
  }
}
