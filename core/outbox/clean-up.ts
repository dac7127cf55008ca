/**
 * Clean-ups of stored objects, as delivery items: each has the key of one object and the time from which it may be
 * removed. They are written in the transaction that announces an upload or detaches a file, so that a crash leaves no
 * unreferenced objects; `core/delivery` carries them out.
 */
import { indexKeys, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { timeAfter } from '#core/schema/time.ts';

/** `object`: the key of the object. `dueAt`: ISO time until which the object is kept. */
export type CleanUp = { id: string; object: string; dueAt: string };

/** The write that schedules the removal of an object after some seconds, if it is not referenced then. */
export function scheduleCleanUp({ now, uuid }: Pick<Ports, 'now' | 'uuid'>, object: string, seconds = 0): Write {
  const id = uuid();
  const dueAt = timeAfter(now(), seconds);
  return { put: { ...keys.cleanUp(id), ...indexKeys.due(dueAt, id), object, dueAt } };
}

/** The clean-up of an item. */
export const cleanUpOf = (item: Item): CleanUp => ({
  id: item.pk.slice('CLEANUP#'.length),
  object: String(item.object),
  dueAt: String(item.dueAt),
});

/** The write that removes a clean-up that was carried out. */
export const removeCleanUp = (id: string): Write => ({ remove: keys.cleanUp(id) });
