/**
 * The data that is presented with the settings of a form: the creator, the last editor and the status of the spreadsheet.
 * Their keys follow from the form, so they would be read after it. To read them with it, lists take the keys from index
 * entries, and a warm function remembers those of forms that it has presented. Either may be out of date: missing items
 * are read afterwards.
 */

import { parseAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { type Key, keys, keyText, lastPart } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import type { Form } from './model.ts';
import { buildSpreadsheetStatus } from './spreadsheet.ts';
import type { SpreadsheetStatus } from './spreadsheet-model.ts';
import { parseForm } from './store.ts';

/** Accounts by user id, absent ones left out, and statuses of spreadsheets by form id. */
export type Related = {
  people: ReadonlyMap<string, Account>;
  statuses: ReadonlyMap<string, SpreadsheetStatus | null>;
};

/** The number of forms that are remembered. */
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, readonly Key[]>();

/** Returns the keys of the data last presented with a form; none for a form that is new to this function. */
export const rememberedKeys = (formId: string): readonly Key[] => remembered.get(formId) ?? [];

/** Remembers these keys for the next time. */
export function rememberKeys(form: Form): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(form.id, relatedKeys(form));
}

const relatedKeys = ({ id, creatorId, lastEditorId, spreadsheetUrl }: Form): Key[] => [
  keys.account(creatorId),
  keys.account(lastEditorId),
  ...(spreadsheetUrl === null ? [] : listStatusKeys(id)),
];

const listStatusKeys = (formId: string): Key[] => [keys.formSpreadsheet(formId), keys.formBackfill(formId)];

/** The same keys from an index entry. */
const keysInEntry = (formId: string, { creatorId, lastEditorId, hasSpreadsheet }: Item): Key[] => [
  ...[creatorId, lastEditorId].filter((id) => typeof id === 'string').map(keys.account),
  ...(hasSpreadsheet === true ? listStatusKeys(formId) : []),
];

/** Loads the forms of index entries, in their order, with their related data; absent forms are left out. */
export async function loadListed(table: Table, entries: readonly Item[]): Promise<{ forms: Form[]; related: Related }> {
  const formIds = entries.map(({ gsi1sk = '' }) => lastPart(gsi1sk));
  const expected = entries.flatMap((entry, index) => keysInEntry(formIds[index] ?? '', entry));
  const items = await table.read([...formIds.map(keys.formHead), ...expected]);
  const forms = formIds.map((id, index) => parseForm(items[index], id)).filter((form) => form !== undefined);
  return { forms, related: await loadRelated(table, forms, expected, items.slice(formIds.length)) };
}

/** Loads the related data of forms. `readKeys` are the keys that were read before, and `items` their items. */
export async function loadRelated(
  table: Table,
  forms: readonly Form[],
  readKeys: readonly Key[] = [],
  items: readonly (Item | undefined)[] = [],
): Promise<Related> {
  const itemsByKey = new Map(readKeys.map((key, index) => [keyText(key), items[index]]));
  const missing = forms.flatMap(relatedKeys).filter((key) => !itemsByKey.has(keyText(key)));
  for (const [index, item] of (await table.read(missing)).entries()) {
    const key = missing[index];
    if (key) itemsByKey.set(keyText(key), item);
  }
  const findItem = (key: Key): Item | undefined => itemsByKey.get(keyText(key));
  const userIds = new Set(forms.flatMap(({ creatorId, lastEditorId }) => [creatorId, lastEditorId]));
  const accounts = [...userIds]
    .map((id) => parseAccount(findItem(keys.account(id))))
    .filter((account) => account !== undefined);
  return {
    people: new Map(accounts.map((account) => [account.id, account])),
    statuses: new Map(
      forms.map((form) => {
        const [failureItem, backfillItem] = listStatusKeys(form.id).map(findItem);
        return [form.id, buildSpreadsheetStatus(form, failureItem, backfillItem)];
      }),
    ),
  };
}
