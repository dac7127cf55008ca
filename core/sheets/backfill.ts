/**
 * Queues the rows of everything that was submitted to a form, in batches, after its spreadsheet was set: failed rows,
 * then all others, or, if the same spreadsheet was set again, those that do not show their response as it is. A minute later
 * it compares all once more, because a change that was under way when the spreadsheet was set may have queued no row.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import { type Backfill, queueRow, type RowDelivery, requeueRow } from '#core/jobs/sheet-row.ts';
import { listEntries, loadResponses } from '#core/responses/store.ts';
import type { SheetPorts } from './port.ts';

/** A step reads 1,000 rows in batches. More would wait for the quota of the spreadsheet, and delay other jobs. */
const STEP_BATCHES = 10;
const BATCH_SIZE = 100;
/** The pause after a step that queued rows. */
const PACE_SECONDS = 60;
/** When rows are compared once more: longer than a request takes and an index lags. */
const SETTLED_SECONDS = 60;

export const spreadsheetBackfills = attemptEach({ claimSeconds: 120, parallel: 5, minMs: 20_000, attempt });

async function attempt(app: SheetPorts, { key, data }: Job<Backfill>): Promise<JobOutcome> {
  const formId = lastPart(key.pk);
  const gate = parseGate((await app.table.read([keys.formGate(formId)]))[0]);
  const spreadsheetId = gate?.spreadsheetId;
  if (!gate || !spreadsheetId) return DONE;
  const { step, startedAt, all } = data;
  let last: string | null = data.after ?? null;
  let hasQueued = false;
  for (let count = 1; count <= STEP_BATCHES; count += 1) {
    const after = last ?? undefined;
    // Each batch begins where the one before ended.
    const batch =
      step === 'FAILED'
        ? await requeueFailed(app, formId, after)
        : await queueRows(app, { formId, spreadsheetId, all: all && step === 'SUBMITTED' }, after);
    last = batch.last;
    hasQueued ||= batch.queued > 0;
    if (last === null) break;
  }
  if (last !== null) return next({ ...data, after: last }, hasQueued ? PACE_SECONDS : 0);
  if (step === 'FAILED') return next({ step: 'SUBMITTED', startedAt, all }, 0);
  return step === 'SETTLED' ? DONE : next({ step: 'SETTLED', startedAt, all }, SETTLED_SECONDS);
}

const next = (data: Backfill, seconds: number): JobOutcome => ({ result: 'continue', data, seconds });

/** How many rows of a batch were queued, and the position after which the next batch begins, or null. */
type QueuedBatch = { queued: number; last: string | null };

/** Queues a batch of failed rows again. */
async function requeueFailed(app: SheetPorts, formId: string, after?: string): Promise<QueuedBatch> {
  const batch = await app.table.list({ ...partitions.failedJobs(formId, 'spreadsheet-row'), limit: BATCH_SIZE, after });
  const jobs = (await app.table.read(batch.items)).map((item) => parseJob<RowDelivery>(item));
  const failed = jobs.filter((job) => job?.state === 'FAILED');
  await Promise.all(failed.map((job) => job && app.table.write([requeueRow(job, app.now())])));
  return { queued: failed.length, last: batch.last };
}

type Rows = { formId: string; spreadsheetId: string; all: boolean };

/**
 * Queues the rows of a batch of submissions, and of drafts that have a row, because they were cancelled: of `all`, or of those
 * that do not show the response as it is.
 */
async function queueRows(app: SheetPorts, rows: Rows, after: string | undefined): Promise<QueuedBatch> {
  const { formId, spreadsheetId, all } = rows;
  const { entries, last } = await listEntries(app.table, formId, ['SUBMITTED', 'DRAFT'], { limit: BATCH_SIZE, after });
  const storedRows = await app.table.read(entries.map(({ id }) => keys.sheetRow(id, spreadsheetId)));
  const ids = entries
    .filter(({ progress }, index) => progress === 'SUBMITTED' || storedRows[index])
    .map(({ id }) => id);
  const current = all ? new Set<string>() : await findCurrentRows(app.table, ids, spreadsheetId);
  const outdated = ids.filter((id) => !current.has(id));
  const now = app.now();
  await Promise.all(outdated.map((id) => app.table.write([queueRow(id, spreadsheetId, now)])));
  return { queued: outdated.length, last };
}

/** Returns those of some responses whose rows show them as they are. */
async function findCurrentRows(table: Table, ids: readonly string[], spreadsheetId: string): Promise<Set<string>> {
  const items = await table.read(ids.map((id) => keys.delivery(id, 'spreadsheet')));
  const shownVersions = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const row = parseJob<RowDelivery>(items[index]);
    if (row?.state === 'DONE' && row.data.spreadsheetId === spreadsheetId && row.data.version !== undefined)
      shownVersions.set(id, row.data.version);
  }
  // Only responses that may be current: they can be large.
  const responses = await loadResponses(table, [...shownVersions.keys()]);
  return new Set(responses.filter(({ id, version }) => shownVersions.get(id) === version).map(({ id }) => id));
}
