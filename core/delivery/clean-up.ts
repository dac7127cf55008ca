/**
 * Carries out scheduled clean-ups: removes the object of each due clean-up unless it is referenced. This covers uploads
 * that were never attached, late uploads, and crashes between a write and the removal of an object.
 */
import { keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { formOfCover } from '#core/forms/cover.ts';
import { loadForm } from '#core/forms/store.ts';
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
  const referenced = await Promise.all(due.map(({ object }) => isReferenced(app, object)));
  const unused = due.filter((_, index) => !referenced[index]);
  await app.bucket.remove(unused.map(({ object }) => object));
  await app.table.write(due.map(({ id }: CleanUp) => removeCleanUp(id)));
  return due.length;
}

/** Whether an object is attached as a file or is the cover of a form. */
async function isReferenced({ table }: Ports, object: string): Promise<boolean> {
  const [kind, , id = ''] = object.split('/');
  if (kind === 'files') return (await table.read([keys.file(id)]))[0] !== undefined;
  const formId = formOfCover(object);
  return formId !== undefined && (await loadForm(table, formId))?.coverImage === object;
}
