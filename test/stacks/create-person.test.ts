/** A person whom an operator creates, for a stage without an identity provider, can sign in and work. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { createPerson } from '#stacks/operate/create-person.ts';
import { clientWith, send } from '#test/support/fixtures.ts';

const signIn = (uid: string) => send('POST', '/api/auth/login/internal', { body: JSON.stringify({ uid }) });

test('signs in by user id and creates an organization', async () => {
  const id = crypto.randomUUID();
  await createPerson(app(), { id, email: 'Nora@example.org', username: 'nora', name: 'nora' });
  const [, token] = /access_token=([^;]+)/.exec((await signIn(id)).headers.getSetCookie().join()) ?? [];
  const body = { name: 'Rivers', description: '', metadata: {}, slug: `rivers-${id.slice(0, 8)}` };
  expect((await clientWith(token).orgs.createOrganization({ body })).status).toBe(201);
});

test('an e-mail address, a username and a name that cannot be used are refused with their reason', async () => {
  const create = (email: string, username: string, name = username) =>
    createPerson(app(), { id: crypto.randomUUID(), email, username, name });
  await create('olga@example.org', 'olga');
  await expect(create('OLGA@example.org', 'olga_2')).rejects.toThrow(
    'There is an account of OLGA@example.org already.',
  );
  await expect(create('olga.2@example.org', 'Olga')).rejects.toThrow('The username Olga is taken.');
  await expect(create('olga.3@example.org', 'olga.3')).rejects.toThrow('4 to 15 letters');
});
