/** Tells the editors of forms whether submissions reach their spreadsheets. The status is written when it changes. */
import { clearedSheet, formKey, type Key, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Gate } from '#core/forms/gate.ts';
import { SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { READY, storedStatus, storeStatus } from '#core/forms/spreadsheet-status.ts';
import { type Delivery, deliveryOf, endsAttempts } from '#core/outbox/delivery.ts';
import type { Outcome } from '../attempt.ts';
import type { DeliveryPorts } from '../ports.ts';

/** Updates the status of each form after attempts to write its rows; `gates` are those of the forms, by form key. */
export async function updateStatuses(
  app: DeliveryPorts,
  gates: ReadonlyMap<string, Gate>,
  outcomes: ReadonlyMap<Delivery, Outcome>,
): Promise<void> {
  const forms = [...gates].flatMap(([form, { formId, spreadsheetId }]) =>
    spreadsheetId === null ? [] : [{ form, formId, spreadsheetId }],
  );
  const items = await app.table.read(forms.map(({ formId }) => keys.formSpreadsheet(formId)));
  await Promise.all(
    forms.map(async ({ form, formId, spreadsheetId }, index) => {
      const own = [...outcomes].filter(
        ([{ key }]) => formKey(lastPart(key.pk)) === form && isAbout(key, spreadsheetId),
      );
      const before = storedStatus(items[index]);
      const next = await nextStatus(app, { formId, spreadsheetId }, before, own);
      if (next.state !== before.state || next.reason !== before.reason)
        await app.table.write([storeStatus(formId, next)]);
    }),
  );
}

/** Whether a row's delivery is about the present spreadsheet of its form: rows to be cleared may be in an earlier one. */
const isAbout = (key: Pick<Key, 'pk'>, spreadsheetId: string): boolean =>
  (clearedSheet(key) ?? spreadsheetId) === spreadsheetId;

/** The parked rows that are looked at. */
const PARKED = 100;

async function nextStatus(
  app: DeliveryPorts,
  { formId, spreadsheetId }: { formId: string; spreadsheetId: string },
  before: SpreadsheetStatus,
  outcomes: readonly (readonly [Delivery, Outcome])[],
): Promise<SpreadsheetStatus> {
  const now = app.now();
  const since = now.toISOString();
  let next = before;
  for (const [delivery, outcome] of outcomes) {
    if (outcome.result !== 'failed' && outcome.result !== 'retry') continue;
    const isParked = outcome.result === 'failed' || endsAttempts(delivery, now);
    if (isParked) return { state: 'FAILED', reason: reasonOf(outcome.reason), since };
    if (before.state !== 'FAILED') next = { state: 'RETRYING', reason: reasonOf(outcome.reason), since };
  }
  const isWritten = outcomes.some(([, { result }]) => result === 'sent' || result === 'done');
  if (next !== before || !isWritten) return next;
  if (before.state !== 'FAILED') return READY;
  const { items } = await app.table.page({ ...partitions.parked(formId, 'spreadsheet-row'), limit: PARKED });
  // The index may still name rows that were written just now.
  const deliveries = (await app.table.read(items)).map((item) => deliveryOf(item));
  const isParked = deliveries.some((row) => row?.state === 'FAILED' && isAbout(row.key, spreadsheetId));
  return isParked ? before : READY;
}

const reasonOf = (code: string): SpreadsheetStatus['reason'] => {
  const parsed = SpreadsheetStatus().shape.reason.safeParse(code);
  return parsed.success ? parsed.data : 'internal_error';
};
