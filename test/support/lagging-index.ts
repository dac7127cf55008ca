/**
 * The switch for indexes that lag. The emulator's indexes never do, so what they show of items that were written lately
 * is changed on its way. Nothing settles by itself: a test says when the indexes have caught up.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { readBatches } from '#core/db/batches.ts';
import { type Key, keyText, partitions, TABLE_DEFINITION } from '#core/db/keys.ts';
import type { Item, ItemListRequest, Table } from '#core/db/table.ts';
import { withTable } from './faults.ts';
import { changedBy } from './stored.ts';

/** What indexes show of an item that was written lately: nothing, what there was before, or entries twice. */
export const LAGS = ['missing', 'stale', 'doubled'] as const;
export type Lag = (typeof LAGS)[number];

type Partitions = typeof partitions;
type IndexPartition = {
  [K in keyof Partitions]: ReturnType<Partitions[K]> extends { index: string } | { index: string }[] ? K : never;
}[keyof Partitions];

/** The test that reads each partition of an index under every lag. */
const READ_BY: Record<IndexPartition, 'lists' | 'workers'> = {
  addressedOf: 'lists',
  allOrganizations: 'lists',
  due: 'workers',
  exportsOf: 'lists',
  filesOfUser: 'lists',
  formsOf: 'workers',
  guestsOf: 'lists',
  identitiesOf: 'workers',
  sessionsOf: 'lists',
  failedJobs: 'workers',
  publicForms: 'lists',
  publicFormsByDeadline: 'lists',
  responsesOf: 'workers',
  responsesOfUser: 'workers',
  responsesOfUserTo: 'lists',
};

/** Lets a test file fail that does not read each of the partitions that are assigned to it. */
export function expectReadsBy(reader: 'lists' | 'workers'): void {
  const names = (Object.keys(READ_BY) as IndexPartition[]).filter((name) => READ_BY[name] === reader);
  const unread = new Set<string>(names);
  const originals = names.map((name) => [name, partitions[name]] as const);
  beforeAll(() => {
    for (const [name, original] of originals) {
      Reflect.set(partitions, name, (...args: unknown[]) => {
        unread.delete(name);
        return Reflect.apply(original, partitions, args);
      });
    }
  });
  afterAll(() => {
    for (const [name, original] of originals) Reflect.set(partitions, name, original);
    expect([...unread]).toEqual([]);
  });
}

/** Lets the indexes catch up with everything that was written. */
export type Settle = () => void;

/** Runs something while the indexes lag behind its writes, until it settles them. */
export function withLaggingIndex<T>(lag: Lag, run: (settle: Settle) => Promise<T>): Promise<T> {
  const changed = new Map<string, { key: Key; before: Item | undefined }>();
  return withTable(
    (table) => laggingTable(table, lag, changed),
    () => run(() => changed.clear()),
  );
}

function laggingTable(
  table: Table,
  lag: Lag,
  changed: Map<string, { key: Key; before: Item | undefined }>,
): Partial<Table> {
  /** Does a change, and remembers what the indexes showed of its items before. */
  const noting = async (keys: readonly Key[], change: () => Promise<void>): Promise<void> => {
    const before = await table.read(keys);
    await change();
    for (const [index, key] of keys.entries()) {
      if (!changed.has(keyText(key))) changed.set(keyText(key), { key, before: before[index] });
    }
  };
  /** The entries of a partition of an index as it shows them, in the order of the request. */
  const readEntries = async (request: ItemListRequest, index: string): Promise<Item[]> => {
    const { pk, begins = '', descending = false, notAfter } = request;
    const entries: Item[] = [];
    for await (const items of readBatches(table, { index, pk, limit: 1_000 })) entries.push(...items);
    for (const { key, before } of changed.values()) {
      const current = entries.find((entry) => keyText(entry) === keyText(key));
      const old = before?.[nameOf(index, 'pk')] === pk ? before : undefined;
      // A write that changes nothing of an entry does not touch the index.
      if (entryText(old) === entryText(current)) continue;
      if (current) entries.splice(entries.indexOf(current), 1);
      const shown: (Item | undefined)[] = { missing: [], stale: [old], doubled: [old ?? current, current ?? old] }[lag];
      entries.push(...shown.filter((entry) => entry !== undefined));
    }
    const position = (entry: Item) => String(entry[nameOf(index, 'sk')]);
    const order = (entry: Item) => `${position(entry)}\n${keyText(entry)}`;
    return entries
      .filter((entry) => position(entry).startsWith(begins))
      .filter((entry) => !notAfter || String(entry[notAfter.attribute] ?? '') <= notAfter.text)
      .sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))) * (descending ? -1 : 1));
  };
  return {
    // What is read eventually consistent lags as well.
    read: async (keys, consistency) => {
      const items = await table.read(keys, consistency);
      if (consistency !== 'eventual' || lag === 'doubled') return items;
      return keys.map((key, index) => {
        const written = changed.get(keyText(key));
        return written ? written.before : items[index];
      });
    },
    write: (writes, once) => noting(writes.flatMap(changedBy), () => table.write(writes, once)),
    remove: (keys) => noting(keys, () => table.remove(keys)),
    list: async (request) => {
      const { index, after, limit, descending = false } = request;
      if (index === undefined) return table.list(request);
      const position = (entry: Item | undefined) => String(entry?.[nameOf(index, 'sk')]);
      const isLater = (entry: Item) =>
        after === undefined || (descending ? position(entry) < after : position(entry) > after);
      const entries = (await readEntries(request, index)).filter(isLater);
      return { items: entries.slice(0, limit), last: entries.length > limit ? position(entries[limit - 1]) : null };
    },
    count: async (request) => {
      const { index, limit = Number.POSITIVE_INFINITY } = request;
      if (index === undefined) return table.count(request);
      return Math.min((await readEntries({ ...request, limit }, index)).length, limit);
    },
  };
}

const nameOf = (index: string, part: 'pk' | 'sk'): string => `${index}${part}`;

/** What an index holds of an item, as text. */
const entryText = (item: Item | undefined): string =>
  JSON.stringify([...TABLE_DEFINITION.attributes, ...TABLE_DEFINITION.projected].map((name) => item?.[name]));
