/**
 * Reads all submitted responses of a form in the order of submission, for exports: every shard of the index is read
 * ahead in parallel, and the shards are merged. Memory is bounded by the bytes of a few chunks, for any number and any
 * size of responses.
 *
 * The result is what the index held at the beginning: a response that stays submitted meanwhile is in it exactly once.
 * One that is submitted, cancelled, or cancelled and submitted again meanwhile may be missing.
 *
 * Responses are returned as items, because decoded ones take several times the memory while they wait for their turn.
 */

import { readAhead, readBatches } from '#core/db/batches.ts';
import { partitions } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';

/** The index entries of a batch; an entry has about 300 bytes. */
const BATCH_ENTRIES = 250;
/** The responses of a chunk: as many as one BatchGetItem reads, fewer if they are large. */
const MAX_CHUNK = 100;
const FIRST_CHUNK = 25;
const CHUNK_BYTES = 2_000_000;

/** The item of a response, and its place in the order of submission. */
type PositionedItem = { position: string; item: Item };
/** Responses of a shard, complete up to the position `end`; an entry may lead to no response. */
type Chunk = { placed: PositionedItem[]; end: string };
type Shard = ReturnType<typeof partitions.responsesOf>[number];

/** The times of submission that are read: from the first one on, and before the second one. */
type Range = { from?: string | undefined; to?: string | undefined };

/** Reads the items of the submitted responses of a form in batches, oldest submission first; all without a range. */
export async function* readSubmittedItems(
  table: Table,
  formId: string,
  range: Range = {},
): AsyncGenerator<Item[], void, undefined> {
  const shards = partitions.responsesOf(formId, 'SUBMITTED').map((shard) => readAhead(readChunks(table, shard, range)));
  let sources = await Promise.all(shards.map(readNextChunk));
  for (;;) {
    const remaining = sources.filter((source) => source !== undefined);
    const [until] = remaining.map(({ chunk }) => chunk.end).sort();
    if (until === undefined) return;
    // No shard has more up to the earliest of their ends.
    const batch = remaining.flatMap(({ chunk }) => chunk.placed.filter(({ position }) => position <= until));
    if (batch.length > 0) yield batch.sort(byPosition).map(({ item }) => item);
    sources = await Promise.all(remaining.map((source) => advance(source, until)));
  }
}

const byPosition = (a: PositionedItem, b: PositionedItem): number => (a.position < b.position ? -1 : 1);

type Source = { chunks: AsyncGenerator<Chunk, void, undefined>; chunk: Chunk };

/** Reads the next chunk of a shard; undefined at the end. */
async function readNextChunk(chunks: Source['chunks']): Promise<Source | undefined> {
  const { value } = await chunks.next();
  return value ? { chunks, chunk: value } : undefined;
}

/** Drops everything of a shard up to a position; reads its next chunk when nothing remains. */
const advance = ({ chunks, chunk }: Source, until: string): Promise<Source | undefined> | Source =>
  chunk.end <= until
    ? readNextChunk(chunks)
    : { chunks, chunk: { ...chunk, placed: chunk.placed.filter(({ position }) => position > until) } };

/**
 * Reads the responses of a shard. Indexes lag: an entry may be stale, because the response was submitted again since. It then
 * counts at its new place; if the index does not have that yet, it is returned at the end.
 */
async function* readChunks(table: Table, shard: Shard, { from, to }: Range): AsyncGenerator<Chunk, void, undefined> {
  // A place in the order of submission begins with its time.
  const newest = await table.list({ ...shard, limit: 1, descending: true, after: to });
  const end = newest.items[0]?.gsi2sk;
  if (end === undefined) return;
  const resubmitted = new Map<string, PositionedItem>();
  let size = FIRST_CHUNK;
  let previous = '';
  for await (const batch of readAhead(readBatches(table, { ...shard, limit: BATCH_ENTRIES, after: from }))) {
    const entries = batch.filter(({ gsi2sk = '' }) => gsi2sk <= end);
    for (let index = 0; index < entries.length; ) {
      const chunkEntries = entries.slice(index, index + size);
      index += chunkEntries.length;
      // Each chunk is read while the one before is written; its size follows from that one.
      const items = await table.read(chunkEntries.map(({ pk, sk }) => ({ pk, sk })));
      const placed: PositionedItem[] = [];
      for (const [at, entry] of chunkEntries.entries()) {
        const current = toPositioned(items[at]);
        const position = entry.gsi2sk ?? '';
        if (current?.position === position && position > previous) placed.push(current);
        if (current?.position === position) resubmitted.delete(current.item.pk);
        else if (current && current.position <= end) resubmitted.set(current.item.pk, current);
        if (position > previous) previous = position;
      }
      size = nextChunkSize(items);
      yield { placed, end: previous };
    }
    if (entries.length < batch.length) break;
  }
  if (resubmitted.size > 0) yield { placed: [...resubmitted.values()], end };
}

/** Returns a submitted response with its place; undefined if it is a draft again or was deleted. */
const toPositioned = (item: Item | undefined): PositionedItem | undefined =>
  item?.progress === 'SUBMITTED' ? { position: String(item.gsi2sk), item } : undefined;

/** Computes the size of the next chunk, from the bytes of the items of this one. */
function nextChunkSize(items: readonly (Item | undefined)[]): number {
  const bytes = items.reduce((sum, item) => sum + String(item?.data ?? '').length, 0);
  const fitting = Math.floor((CHUNK_BYTES * items.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, 1), MAX_CHUNK);
}
