/**
 * The owner of a spreadsheet: the organization whose form used it first, until no form of it does. All organizations
 * write with one service account, so nothing else keeps one from writing into the spreadsheet of another. The number of
 * the owner's forms changes in the transaction that sets the spreadsheet of a form.
 */
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Form } from './model.ts';
import { spreadsheetIdOf } from './spreadsheet-url.ts';

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
