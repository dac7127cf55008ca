/** Reads and writes files: uploads beside their response, attached files by their own id and by who uploaded them. */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, type Key, keys, partitions } from '#core/db/keys.ts';
import { pagesOf } from '#core/db/pages.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { type StoredFile, UPLOAD_SECONDS } from './model.ts';

/** The file of an item, or undefined. */
export const fileOf = (item: Item | undefined): StoredFile | undefined => (item ? decode<StoredFile>(item) : undefined);

/** The write that notes an upload; the table forgets it after a day. */
export const createUpload = (file: StoredFile): Write => ({
  put: {
    ...keys.upload(file.responseId, file.id),
    ...encode(file),
    expiresAt: Math.floor(Date.parse(file.createdAt) / 1_000) + UPLOAD_SECONDS,
  },
  when: { absent: true },
});

/** The write that removes the note of an upload, if there is one. */
export const removeUpload = (responseId: string, fileId: string): Write => ({
  remove: keys.upload(responseId, fileId),
});

/** The write that makes a file of an upload: from now on it can be found. */
export const attachFile = (file: StoredFile): Write => ({
  put: { ...keys.file(file.id), ...indexKeys.file(file), ...encode(file) },
  when: { absent: true },
});

/** The write that removes a file that left its answer. */
export const removeFile = (fileId: string): Write => ({ remove: keys.file(fileId) });

/** The uploads of a response that some ids (10 at most) name, and that have not vanished by `now`. */
export async function loadUploads(
  table: Table,
  responseId: string,
  fileIds: readonly string[],
  now: Date,
): Promise<StoredFile[]> {
  const items = await readSome(
    table,
    fileIds.map((fileId) => keys.upload(responseId, fileId)),
  );
  // The table forgets late.
  return items.filter((item) => Number(item.expiresAt) * 1_000 > now.getTime()).map(decode<StoredFile>);
}

/** The files of some ids (100 at most), in that order; absent ones are left out. */
export const loadFiles = async (table: Table, fileIds: readonly string[]): Promise<StoredFile[]> =>
  (await readSome(table, fileIds.map(keys.file))).map(decode<StoredFile>);

const readSome = async (table: Table, wanted: readonly Key[]): Promise<Item[]> =>
  wanted.length === 0 ? [] : (await table.read(wanted)).filter((item) => item !== undefined);

/** The ids of all uploads of a response that were not attached. Bounded by what one person begins in a day. */
export async function uploadIdsOf(table: Table, responseId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const items of pagesOf(table, { ...partitions.uploadsOf(responseId), limit: 1_000 })) {
    ids.push(...items.map((item) => item.sk.slice('UPLOAD#'.length)));
  }
  return ids;
}

export type FilePage = { files: StoredFile[]; last: string | null };

/** One page of a user's files, newest first. */
export async function pageFiles(
  table: Table,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<FilePage> {
  const range = { limit, descending: true, ...(after === undefined ? {} : { after }) };
  const page = await table.page({ ...partitions.filesOfUser(userId), ...range });
  return { files: await loadFiles(table, page.items.map(fileIdOf)), last: page.last };
}

/** The ids of all of a user's files, newest first, from the index alone. */
export async function fileIdsOfUser(table: Table, userId: string): Promise<string[]> {
  const ids: string[] = [];
  const newestFirst = { limit: 1_000, descending: true };
  for await (const items of pagesOf(table, { ...partitions.filesOfUser(userId), ...newestFirst })) {
    ids.push(...items.map(fileIdOf));
  }
  return ids;
}

const fileIdOf = (item: Item): string => item.pk.slice('FILE#'.length);
