/** Logging out. */
import { expect, test } from 'vitest';
import { person, send } from '#test/support/fixtures.ts';
import { cookiesOf, newSession, refresh, type Session, sessionOf } from '#test/support/sessions.ts';

const alice = await person('alice');

const logout = (cookie?: string): Promise<Response> =>
  send('POST', '/api/auth/logout', cookie === undefined ? {} : { headers: { cookie } });
const cookieOf = (session: Session): string => `access_token=${session.access}; refresh_token=${session.refresh}`;

async function expectCleared(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ message: expect.any(String) });
  const cookies = cookiesOf(response);
  expect(Object.keys(cookies).sort()).toEqual(['access_token', 'refresh_token']);
  for (const { value, attributes } of Object.values(cookies)) {
    expect(value).toBe('');
    expect(attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '0' });
  }
}

test('logout clears both cookies and revokes the refresh token', async () => {
  const session = await newSession(alice);
  await expectCleared(await logout(cookieOf(session)));
  expect((await refresh(session.refresh)).status).toBe(401);
});

test('logout with a token that was rotated meanwhile revokes its successor too', async () => {
  const first = await newSession(alice);
  const second = sessionOf(await refresh(first.refresh));
  await logout(cookieOf(first));
  expect((await refresh(second.refresh)).status).toBe(401);
});

test('logout leaves the other sessions of the same person alone', async () => {
  const [one, other] = [await newSession(alice), await newSession(alice)];
  await logout(cookieOf(one));
  expect((await refresh(other.refresh)).status).toBe(200);
});

test('logout works signed out, a second time, and with what is no token', async () => {
  const session = await newSession(alice);
  await logout(cookieOf(session));
  await expectCleared(await logout(cookieOf(session)));
  await expectCleared(await logout());
  await expectCleared(await logout('refresh_token=nonsense'));
  await expectCleared(await logout(`refresh_token=${'x'.repeat(3_000)}.${'y'.repeat(3_000)}`));
  await expectCleared(await logout('refresh_token=a.b; access_token=expired'));
});
