/** Sessions of a person: listed with their last use, ended all at once, and at an end after 90 days. */
import { afterEach, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { type Person, person, send } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { cookiesOf, newSession, refresh, sessionOf } from '#test/support/sessions.ts';

const DAY = 24 * 60 * 60_000;
const START = Date.parse('2031-03-01T08:00:00.000Z');
const at = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });
afterEach(() => {
  vi.useRealTimers();
});

const newPerson = (): Promise<Person> => person(`grace-${crypto.randomUUID()}`);

/** Requests the sessions with the cookies of one of them. */
async function listSessions(session: { access: string; refresh: string }) {
  const headers = { cookie: `access_token=${session.access}; refresh_token=${session.refresh}` };
  const response = await send('GET', '/api/users/me/sessions', { headers });
  expect(response.status).toBe(200);
  return Object(await response.json()).sessions;
}

test('sessions are listed with their last use, the last used one first', async () => {
  at(START);
  const grace = await newPerson();
  const phone = await newSession(grace);
  at(START + DAY);
  await newSession(grace);
  at(START + 2 * DAY);
  const renewed = sessionOf(await refresh(phone.refresh));
  const time = (days: number) => new Date(START + days * DAY).toISOString();
  expect(await listSessions(renewed)).toEqual([
    { createdAt: time(0), usedAt: time(2), expiresAt: time(32), isCurrent: true },
    { createdAt: time(1), usedAt: time(1), expiresAt: time(31), isCurrent: false },
  ]);
});

test('a session ends 90 days after its sign-in, however often it is renewed', async () => {
  at(START);
  let session = await newSession(await newPerson());
  for (const day of [25, 50, 75]) {
    at(START + day * DAY);
    session = sessionOf(await refresh(session.refresh));
  }
  at(START + 80 * DAY);
  const response = await refresh(session.refresh);
  expect(cookiesOf(response).refresh_token?.attributes['max-age']).toBe(String(10 * 86_400));
  at(START + 90 * DAY);
  expect((await refresh(sessionOf(response).refresh)).status).toBe(401);
});

test('signing out everywhere ends every session, and none that begins later', async () => {
  at(START);
  const grace = await newPerson();
  const [phone, laptop] = [await newSession(grace), await newSession(grace)];
  const headers = { cookie: `access_token=${laptop.access}; refresh_token=${laptop.refresh}` };
  const response = await send('DELETE', '/api/users/me/sessions', { headers });
  expect(response.status).toBe(204);
  expect(cookiesOf(response).refresh_token).toMatchObject({ value: '', attributes: { 'max-age': '0' } });
  for (const ended of [phone, laptop]) expect((await refresh(ended.refresh)).status).toBe(401);
  const later = await newSession(grace);
  expect(await listSessions(later)).toHaveLength(1);
  expect((await refresh(later.refresh)).status).toBe(200);
});

test('a session that was stored before sessions had a beginning and an epoch is renewed, listed and ended', async () => {
  at(START);
  const grace = await newPerson();
  const old = await newSession(grace);
  const [familyId = ''] = old.refresh.split('.');
  const [item] = await app().table.read([keys.refreshFamily(familyId)]);
  const added = ['gsi1pk', 'gsi1sk', 'createdAt', 'usedAt', 'epoch'];
  const stored = Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => !added.includes(name)));
  await app().table.write([{ put: { ...stored, ...keys.refreshFamily(familyId) } }]);
  const renewed = sessionOf(await refresh(old.refresh));
  expect(await listSessions(renewed)).toMatchObject([{ isCurrent: true }]);
  await grace.client.users.endSessions();
  expect((await refresh(renewed.refresh)).status).toBe(401);
});

test('the account page lists sessions and ends them', async () => {
  const grace = await newPerson();
  const session = await newSession(grace);
  const pages = pagesOf(grace);
  const page = await (await pages.get('/account')).text();
  expect(page).toContain('Where you are signed in');
  expect(page).toMatch(/Last used <time/);
  const response = await pages.post('/account', []);
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  expect(response.headers.get('clear-site-data')).toContain('storage');
  expect((await refresh(session.refresh)).status).toBe(401);
});
