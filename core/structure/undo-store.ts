/** Keeps the last edit of a form that can be undone: one item for a week, written in the transaction of the edit. */
import { decode, encode, entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { epochSeconds } from '#core/schema/format.ts';
import type { Structure } from './structure.ts';
import { recordUndo, type UndoRecord } from './undo.ts';

/** How long an edit can be undone. */
const UNDO_SECONDS = 7 * 24 * 3_600;

/** A kept edit: who made it and when; `id` tells it from the next one. */
export type StoredUndo = UndoRecord & { id: string; editorId: string; at: string };

/** Parses the kept edit of an item; undefined when there is none, or its week is over: the TTL deletes it later. */
export function parseUndo(item: Item | undefined, now: Date): StoredUndo | undefined {
  return item && Number(item.expiresAt) > epochSeconds(now) ? decode<StoredUndo>(item) : undefined;
}

/**
 * Builds the write that keeps an edit from one structure to the next, if it only deletes or moves; none for other edits, which
 * leave the one that is kept. An edit that is too large to be kept removes it, so that nothing older is offered in its place.
 */
export function keepUndo(
  { now, uuid }: Pick<Ports, 'now' | 'uuid'>,
  editorId: string,
  { before, after }: { before: Structure; after: Structure },
): Write[] {
  const record = recordUndo(before, after);
  if (!record) return [];
  const undo: StoredUndo = { ...record, id: uuid(), editorId, at: now().toISOString() };
  const key = keys.formUndo(before.formId);
  if (entityBytes(undo) > MAX_ENTITY_BYTES) return [{ remove: key }];
  const expiresAt = epochSeconds(now()) + UNDO_SECONDS;
  return [{ put: { ...key, ...encode(undo), undoId: undo.id, expiresAt } }];
}

/** Builds the write that removes a kept edit; refused when it was removed or another one is kept. */
export const removeUndo = (formId: string, { id }: StoredUndo): Write => ({
  remove: keys.formUndo(formId),
  when: { equals: { undoId: id } },
});
