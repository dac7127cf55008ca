/** Whether the submissions of a form reach its spreadsheet, for its editors. The worker that writes rows stores it. */
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { deliveryOf } from '#core/outbox/delivery.ts';
import { type Backfill, queueBackfill } from '#core/outbox/sheet-row.ts';
import type { Form } from './model.ts';
import { SpreadsheetStatus } from './spreadsheet-model.ts';
import { spreadsheetIdOf } from './spreadsheet-url.ts';

export const READY: SpreadsheetStatus = { state: 'READY', reason: null, since: null };

/** The status in an item: RETRYING or FAILED; READY without one. */
export function storedStatus(item: Item | undefined): SpreadsheetStatus {
  const state = (['RETRYING', 'FAILED'] as const).find((each) => each === item?.state);
  if (!item || !state) return READY;
  const reason = SpreadsheetStatus().shape.reason.safeParse(item.reason ?? null);
  return { state, reason: reason.success ? reason.data : 'internal_error', since: String(item.since) };
}

/** The write that stores the status of a form; READY is the absence of an item. */
export function storeStatus(formId: string, { state, reason, since }: SpreadsheetStatus): Write {
  const key = keys.formSpreadsheet(formId);
  if (state === 'READY') return { remove: key };
  return { put: { ...key, state, since, ...(reason === null ? {} : { reason }) } };
}

/** The writes that follow when the spreadsheet of a form is set, also to the same one: what was submitted is queued. */
export function followSpreadsheet({ id, spreadsheetUrl }: Form, now: Date): Write[] {
  const isSet = spreadsheetUrl !== null && spreadsheetIdOf(spreadsheetUrl) !== null;
  return [storeStatus(id, READY), ...(isSet ? [queueBackfill(id, now)] : [])];
}

/** The status of a form, from the items of its last failure and of its backfill; null without a spreadsheet. */
export function statusOfForm(
  { spreadsheetUrl, updatedAt }: Form,
  failure: Item | undefined,
  backfill: Item | undefined,
): SpreadsheetStatus | null {
  if (spreadsheetUrl === null) return null;
  if (spreadsheetIdOf(spreadsheetUrl) === null) {
    return { state: 'FAILED', reason: 'no_google_spreadsheet', since: updatedAt };
  }
  const status = storedStatus(failure);
  const running = deliveryOf<Backfill>(backfill);
  if (status.state !== 'READY' || running?.state !== 'QUEUED') return status;
  return { state: 'BACKFILLING', reason: null, since: running.data.startedAt };
}
