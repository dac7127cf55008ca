/** The structures that a warm function keeps: never older than the gate, and bounded in bytes. */
import { expect, test } from 'vitest';
import { type Key, keys } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import { createStructure, loadStructure } from '#core/structure/store.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';

const MAX_BYTES = 32 * 1_024 * 1_024;

/** A table with the structures of forms, which counts reads. */
function structures() {
  const items = new Map<string, Item>();
  let reads = 0;
  const read = async (wanted: readonly Key[]) => {
    reads += 1;
    return wanted.map(({ pk, sk }) => (sk === 'STRUCTURE' ? items.get(pk) : undefined));
  };
  const unused = async () => {
    throw new Error('not expected');
  };
  const table: Table = { read, list: unused, count: unused, write: unused, remove: unused };
  return {
    /** Stores a structure of some size at a version. */
    put(formId: string, version: number, bytes = 0): void {
      const structure = newStructure(formId, { start: 's'.repeat(bytes), end: 'e' });
      const write = createStructure({ ...structure, version });
      if ('put' in write) items.set(write.put.pk, write.put);
    },
    load: (formId: string, version: number) => loadStructure(table, formId, version),
    readsOf: async (load: () => Promise<unknown>): Promise<number> => {
      const before = reads;
      await load();
      return reads - before;
    },
  };
}

test('is read once while the gate names the same version or an older one, and again for a newer one', async () => {
  const formId = crypto.randomUUID();
  const { put, load, readsOf } = structures();
  put(formId, 3);
  expect(await readsOf(() => load(formId, 3))).toBe(1);
  for (const version of [3, 2]) expect(await readsOf(() => load(formId, version))).toBe(0);
  put(formId, 5);
  expect((await load(formId, 4))?.structure.version).toBe(5);
  expect(await readsOf(() => load(formId, 5))).toBe(0);
});

test('is undefined for a form that does not exist, though another one has the same key', async () => {
  const formId = crypto.randomUUID();
  const { put, load } = structures();
  put(formId, 1);
  expect(keys.formStructure(formId)).toEqual(keys.formStructure(`${formId.slice(0, -1)}x`));
  expect(await load(`${formId.slice(0, -1)}x`, 1)).toBeUndefined();
  expect(await load(crypto.randomUUID(), 1)).toBeUndefined();
});

test('is dropped when others need the room, the least recently used one first', async () => {
  const { put, load, readsOf } = structures();
  const large = MAX_BYTES / 4;
  const ids = Array.from({ length: 5 }, () => crypto.randomUUID());
  for (const id of ids) put(id, 1, large);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  for (const id of [first, second, third]) await load(id, 1);
  await load(first, 1);
  await load(fourth, 1);
  expect(await readsOf(() => load(first, 1))).toBe(0);
  expect(await readsOf(() => load(second, 1))).toBe(1);
});
