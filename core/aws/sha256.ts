/**
 * SHA-256 for the signer of the SDK, which makes four digests for each call. Node's `createHmac` takes 2 µs with a key
 * object and 10 µs with bytes (24.21), which the SDK's own class passes.
 */
import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import type { Checksum, SourceData } from '@smithy/types';

/** A digest; with a secret, an HMAC. */
export class Sha256 implements Checksum {
  readonly #secret: SourceData | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#secret = secret;
    this.#hash = begin(secret);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = begin(this.#secret);
  }
}

function begin(secret: SourceData | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac(
    'sha256',
    typeof secret === 'string' ? createSecretKey(secret, 'utf8') : createSecretKey(bytes(secret)),
  );
}

const bytes = (data: Exclude<SourceData, string>): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
