/** What tests of `Idempotency-Key` share: fresh keys, a request with one, and whether an answer is a replay. */
import * as z from 'zod';
import { type Person, send } from './world.ts';

/** A key that nobody has used. */
export const newKey = (): string => `key-${crypto.randomUUID()}`;
/** A slug that nobody has used. */
export const newSlug = (): string => `s-${crypto.randomUUID()}`;
/** A valid organization. */
export const organization = (slug = newSlug()) => ({
  name: 'Rivers',
  description: '',
  metadata: { a: 1, b: 2 },
  slug,
});

const Body = z.looseObject({ id: z.string().optional(), code: z.string().optional() });

/** Sends a POST with a key, as somebody; `path` is below `/api`. */
export async function post(who: Person, path: string, key: string, body?: unknown) {
  const answer = await send('POST', `/api${path}`, {
    headers: { authorization: `Bearer ${who.token}`, 'idempotency-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: Body.parse(await answer.json()) };
}

/** Whether an answer is the one of an earlier request. */
export const replayed = (answer: { headers: Headers }): boolean =>
  answer.headers.get('idempotency-replayed') === 'true';
