/** Sessions start, continue and end only for pages of allowed origins, even without a cookie. */
import { describe, expect, test } from 'vitest';
import { person, send } from '#test/support/fixtures.ts';
import { loginPath } from '#test/support/oauth.ts';
import { newSession, refresh } from '#test/support/sessions.ts';

const OWN = 'http://127.0.0.1:3000';

const alice = await person('alice');

const post = (path: string, headers: Record<string, string>): Promise<Response> =>
  send('POST', `/api/auth/${path}`, { headers, body: JSON.stringify({ uid: alice.id }) });

describe.for(['login/internal', 'refresh', 'logout'])('POST /auth/%s', (path) => {
  test.for(['https://evil.example', 'null', `${OWN}.evil.example`])('refuses the origin %s', async (origin) => {
    const session = await newSession(alice);
    for (const headers of [{ origin }, { origin, cookie: `refresh_token=${session.refresh}` }]) {
      const response = await post(path, headers);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'origin_not_allowed' });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await refresh(session.refresh)).status).toBe(200);
  });

  test('accepts its own origin, and requests without one', async () => {
    for (const headers of [{ origin: OWN }, {}]) {
      const session = await newSession(alice);
      const response = await post(path, { ...headers, cookie: `refresh_token=${session.refresh}` });
      expect(response.status).toBe(200);
    }
  });
});

test('a redirect to a provider does not depend on the origin of the page', async () => {
  expect((await send('GET', loginPath(), { headers: { origin: 'https://evil.example' } })).status).toBe(302);
});
