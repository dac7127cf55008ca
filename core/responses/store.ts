/**
 * Reads and writes responses. A response is one item; every change is a conditional write on its version. The fields in
 * lists are separate attributes, which the indexes include.
 */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { fileBytesOf, type Response, type ResponseProgress } from './model.ts';

/** The response of an item; undefined when there is none. */
export function responseOf(item: Item | undefined): Response | undefined {
  if (!item) return undefined;
  return {
    ...decode<Omit<Response, 'version' | keyof ResponseEntry>>(item),
    ...entryOf(item),
    version: Number(item.version),
  };
}

/** The fields of a response in an index entry. */
export type ResponseEntry = Pick<Response, 'id' | 'userId' | 'progress' | 'createdAt' | 'submittedAt' | 'listedAt'>;

const entryOf = (item: Item): ResponseEntry => ({
  id: item.pk.slice('RESPONSE#'.length),
  userId: String(item.userId),
  progress: item.progress === 'SUBMITTED' ? 'SUBMITTED' : 'DRAFT',
  createdAt: String(item.createdAt),
  submittedAt: typeof item.submittedAt === 'string' ? item.submittedAt : null,
  listedAt: String(item.listedAt),
});

/**
 * `fileBytes` repeats what the answers say, so that the worker that counts stored bytes can tell from a stream record
 * whether it changed.
 */
function responseItem(response: Response): Item {
  const { version, id, userId, progress, createdAt, submittedAt, listedAt, ...data } = response;
  const entry = { userId, progress, createdAt, listedAt, ...(submittedAt === null ? {} : { submittedAt }) };
  const fileBytes = fileBytesOf(response);
  return {
    ...keys.response(id),
    ...indexKeys.response(response),
    ...entry,
    ...(fileBytes === 0 ? {} : { fileBytes }),
    ...encode(data),
    version,
  };
}

/** The write that creates a response. */
export const createResponse = (response: Response): Write => ({ put: responseItem(response), when: { absent: true } });

/** The write that replaces a response of the previous version. */
export const replaceResponse = (next: Response): Write => ({
  put: responseItem(next),
  when: { equals: { version: next.version - 1 } },
});

/** The write that removes a response of this version. */
export const removeResponse = ({ id, version }: Pick<Response, 'id' | 'version'>): Write => ({
  remove: keys.response(id),
  when: { equals: { version } },
});

/** The condition that a response exists. */
export const checkResponse = (responseId: string): Write => ({
  check: keys.response(responseId),
  when: { absent: false },
});

/** The responses with the given ids, in this order; absent ones are left out. */
export async function loadResponses(table: Table, ids: readonly string[]): Promise<Response[]> {
  const items = await table.read(ids.map(keys.response));
  return items.map(responseOf).filter((response) => response !== undefined);
}

type ListRequest = { limit: number; after?: string | undefined; descending?: boolean };
export type EntryPage = { entries: ResponseEntry[]; last: string | null; positions: ReadonlyMap<string, string> };

/**
 * One page of index entries of a form's responses with the given progress, sorted by the time of entering it: one Query
 * per shard, in parallel. Indexes lag, so a response can briefly have entries in two partitions; the newest is used.
 * `last` is a position that is valid in every shard; `positions` has the position of each response.
 */
export async function pageEntries(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  { limit, after, descending = false }: ListRequest,
): Promise<EntryPage> {
  const shards = progress.flatMap((each) => partitions.responsesOf(formId, each));
  const pages = await Promise.all(shards.map((shard) => table.page({ ...shard, limit, after, descending })));
  const items = pages
    .flatMap((page) => page.items)
    .map((item) => ({ entry: entryOf(item), position: item.gsi2sk ?? '' }))
    .sort((a, b) => (a.position < b.position ? -1 : 1) * (descending ? -1 : 1));
  const taken = items.slice(0, limit);
  const hasMore = items.length > limit || pages.some((page) => page.last !== null);
  return {
    entries: newestOfEach(taken.map(({ entry }) => entry)),
    last: hasMore ? (taken.at(-1)?.position ?? null) : null,
    positions: new Map(taken.map(({ entry, position }) => [entry.id, position])),
  };
}

/** One entry per response, the one with the newest `listedAt`, in the order of the list. */
function newestOfEach(entries: readonly ResponseEntry[]): ResponseEntry[] {
  const newest = new Map<string, ResponseEntry>();
  for (const entry of entries) {
    const other = newest.get(entry.id);
    if (!other || other.listedAt < entry.listedAt) newest.set(entry.id, entry);
  }
  return entries.filter((entry) => newest.get(entry.id) === entry);
}

export type ResponsePage = Omit<EntryPage, 'entries'> & { responses: Response[] };

/** One page of a form's responses with the given progress, read from the table. */
export async function pageResponses(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  request: ListRequest,
): Promise<ResponsePage> {
  return loadPage(table, formId, progress, await pageEntries(table, formId, progress, request));
}

/** The responses of a page of entries. Indexes lag: entries of responses with another progress by now are left out. */
export async function loadPage(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  { entries, last, positions }: EntryPage,
): Promise<ResponsePage> {
  const loaded = await loadResponses(
    table,
    entries.map(({ id }) => id),
  );
  const responses = loaded.filter((response) => response.formId === formId && progress.includes(response.progress));
  return { responses, last, positions };
}

/** The number of a form's responses with a progress, exact up to `limit`, beyond it any larger one. */
export async function countUpTo(
  table: Table,
  formId: string,
  progress: ResponseProgress,
  limit: number,
): Promise<number> {
  const shards = partitions.responsesOf(formId, progress);
  const counts = await Promise.all(shards.map((shard) => table.count({ ...shard, limit })));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The number of a user's responses to a form, at most `limit`. */
export const countOwn = (table: Table, userId: string, formId: string, limit: number): Promise<number> =>
  table.count({ ...partitions.responsesOfUserTo(userId, formId), limit });

/** The entries of a user's responses, to one form or to all, newest first; at most `limit`. */
export async function ownEntries(
  table: Table,
  userId: string,
  limit: number,
  formId?: string,
): Promise<ResponseEntry[]> {
  const partition = formId ? partitions.responsesOfUserTo(userId, formId) : partitions.responsesOfUser(userId);
  const page = await table.page({ ...partition, limit, descending: true });
  return newestOfEach(page.items.map(entryOf));
}
