/** Reads and writes the views of a form: one item, changed by one conditional write. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import type { Views } from './view-model.ts';

/** The views of an item; a form without an item has no views yet. */
export const viewsOf = (item: Item | undefined, formId: string): Views =>
  item ? { ...decode<Omit<Views, 'version'>>(item), version: Number(item.version) } : { formId, version: 0, views: [] };

/** The write that gives a new form its views; they are part of the transaction that creates it. */
export function createViews({ version, ...data }: Views): Write {
  return { put: { ...keys.formViews(data.formId), ...encode(data), version }, when: { absent: true } };
}

/** The index of the check that the form exists, among the writes of its first views. */
export const FORM_CHECK = 1;

/**
 * The writes that replace the views of the previous version. The first version is written with a check that the form
 * exists; later ones are refused when the deletion of the form has removed the item.
 */
export function replaceViews(next: Views): Write[] {
  const { version, ...data } = next;
  const put = { ...keys.formViews(next.formId), ...encode(data), version };
  if (version > 1) return [{ put, when: { equals: { version: version - 1 } } }];
  return [createViews(next), { check: keys.formGate(next.formId), when: { absent: false } }];
}
