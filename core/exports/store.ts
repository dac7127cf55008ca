/** Reads and writes export jobs: one item each, changed by one conditional write, and removed by its TTL. */

import { readDueBatches } from '#core/db/batches.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { epochSeconds, timeAfter } from '#core/schema/format.ts';
import { type ExportJob, isReadyToStart, JOB_SECONDS } from './model.ts';

/** Parses the job of an item; undefined when there is none. */
export const parseExport = (item: Item | undefined): ExportJob | undefined =>
  item
    ? {
        ...decode<Omit<ExportJob, 'id' | 'userId' | 'createdAt' | 'version'>>(item),
        id: lastPart(item.sk),
        userId: String(item.userId),
        createdAt: String(item.createdAt),
        version: Number(item.version),
      }
    : undefined;

function toExportItem(job: ExportJob): Item {
  const { id, userId, createdAt, version, ...data } = job;
  const expiresAt = epochSeconds(new Date(timeAfter(new Date(createdAt), JOB_SECONDS)));
  return { ...keys.export(id), ...indexKeys.export(job), userId, createdAt, ...encode(data), version, expiresAt };
}

/** Builds the write that creates a job. */
export const createExport = (job: ExportJob): Write => ({ put: toExportItem(job), when: { absent: true } });

/** Builds the write that replaces the previous version of a job; refused if another worker claimed it, or it is deleted. */
export const replaceExport = (next: ExportJob): Write => ({
  put: toExportItem(next),
  when: { equals: { version: next.version - 1 } },
});

/** Reads the jobs of some index entries, each once, in this order; absent ones are left out. */
async function loadExports(table: Table, entries: readonly Item[]): Promise<ExportJob[]> {
  const ids = new Set(entries.map(({ sk }) => lastPart(sk)));
  const items = await table.read([...ids].map(keys.export));
  return items.map(parseExport).filter((job) => job !== undefined);
}

/** Reads the jobs that can be started, the longest due first. Indexes lag, so each is read from the table. */
export async function* readDueExports(table: Table, now: Date): AsyncGenerator<ExportJob> {
  for await (const items of readDueBatches(table, { ...partitions.dueExports(), limit: 25 }, now)) {
    for (const job of await loadExports(table, items)) if (isReadyToStart(job, now)) yield job;
  }
}

/** How many batches are read for the jobs of one user. */
const MAX_BATCHES = 10;

/**
 * Lists some jobs of a form, newest first; with `userId`, only those of this user, of the next 1,000 at most. `last`
 * is the position after which the list continues, null at the end.
 */
export async function listExportJobs(
  table: Table,
  formId: string,
  { limit, after, userId }: { limit: number; after: string | undefined; userId?: string | undefined },
): Promise<{ jobs: ExportJob[]; last: string | null }> {
  const entries: Item[] = [];
  let last = after ?? null;
  for (let batches = 0; batches < MAX_BATCHES && entries.length < limit; batches += 1) {
    // Each batch continues after the one before.
    const request = { ...partitions.exportsOf(formId), limit: 100, descending: true, after: last ?? undefined };
    const batch = await table.list(request);
    const matching = batch.items.filter((item) => userId === undefined || item.userId === userId);
    const selected = matching.slice(0, limit - entries.length);
    entries.push(...selected);
    last = selected.length < matching.length ? (selected.at(-1)?.gsi2sk ?? null) : batch.last;
    if (last === null) break;
  }
  return { jobs: await loadExports(table, entries), last };
}
