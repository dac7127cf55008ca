/**
 * Cursors: a position in a list as an opaque text that is valid for this list only. They are not signed, because a
 * position grants no access: every batch is authorized like the first one.
 */

import type { Caller } from '#core/access/access.ts';
import type { Declaration } from '#core/api/declare.ts';
import { problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Input } from './state.ts';

const HASH_BYTES = 9;
/** The longest sort key of DynamoDB. */
const MAX_POSITION_BYTES = 1_024;

/** Hashes a list, which is identified by everything in the request that selects it. */
const hashList = (list: unknown): Buffer =>
  Buffer.from(sha256(JSON.stringify(list), 'base64url'), 'base64url').subarray(0, HASH_BYTES);

/** Encodes a position in a list as a cursor. */
export const encodeCursor = (list: unknown, position: string): string =>
  Buffer.concat([hashList(list), Buffer.from(position)]).toString('base64url');

/** Decodes the position of a cursor. Throws 400 for a text that is not a cursor of this list. */
export function decodeCursor(list: unknown, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(HASH_BYTES);
  const isPosition = position.length > 0 && position.length <= MAX_POSITION_BYTES;
  const isCursor = bytes.toString('base64url') === cursor && hashList(list).equals(bytes.subarray(0, HASH_BYTES));
  if (isCursor && isPosition) return position.toString();
  throw problems.invalid([
    { pointer: '/query/cursor', detail: 'must be a cursor of this list: take it from the previous page' },
  ]);
}

// The identity of the requested list; its cursors are valid for this list only.

/** Returns everything that selects the list: operation, caller, path, query without paging, and body. */
export function identifyList(
  declaration: Declaration,
  { user, input }: { user?: Caller | undefined; input: Input },
): unknown {
  const { limit: _limit, cursor: _cursor, ...query } = (input.query ?? {}) as Record<string, unknown>;
  return [declaration.noun, declaration.name, user?.id ?? '', input.params, query, input.body ?? null];
}
