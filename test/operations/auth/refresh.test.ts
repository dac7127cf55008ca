/** Refresh tokens: rotation, its grace of 60 seconds, and re-use, which ends the session. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { withConfig } from '#test/support/faults.ts';
import { type Person, person, send } from '#test/support/fixtures.ts';
import { cookiesOf, newSession, refresh, sessionOf, whoAmI } from '#test/support/sessions.ts';

const DAY = 24 * 60 * 60_000;

let alice: Person;
let bob: Person;
beforeAll(async () => {
  [alice, bob] = await Promise.all([person('alice'), person('bob')]);
});
afterEach(() => {
  vi.useRealTimers();
});

const readStatus = async (token: string): Promise<number> => (await refresh(token)).status;

describe('refreshing', () => {
  test('returns a message and new cookies of the same person', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const before = await newSession(alice);
    const response = await refresh(before.refresh);
    expect(response.status).toBe(200);
    const { access_token, refresh_token } = cookiesOf(response);
    expect(access_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '3600' });
    expect(refresh_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '2592000' });
    expect(refresh_token?.value).not.toBe(before.refresh);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    const me = await whoAmI({ cookie: `access_token=${access_token?.value}` });
    expect(await me.json()).toMatchObject({ id: alice.id });
  });

  test('works again and again, with the newest token each time', async () => {
    let { refresh: token } = await newSession(alice);
    for (let round = 0; round < 3; round += 1) token = sessionOf(await refresh(token)).refresh;
    expect(await readStatus(token)).toBe(200);
  });

  test('works while the access token is expired', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60_000 });
    const response = await send('POST', '/api/auth/refresh', {
      headers: { cookie: `access_token=${session.access}; refresh_token=${session.refresh}` },
    });
    expect(response.status).toBe(200);
  });

  test('prolongs the session for 30 days from now', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * DAY });
    const later = sessionOf(await refresh(session.refresh));
    vi.setSystemTime(Date.now() + 29 * DAY);
    expect(await readStatus(later.refresh)).toBe(200);
  });

  test('with an expired token returns 401', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY + 1_000 });
    expect(await readStatus(session.refresh)).toBe(401);
  });

  test('without a valid token returns 401, with WWW-Authenticate, and clears both cookies', async () => {
    for (const headers of [{}, { authorization: `Bearer ${alice.token}` }, { cookie: 'refresh_token=nonsense' }]) {
      const response = await send('POST', '/api/auth/refresh', { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      const cleared = { value: '', attributes: { httponly: '', path: '/', samesite: 'Lax', 'max-age': '0' } };
      expect(cookiesOf(response)).toEqual({ access_token: cleared, refresh_token: cleared });
    }
  });

  test.for([
    '',
    'nonsense',
    'a.b',
    'a.b.c',
    '.',
    'x'.repeat(5_000),
    `${'y'.repeat(3_000)}.z`,
  ])('with the token %.20j, returns 401', async (token) => {
    expect(await readStatus(token)).toBe(401);
  });

  test('with a token of an unknown family returns 401', async () => {
    expect(await readStatus(`${crypto.randomUUID()}.${Buffer.alloc(32).toString('base64url')}`)).toBe(401);
  });
});

/** Moves the clock of the service forward. */
const waitSeconds = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
};
const renewed = async (token: string): Promise<string> => sessionOf(await refresh(token)).refresh;

describe('a replaced token', () => {
  test('still renews the session for 60 seconds: a reload, or a reply that was lost', async () => {
    const { refresh: token } = await newSession(alice);
    await refresh(token);
    waitSeconds(59);
    const again = await refresh(token);
    expect(again.status).toBe(200);
    const { access, refresh: next } = sessionOf(again);
    expect((await whoAmI({ cookie: `access_token=${access}` })).status).toBe(200);
    waitSeconds(3_600);
    expect(await readStatus(next)).toBe(200);
  });

  test('renews it in that time although its successors were used', async () => {
    const { refresh: token } = await newSession(alice);
    await renewed(await renewed(await renewed(token)));
    const late = await renewed(token);
    waitSeconds(61);
    expect(await readStatus(late)).toBe(200);
  });

  test('leaves the tokens issued for it valid until one of them is used', async () => {
    for (const which of [0, 1]) {
      const { refresh: token } = await newSession(alice);
      const issued = [await renewed(token), await renewed(token)];
      waitSeconds(DAY / 1_000);
      expect(await readStatus(issued[which] ?? '')).toBe(200);
    }
  });

  test('revokes the session when it is used later, the newest token included', async () => {
    const { refresh: first } = await newSession(alice);
    const second = await renewed(first);
    const third = await renewed(second);
    waitSeconds(60);
    expect(await readStatus(first)).toBe(401);
    expect(await readStatus(third)).toBe(401);
    expect(await readStatus(second)).toBe(401);
  });

  test('revokes it although a newer token was replaced just now', async () => {
    const { refresh: first } = await newSession(alice);
    const second = await renewed(first);
    waitSeconds(60);
    const third = await renewed(second);
    expect(await readStatus(first)).toBe(401);
    expect(await readStatus(third)).toBe(401);
  });

  test('leaves other sessions of the same person, and of others, alone', async () => {
    const [stolen, other, foreign] = [await newSession(alice), await newSession(alice), await newSession(bob)];
    await refresh(stolen.refresh);
    waitSeconds(60);
    expect(await readStatus(stolen.refresh)).toBe(401);
    expect(await readStatus(other.refresh)).toBe(200);
    expect(await readStatus(foreign.refresh)).toBe(200);
  });

  test('renews nothing after a logout', async () => {
    const { refresh: token } = await newSession(alice);
    const next = await renewed(token);
    await send('POST', '/api/auth/logout', { headers: { cookie: `refresh_token=${token}` } });
    expect(await readStatus(token)).toBe(401);
    expect(await readStatus(next)).toBe(401);
  });

  test('is not stored, nor is any of its successors', async () => {
    const { refresh: first } = await newSession(alice);
    const second = await renewed(first);
    const [familyId] = first.split('.');
    const [stored] = await app().table.read([keys.refreshFamily(familyId ?? '')]);
    for (const token of [first, second]) expect(JSON.stringify(stored)).not.toContain(token.split('.')[1]);
  });

  test('renews the session for all of 64 refreshes at once', async () => {
    const { refresh: token } = await newSession(alice);
    const tokens = await Promise.all(Array.from({ length: 64 }, () => renewed(token)));
    waitSeconds(61);
    expect(await readStatus(tokens.at(-1) ?? '')).toBe(200);
  });
});

test('a token guessed for a known session revokes it', async () => {
  const session = await newSession(alice);
  const [familyId] = session.refresh.split('.');
  expect(await readStatus(`${familyId}.${Buffer.alloc(32).toString('base64url')}`)).toBe(401);
  expect(await readStatus(session.refresh)).toBe(401);
});

test('a role that the configuration granted meanwhile comes with the next access token', async () => {
  const session = await newSession(alice);
  await withConfig({ operatorEmails: new Set([alice.email]) }, async () => {
    const { access } = sessionOf(await refresh(session.refresh));
    expect(await app().tokens.verify(access, new Date())).toEqual({ id: alice.id, roles: ['USER', 'ADMIN'] });
  });
});
