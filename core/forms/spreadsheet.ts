/** Whether the submissions of a form reach its spreadsheet, for its editors. The worker that writes rows stores it. */
import { keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { isPending, parseJob } from '#core/jobs/job.ts';
import { type Backfill, queueBackfill } from '#core/jobs/sheet-row.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Form } from './model.ts';
import { getSpreadsheetId, parseSpreadsheetId, SpreadsheetStatus } from './spreadsheet-model.ts';

export const READY: SpreadsheetStatus = { state: 'READY', reason: null, since: null };

/** Parses the status of an item: RETRYING or FAILED; READY without one. */
export function parseSpreadsheetStatus(item: Item | undefined): SpreadsheetStatus {
  const state = (['RETRYING', 'FAILED'] as const).find((candidate) => candidate === item?.state);
  if (!item || !state) return READY;
  const reason = SpreadsheetStatus().shape.reason.safeParse(item.reason ?? null);
  return { state, reason: reason.success ? reason.data : 'internal_error', since: String(item.since) };
}

/** Builds the write that stores the status of a form; READY is the absence of an item. */
export function storeStatus(formId: string, { state, reason, since }: SpreadsheetStatus): Write {
  const key = keys.formSpreadsheet(formId);
  if (state === 'READY') return { remove: key };
  return { put: { ...key, state, since, ...(reason === null ? {} : { reason }) } };
}

/** Builds the write that replaces the status of a form by the next one; refused when it has changed since. */
export function replaceStatus(formId: string, next: SpreadsheetStatus, before: SpreadsheetStatus): Write {
  const { state, since } = before;
  const when = since === null ? { absent: true } : { equals: { state, since } };
  return { ...storeStatus(formId, next), when };
}

/**
 * Builds the writes that follow when the spreadsheet of a form is set: its owner changes, and everything that was submitted
 * is queued. Setting the same one again repeats only what has failed; nothing follows when nothing has failed, so that the
 * settings of a form can be saved as a whole. Throws 400 when the spreadsheet belongs to another organization.
 */
export async function applySpreadsheetChange(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  next: Form,
  before: Form,
): Promise<Write[]> {
  const { id, orgId } = next;
  const [from, to] = [getSpreadsheetId(before), getSpreadsheetId(next)];
  if (from !== to) {
    const ownershipWrites = await moveOwnership(table, { orgId, from, to });
    return [storeStatus(id, READY), ...(to === null ? [] : [queueBackfill(id, true, now())]), ...ownershipWrites];
  }
  if (to === null) return [];
  const [[failure, backfillItem], failedRows] = await Promise.all([
    table.read([keys.formSpreadsheet(id), keys.formBackfill(id)]),
    table.list({ ...partitions.failedJobs(id, 'spreadsheet-row'), limit: 1 }),
  ]);
  if (parseSpreadsheetStatus(failure).state !== 'FAILED' && failedRows.items.length === 0) return [];
  const all = parseJob<Backfill>(backfillItem)?.data.all ?? false;
  return [storeStatus(id, READY), queueBackfill(id, all, now())];
}

/** Builds the status of a form's spreadsheet from the items of its last failure and its backfill; null without one. */
export function buildSpreadsheetStatus(
  { spreadsheetUrl, updatedAt }: Form,
  failure: Item | undefined,
  backfill: Item | undefined,
): SpreadsheetStatus | null {
  if (spreadsheetUrl === null) return null;
  if (parseSpreadsheetId(spreadsheetUrl) === null) {
    return { state: 'FAILED', reason: 'no_google_spreadsheet', since: updatedAt };
  }
  const status = parseSpreadsheetStatus(failure);
  const backfillJob = parseJob<Backfill>(backfill);
  if (status.state !== 'READY' || !backfillJob || !isPending(backfillJob)) return status;
  return { state: 'BACKFILLING', reason: null, since: backfillJob.data.startedAt };
}

// The owner of a spreadsheet: the organization whose form used it first, until no form of it does. All organizations
// write with one service account, so nothing else keeps one from writing into the spreadsheet of another. The number of
// the owner's forms changes in the transaction that sets the spreadsheet of a form.

type Owner = { orgId: string; forms: number };

const parseOwner = (item: Item | undefined): Owner | undefined =>
  item && { orgId: String(item.orgId), forms: Number(item.forms) };

/** Reads the organization that owns a spreadsheet; undefined when no form uses it. */
export async function loadSheetOwner(table: Table, spreadsheetId: string): Promise<string | undefined> {
  const [item] = await table.read([keys.sheetOwner(spreadsheetId)]);
  return parseOwner(item)?.orgId;
}

/** `from`, `to`: the spreadsheet of a form of the organization before and after a change; null for none. */
type Move = { orgId: string; from: string | null; to: string | null };

/**
 * Builds the writes that follow when the spreadsheet of a form changes, is set or is removed. They are refused when
 * another form changed the owner meanwhile: read and decide again. Throws 400 when the spreadsheet belongs to another
 * organization.
 */
export async function moveOwnership(table: Table, { orgId, from, to }: Move): Promise<Write[]> {
  if (from === to) return [];
  const ids = [from, to].filter((id) => id !== null);
  const owners = new Map(
    (await table.read(ids.map(keys.sheetOwner))).map((item, index) => [ids[index], parseOwner(item)]),
  );
  return [
    ...(from === null ? [] : releaseWrites(from, orgId, owners.get(from))),
    ...(to === null ? [] : [claimWrite(to, orgId, owners.get(to))]),
  ];
}

function claimWrite(spreadsheetId: string, orgId: string, owner: Owner | undefined): Write {
  const key = keys.sheetOwner(spreadsheetId);
  if (!owner) return { put: { ...key, orgId, forms: 1 }, when: { absent: true } };
  if (owner.orgId !== orgId) throw problems.invalid([USED_BY_OTHER_ORGANIZATION]);
  return { update: key, add: { forms: 1 }, when: { equals: { orgId } } };
}

const USED_BY_OTHER_ORGANIZATION: Fault = {
  code: 'spreadsheet_taken',
  pointer: '/body/spreadsheetUrl',
  detail: 'is used by a form of another organization; choose another spreadsheet',
};

function releaseWrites(spreadsheetId: string, orgId: string, owner: Owner | undefined): Write[] {
  if (owner?.orgId !== orgId) return [];
  const key = keys.sheetOwner(spreadsheetId);
  if (owner.forms <= 1) return [{ remove: key, when: { equals: { orgId, forms: owner.forms } } }];
  return [{ update: key, add: { forms: -1 }, when: { equals: { orgId }, above: { forms: 1 } } }];
}
