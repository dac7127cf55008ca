/** Whether the submissions of a form reach its spreadsheet, for its editors. The worker that writes rows stores it. */
import { keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { deliveryOf } from '#core/outbox/delivery.ts';
import { type Backfill, queueBackfill } from '#core/outbox/sheet-row.ts';
import type { Form } from './model.ts';
import { SpreadsheetStatus } from './spreadsheet-model.ts';
import { moveOwnership, sheetOf } from './spreadsheet-owner.ts';
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

/**
 * The writes that follow when the spreadsheet of a form is set: its owner changes, and everything that was submitted is
 * queued. Setting the same one again repeats only what has failed; nothing follows when all is well, so that the settings
 * of a form can be saved whole. Throws 400 when the spreadsheet belongs to another organization.
 */
export async function followSpreadsheet(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  next: Form,
  before: Form,
): Promise<Write[]> {
  const { id, orgId } = next;
  const [from, to] = [sheetOf(before), sheetOf(next)];
  if (from !== to) {
    const moved = await moveOwnership(table, { orgId, from, to });
    return [storeStatus(id, READY), ...(to === null ? [] : [queueBackfill(id, true, now())]), ...moved];
  }
  if (to === null) return [];
  const [[failure, running], parked] = await Promise.all([
    table.read([keys.formSpreadsheet(id), keys.formBackfill(id)]),
    table.page({ ...partitions.parked(id, 'spreadsheet-row'), limit: 1 }),
  ]);
  if (storedStatus(failure).state !== 'FAILED' && parked.items.length === 0) return [];
  const all = deliveryOf<Backfill>(running)?.data.all ?? false;
  return [storeStatus(id, READY), queueBackfill(id, all, now())];
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
