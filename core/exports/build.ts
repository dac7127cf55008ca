/**
 * Builds exports, as jobs: a run streams the rows of a form into a file in the bucket. Each run starts from the beginning,
 * because a partial workbook cannot be continued.
 */

import { objects } from '#core/db/bucket.ts';
import { keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { StorageBusy } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { attemptEach, DONE, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, queueJob } from '#core/jobs/job.ts';
import { countUpTo } from '#core/responses/store.ts';
import { pickColumns } from '#core/table/table.ts';
import type { ExportData, ExportMail } from './model.ts';
import { FORMATS } from './options.ts';
import { type ExportRow, readRows } from './rows.ts';
import { MAX_EXPORT_ROWS, readsAll } from './service.ts';
import { writeExport } from './write.ts';

/** A worker that reports no progress for this long is presumed dead. */
const CLAIM_SECONDS = 120;
/** How often progress is reported: a few times a second, and long before a claim ends. */
const ROWS_PER_REPORT = 2_000;

/** What one run may take. `reserveMs`: the time that is left when it ends; `exceeded`: its outcome when it takes more. */
type Limits = { maxRows: number; reserveMs: number; exceeded: JobOutcome };

/** The ports of the domain, and the address of the service, for links. */
type ExportPorts = Ports & { config: { readonly publicUrl: string } };

const buildWithin = (limits: Limits): JobHandler<ExportPorts> =>
  attemptEach<ExportPorts, ExportData>({
    claimSeconds: CLAIM_SECONDS,
    // Each takes all memory and time that there is.
    parallel: 1,
    minMs: limits.reserveMs,
    attempt: (app, job, renew) => build(app, job, { renew, limits }),
    // The mail about the end; refused when the form was deleted, and the export is about to be.
    // Its item is removed with that of the export, if it has failed for good.
    onEnd: ({ key, attributes: { expiresAt } }, now) => {
      const exportId = lastPart(key.sk);
      const mail = {
        key: keys.exportMail(exportId),
        kind: 'export-mail' as const,
        data: { exportId },
        attributes: { expiresAt },
      };
      return [{ check: keys.formGate(exportId), when: { absent: false } }, queueJob<ExportMail>(mail, now)];
    },
  });

/** Builds exports in a function of their own, which has time for all rows that an export may have. */
export const exports = buildWithin({
  maxRows: MAX_EXPORT_ROWS,
  reserveMs: 20_000,
  exceeded: { result: 'failed', reason: 'too_large' },
});

/** The limits of what is built as soon as it is requested. What takes longer is left to the other function. */
const SMALL: Limits = { maxRows: 5_000, reserveMs: 40_000, exceeded: { result: 'wait', seconds: 0 } };
/** Builds a small export at once, as long as it takes a few seconds. */
export const smallExports = buildWithin(SMALL);

/** The time in which a small export is usually built. */
const SMALL_MS = 10_000;

/** Whether an export can be built now. While the form has no counters, the run counts its responses. */
export const isSmallExport = ({ kind, data }: Job): boolean =>
  kind === 'export' && ((data as ExportData).total ?? 0) <= SMALL.maxRows && remainingMs() > SMALL.reserveMs + SMALL_MS;

/** Thrown to end a run. */
class RunEnded extends Error {
  readonly outcome: JobOutcome;

  constructor(outcome: JobOutcome) {
    super(`the run ended: ${outcome.result}`);
    this.outcome = outcome;
  }
}

/** `renew`: renews the claim of the job and stores its data; false when another worker has it, or it was deleted. */
type Run = { renew(data: ExportData): Promise<boolean>; limits: Limits };

async function build(app: ExportPorts, job: Job<ExportData>, run: Run): Promise<JobOutcome> {
  try {
    return { ...DONE, record: await uploadFile(app, job, run) };
  } catch (error) {
    if (error instanceof RunEnded) return error.outcome;
    if (!(error instanceof StorageBusy)) throw error;
    app.log({ level: 'warn', export: lastPart(job.key.sk), attempts: job.attempts, cause: error.stack });
    return { result: 'retry', reason: 'storage_busy' };
  }
}

/** Writes the file of a job into the bucket, and reports progress meanwhile. Returns the data of the finished export. */
async function uploadFile(app: ExportPorts, job: Job<ExportData>, { renew, limits }: Run): Promise<ExportData> {
  const { formId, title, questionIds, options = {} } = job.data;
  let data = job.data;
  const report = async (progress: Partial<ExportData>): Promise<void> => {
    data = { ...data, ...progress };
    // The outcome of a job that another worker has, or that was deleted, is not stored either.
    if (!(await renew(data))) throw new RunEnded(DONE);
  };
  const gate = parseGate((await app.table.read([keys.formGate(formId)]))[0]);
  if (!gate) throw new RunEnded(DONE);
  const { structure } = await loadStructureFor(app.table, gate);
  const total = job.data.total ?? (await countUpTo(app.table, formId, 'SUBMITTED', limits.maxRows + 1));
  if (readsAll(options) && total > limits.maxRows) throw new RunEnded(limits.exceeded);
  await report({ processed: 0, total, structureVersion: structure.version });
  // A question that was removed meanwhile without answers has no column.
  const columns = pickColumns(structure, questionIds);
  const source = { title, structure, columns, options, publicUrl: app.config.publicUrl };
  let [count, readCount, reported] = [0, 0, 0];
  async function* rowsInTime(): AsyncGenerator<ExportRow, void, undefined> {
    for await (const batch of readRows(app.table, source)) {
      for (const row of batch.rows) {
        if (remainingMs() < limits.reserveMs) throw new RunEnded(limits.exceeded);
        count += 1;
        yield row;
      }
      if (remainingMs() < limits.reserveMs) throw new RunEnded(limits.exceeded);
      readCount += batch.readCount;
      if (readCount - reported < ROWS_PER_REPORT) continue;
      reported = readCount;
      await report({ processed: readCount });
    }
  }
  const { contentType } = FORMATS[options.format ?? 'XLSX'];
  await app.bucket.upload(
    objects.export(lastPart(job.key.sk)),
    writeExport(source, rowsInTime(), app.now()),
    contentType,
  );
  return { ...data, processed: count, total: count };
}
