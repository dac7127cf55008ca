/** The hash function of the service. */
import { createHash } from 'node:crypto';

/** The SHA-256 of bytes, or of a text as UTF-8, in an encoding. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string =>
  createHash('sha256').update(data).digest(encoding);
