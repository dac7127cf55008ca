/** The hash function of the service. */
import { createHash } from 'node:crypto';

/** Hashes bytes, or a text as UTF-8, with SHA-256; returns the hash in an encoding. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string =>
  createHash('sha256').update(data).digest(encoding);
