/** Reads and writes export jobs: one item each, changed by one conditional write, and removed by its TTL. */

import { duePagesOf } from '#core/db/batches.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { epochSeconds, timeAfter } from '#core/schema/format.ts';
import { type ExportJob, isDue, JOB_SECONDS } from './model.ts';

/** The job of an item; undefined when there is none. */
export const exportOf = (item: Item | undefined): ExportJob | undefined =>
  item
    ? {
        ...decode<Omit<ExportJob, 'id' | 'userId' | 'createdAt' | 'version'>>(item),
        id: lastPart(item.sk),
        userId: String(item.userId),
        createdAt: String(item.createdAt),
        version: Number(item.version),
      }
    : undefined;

function exportItem(job: ExportJob): Item {
  const { id, userId, createdAt, version, ...data } = job;
  const expiresAt = epochSeconds(new Date(timeAfter(new Date(createdAt), JOB_SECONDS)));
  return { ...keys.export(id), ...indexKeys.export(job), userId, createdAt, ...encode(data), version, expiresAt };
}

/** The write that creates a job. */
export const createExport = (job: ExportJob): Write => ({ put: exportItem(job), when: { absent: true } });

/** The write that replaces a job of the previous version; refused if another worker has claimed it, or it is deleted. */
export const replaceExport = (next: ExportJob): Write => ({
  put: exportItem(next),
  when: { equals: { version: next.version - 1 } },
});

/** The jobs of some index entries, each once, in this order; absent ones are left out. */
async function loadExports(table: Table, entries: readonly Item[]): Promise<ExportJob[]> {
  const ids = new Set(entries.map(({ sk }) => lastPart(sk)));
  const items = await table.read([...ids].map(keys.export));
  return items.map(exportOf).filter((job) => job !== undefined);
}

/** The jobs that can be started, the longest due first. Indexes lag, so each is read from the table. */
export async function* dueExports(table: Table, now: Date): AsyncGenerator<ExportJob> {
  for await (const items of duePagesOf(table, { ...partitions.dueExports(), limit: 25 }, now)) {
    for (const job of await loadExports(table, items)) if (isDue(job, now)) yield job;
  }
}

/** Pages that are looked at for the jobs of one user. */
const MAX_PAGES = 10;

/**
 * A page of the jobs of a form, newest first; with `userId`, only those of this user, of the next 1,000 at most. `last`
 * is the position after which the list continues, null at the end.
 */
export async function pageExports(
  table: Table,
  formId: string,
  { limit, after, userId }: { limit: number; after: string | undefined; userId?: string | undefined },
): Promise<{ jobs: ExportJob[]; last: string | null }> {
  const found: Item[] = [];
  let last = after ?? null;
  for (let pages = 0; pages < MAX_PAGES && found.length < limit; pages += 1) {
    // Each page continues after the one before.
    const request = { ...partitions.exportsOf(formId), limit: 100, descending: true, after: last ?? undefined };
    const page = await table.page(request);
    const matching = page.items.filter((item) => userId === undefined || item.userId === userId);
    const taken = matching.slice(0, limit - found.length);
    found.push(...taken);
    last = taken.length < matching.length ? (taken.at(-1)?.gsi2sk ?? null) : page.last;
    if (last === null) break;
  }
  return { jobs: await loadExports(table, found), last };
}
