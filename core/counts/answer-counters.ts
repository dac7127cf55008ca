/**
 * The counters of the answers of a form: the cells of all submitted responses, added up. They are items by epoch, group
 * of questions and shard. Each is read and written as a whole, on condition that it is unchanged: one write takes any
 * number of cells, which adding to attributes does not.
 */
import { MAX_WRITES, readBatches } from '#core/db/batches.ts';
import { COUNT_SHARDS, type Key, keys, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { shortName } from '#core/schema/schema.ts';
import { addCells, type CellSums, type Cells, chooseGroup, parseCells, toStored } from './cells.ts';
import type { CounterState, Counters } from './counters.ts';
import type { Tally, TallyMove } from './tallies.ts';

/** The most cells that the tallies of one transaction have: it may have 4 MB. */
const MAX_CELLS = 50_000;

/** Sums the differences of some moves by the key of their counter. Epochs before the base do not count any more. */
function sumDifferences(
  formId: string,
  { base, groups }: CounterState,
  shard: number,
  moves: readonly TallyMove[],
): Map<string, { key: Key; sums: CellSums }> {
  const counters = new Map<string, { key: Key; sums: CellSums }>();
  const add = (tally: Tally | undefined, by: number): void => {
    if (!tally || tally.epoch < base) return;
    const groupCount = groups.get(tally.epoch) ?? 1;
    for (const [row, numbers] of tally.cells) {
      const key = keys.answerCounters(formId, tally.epoch, chooseGroup(row, groupCount), shard);
      const counter = counters.get(key.sk) ?? { key, sums: new Map() };
      counters.set(key.sk, counter);
      addCells(counter.sums, new Map([[row, numbers]]), by);
    }
  };
  for (const { from, to } of moves) {
    add(from, -1);
    add(to, 1);
  }
  return counters;
}

const countCells = (cells: Cells): number => [...cells.values()].reduce((sum, { size }) => sum + size, 0);
const isZero = (cells: Cells): boolean => [...cells.values()].every((row) => [...row.values()].every((n) => n === 0));

/** Returns the first moves that fit one transaction, besides `others` items; at least one. */
export function firstFitting(
  formId: string,
  state: CounterState,
  moves: readonly TallyMove[],
  others: number,
): readonly TallyMove[] {
  const cells = moves.reduce((sum, { to }) => sum + (to ? countCells(to.cells) : 0), 0);
  const items = moves.length + sumDifferences(formId, state, 0, moves).size + others;
  const isTooMuch = moves.length > 1 && (items > MAX_WRITES || cells > MAX_CELLS);
  return isTooMuch ? firstFitting(formId, state, moves.slice(0, Math.ceil(moves.length / 2)), others) : moves;
}

/**
 * Reads the counters of a shard that some moves change, and builds the writes that add the differences. They are refused
 * after a concurrent change of these counters.
 */
export async function moveAnswerCounts(
  table: Table,
  formId: string,
  { state, shard, moves }: { state: CounterState; shard: number; moves: readonly TallyMove[] },
): Promise<Write[]> {
  const changed = [...sumDifferences(formId, state, shard, moves).values()].filter(({ sums }) => !isZero(sums));
  const items = await table.read(changed.map(({ key }) => key));
  return changed.map(({ key, sums }, index): Write => {
    const item = items[index];
    addCells(sums, parseCells(item?.cells));
    const revision = Number(item?.revision ?? 0);
    return {
      put: { ...key, cells: toStored(sums), revision: revision + 1 },
      when: revision === 0 ? { absent: true } : { equals: { revision } },
    };
  });
}

/** Adds up the cells of some questions, from at most four small items for each group and epoch; they may be a second old. */
export async function loadQuestionCells(
  table: Table,
  formId: string,
  { groups }: Counters,
  questionIds: readonly string[],
): Promise<Cells> {
  const rows = questionIds.map(shortName);
  const ranges = [...groups].flatMap(([epoch, groupCount]) =>
    [...new Set(rows.map((row) => chooseGroup(row, groupCount)))].map((group) =>
      partitions.answerCounters(formId, epoch, group),
    ),
  );
  const batches = await Promise.all(
    ranges.map((range) => table.list({ ...range, limit: COUNT_SHARDS, consistency: 'eventual' })),
  );
  return sumItems(batches.flatMap(({ items }) => items));
}

/** Adds up all cells of a form: a few KB for most forms, at most 3 MB. They may be a second old. */
export async function loadAllCells(table: Table, formId: string, { groups }: Counters): Promise<Cells> {
  const parts = await Promise.all(
    [...groups.keys()].map(async (epoch) => {
      const items: Item[] = [];
      const all = { ...partitions.answerCounters(formId, epoch), limit: 1_000, consistency: 'eventual' } as const;
      for await (const batch of readBatches(table, all)) {
        items.push(...batch);
      }
      return items;
    }),
  );
  return sumItems(parts.flat());
}

function sumItems(items: readonly Item[]): Cells {
  const sums: CellSums = new Map();
  for (const { cells } of items) addCells(sums, parseCells(cells));
  return sums;
}

/** Removes the counters of epochs before the base; returns the cells that they still counted, which were drift. */
export async function removeEarlierCells(table: Table, formId: string, base: number): Promise<Record<string, number>> {
  const drift: CellSums = new Map();
  for await (const items of readBatches(table, { ...partitions.answerCounters(formId), limit: 25 })) {
    const earlier = items.filter(({ sk }) => Number(sk.split('#')[1]) < base);
    for (const { cells } of earlier) addCells(drift, parseCells(cells));
    await table.write(earlier.map(({ pk, sk }) => ({ remove: { pk, sk } })));
  }
  return Object.fromEntries(
    [...drift].flatMap(([row, cells]) => [...cells].flatMap(([cell, n]) => (n === 0 ? [] : [[`${row}.${cell}`, n]]))),
  );
}
