/** Ids of what a form creates: sent twice with the same content, the form creates it once. */
import type { Caller } from '#core/access/access.ts';
import { formIdFrom } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';

/** `field`: the value of the hidden field, for the same form again. */
type NewId = {
  field: string;
  /** Derives the id of the resource with some content: what is to be created, as JSON, with what is copied. */
  derive(content: unknown): string;
};

/**
 * Reads the hidden field `id` of a posted form. The ids derived from it also depend on the caller, so that nobody can choose
 * the id of somebody else's resource, and on the content, so that another content from the same page, after Back, is another
 * resource. What creates a resource uses a random id in place of one that was deleted.
 */
export function readNewId(fields: URLSearchParams, caller: Caller, { uuid }: Pick<Ports, 'uuid'>): NewId {
  const posted = fields.get('id') ?? '';
  const field = isId(posted) ? posted : uuid();
  return {
    field,
    derive: (content) => {
      const hex = sha256(JSON.stringify([caller.id, field, content]), 'hex');
      // A UUID of version 8, whose bits applications choose.
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `8${hex.slice(13, 16)}`,
        `8${hex.slice(17, 20)}`,
        hex.slice(20, 32),
      ].join('-');
    },
  };
}

/** How long a page with a form for a new resource can stay open, in milliseconds; later the time of the post counts. */
const MAX_AGE_MS = 86_400_000;

/**
 * Like `readNewId`, for a form, whose id begins with the time of its creation: that at which the page was shown, which is
 * part of the field.
 */
export function readNewFormId(fields: URLSearchParams, caller: Caller, ports: Pick<Ports, 'uuid' | 'now'>): NewId {
  const { field, derive } = readNewId(fields, caller, { uuid: () => newFormField(ports) });
  const shownAt = Number.parseInt(field.slice(0, 8) + field.slice(9, 13), 16);
  const now = ports.now().getTime();
  const createdAt = shownAt <= now && shownAt > now - MAX_AGE_MS ? shownAt : now;
  return { field, derive: (content) => formIdFrom(derive(content), new Date(createdAt)) };
}

/** A new value for the hidden field `id` of a page that creates a form. */
export const newFormField = ({ uuid, now }: Pick<Ports, 'uuid' | 'now'>): string => formIdFrom(uuid(), now());
