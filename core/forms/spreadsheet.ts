/** Whether the submissions of a form reach its spreadsheet, for its editors. The worker that writes rows stores it. */
import { keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { deliveryOf } from '#core/jobs/job.ts';
import { type Backfill, queueBackfill } from '#core/jobs/sheet-row.ts';
import { problems } from '#core/problems/problems.ts';
import type { Form } from './model.ts';
import { SpreadsheetStatus, spreadsheetIdOf } from './spreadsheet-model.ts';

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

// The owner of a spreadsheet: the organization whose form used it first, until no form of it does. All organizations
// write with one service account, so nothing else keeps one from writing into the spreadsheet of another. The number of
// the owner's forms changes in the transaction that sets the spreadsheet of a form.

type Owner = { orgId: string; forms: number };

const ownerOf = (item: Item | undefined): Owner | undefined =>
  item && { orgId: String(item.orgId), forms: Number(item.forms) };

/** The organization that owns a spreadsheet; undefined when no form uses it. */
export async function loadSheetOwner(table: Table, spreadsheetId: string): Promise<string | undefined> {
  const [item] = await table.read([keys.sheetOwner(spreadsheetId)]);
  return ownerOf(item)?.orgId;
}

/** The Google spreadsheet of a form; null without one. */
export const sheetOf = ({ spreadsheetUrl }: Pick<Form, 'spreadsheetUrl'>): string | null =>
  spreadsheetUrl === null ? null : spreadsheetIdOf(spreadsheetUrl);

/** `from`, `to`: the spreadsheet of a form of the organization before and after a change; null for none. */
type Move = { orgId: string; from: string | null; to: string | null };

/**
 * The writes that follow when the spreadsheet of a form changes, is set or is removed. They are refused when another form
 * changed the owner meanwhile: read and decide again. Throws 400 when the spreadsheet belongs to another organization.
 */
export async function moveOwnership(table: Table, { orgId, from, to }: Move): Promise<Write[]> {
  if (from === to) return [];
  const ids = [from, to].filter((id) => id !== null);
  const owners = new Map(
    (await table.read(ids.map(keys.sheetOwner))).map((item, index) => [ids[index], ownerOf(item)]),
  );
  return [
    ...(from === null ? [] : released(from, orgId, owners.get(from))),
    ...(to === null ? [] : [claimed(to, orgId, owners.get(to))]),
  ];
}

function claimed(spreadsheetId: string, orgId: string, owner: Owner | undefined): Write {
  const key = keys.sheetOwner(spreadsheetId);
  if (!owner) return { put: { ...key, orgId, forms: 1 }, when: { absent: true } };
  if (owner.orgId !== orgId) throw problems.invalid([USED_ELSEWHERE]);
  return { update: key, add: { forms: 1 }, when: { equals: { orgId } } };
}

const USED_ELSEWHERE = {
  pointer: '/body/spreadsheetUrl',
  detail: 'is used by a form of another organization; choose another spreadsheet',
};

function released(spreadsheetId: string, orgId: string, owner: Owner | undefined): Write[] {
  if (owner?.orgId !== orgId) return [];
  const key = keys.sheetOwner(spreadsheetId);
  if (owner.forms <= 1) return [{ remove: key, when: { equals: { orgId, forms: owner.forms } } }];
  return [{ update: key, add: { forms: -1 }, when: { equals: { orgId }, above: { forms: 1 } } }];
}
