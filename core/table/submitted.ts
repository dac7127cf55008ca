/**
 * Reads all submitted responses of a form in the order of submission, for exports: every shard of the index is read
 * ahead in parallel, and the shards are merged. Memory is bounded by the bytes of a few chunks, whatever the number and
 * the size of the responses.
 *
 * The result is what the index held at the beginning: a response that stays submitted meanwhile is in it exactly once.
 * One that is submitted, cancelled, or cancelled and submitted again meanwhile may be missing.
 *
 * Responses are returned as items, because decoded ones take several times the memory while they wait for their turn.
 */

import { pagesOf, readAhead } from '#core/db/batches.ts';
import { partitions } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import { pageResponses } from '#core/responses/store.ts';

/** The index entries of a page; an entry has about 300 bytes. */
const PAGE_ENTRIES = 250;
/** The responses of a chunk: as many as one BatchGetItem reads, fewer if they are large. */
const MAX_CHUNK = 100;
const FIRST_CHUNK = 25;
const CHUNK_BYTES = 2_000_000;

/** The item of a response, and its place in the order of submission. */
type Placed = { position: string; item: Item };
/** Responses of a shard, complete up to the position `end`; an entry may lead to no response. */
type Chunk = { placed: Placed[]; end: string };
type Shard = ReturnType<typeof partitions.responsesOf>[number];

/** The items of all submitted responses of a form in batches, oldest submission first. */
export async function* submittedBatches(table: Table, formId: string): AsyncGenerator<Item[], void, undefined> {
  const shards = partitions.responsesOf(formId, 'SUBMITTED').map((shard) => readAhead(chunksOf(table, shard)));
  let open = await Promise.all(shards.map(nextOf));
  for (;;) {
    const current = open.filter((source) => source !== undefined);
    const [until] = current.map(({ chunk }) => chunk.end).sort();
    if (until === undefined) return;
    // No shard has more up to the earliest of their ends.
    const batch = current.flatMap(({ chunk }) => chunk.placed.filter(({ position }) => position <= until));
    if (batch.length > 0) yield batch.sort(byPosition).map(({ item }) => item);
    open = await Promise.all(current.map((source) => after(source, until)));
  }
}

const byPosition = (a: Placed, b: Placed): number => (a.position < b.position ? -1 : 1);

type Source = { chunks: AsyncGenerator<Chunk, void, undefined>; chunk: Chunk };

/** A shard with its next chunk; undefined at the end. */
async function nextOf(chunks: Source['chunks']): Promise<Source | undefined> {
  const { value } = await chunks.next();
  return value ? { chunks, chunk: value } : undefined;
}

/** A shard after everything up to a position was taken. */
const after = ({ chunks, chunk }: Source, until: string): Promise<Source | undefined> | Source =>
  chunk.end <= until
    ? nextOf(chunks)
    : { chunks, chunk: { ...chunk, placed: chunk.placed.filter(({ position }) => position > until) } };

/**
 * The responses of a shard. Indexes lag: an entry may be stale, because the response was submitted again since. It then
 * counts at its new place; if the index does not have that yet, it is returned at the end.
 */
async function* chunksOf(table: Table, shard: Shard): AsyncGenerator<Chunk, void, undefined> {
  const newest = await table.page({ ...shard, limit: 1, descending: true });
  const end = newest.items[0]?.gsi2sk;
  if (end === undefined) return;
  const moved = new Map<string, Placed>();
  let size = FIRST_CHUNK;
  let previous = '';
  for await (const page of readAhead(pagesOf(table, { ...shard, limit: PAGE_ENTRIES }))) {
    const entries = page.filter(({ gsi2sk = '' }) => gsi2sk <= end);
    for (let index = 0; index < entries.length; ) {
      const some = entries.slice(index, index + size);
      index += some.length;
      // Each chunk is read while the one before is written; its size follows from that one.
      const items = await table.read(some.map(({ pk, sk }) => ({ pk, sk })));
      const placed: Placed[] = [];
      for (const [at, entry] of some.entries()) {
        const own = placedOf(items[at]);
        const position = entry.gsi2sk ?? '';
        if (own?.position === position && position > previous) placed.push(own);
        if (own?.position === position) moved.delete(own.item.pk);
        else if (own && own.position <= end) moved.set(own.item.pk, own);
        if (position > previous) previous = position;
      }
      size = sizeAfter(items);
      yield { placed, end: previous };
    }
    if (entries.length < page.length) break;
  }
  if (moved.size > 0) yield { placed: [...moved.values()], end };
}

/** A submitted response with its place; undefined if it is a draft again or gone. */
const placedOf = (item: Item | undefined): Placed | undefined =>
  item?.progress === 'SUBMITTED' ? { position: String(item.gsi2sk), item } : undefined;

/** The size of the next chunk, from the bytes of the items of this one. */
function sizeAfter(items: readonly (Item | undefined)[]): number {
  const bytes = items.reduce((sum, item) => sum + String(item?.data ?? '').length, 0);
  const fitting = Math.floor((CHUNK_BYTES * items.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, 1), MAX_CHUNK);
}

// Reads the submitted responses of a form in order, for tables, filters and counts.

const PAGE = 100;

type ResponsePage = Awaited<ReturnType<typeof pageResponses>>;
type Range = { after?: string | undefined; maxPages?: number };

/**
 * Pages of 100 submitted responses, oldest submission first; the next page is read while one is processed. Indexes
 * lag, so a response that was submitted again can have two entries; it is returned once.
 */
export const submittedPages = (table: Table, formId: string, range: Range = {}): AsyncIterable<ResponsePage> =>
  readAhead(pagesFrom(table, formId, range));

async function* pagesFrom(
  table: Table,
  formId: string,
  { after, maxPages = Number.POSITIVE_INFINITY }: Range,
): AsyncGenerator<ResponsePage, void, undefined> {
  let position = after;
  const seen = new Set<string>();
  for (let count = 0; count < maxPages; count += 1) {
    const page = await pageResponses(table, formId, ['SUBMITTED'], { limit: PAGE, after: position });
    const responses = page.responses.filter(({ id }) => !seen.has(id));
    for (const { id } of responses) seen.add(id);
    yield { ...page, responses };
    if (page.last === null) return;
    position = page.last;
  }
}
