/** The hash function of the service. */
import { hash } from 'node:crypto';

/** Hashes bytes, or a text as UTF-8, with SHA-256; returns the hash in an encoding. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string =>
  hash('sha256', data, encoding);
