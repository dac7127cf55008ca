/**
 * Files of answers: an item for each attached file, a counter for each user, and the announced uploads of a question.
 * File items and the counter change in the same transaction as the answer.
 */

import { objects } from '#core/db/bucket.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { scheduleCleanUp } from '#core/jobs/job.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { CLEAN_UP_SECONDS, UNUSED_UPLOAD_SECONDS, UPLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import type { UploadedFile } from '#core/structure/answer-content.ts';
import type { Response } from './model.ts';

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

/** Builds the write that adds to the number of a user's files; none for a change of 0. */
export const addToFileCount = (userId: string, change: number): Write[] =>
  change === 0 ? [] : [{ update: keys.fileCount(userId), add: { files: change } }];

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
