/** The bucket port: the few operations of S3 that the domain uses, as plain data. Keys are built by `objects`. */
import { timeAfter } from '#core/schema/format.ts';
import { UPLOAD_URL_SECONDS, type Upload } from '#core/schema/upload.ts';
import { formKey } from './keys.ts';

/** The exact properties of an upload; storage rejects anything else. */
export type ExactUpload = {
  contentType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, base64. */
  sha256: string;
};

/** The URL and headers of the PUT request that uploads directly to storage. */
type SignedPut = { url: string; headers: Record<string, string> };

/** A stored object. */
export type StoredObject = {
  /** In bytes. */
  size: number;
  contentType: string;
  /** SHA-256 of the bytes, base64; undefined if the object was stored without one. */
  sha256: string | undefined;
  /** The leading bytes. */
  start: Uint8Array;
};

export type Bucket = {
  /** A URL that accepts exactly this upload until it expires; repeating the upload writes the same bytes. */
  signPut(key: string, upload: ExactUpload, expiresSeconds: number): Promise<SignedPut>;
  /**
   * A URL that returns an object until it expires, with the given Content-Disposition and content type, by default the
   * stored one.
   */
  signGet(key: string, as: { contentType?: string; disposition: string }, expiresSeconds: number): Promise<string>;
  /** The properties and the first `leadingBytes` bytes of an object; undefined when it does not exist. */
  inspect(key: string, leadingBytes: number): Promise<StoredObject | undefined>;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Stores an object of any size from chunks, with about 24 MB in memory. The object appears when all of it is stored;
   * an error of the chunks or of storage discards what was sent.
   */
  upload(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** Removes objects; missing ones are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes at most 1,000 objects with this prefix and returns their number; 0 when there are none. */
  removeSome(prefix: string): Promise<number>;
};

/** Signs the request that uploads an object directly to storage, with the lifetime of all upload URLs. */
export async function signUpload(
  { bucket, now }: { bucket: Bucket; now(): Date },
  key: string,
  upload: ExactUpload,
): Promise<Upload> {
  const signed = await bucket.signPut(key, upload, UPLOAD_URL_SECONDS);
  return { method: 'PUT', ...signed, expiresAt: timeAfter(now(), UPLOAD_URL_SECONDS) };
}

// The keys of objects in the bucket; nothing else builds one. Keys consist of ids, never of user input, and cannot be
// guessed.
// | Object            | key                     | removed                                       |
// |-------------------|-------------------------|-----------------------------------------------|
// | file of an answer | files/<response>/<file> | with its file item, or 25 hours after an      |
// |                   |                         | announcement that was never attached          |
// | cover of a form   | covers/<form>/<cover>   | when the form has another one or none         |
// | exported workbook | exports/<export>        | 7 days after the export was requested         |
// | asset of a page   | assets/<name>           | never; a deployment adds those of its build   |
// The ids of responses and exports begin with the form key, so the objects of a form or a response have common prefixes.

export const objects = {
  file: (responseId: string, fileId: string): string => `files/${responseId}/${fileId}`,
  cover: (formId: string, coverId: string): string => `covers/${formId}/${coverId}`,
  export: (exportId: string): string => `exports/${exportId}`,
  asset: (name: string): string => `assets/${name}`,
} as const;

/** The prefixes of all objects that belong to a resource. */
export const objectPrefixes = {
  response: (responseId: string): string[] => [objects.file(responseId, '')],
  form: (formId: string): string[] => [
    `files/${formKey(formId)}`,
    objects.cover(formId, ''),
    objects.export(formKey(formId)),
  ],
} as const;

/** The kinds of objects of people: the first parts of their keys. */
export const OBJECT_KINDS = ['files', 'covers', 'exports'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number] | 'assets';

/** The prefixes of all objects of people. */
export const OBJECT_PREFIXES = OBJECT_KINDS.map((kind) => `${kind}/` as const);

/** Returns the kind of the object with a key. Throws for a key that `objects` does not build. */
export function objectKind(key: string): ObjectKind {
  const kind = ([...OBJECT_KINDS, 'assets'] as const).find((candidate) => key.startsWith(`${candidate}/`));
  if (!kind) throw new Error(`${key} is no key of an object`);
  return kind;
}
