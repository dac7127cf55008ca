/** Reads and writes the views of a form: one item, changed by one conditional write. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import type { Views } from './view-model.ts';

/** The views of an item; a form that never had views has none. */
export const viewsOf = (item: Item | undefined, formId: string): Views =>
  item ? { ...decode<Omit<Views, 'version'>>(item), version: Number(item.version) } : { formId, version: 0, views: [] };

/**
 * The writes that replace the views of the version before them. The first views of a form come with a check that the
 * form is still there; later ones go with it.
 */
export function replaceViews(next: Views): Write[] {
  const { version, ...data } = next;
  const put = { ...keys.formViews(next.formId), ...encode(data), version };
  if (version > 1) return [{ put, when: { equals: { version: version - 1 } } }];
  return [
    { put, when: { absent: true } },
    { check: keys.formHead(next.formId), when: { absent: false } },
  ];
}
