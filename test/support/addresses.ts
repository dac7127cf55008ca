/** Guests with an address: how one asks for a link, which mail has it, and who comes by it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createAddressed, createNumbering, parseNumbering } from '#core/accounts/invitation.ts';
import { deriveGuestId, firstGeneration } from '#core/accounts/invitation-code.ts';
import { formKey, keys } from '#core/db/keys.ts';
import { wasWritten } from '#core/db/retry.ts';
import { app } from '#core/http/app.ts';
import { clientWith, type Person, send } from './fixtures.ts';
import { newProof } from './prepared.ts';

/** An address that nobody has used. */
export const newAddress = (): string => `ada${randomUUID().slice(0, 12)}@example.org`;

/** Posts to the operation that makes somebody a guest. */
export const become = (formId: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  send('POST', `/api/forms/${formId}/guests`, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Asks for the link to a form, with a proof of work. */
export const askForLink = async (formId: string, email: string, headers?: Record<string, string>): Promise<Response> =>
  become(formId, { email, proof: await newProof(formId) }, headers);

/** Finds the path of the link to a form in the text of a mail. */
export const linkIn = (text: string | undefined): string =>
  /http:\/\/127\.0\.0\.1:3000(\/f\/\S+)/.exec(text ?? '')?.[1] ?? '';

/** Finds the token in the path of a link. */
export const tokenIn = (path: string): string => new URLSearchParams(path.split('?')[1]).get('guest') ?? '';

/** Gives the person whose credential a request has answered with. */
export async function personIn(response: Response, email = ''): Promise<Person> {
  if (response.status !== 201) throw new Error(`no credential was given: ${response.status}`);
  const { token } = (await response.json()) as { token: string };
  const guest = await app().tokens.verifyGuest(token, app().now());
  if (!guest) throw new Error('the credential is not that of a guest');
  return { id: guest.id, email, token, client: clientWith(token) };
}

/** A guest of a form who has confirmed an address, as the press of the button behind the link leaves them. */
export async function newAddressed(formId: string, email = newAddress()): Promise<Person> {
  const { table, tokens, now } = app();
  await wasWritten(table, createNumbering(formId, randomBytes(32).toString('base64url')));
  const [invitations] = await table.read([keys.invitations(formId)]);
  const id = deriveGuestId(parseNumbering(invitations)?.codeKey ?? '', formId, { email, number: 0 });
  const expiresAt = Math.floor(now().getTime() / 1_000) + 30 * 86_400;
  const generation = firstGeneration(now());
  await table.write([createAddressed({ id, email, generation, linksFrom: generation }, { now: now(), expiresAt })]);
  const token = await tokens.signGuest({ id, roles: [], guestOf: formKey(formId), generation }, now());
  return { id, email, token, client: clientWith(token) };
}
