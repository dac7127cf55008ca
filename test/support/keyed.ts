/** What tests of `Idempotency-Key` share: new keys, a request with one, and whether its result is a replay. */
import * as z from 'zod';
import { type Person, send } from './fixtures.ts';

/** An unused key. */
export const newKey = (): string => `key-${crypto.randomUUID()}`;
/** An unused slug. */
export const newSlug = (): string => `s-${crypto.randomUUID()}`;
/** A valid organization. */
export const organization = (slug = newSlug()) => ({
  name: 'Rivers',
  description: '',
  metadata: { a: 1, b: 2 },
  slug,
});

const Body = z.looseObject({ id: z.string().optional(), code: z.string().optional() });

/** Sends a POST with a key; `path` is below `/api`. */
export async function post(person: Person, path: string, key: string, body?: unknown) {
  const response = await send('POST', `/api${path}`, {
    headers: { authorization: `Bearer ${person.token}`, 'idempotency-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: Body.parse(await response.json()) };
}

/** Whether a result is the recorded one of an earlier request. */
export const replayed = (response: { headers: Headers }): boolean =>
  response.headers.get('idempotency-replayed') === 'true';
