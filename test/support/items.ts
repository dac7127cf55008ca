/** Items of tests of the table port. */
import { app } from '#core/http/app.ts';

/** An unused key. */
export const newItemKey = () => ({ pk: `ITEM#${crypto.randomUUID()}`, sk: 'ITEM' });

/** Stores an item with some attributes; returns its key. */
export async function storeItem(attributes: Record<string, unknown> = {}) {
  const key = newItemKey();
  await app().table.write([{ put: { ...key, ...attributes } }]);
  return key;
}
