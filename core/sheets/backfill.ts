/**
 * Queues the rows of everything that was submitted to a form, page by page, after its spreadsheet was set: parked rows,
 * then all others, or, if the same spreadsheet was set again, those that were not written there. After a minute it looks
 * once more at the newest, because a submission that was under way when the spreadsheet was set may have queued no row.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import { type Gate, gateOf } from '#core/forms/gate.ts';
import { attemptEach, DONE, type Outcome } from '#core/jobs/attempt.ts';
import { type Delivery, deliveryOf } from '#core/jobs/job.ts';
import { type Backfill, queueRow, type RowDelivery, requeueRow } from '#core/jobs/sheet-row.ts';
import { pageEntries } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import type { SheetPorts } from './port.ts';

/** A step looks at 1,000 rows in pages. More would wait for the quota of the spreadsheet, and hold up other deliveries. */
const PAGES = 10;
const PAGE = 100;
/** The pause between steps. */
const PACE_SECONDS = 60;
/** When the newest submissions are looked at again, and how far back: longer than a request takes and an index lags. */
const SETTLED_SECONDS = 60;

export const spreadsheetBackfills = attemptEach({ claimSeconds: 120, parallel: 5, minMs: 20_000, attempt });

async function attempt(app: SheetPorts, { key, data }: Delivery<Backfill>): Promise<Outcome> {
  const formId = lastPart(key.pk);
  const gate = gateOf((await app.table.read([keys.formGate(formId)]))[0]);
  const spreadsheetId = gate?.spreadsheetId;
  if (!gate || !spreadsheetId) return DONE;
  const queuePage = data.step === 'PARKED' ? requeueParked : data.all ? queueAll : queueOutdated;
  let last: string | null = data.after ?? null;
  for (let page = 1; page <= PAGES; page += 1) {
    // Each page begins where the one before ended.
    last = await queuePage(app, { ...gate, spreadsheetId }, last ?? undefined);
    if (last === null) break;
  }
  if (last !== null) return next({ ...data, after: last }, PACE_SECONDS);
  const { startedAt, all } = data;
  if (data.step === 'PARKED') return next({ step: 'SUBMITTED', startedAt, all }, 0);
  if (data.step === 'SUBMITTED') {
    const after = timeAfter(new Date(startedAt), -SETTLED_SECONDS);
    return next({ step: 'RECENT', startedAt, all: false, after }, SETTLED_SECONDS);
  }
  return DONE;
}

const next = (data: Backfill, seconds: number): Outcome => ({ result: 'continue', data, seconds });

/** Queues a page of parked rows again; returns the position after which the next page begins, or null. */
async function requeueParked(app: SheetPorts, { formId }: Gate, after?: string): Promise<string | null> {
  const page = await app.table.page({ ...partitions.parked(formId, 'spreadsheet-row'), limit: PAGE, after });
  const parked = (await app.table.read(page.items)).map((item) => deliveryOf<RowDelivery>(item));
  const failed = parked.filter((delivery) => delivery?.state === 'FAILED');
  await Promise.all(failed.map((delivery) => delivery && app.table.write([requeueRow(delivery, app.now())])));
  return page.last;
}

type Filled = Gate & { spreadsheetId: string };

/** Queues the rows of a page of responses that were not written to the spreadsheet. Returns like `requeueParked`. */
const queueOutdated = (app: SheetPorts, gate: Filled, after?: string): Promise<string | null> =>
  queueRows(app, gate, after, (row) => row?.state !== 'SENT' || row.data.spreadsheetId !== gate.spreadsheetId);

/** Queues the rows of a page of responses. Returns like `requeueParked`. */
const queueAll = (app: SheetPorts, gate: Filled, after?: string): Promise<string | null> =>
  queueRows(app, gate, after, () => true);

/**
 * Queues the rows of a page of submissions for which `isOutdated` returns true, and of drafts that have a row, because
 * they were cancelled while the form had another spreadsheet or none. Returns like `requeueParked`.
 */
async function queueRows(
  app: SheetPorts,
  { formId, spreadsheetId }: Filled,
  after: string | undefined,
  isOutdated: (row: Delivery<RowDelivery> | undefined) => boolean,
): Promise<string | null> {
  const { entries, last } = await pageEntries(app.table, formId, ['SUBMITTED', 'DRAFT'], { limit: PAGE, after });
  const items = await app.table.read(
    entries.map(({ id, progress }) =>
      progress === 'SUBMITTED' ? keys.delivery(id, 'spreadsheet') : keys.sheetRow(id, spreadsheetId),
    ),
  );
  const outdated = entries.filter(({ progress }, index) =>
    progress === 'DRAFT' ? items[index] !== undefined : isOutdated(deliveryOf<RowDelivery>(items[index])),
  );
  const now = app.now();
  await Promise.all(outdated.map(({ id }) => app.table.write([queueRow(id, spreadsheetId, now)])));
  return last;
}
