/**
 * The few verbs we use of S3, as plain data: let a browser put or get one object, look at one, put, copy, remove.
 * `core/aws/s3-bucket.ts` carries them out; which keys there are is said in `objects.ts`.
 */

/** What an upload must be to the byte; storage refuses everything else. */
export type ExactUpload = {
  contentType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, base64; without it any bytes of that size and type are taken. */
  sha256?: string | undefined;
};

/** What a browser sends to upload straight to storage. */
export type SignedPut = { url: string; headers: Record<string, string> };

/** What an object turned out to be. */
export type Inspected = {
  /** In bytes. */
  size: number;
  contentType: string;
  /** SHA-256 of the bytes, base64, when storage knows it. */
  sha256: string | undefined;
  /** Names this very content, for `copy`. */
  etag: string;
  /** Its leading bytes. */
  start: Uint8Array;
};

export type Bucket = {
  /** A URL to which exactly this upload can be sent, once or again, for some seconds. */
  signPut(key: string, upload: ExactUpload, expiresSeconds: number): Promise<SignedPut>;
  /** A URL from which an object can be read for some seconds, under a type and a Content-Disposition. */
  signGet(key: string, as: { contentType: string; disposition: string }, expiresSeconds: number): Promise<string>;
  /** An object with its first `leadingBytes` bytes; undefined when there is none. */
  inspect(key: string, leadingBytes: number): Promise<Inspected | undefined>;
  /** Writes an object. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Copies the bytes of an object if it is still of this etag; false when it is gone or another one. The copy has the
   * content type that is given and nothing else of what the uploader may have said, such as an encoding.
   */
  copy(from: string, to: string, as: { etag: string; contentType: string }): Promise<boolean>;
  /** Removes objects; those that are not there are fine. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes every object whose key begins so. */
  removeAll(prefix: string): Promise<void>;
};
