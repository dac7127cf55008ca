/**
 * Queues the rows of everything that was submitted to a form, in batches, after its spreadsheet was set: failed rows,
 * then all others, or, if the same spreadsheet was set again, those that were not written there. After a minute it reads
 * the newest once more, because a submission that was under way when the spreadsheet was set may have queued no row.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import { type Backfill, queueRow, type RowDelivery, requeueRow } from '#core/jobs/sheet-row.ts';
import { listEntries } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import type { SheetPorts } from './port.ts';

/** A step reads 1,000 rows in batches. More would wait for the quota of the spreadsheet, and delay other jobs. */
const STEP_BATCHES = 10;
const BATCH_SIZE = 100;
/** The pause between steps. */
const PACE_SECONDS = 60;
/** When the newest submissions are read again, and how far back: longer than a request takes and an index lags. */
const SETTLED_SECONDS = 60;

export const spreadsheetBackfills = attemptEach({ claimSeconds: 120, parallel: 5, minMs: 20_000, attempt });

async function attempt(app: SheetPorts, { key, data }: Job<Backfill>): Promise<JobOutcome> {
  const formId = lastPart(key.pk);
  const gate = parseGate((await app.table.read([keys.formGate(formId)]))[0]);
  const spreadsheetId = gate?.spreadsheetId;
  if (!gate || !spreadsheetId) return DONE;
  const queueBatch = data.step === 'FAILED' ? requeueFailed : data.all ? queueAll : queueOutdated;
  let last: string | null = data.after ?? null;
  for (let count = 1; count <= STEP_BATCHES; count += 1) {
    // Each batch begins where the one before ended.
    last = await queueBatch(app, { ...gate, spreadsheetId }, last ?? undefined);
    if (last === null) break;
  }
  if (last !== null) return next({ ...data, after: last }, PACE_SECONDS);
  const { startedAt, all } = data;
  if (data.step === 'FAILED') return next({ step: 'SUBMITTED', startedAt, all }, 0);
  if (data.step === 'SUBMITTED') {
    const after = timeAfter(new Date(startedAt), -SETTLED_SECONDS);
    return next({ step: 'RECENT', startedAt, all: false, after }, SETTLED_SECONDS);
  }
  return DONE;
}

const next = (data: Backfill, seconds: number): JobOutcome => ({ result: 'continue', data, seconds });

/** Queues a batch of failed rows again; returns the position after which the next batch begins, or null. */
async function requeueFailed(app: SheetPorts, { formId }: Gate, after?: string): Promise<string | null> {
  const batch = await app.table.list({ ...partitions.failedJobs(formId, 'spreadsheet-row'), limit: BATCH_SIZE, after });
  const jobs = (await app.table.read(batch.items)).map((item) => parseJob<RowDelivery>(item));
  const failed = jobs.filter((job) => job?.state === 'FAILED');
  await Promise.all(failed.map((job) => job && app.table.write([requeueRow(job, app.now())])));
  return batch.last;
}

type GateWithSheet = Gate & { spreadsheetId: string };

/** Queues the rows of a batch of responses that were not written to the spreadsheet. Returns like `requeueFailed`. */
const queueOutdated = (app: SheetPorts, gate: GateWithSheet, after?: string): Promise<string | null> =>
  queueRows(app, gate, after, (row) => row?.state !== 'DONE' || row.data.spreadsheetId !== gate.spreadsheetId);

/** Queues the rows of a batch of responses. Returns like `requeueFailed`. */
const queueAll = (app: SheetPorts, gate: GateWithSheet, after?: string): Promise<string | null> =>
  queueRows(app, gate, after, () => true);

/**
 * Queues the rows of a batch of submissions for which `isOutdated` returns true, and of drafts that have a row, because
 * they were cancelled while the form had another spreadsheet or none. Returns like `requeueFailed`.
 */
async function queueRows(
  app: SheetPorts,
  { formId, spreadsheetId }: GateWithSheet,
  after: string | undefined,
  isOutdated: (row: Job<RowDelivery> | undefined) => boolean,
): Promise<string | null> {
  const { entries, last } = await listEntries(app.table, formId, ['SUBMITTED', 'DRAFT'], { limit: BATCH_SIZE, after });
  const items = await app.table.read(
    entries.map(({ id, progress }) =>
      progress === 'SUBMITTED' ? keys.delivery(id, 'spreadsheet') : keys.sheetRow(id, spreadsheetId),
    ),
  );
  const outdated = entries.filter(({ progress }, index) =>
    progress === 'DRAFT' ? items[index] !== undefined : isOutdated(parseJob<RowDelivery>(items[index])),
  );
  const now = app.now();
  await Promise.all(outdated.map(({ id }) => app.table.write([queueRow(id, spreadsheetId, now)])));
  return last;
}
