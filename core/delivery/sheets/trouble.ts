/** Notes for the editors of forms whether their submissions reach their spreadsheets. Written only when it changes. */
import { formKey, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Gate } from '#core/forms/gate.ts';
import { SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { READY, statusOf, storeStatus } from '#core/forms/spreadsheet-status.ts';
import { type Delivery, endsAttempts } from '#core/outbox/delivery.ts';
import { queueBackfill } from '#core/outbox/sheet-row.ts';
import type { Outcome } from '../attempt.ts';
import type { DeliveryPorts } from '../ports.ts';

/** Stores the status of each form after attempts to write its rows; `gates` are those of the forms, by form key. */
export async function noteOutcomes(
  app: DeliveryPorts,
  gates: ReadonlyMap<string, Gate>,
  outcomes: ReadonlyMap<Delivery, Outcome>,
): Promise<void> {
  const forms = [...gates].filter(([, { spreadsheetId }]) => spreadsheetId !== null);
  const items = await app.table.read(forms.map(([, { formId }]) => keys.formSpreadsheet(formId)));
  await Promise.all(
    forms.map(async ([key, { formId }], index) => {
      const own = [...outcomes].filter(([delivery]) => formKey(lastPart(delivery.key.pk)) === key);
      const before = statusOf(items[index]);
      const next = await nextStatus(app, formId, before, own);
      if (next.state !== before.state || next.reason !== before.reason)
        await app.table.write([storeStatus(formId, next)]);
    }),
  );
}

async function nextStatus(
  app: DeliveryPorts,
  formId: string,
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
  if (next !== before || !outcomes.some(([, { result }]) => result === 'sent' || result === 'done')) return next;
  if (before.state === 'RETRYING') {
    await resumeAfterOutage(app, formId, before, now);
    return READY;
  }
  if (before.state !== 'FAILED') return before;
  const parked = await app.table.count({ ...partitions.parked(formId, 'spreadsheet-row'), limit: 1 });
  return parked === 0 ? READY : before;
}

/** After this long, pauses between attempts are so long that waiting for them would delay rows by hours. */
const OUTAGE_MS = 10 * 60_000;

/** Queues all rows that wait for their next attempt, once the spreadsheet can be written again after an outage. */
async function resumeAfterOutage(
  app: DeliveryPorts,
  formId: string,
  { since }: SpreadsheetStatus,
  now: Date,
): Promise<void> {
  if (since === null || now.getTime() - Date.parse(since) < OUTAGE_MS) return;
  await app.table.write([queueBackfill(formId, now)]);
}

const reasonOf = (code: string): SpreadsheetStatus['reason'] => {
  const parsed = SpreadsheetStatus().shape.reason.safeParse(code);
  return parsed.success ? parsed.data : 'internal_error';
};
