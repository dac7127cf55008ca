/**
 * Runs that read all responses of a form, one after the other, within the time of a worker. Each run starts from the beginning,
 * because part of its result cannot be continued.
 */
import { keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { StorageBusy } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { countUpTo } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { ExportOptions } from './options.ts';
import type { Progress } from './progress.ts';
import type { ExportRow, RowBatch } from './rows.ts';
import { MAX_EXPORT_ROWS, readsAll } from './service.ts';

/** A worker that reports no progress for this long is presumed dead. */
export const CLAIM_SECONDS = 120;
/** How often progress is reported: a few times a second, and long before a claim ends, also where each row takes long. */
const ROWS_PER_REPORT = 2_000;
const REPORT_MS = 20_000;

/** What one run may take. `reserveMs`: the time that is left when it ends; `exceeded`: its outcome when it takes more. */
export type Limits = { maxRows: number; reserveMs: number; exceeded: JobOutcome };

/** The limits of a run in a function of its own, which has time for all responses that a form may have. */
export const LARGE: Limits = {
  maxRows: MAX_EXPORT_ROWS,
  reserveMs: 20_000,
  exceeded: { result: 'failed', reason: 'too_large' },
};

/** The limits of what is done as soon as it is requested. What takes longer is left to the other function. */
export const SMALL: Limits = { maxRows: 5_000, reserveMs: 40_000, exceeded: { result: 'wait', seconds: 0 } };

/** The time in which a small run is usually done. */
const SMALL_MS = 10_000;

/** Whether a job can be done now. While the form has no counters, the run counts its responses. */
export const isSmallRun = ({ data }: Job): boolean =>
  // Files take more time and permissions than rows.
  (data as { options?: ExportOptions }).options?.format !== 'ZIP' &&
  ((data as Partial<Progress>).total ?? 0) <= SMALL.maxRows &&
  remainingMs() > SMALL.reserveMs + SMALL_MS;

/** Thrown to end a run. */
export class RunEnded extends Error {
  readonly outcome: JobOutcome;

  constructor(outcome: JobOutcome) {
    super(`the run ended: ${outcome.result}`);
    this.outcome = outcome;
  }
}

/** Does the work of a job, and returns its outcome; `work` returns the data of the job that is done, or throws `RunEnded`. */
export async function attemptRun(app: Ports, job: Job, work: () => Promise<object>): Promise<JobOutcome> {
  try {
    return { ...DONE, record: await work() };
  } catch (error) {
    if (error instanceof RunEnded) return error.outcome;
    if (!(error instanceof StorageBusy)) throw error;
    app.log({ level: 'warn', [job.kind]: lastPart(job.key.sk), attempts: job.attempts, cause: error.stack });
    return { result: 'retry', reason: 'storage_busy' };
  }
}

/** `renew`: renews the claim of the job and stores its data; false when another worker has it, or it was deleted. */
export type Run<T> = { renew(data: T): Promise<boolean>; limits: Limits };

type RunData = Progress & { formId: string; structureVersion: number };

/** A run that has begun: of which structure, how to report progress, and the rows of batches within the time that there is. */
type OpenRun = {
  structure: Structure;
  total: number;
  /** Reports that the run goes on, if that was long ago. Throws `RunEnded` when the time ends. */
  keepAlive: () => Promise<void>;
  readInTime: (batches: AsyncIterable<RowBatch>) => AsyncGenerator<ExportRow, void, undefined>;
};

/**
 * Begins the run of a job: reads the form, counts its responses and reports it. Throws `RunEnded` for a form that was deleted, for more
 * responses than the run may have, and when the job is another worker's by now; `readInTime` when the time ends.
 */
export async function beginRun<T extends RunData>(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  job: Job<T>,
  range: Pick<ExportOptions, 'from' | 'to' | 'responseIds'>,
  { renew, limits }: Run<T>,
): Promise<OpenRun> {
  const { formId } = job.data;
  const gate = parseGate((await table.read([keys.formGate(formId)]))[0]);
  if (!gate) throw new RunEnded(DONE);
  const { structure } = await loadStructureFor(table, gate);
  const total = job.data.total ?? (await countUpTo(table, formId, 'SUBMITTED', limits.maxRows + 1));
  if (readsAll(range) && total > limits.maxRows) throw new RunEnded(limits.exceeded);
  const begun = { ...job.data, total, structureVersion: structure.version };
  let [readCount, reported, reportedAt] = [0, 0, 0];
  const report = async (processed: number): Promise<void> => {
    [reported, reportedAt] = [processed, now().getTime()];
    // The outcome of a job that another worker has, or that was deleted, is not stored either.
    if (!(await renew({ ...begun, processed }))) throw new RunEnded(DONE);
  };
  await report(0);
  const keepAlive = async (): Promise<void> => {
    if (remainingMs() < limits.reserveMs) throw new RunEnded(limits.exceeded);
    if (now().getTime() - reportedAt > REPORT_MS) await report(readCount);
  };
  async function* readInTime(batches: AsyncIterable<RowBatch>): AsyncGenerator<ExportRow, void, undefined> {
    for await (const batch of batches) {
      for (const row of batch.rows) {
        if (remainingMs() < limits.reserveMs) throw new RunEnded(limits.exceeded);
        yield row;
      }
      if (remainingMs() < limits.reserveMs) throw new RunEnded(limits.exceeded);
      readCount += batch.readCount;
      if (readCount - reported >= ROWS_PER_REPORT) await report(readCount);
    }
  }
  return { structure, total, keepAlive, readInTime };
}
