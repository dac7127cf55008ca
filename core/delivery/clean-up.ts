/**
 * Carries out scheduled clean-ups: removes the object of each due clean-up unless it is referenced. This covers uploads
 * that were never attached, late uploads, and crashes between a write and the removal of an object.
 */
import { type Key, keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item } from '#core/db/table.ts';
import { formOfCover } from '#core/forms/cover.ts';
import { formOf } from '#core/forms/store.ts';
import { type CleanUp, cleanUpOf, removeCleanUp } from '#core/outbox/clean-up.ts';

/** The number of clean-ups that one run reads from each shard. */
const PAGE = 25;

/** Carries out up to 100 due clean-ups and returns their number. Runs may overlap and be repeated. */
export async function carryOutCleanUps(app: Ports): Promise<number> {
  const pages = await Promise.all(partitions.due().map((shard) => app.table.page({ ...shard, limit: PAGE })));
  const now = app.now().toISOString();
  const entries = pages.flatMap((page) => page.items).filter(({ gsi1sk = '' }) => gsi1sk < now);
  const items = await app.table.read(entries);
  const due = items.filter((item) => item !== undefined).map(cleanUpOf);
  const owners = await app.table.read(due.map(({ object }) => ownerKey(object)));
  const unused = due.filter(({ object }, index) => !isReferenced(object, owners[index]));
  await app.bucket.remove(unused.map(({ object }) => object));
  await app.table.write(due.map(({ id }: CleanUp) => removeCleanUp(id)));
  return due.length;
}

/** The key of the item that refers to an object if it is used: an attached file, or the form of a cover. */
function ownerKey(object: string): Key {
  const formId = formOfCover(object);
  return formId === undefined ? keys.file(object.slice(object.lastIndexOf('/') + 1)) : keys.formHead(formId);
}

function isReferenced(object: string, owner: Item | undefined): boolean {
  const formId = formOfCover(object);
  return formId === undefined ? owner !== undefined : formOf(owner, formId)?.coverImage === object;
}
