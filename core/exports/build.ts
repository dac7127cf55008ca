/**
 * Builds export jobs: claims one, streams the rows of its form into a workbook in the bucket, and marks it as DONE. A
 * worker that dies leaves the job to the next one, which starts from the beginning; after three starts it has FAILED.
 * Exports are apart from the other deliveries, so that a long one holds up no mail and no clean-up.
 */

import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { writeUnlessRefused } from '#core/db/retry.ts';
import { StorageBusy } from '#core/db/table.ts';
import { gateOf } from '#core/forms/gate.ts';
import { structureFor } from '#core/forms/open.ts';
import { queueDelivery } from '#core/jobs/job.ts';
import { countUpTo } from '#core/responses/store.ts';
import { allColumns } from '#core/table/table.ts';
import {
  type ExportJob,
  type ExportMail,
  type ExportReason,
  failed,
  finished,
  interrupted,
  isUsedUp,
  progressed,
  started,
} from './model.ts';
import { MAX_EXPORT_ROWS } from './service.ts';
import { dueExports, replaceExport } from './store.ts';
import { exportRows, workbook } from './workbook.ts';
import { XLSX_TYPE } from './xlsx.ts';
import type { Cell } from './xlsx-cells.ts';

/** How often progress is reported: a few times a second, and long before a claim ends. */
const ROWS_PER_REPORT = 2_000;
/** A run ends this long before the timeout of the function, to report that the form is too large. */
const RESERVE_MS = 20_000;

/** How many exports had which end. `lost`: another worker has claimed it, or it was deleted. */
type ExportCounts = Partial<Record<'done' | 'failed' | 'interrupted' | 'lost', number>>;

/** Builds due exports one after the other, as long as `mayBegin` returns true. */
export async function buildDueExports(app: Ports, mayBegin: () => boolean): Promise<ExportCounts> {
  const counts: ExportCounts = {};
  while (mayBegin()) {
    // One after the other: each takes all memory and time that there is.
    const claimed = await claimNext(app, counts);
    if (!claimed) break;
    const end = await build(app, claimed);
    counts[end] = (counts[end] ?? 0) + 1;
  }
  return counts;
}

/** Claims the first due job that no other worker claims. Jobs that were started too often are ended on the way. */
async function claimNext(app: Ports, counts: ExportCounts): Promise<ExportJob | undefined> {
  for await (const job of dueExports(app.table, app.now())) {
    if (isUsedUp(job)) {
      if (await end(app, failed(job, 'interrupted', app.now()))) counts.failed = (counts.failed ?? 0) + 1;
      continue;
    }
    const own = started(job, app.now());
    // One after the other: only one is wanted.
    if (await writeUnlessRefused(app.table, [replaceExport(own)])) return own;
  }
  return undefined;
}

/** Thrown to end a run: `lost` when the job belongs to somebody else now, otherwise with the reason of the failure. */
class RunEnded extends Error {
  readonly reason: ExportReason | 'lost';

  constructor(reason: ExportReason | 'lost') {
    super(`the export ended: ${reason}`);
    this.reason = reason;
  }
}

async function build(app: Ports, claimed: ExportJob): Promise<keyof ExportCounts> {
  const run = { job: claimed };
  try {
    const rows = await upload(app, run);
    return (await end(app, finished(run.job, rows, app.now()))) ? 'done' : 'lost';
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'lost') return 'lost';
    app.log({ level: 'error', export: claimed.id, starts: claimed.starts, reason, cause: causeOf(error) });
    const next = reason === 'too_large' ? failed(run.job, reason, app.now()) : interrupted(run.job, reason, app.now());
    if (!(await end(app, next))) return 'lost';
    return next.state === 'FAILED' ? 'failed' : 'interrupted';
  }
}

function reasonOf(error: unknown): ExportReason | 'lost' {
  if (error instanceof RunEnded) return error.reason;
  return error instanceof StorageBusy ? 'storage_busy' : 'internal_error';
}

const causeOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Writes the workbook of a job into the bucket and returns the number of rows. `run.job` follows its progress. */
async function upload(app: Ports, run: { job: ExportJob }): Promise<number> {
  const { id, formId, title, questionIds } = run.job;
  const gate = gateOf((await app.table.read([keys.formGate(formId)]))[0]);
  if (!gate) throw new RunEnded('lost');
  const { structure } = await structureFor(app.table, gate);
  const total = run.job.total ?? (await countUpTo(app.table, formId, 'SUBMITTED', MAX_EXPORT_ROWS + 1));
  if (total > MAX_EXPORT_ROWS) throw new RunEnded('too_large');
  await report(app, run, { total, structureVersion: structure.version });
  const wanted = new Set(questionIds);
  // A question that was removed meanwhile without answers has no column.
  const columns = allColumns(structure).filter((column) => wanted.has(column.id));
  const options = { title, structure, columns };
  let count = 0;
  async function* rows(): AsyncGenerator<Cell[], void, undefined> {
    for await (const row of exportRows(app.table, options)) {
      if (count > 0 && count % ROWS_PER_REPORT === 0) await report(app, run, { processed: count });
      if (remainingMs() < RESERVE_MS) throw new RunEnded('too_large');
      count += 1;
      yield row;
    }
  }
  await app.bucket.upload(objects.export(id), workbook(options, rows(), app.now()), XLSX_TYPE);
  return count;
}

/** Reports progress, which renews the claim. Throws when another worker has claimed the job, or it was deleted. */
async function report(app: Ports, run: { job: ExportJob }, progress: Parameters<typeof progressed>[1]): Promise<void> {
  const next = progressed(run.job, progress, app.now());
  if (!(await writeUnlessRefused(app.table, [replaceExport(next)]))) throw new RunEnded('lost');
  run.job = next;
}

/**
 * Stores the end of a run, unless the job belongs to somebody else now or its form was deleted. If it is the end of the
 * job too, the mail about it is queued in the same transaction.
 */
const end = (app: Ports, job: ExportJob): Promise<boolean> => {
  const mail = { key: keys.exportMail(job.id), kind: 'export-mail' as const, data: { exportId: job.id } };
  return writeUnlessRefused(app.table, [
    replaceExport(job),
    { check: keys.formGate(job.formId), when: { absent: false } },
    ...(job.dueAt === null ? [queueDelivery<ExportMail>(mail, app.now())] : []),
  ]);
};
