/** Refresh tokens: each works once, and using one again ends the session (contract section 2). */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { withConfig } from '#test/support/faults.ts';
import { cookiesOf, newSession, refresh, sessionOf, whoAmI } from '#test/support/sessions.ts';
import { type Person, person, send } from '#test/support/world.ts';

const DAY = 24 * 60 * 60_000;

let alice: Person;
let bob: Person;
beforeAll(async () => {
  [alice, bob] = await Promise.all([person('alice'), person('bob')]);
});
afterEach(() => {
  vi.useRealTimers();
});

const statusOf = async (token: string): Promise<number> => (await refresh(token)).status;

describe('refreshing', () => {
  test('answers a message and new cookies of the same person', async () => {
    const before = await newSession(alice);
    const answer = await refresh(before.refresh);
    expect(answer.status).toBe(200);
    const { access_token, refresh_token } = cookiesOf(answer);
    expect(access_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '3600' });
    expect(refresh_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '2592000' });
    expect(refresh_token?.value).not.toBe(before.refresh);
    expect(await answer.json()).toEqual({ message: expect.any(String) });
    const me = await whoAmI({ cookie: `access_token=${access_token?.value}` });
    expect(await me.json()).toMatchObject({ id: alice.id });
  });

  test('works again and again, with the newest token each time', async () => {
    let { refresh: token } = await newSession(alice);
    for (let round = 0; round < 3; round += 1) token = sessionOf(await refresh(token)).refresh;
    expect(await statusOf(token)).toBe(200);
  });

  test('works while the access token is expired', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60_000 });
    const answer = await send('POST', '/api/auth/refresh', {
      headers: { cookie: `access_token=${session.access}; refresh_token=${session.refresh}` },
    });
    expect(answer.status).toBe(200);
  });

  test('prolongs the session for 30 days from now', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * DAY });
    const later = sessionOf(await refresh(session.refresh));
    vi.setSystemTime(Date.now() + 29 * DAY);
    expect(await statusOf(later.refresh)).toBe(200);
  });

  test('with an expired token answers 401', async () => {
    const session = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY + 1_000 });
    expect(await statusOf(session.refresh)).toBe(401);
  });

  test('without a token answers 401 with WWW-Authenticate', async () => {
    const answer = await send('POST', '/api/auth/refresh', { headers: { authorization: `Bearer ${alice.token}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test.for([
    '',
    'nonsense',
    'a.b',
    'a.b.c',
    '.',
    'x'.repeat(5_000),
    `${'y'.repeat(3_000)}.z`,
  ])('with the token %.20j, which is none, answers 401', async (token) => {
    expect(await statusOf(token)).toBe(401);
  });

  test('with a token of a family that was never begun answers 401', async () => {
    expect(await statusOf(`${crypto.randomUUID()}.${Buffer.alloc(32).toString('base64url')}`)).toBe(401);
  });
});

describe('a token that was used before', () => {
  test('answers 401 and revokes its whole family, the newest token included', async () => {
    const first = await newSession(alice);
    const second = sessionOf(await refresh(first.refresh));
    const third = sessionOf(await refresh(second.refresh));
    expect(await statusOf(first.refresh)).toBe(401);
    expect(await statusOf(third.refresh)).toBe(401);
    expect(await statusOf(second.refresh)).toBe(401);
  });

  test('leaves other sessions of the same person, and of others, alone', async () => {
    const [stolen, other, foreign] = [await newSession(alice), await newSession(alice), await newSession(bob)];
    await refresh(stolen.refresh);
    expect(await statusOf(stolen.refresh)).toBe(401);
    expect(await statusOf(other.refresh)).toBe(200);
    expect(await statusOf(foreign.refresh)).toBe(200);
  });

  test('or guessed for a known family revokes that family', async () => {
    const session = await newSession(alice);
    const [familyId] = session.refresh.split('.');
    expect(await statusOf(`${familyId}.${Buffer.alloc(32).toString('base64url')}`)).toBe(401);
    expect(await statusOf(session.refresh)).toBe(401);
  });

  test('of 64 refreshes of one token at once at most one leaves a token that works', async () => {
    const session = await newSession(alice);
    const answers = await Promise.all(Array.from({ length: 64 }, () => refresh(session.refresh)));
    const renewed = answers.filter(({ status }) => status === 200).map((answer) => sessionOf(answer).refresh);
    expect(renewed.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(64 - renewed.length);
    const alive = await Promise.all(renewed.map(statusOf));
    expect(alive.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await statusOf(session.refresh)).toBe(401);
  });
});

test('a role that the configuration granted meanwhile comes with the next access token', async () => {
  const session = await newSession(alice);
  await withConfig({ operatorEmails: new Set([alice.email]) }, async () => {
    const { access } = sessionOf(await refresh(session.refresh));
    expect(await app().tokens.verify(access, new Date())).toEqual({ id: alice.id, roles: ['USER', 'ADMIN'] });
  });
});
