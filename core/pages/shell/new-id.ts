/** Ids of what a form creates: sent twice, the form creates it once. */
import type { Caller } from '#core/access/access.ts';
import { formIdFrom } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';

/**
 * Derives the id of the resource that a posted form creates from its hidden field `id`, and returns that field too, for the
 * same form again. The id also depends on the caller, so that nobody can choose the id of somebody else's resource, and on
 * `source`, what is copied.
 */
export function deriveNewId(
  fields: URLSearchParams,
  caller: Caller,
  { uuid }: Pick<Ports, 'uuid'>,
  source = '',
): { id: string; fieldId: string } {
  const field = fields.get('id') ?? '';
  const fieldId = isId(field) ? field : uuid();
  const hex = sha256(`${caller.id}:${fieldId}${source}`, 'hex');
  // A UUID of version 8, whose bits applications choose.
  const id = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return { id: id.join('-'), fieldId };
}

/** How long a page with a form for a new resource can stay open, in milliseconds; later the time of the post counts. */
const MAX_AGE_MS = 86_400_000;

/**
 * Like `deriveNewId`, for a form, whose id begins with the time of its creation: that at which the page was shown, which is
 * part of the field.
 */
export function deriveNewFormId(
  fields: URLSearchParams,
  caller: Caller,
  ports: Pick<Ports, 'uuid' | 'now'>,
  source = '',
): { id: string; fieldId: string } {
  const { id, fieldId } = deriveNewId(fields, caller, { uuid: () => newFormField(ports) }, source);
  const shownAt = Number.parseInt(fieldId.slice(0, 8) + fieldId.slice(9, 13), 16);
  const now = ports.now().getTime();
  const createdAt = shownAt <= now && shownAt > now - MAX_AGE_MS ? shownAt : now;
  return { id: formIdFrom(id, new Date(createdAt)), fieldId };
}

/** A new value for the hidden field `id` of a page that creates a form. */
export const newFormField = ({ uuid, now }: Pick<Ports, 'uuid' | 'now'>): string => formIdFrom(uuid(), now());
