/**
 * Builds export jobs: claims one, streams the rows of its form into a workbook in the bucket, and marks it as DONE. A
 * worker that dies leaves the job to the next one, which starts from the beginning; after three starts it has FAILED.
 * Exports are apart from the other jobs, so that a long one delays no mail and no clean-up.
 */

import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import { StorageBusy } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { queueJob } from '#core/jobs/job.ts';
import { countUpTo } from '#core/responses/store.ts';
import { listColumns } from '#core/table/table.ts';
import {
  type ExportJob,
  type ExportMail,
  type ExportReason,
  failExport,
  finishExport,
  hasNoStartsLeft,
  interruptExport,
  recordProgress,
  startExport,
} from './model.ts';
import { MAX_EXPORT_ROWS, readDueExports, replaceExport } from './service.ts';
import { exportRows, writeWorkbook } from './workbook.ts';
import { XLSX_TYPE } from './xlsx.ts';
import type { Cell } from './xlsx-cells.ts';

/** How often progress is reported: a few times a second, and long before a claim ends. */
const ROWS_PER_REPORT = 2_000;
/** A run ends this long before the timeout of the function, to report that the form is too large. */
const RESERVE_MS = 20_000;

/** How many exports ended how. `lost`: another worker has claimed it, or it was deleted. */
type ExportCounts = Partial<Record<'done' | 'failed' | 'interrupted' | 'lost', number>>;

/** Builds due exports one after the other, as long as `mayBegin` returns true. */
export async function buildDueExports(app: Ports, mayBegin: () => boolean): Promise<ExportCounts> {
  const counts: ExportCounts = {};
  while (mayBegin()) {
    // One after the other: each takes all memory and time that there is.
    const claimed = await claimNext(app, counts);
    if (!claimed) break;
    const end = await buildExport(app, claimed);
    counts[end] = (counts[end] ?? 0) + 1;
  }
  return counts;
}

/** Claims the first due job that no other worker claims. Jobs that were started too often end as failed. */
async function claimNext(app: Ports, counts: ExportCounts): Promise<ExportJob | undefined> {
  for await (const job of readDueExports(app.table, app.now())) {
    if (hasNoStartsLeft(job)) {
      if (await storeEnd(app, failExport(job, 'interrupted', app.now()))) counts.failed = (counts.failed ?? 0) + 1;
      continue;
    }
    const claimed = startExport(job, app.now());
    // One after the other: only one is needed.
    if (await wasWritten(app.table, [replaceExport(claimed)])) return claimed;
  }
  return undefined;
}

/** Thrown to end a run: `lost` when another worker has claimed the job, otherwise with the reason of the failure. */
class RunEnded extends Error {
  readonly reason: ExportReason | 'lost';

  constructor(reason: ExportReason | 'lost') {
    super(`the export ended: ${reason}`);
    this.reason = reason;
  }
}

async function buildExport(app: Ports, claimed: ExportJob): Promise<keyof ExportCounts> {
  const run = { job: claimed };
  try {
    const rows = await uploadWorkbook(app, run);
    return (await storeEnd(app, finishExport(run.job, rows, app.now()))) ? 'done' : 'lost';
  } catch (error) {
    const reason = failureReason(error);
    if (reason === 'lost') return 'lost';
    app.log({ level: 'error', export: claimed.id, starts: claimed.starts, reason, cause: causeOf(error) });
    const next =
      reason === 'too_large' ? failExport(run.job, reason, app.now()) : interruptExport(run.job, reason, app.now());
    if (!(await storeEnd(app, next))) return 'lost';
    return next.state === 'FAILED' ? 'failed' : 'interrupted';
  }
}

function failureReason(error: unknown): ExportReason | 'lost' {
  if (error instanceof RunEnded) return error.reason;
  return error instanceof StorageBusy ? 'storage_busy' : 'internal_error';
}

const causeOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Writes the workbook of a job into the bucket and returns the number of rows. `run.job` follows its progress. */
async function uploadWorkbook(app: Ports, run: { job: ExportJob }): Promise<number> {
  const { id, formId, title, questionIds } = run.job;
  const gate = parseGate((await app.table.read([keys.formGate(formId)]))[0]);
  if (!gate) throw new RunEnded('lost');
  const { structure } = await loadStructureFor(app.table, gate);
  const total = run.job.total ?? (await countUpTo(app.table, formId, 'SUBMITTED', MAX_EXPORT_ROWS + 1));
  if (total > MAX_EXPORT_ROWS) throw new RunEnded('too_large');
  await reportProgress(app, run, { total, structureVersion: structure.version });
  const requestedIds = new Set(questionIds);
  // A question that was removed meanwhile without answers has no column.
  const columns = listColumns(structure).filter((column) => requestedIds.has(column.id));
  const options = { title, structure, columns };
  let count = 0;
  async function* rows(): AsyncGenerator<Cell[], void, undefined> {
    for await (const row of exportRows(app.table, options)) {
      if (count > 0 && count % ROWS_PER_REPORT === 0) await reportProgress(app, run, { processed: count });
      if (remainingMs() < RESERVE_MS) throw new RunEnded('too_large');
      count += 1;
      yield row;
    }
  }
  await app.bucket.upload(objects.export(id), writeWorkbook(options, rows(), app.now()), XLSX_TYPE);
  return count;
}

/** Reports progress, which renews the claim. Throws when another worker has claimed the job, or it was deleted. */
async function reportProgress(
  app: Ports,
  run: { job: ExportJob },
  progress: Parameters<typeof recordProgress>[1],
): Promise<void> {
  const next = recordProgress(run.job, progress, app.now());
  if (!(await wasWritten(app.table, [replaceExport(next)]))) throw new RunEnded('lost');
  run.job = next;
}

/**
 * Stores the end of a run, unless another worker has claimed the job or its form was deleted. If it is the end of the
 * job too, the mail about it is queued in the same transaction.
 */
const storeEnd = (app: Ports, job: ExportJob): Promise<boolean> => {
  const mail = { key: keys.exportMail(job.id), kind: 'export-mail' as const, data: { exportId: job.id } };
  return wasWritten(app.table, [
    replaceExport(job),
    { check: keys.formGate(job.formId), when: { absent: false } },
    ...(job.dueAt === null ? [queueJob<ExportMail>(mail, app.now())] : []),
  ]);
};
