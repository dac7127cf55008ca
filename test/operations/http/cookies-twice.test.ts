/** A session cookie that is sent twice signs nobody in: another site of the domain may have set one of them. */
import { describe, expect, test } from 'vitest';
import { newCast, send } from '#test/support/fixtures.ts';
import { newSession } from '#test/support/sessions.ts';

const cast = await newCast();

const ORIGIN = 'http://127.0.0.1:3000';
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => send('GET', path, { headers });

describe('a cookie that is sent twice', () => {
  test('signs nobody in at an operation', async () => {
    const cookie = `access_token=${cast.alice.token}; access_token=${cast.dave.token}`;
    expect((await get('/api/users/me', { cookie })).status).toBe(401);
    expect((await get('/api/users/me', { cookie: `access_token=${cast.alice.token}; access_tokens=a` })).status).toBe(
      200,
    );
  });

  test('signs nobody in on a page, and the page for everybody shows nobody', async () => {
    const cookie = `access_token=${cast.alice.token}; access_token=${cast.dave.token}`;
    expect((await get('/', { cookie })).headers.get('location')).toBe('/sign-in?to=%2F');
    expect((await get('/sign-in', { cookie })).status).toBe(200);
  });

  test('renews no session', async () => {
    const [alice, dave] = [await newSession(cast.alice), await newSession(cast.dave)];
    const cookie = `refresh_token=${alice.refresh}; refresh_token=${dave.refresh}`;
    expect((await get('/', { cookie })).headers.get('location')).toBe('/sign-in?to=%2F');
    const headers = { cookie, origin: ORIGIN };
    expect((await send('POST', '/api/auth/refresh', { headers })).status).toBe(401);
  });
});
