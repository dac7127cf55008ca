/**
 * Reads and writes responses. A response is one item; every change is a conditional write on its version. The fields in
 * lists are separate attributes, which the indexes include.
 */

import { objects } from '#core/db/bucket.ts';
import { decode, encode, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { indexKeys, isGuestId, keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Consistency, Item, Table, Write } from '#core/db/table.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { CLEAN_UP_SECONDS, UNUSED_UPLOAD_SECONDS, UPLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { type Response, type ResponseProgress, sumFileBytes } from './model.ts';

/** What the item in place of a deleted response has, and nothing else. */
const DELETED = { progress: 'DELETED' };

/** Parses the response of an item; undefined when there is none, or it was deleted. */
export function parseResponse(item: Item | undefined): Response | undefined {
  if (!item || item.progress === DELETED.progress) return undefined;
  const data = decode<Omit<Response, 'version' | 'places' | keyof ResponseEntry>>(item);
  const places = Array.isArray(item.places) && { places: item.places.map(String) };
  return { ...data, ...parseEntry(item), ...places, version: Number(item.version) };
}

/** The fields of a response in an index entry. */
export type ResponseEntry = Pick<Response, 'id' | 'userId' | 'progress' | 'createdAt' | 'submittedAt' | 'listedAt'>;

const parseEntry = (item: Item): ResponseEntry => ({
  id: item.pk.slice('RESPONSE#'.length),
  userId: String(item.userId),
  progress: item.progress === 'SUBMITTED' ? 'SUBMITTED' : 'DRAFT',
  createdAt: String(item.createdAt),
  submittedAt: typeof item.submittedAt === 'string' ? item.submittedAt : null,
  listedAt: String(item.listedAt),
});

/**
 * `fileBytes` repeats the size of all files, so that the worker that counts stored bytes can tell from a stream record
 * whether it changed.
 */
function toItem(response: Response): Item {
  const { version, id, userId, progress, createdAt, submittedAt, listedAt, places = [], ...data } = response;
  const entry = { userId, progress, createdAt, listedAt, ...(submittedAt === null ? {} : { submittedAt }) };
  const fileBytes = sumFileBytes(response);
  const encoded = encode(data);
  const maxKb = roundUpKb(Buffer.byteLength(encoded.data));
  return {
    ...keys.response(id),
    ...indexKeys.response(response),
    ...entry,
    ...(fileBytes === 0 ? {} : { fileBytes }),
    ...(maxKb === SMALL_KB ? {} : { maxKb }),
    ...(places.length === 0 ? {} : { places }),
    ...encoded,
    version,
  };
}

/** The size of most responses: one read unit. */
const SMALL_KB = 4;

/** The size of the largest response, rounded up. */
export const LARGEST_KB = roundUpKb(MAX_ENTITY_BYTES);

/** Rounds a size up to 4, 6, 8, 12, 16, … KB, so that an index entry, which has it, is seldom rewritten. */
function roundUpKb(bytes: number): number {
  const kb = Math.max(bytes / 1_024, SMALL_KB);
  const power = 2 ** Math.floor(Math.log2(kb));
  return power * (kb <= power ? 1 : kb <= 1.5 * power ? 1.5 : 2);
}

/** Builds the write that creates a response. */
export const createResponse = (response: Response): Write => ({ put: toItem(response), when: { absent: true } });

/** Builds the write that replaces a response of the previous version. */
export const replaceResponse = (next: Response): Write => ({
  put: toItem(next),
  when: { equals: { version: next.version - 1 } },
});

/**
 * Builds the write that notes the places of a response of this version, which stays as it is otherwise. A change of it at the same
 * time, which knows nothing of them, may drop them: a comparison finds that.
 */
export const notePlaces = ({ id, version }: Pick<Response, 'id' | 'version'>, places: readonly string[]): Write => ({
  update: keys.response(id),
  set: { places },
  when: { equals: { version } },
});

/** Builds the write that removes a response of this version. */
export const removeResponse = ({ id, version }: Pick<Response, 'id' | 'version'>): Write => ({
  remove: keys.response(id),
  when: { equals: { version } },
});

/**
 * Builds the write that marks that a submitted response of a form is about to be edited, cancelled or deleted: an export that was
 * requested before may lack it, and the counters follow later. Written before the change, and outside of its transaction,
 * so that changes of one form do not meet.
 */
export const markEdited = (formId: string, now: Date): Write => ({
  put: { ...keys.formEdited(formId), at: now.toISOString() },
});

/** Parses when a submitted response of a form was marked as edited last; null for never. */
export const parseEditedAt = (item: Item | undefined): string | null => (item ? String(item.at) : null);

/**
 * Builds the write that deletes a response of this version. Its empty item stays until its deletion has ended: a response
 * whose id follows from a posted form is started by one put, which must not bring back what was deleted.
 */
export const markDeleted = ({ id, version }: Pick<Response, 'id' | 'version'>): Write => ({
  put: { ...keys.response(id), ...DELETED },
  when: { equals: { version } },
});

/** Builds the write that removes the item that `markDeleted` has left. */
export const removeDeletedMark = (id: string): Write => ({ remove: keys.response(id), when: { equals: DELETED } });

/** Builds the condition that a response exists and was not deleted. */
export const checkResponse = (responseId: string): Write => ({
  check: keys.response(responseId),
  when: { above: { version: 0 } },
});

/** Builds the condition that a response is a draft. */
export const checkDraft = (responseId: string): Write => ({
  check: keys.response(responseId),
  when: { equals: { progress: 'DRAFT' } },
});

/** Reads the responses with the given ids, in this order; absent ones are left out. */
export async function loadResponses(
  table: Table,
  ids: readonly string[],
  consistency?: Consistency,
): Promise<Response[]> {
  const items = await table.read(ids.map(keys.response), consistency);
  return items.map(parseResponse).filter((response) => response !== undefined);
}

/** `maxKb`: lists only as many as have this size at most together, but at least one. */
type ListRequest = {
  limit: number;
  after?: string | undefined;
  descending?: boolean | undefined;
  maxKb?: number | undefined;
};
/** `kb`: the size of the listed responses together, at most; each is rounded up. */
export type EntryBatch = {
  entries: ResponseEntry[];
  last: string | null;
  positions: ReadonlyMap<string, string>;
  kb: number;
};

/**
 * Lists a batch of index entries of a form's responses with the given progress, sorted by the time of entering it: one Query
 * per shard, in parallel. Indexes lag, so a response can briefly have entries in two partitions; the newest is used.
 * `last` is a position that is valid in every shard; `positions` has the position of each response.
 */
export async function listEntries(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  { limit, after, descending = false, maxKb = Number.POSITIVE_INFINITY }: ListRequest,
): Promise<EntryBatch> {
  const shards = progress.flatMap((state) => partitions.responsesOf(formId, state));
  const batches = await Promise.all(shards.map((shard) => table.list({ ...shard, limit, after, descending })));
  const items = batches
    .flatMap((batch) => batch.items)
    .map((item) => ({ entry: parseEntry(item), position: item.gsi2sk ?? '', kb: Number(item.maxKb ?? SMALL_KB) }))
    .sort((a, b) => (a.position < b.position ? -1 : 1) * (descending ? -1 : 1));
  let [count, kb] = [0, 0];
  for (const item of items.slice(0, limit)) {
    if (count > 0 && kb + item.kb > maxKb) break;
    count += 1;
    kb += item.kb;
  }
  const selected = items.slice(0, count);
  const hasMore = items.length > selected.length || batches.some((batch) => batch.last !== null);
  return {
    entries: keepNewestEntries(selected.map(({ entry }) => entry)),
    last: hasMore ? (selected.at(-1)?.position ?? null) : null,
    positions: new Map(selected.map(({ entry, position }) => [entry.id, position])),
    kb,
  };
}

/** Keeps one entry per response, the one with the newest `listedAt`, in the order of the list. */
function keepNewestEntries(entries: readonly ResponseEntry[]): ResponseEntry[] {
  const newest = new Map<string, ResponseEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.id);
    if (!known || known.listedAt < entry.listedAt) newest.set(entry.id, entry);
  }
  return entries.filter((entry) => newest.get(entry.id) === entry);
}

export type ResponseBatch = Omit<EntryBatch, 'entries' | 'kb'> & { responses: Response[] };

/** Reads the responses of a batch of entries. Indexes lag: responses with another progress by now are left out. */
export async function loadResponseBatch(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  { entries, last, positions }: Omit<EntryBatch, 'kb'>,
  consistency?: Consistency,
): Promise<ResponseBatch> {
  const loaded = await loadResponses(
    table,
    entries.map(({ id }) => id),
    consistency,
  );
  const responses = loaded.filter((response) => response.formId === formId && progress.includes(response.progress));
  return { responses, last, positions };
}

/** Counts a form's responses with a progress: exact up to `limit`, beyond it any larger number. */
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

/** Counts a user's responses to a form, at most `limit`. */
export const countOwnResponses = (table: Table, userId: string, formId: string, limit: number): Promise<number> =>
  table.count({ ...partitions.responsesOfUserTo(userId, formId), limit });

/** Lists the entries of a user's responses, to one form or to all, newest first; at most `limit`. */
export async function listOwnEntries(
  table: Table,
  userId: string,
  limit: number,
  formId?: string,
): Promise<ResponseEntry[]> {
  const partition = formId ? partitions.responsesOfUserTo(userId, formId) : partitions.responsesOfUser(userId);
  const batch = await table.list({ ...partition, limit, descending: true });
  return keepNewestEntries(batch.items.map(parseEntry));
}

// Files of answers: an item for each attached file, a counter for each user, and the announced uploads of a question.
// File items and the counter change in the same transaction as the answer.

/** A file: announced for a question, or attached to its answer. */
export type StoredFile = {
  id: string;
  formId: string;
  responseId: string;
  questionId: string;
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, base64. */
  sha256: string;
  uploadedBy: string;
  createdAt: string;
};

/** Converts a stored file to a file of an answer. */
export const toUploadedFile = ({ id, filename, contentType, size }: StoredFile): UploadedFile => ({
  fileId: id,
  originalFilename: filename,
  contentType,
  size,
});

/** Parses the file of an item; undefined when there is none. */
export const parseFile = (item: Item | undefined): StoredFile | undefined =>
  item ? decode<StoredFile>(item) : undefined;

type FileChange = { added: readonly StoredFile[]; removed: readonly string[] };

/** Builds the writes for files that are added to and removed from the answers of a response. */
export function fileWrites(
  app: Pick<Ports, 'now' | 'uuid'>,
  { id: responseId, userId }: Pick<Response, 'id' | 'userId'>,
  { added, removed }: FileChange,
): Write[] {
  return [
    ...added.map(
      (file): Write => ({
        put: { ...keys.file(file.id), ...indexKeys.file(file), ...encode(file) },
        when: { absent: true },
      }),
    ),
    ...removed.flatMap((fileId): Write[] => [
      { remove: keys.file(fileId) },
      scheduleCleanUp(app, keys.response(responseId), objects.file(responseId, fileId)),
    ]),
    ...addToFileCount(userId, added.length - removed.length),
  ];
}

/** Builds the write that adds to the number of a user's files; none for a change of 0, and for guests, who have no list of files. */
export const addToFileCount = (userId: string, change: number): Write[] =>
  change === 0 || isGuestId(userId) ? [] : [{ update: keys.fileCount(userId), add: { files: change } }];

/** Reads the number of a user's files. */
export async function loadFileCount(table: Table, userId: string): Promise<number> {
  const [item] = await table.read([keys.fileCount(userId)]);
  return Number(item?.files ?? 0);
}

/** The announced uploads of a question of a response that can still be attached. */
export type Uploads = { version: number; files: StoredFile[] };

/** The largest number of announced uploads of a question with valid URLs. */
export const MAX_SENDABLE = 20;
/** The largest number of announced uploads of a question that are kept; the oldest are dropped. */
const MAX_STORED_UPLOADS = 100;

/** Reads the announced uploads of a question that can still be attached. */
export async function loadUploads(table: Table, responseId: string, questionId: string, now: Date): Promise<Uploads> {
  const [item] = await table.read([keys.uploads(responseId, questionId)]);
  if (!item) return { version: 0, files: [] };
  const { files } = decode<{ files: StoredFile[] }>(item);
  return {
    version: Number(item.version),
    files: files.filter((file) => ageSeconds(file, now) < UNUSED_UPLOAD_SECONDS),
  };
}

/** Counts the uploads that still have a valid URL. */
export const countSendable = ({ files }: Uploads, now: Date): number =>
  files.filter((file) => ageSeconds(file, now) < UPLOAD_URL_SECONDS).length;

const ageSeconds = ({ createdAt }: StoredFile, now: Date): number => (now.getTime() - Date.parse(createdAt)) / 1_000;

/** Builds the write that replaces the announced uploads of a question; refused after a concurrent change. */
export function replaceUploads(responseId: string, questionId: string, { version, files }: Uploads, now: Date): Write {
  const expiresAt = epochSeconds(now) + UNUSED_UPLOAD_SECONDS;
  return {
    put: {
      ...keys.uploads(responseId, questionId),
      ...encode({ files: files.slice(-MAX_STORED_UPLOADS) }),
      version: version + 1,
      expiresAt,
    },
    when: version === 0 ? { absent: true } : { equals: { version } },
  };
}

/** Schedules the clean-up of a new upload; it is due after the upload can no longer be attached. */
export const scheduleUploadCleanUp = (app: Pick<Ports, 'now' | 'uuid'>, { responseId, id }: StoredFile): Write =>
  scheduleCleanUp(app, keys.response(responseId), objects.file(responseId, id), CLEAN_UP_SECONDS);
