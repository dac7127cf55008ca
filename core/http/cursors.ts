/**
 * Cursors: where a list goes on, sealed so that a caller can neither read, forge nor carry one to another list
 * (contract section 1). Sealed by AES-GCM with the list as what is authenticated beside the position.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { problems } from '#core/problems/problems.ts';

export type Cursors = {
  /** Seals a position of a list. */
  seal(list: string, position: string | null): string | null;
  /** Opens a cursor of that list; 400 when it is not one. */
  open(list: string, cursor: string | undefined): string | undefined;
};

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Cursors under a secret. */
export function signedCursors(secret: string): Cursors {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'cursors', 32));
  return {
    seal(list, position) {
      if (position === null) return null;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(list));
      const sealed = Buffer.concat([cipher.update(position, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(list, cursor) {
      if (cursor === undefined) return undefined;
      const sealed = Buffer.from(cursor, 'base64url');
      // Decoding overlooks foreign characters and spare bits: only the very text that was given out is a cursor.
      const position = sealed.toString('base64url') === cursor ? unseal(key, list, sealed) : undefined;
      if (position !== undefined) return position;
      throw problems.invalid([
        { pointer: '/query/cursor', detail: 'is not a cursor of this list: take `nextCursor` of the page before' },
      ]);
    },
  };
}

/** The position in what was sealed for a list, or undefined when it was not sealed here, or for another list. */
function unseal(key: Uint8Array, list: string, sealed: Buffer): string | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(list)).setAuthTag(tag);
  try {
    const position = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([position, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
