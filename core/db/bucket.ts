/** The bucket port: the few operations of S3 that the domain uses, as plain data. Keys are built in `objects.ts`. */
import { timeAfter } from '#core/schema/time.ts';
import { UPLOAD_URL_SECONDS, type Upload } from '#core/schema/upload.ts';

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
  /** A URL that returns an object until it expires, with the given content type and Content-Disposition. */
  signGet(key: string, as: { contentType: string; disposition: string }, expiresSeconds: number): Promise<string>;
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

/** The request that uploads an object directly to storage, with the lifetime of all upload URLs. */
export async function signUpload(
  { bucket, now }: { bucket: Bucket; now(): Date },
  key: string,
  upload: ExactUpload,
): Promise<Upload> {
  const signed = await bucket.signPut(key, upload, UPLOAD_URL_SECONDS);
  return { method: 'PUT', ...signed, expiresAt: timeAfter(now(), UPLOAD_URL_SECONDS) };
}
