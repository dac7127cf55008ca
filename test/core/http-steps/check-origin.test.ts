/** Cross-site request forgery: writes that a foreign page sends with the cookies of its visitor. */
import { beforeAll, describe, expect, test } from 'vitest';
import { withConfig } from '#test/support/faults.ts';
import { type Cast, newCast, send } from '#test/support/fixtures.ts';
import { newSession, refresh, type Session, sessionOf } from '#test/support/sessions.ts';

const FOREIGN = 'https://evil.example.com';
const FRIENDLY = 'https://forms.example.org';
const OWN = 'http://127.0.0.1:3000';

let cast: Cast;
let session: Session;
beforeAll(async () => {
  cast = await newCast();
  session = await newSession(cast.alice);
});

const cookie = (): string => `access_token=${session.access}`;

/** Creates an organization with some headers. */
async function write(headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ name: 'Rivers', description: '', metadata: {}, slug: `s-${crypto.randomUUID()}` });
  return (await send('POST', '/api/orgs', { headers: { 'content-type': 'application/json', ...headers }, body }))
    .status;
}

const allowing = <T>(run: () => Promise<T>): Promise<T> => withConfig({ allowedOrigins: [FRIENDLY] }, run);

describe('a write with cookies', () => {
  test.for([
    FOREIGN,
    'null',
    '',
    `${FRIENDLY}.evil.example.com`,
    `${FRIENDLY}:8443`,
    'http://forms.example.org',
    'http://127.0.0.1:3001',
    `${FRIENDLY}/`,
  ])('from the origin %j, which is not allowed, is 403', async (origin) => {
    expect(await allowing(() => write({ cookie: cookie(), origin }))).toBe(403);
  });

  test.for([OWN, FRIENDLY])('from the allowed origin %s is allowed', async (origin) => {
    expect(await allowing(() => write({ cookie: cookie(), origin }))).toBe(201);
  });

  test('without an Origin is allowed', async () => {
    expect(await write({ cookie: cookie() })).toBe(201);
  });

  test('from a foreign origin is 403 even with an Authorization header beside them', async () => {
    expect(await write({ cookie: cookie(), origin: FOREIGN, authorization: `Bearer ${cast.alice.token}` })).toBe(403);
  });

  test('from a foreign origin changes nothing', async () => {
    const path = `/api/orgs/${cast.slug}`;
    const body = JSON.stringify({ name: 'Stolen', description: '', metadata: {}, slug: cast.slug });
    const response = await send('PUT', path, { headers: { cookie: cookie(), origin: FOREIGN }, body });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ title: 'Forbidden', code: 'origin_not_allowed' });
    const org = await cast.alice.client.orgs.getOrganization({ params: { slug: cast.slug } });
    expect(org.body.name).toBe('Rivers');
  });

  test.for(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s is guarded', async (method) => {
    const formId = '00000000-0000-8000-8000-000000000001';
    const path = method === 'POST' ? `/api/forms/${formId}/publish` : `/api/forms/${formId}`;
    const target = method === 'PUT' ? `/api/forms/${formId}/highlight` : path;
    const response = await send(method, target, { headers: { cookie: cookie(), origin: FOREIGN }, body: '{}' });
    expect(response.status).toBe(403);
  });
});

describe('from a foreign origin, with and without cookies', () => {
  test('nobody signs in by user ID', async () => {
    for (const cookies of [{}, { cookie: cookie() }]) {
      const body = JSON.stringify({ uid: cast.bob.id });
      const response = await send('POST', '/api/auth/login/internal', {
        headers: { origin: FOREIGN, ...cookies },
        body,
      });
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  test('no session is renewed or ended', async () => {
    const own = await newSession(cast.bob);
    for (const cookies of [{}, { cookie: `refresh_token=${own.refresh}` }]) {
      for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
        const response = await send('POST', path, { headers: { origin: FOREIGN, ...cookies } });
        expect([path, response.status]).toEqual([path, 403]);
      }
    }
    expect(sessionOf(await refresh(own.refresh)).access).not.toBe('');
  });
});

describe('the origin does not matter', () => {
  test('to a write with an Authorization header alone', async () => {
    expect(await write({ authorization: `Bearer ${cast.alice.token}`, origin: FOREIGN })).toBe(201);
  });

  test('to reading with cookies', async () => {
    const response = await send('GET', '/api/users/me', { headers: { cookie: cookie(), origin: FOREIGN } });
    expect(response.status).toBe(200);
  });

  test('to a write whose cookies are not ours', async () => {
    const headers = { cookie: 'theme=dark', authorization: `Bearer ${cast.alice.token}`, origin: FOREIGN };
    expect(await write(headers)).toBe(201);
  });
});

test('a write with an expired cookie from a foreign origin is 401: the credential comes first', async () => {
  expect(await write({ cookie: 'access_token=expired', origin: FOREIGN })).toBe(401);
});
