/**
 * Cursors: where a list goes on, sealed so that a caller can neither read, forge nor carry one to another list
 * (contract section 1).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { problems } from './problems.ts';

export type Cursors = {
  /** Seals a position of a list. */
  seal(list: string, position: string | null): string | null;
  /** Opens a cursor of that list; 400 when it is not one. */
  open(list: string, cursor: string | undefined): string | undefined;
};

/** Cursors under a secret. */
export function signedCursors(secret: string): Cursors {
  const sign = (list: string, payload: string): Buffer =>
    createHmac('sha256', secret).update(`${list}\n${payload}`).digest().subarray(0, 18);
  return {
    seal(list, position) {
      if (position === null) return null;
      const payload = Buffer.from(position).toString('base64url');
      return `${payload}.${sign(list, payload).toString('base64url')}`;
    },
    open(list, cursor) {
      if (cursor === undefined) return undefined;
      const [payload = '', signature = ''] = cursor.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(list, payload);
      if (given.length !== right.length || !timingSafeEqual(given, right)) {
        throw problems.invalid([
          { pointer: '/query/cursor', detail: 'is not a cursor of this list: take `nextCursor` of the page before' },
        ]);
      }
      return Buffer.from(payload, 'base64url').toString();
    },
  };
}
