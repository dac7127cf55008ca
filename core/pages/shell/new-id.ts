/** Ids of what a form creates: sent twice, the form creates it once. */
import type { Caller } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';

/**
 * The id of what a posted form creates, from its hidden field `id`, and that field for the same form again. The id depends
 * on the caller too, so that nobody can choose the id of somebody else's resource.
 */
export function newIdFrom(
  fields: URLSearchParams,
  caller: Caller,
  { uuid }: Pick<Ports, 'uuid'>,
): { id: string; sent: string } {
  const field = fields.get('id') ?? '';
  const sent = isId(field) ? field : uuid();
  const hex = sha256(`${caller.id}:${sent}`, 'hex');
  // A UUID of version 8, whose bits applications choose.
  const id = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return { id: id.join('-'), sent };
}
