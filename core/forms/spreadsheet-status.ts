/** Whether the submissions of a form reach its spreadsheet, for its editors. The worker that writes rows notes trouble. */
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { queueBackfill } from '#core/outbox/sheet-row.ts';
import type { Form } from './model.ts';
import { SPREADSHEET_STATES, SpreadsheetStatus } from './spreadsheet-model.ts';
import { spreadsheetIdOf } from './spreadsheet-url.ts';

export const READY: SpreadsheetStatus = { state: 'READY', reason: null, since: null };

/** The status in an item; READY without one. */
export function statusOf(item: Item | undefined): SpreadsheetStatus {
  const state = SPREADSHEET_STATES.find((each) => each === item?.state);
  if (!item || !state) return READY;
  const reason = SpreadsheetStatus().shape.reason.safeParse(item.reason ?? null);
  return { state, reason: reason.success ? reason.data : 'internal_error', since: String(item.since) };
}

/** The write that stores the status of a form; READY is the absence of one. */
export function storeStatus(formId: string, { state, reason, since }: SpreadsheetStatus): Write {
  const key = keys.formSpreadsheet(formId);
  if (state === 'READY') return { remove: key };
  return { put: { ...key, state, since, ...(reason === null ? {} : { reason }) } };
}

/** The writes that follow when the spreadsheet of a form is set, also to the same one: what was submitted is queued. */
export function followSpreadsheet({ id, spreadsheetUrl }: Form, now: Date): Write[] {
  const isSet = spreadsheetUrl !== null && spreadsheetIdOf(spreadsheetUrl) !== null;
  if (!isSet) return [storeStatus(id, READY)];
  return [storeStatus(id, { state: 'BACKFILLING', reason: null, since: now.toISOString() }), queueBackfill(id, now)];
}

/** The statuses of the forms that have a spreadsheet, by form id. */
export async function loadStatuses(
  table: Table,
  forms: readonly Form[],
): Promise<Map<string, SpreadsheetStatus | null>> {
  const sending = forms.filter(({ spreadsheetUrl }) => spreadsheetUrl !== null);
  const items = sending.length > 0 ? await table.read(sending.map(({ id }) => keys.formSpreadsheet(id))) : [];
  return new Map(sending.map((form, index) => [form.id, statusOfForm(form, items[index])]));
}

/** The status of a form, from the item of its status; null without a spreadsheet. */
export function statusOfForm({ spreadsheetUrl, updatedAt }: Form, item: Item | undefined): SpreadsheetStatus | null {
  if (spreadsheetUrl === null) return null;
  const isGoogles = spreadsheetIdOf(spreadsheetUrl) !== null;
  return isGoogles ? statusOf(item) : { state: 'FAILED', reason: 'no_google_spreadsheet', since: updatedAt };
}
