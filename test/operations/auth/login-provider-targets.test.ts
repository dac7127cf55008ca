/** Where a login ends: `c`, `r` and `base`. Open redirects are tested in `test/core/redirects`. */
import { describe, expect, test } from 'vitest';
import { ProblemObject } from '#core/api/declare.ts';
import { withConfig } from '#test/support/faults.ts';
import { send } from '#test/support/fixtures.ts';
import {
  type Browser,
  browserOf,
  FRONT,
  followToCallback,
  locationOf,
  logIn,
  loginPath,
  whoIs,
} from '#test/support/oauth.ts';
import { pick } from '#test/support/provider.ts';
import { cookiesOf } from '#test/support/sessions.ts';

const ELSEWHERE = 'https://app.example.org';
const DEV = 'http://localhost:5173';
const allowing = <T>(run: () => Promise<T>, development = false): Promise<T> =>
  withConfig({ allowedOrigins: [ELSEWHERE, DEV], development }, run);

/** Where a login with these targets ends. */
const followLogin = async (query: Record<string, string>): Promise<string> =>
  locationOf(await logIn(browserOf(), 'frank', query));

/** What is wrong with these targets. */
async function readFaults(query: Record<string, string>): Promise<string[]> {
  const response = await send('GET', loginPath(query));
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  const { errors = [] } = ProblemObject().parse(await response.json());
  return errors.map(({ pointer }) => pointer);
}

describe('a login ends at', () => {
  test.for([
    [{ c: `${FRONT}/done` }, `${FRONT}/done`],
    [{ c: FRONT }, `${FRONT}/`],
    [{ c: `${ELSEWHERE}/in?x=a%20b&y=#part` }, `${ELSEWHERE}/in?x=a%20b&y=#part`],
    [{ c: `${FRONT}/done`, r: '/forms/1?a=b' }, `${FRONT}/done?r=%2Fforms%2F1%3Fa%3Db`],
    [{ c: `${FRONT}/done?t=1`, r: `${ELSEWHERE}/x` }, `${FRONT}/done?t=1&r=https%3A%2F%2Fapp.example.org%2Fx`],
    [{ c: `${FRONT}/done`, r: `${FRONT}/done` }, `${FRONT}/done`],
    [{ c: `${FRONT}/done`, r: '/done' }, `${FRONT}/done`],
    [{ c: `${FRONT}/done?r=old`, r: '/new' }, `${FRONT}/done?r=%2Fnew`],
    [{ c: `${FRONT}/done?status=error&error=access_denied&t=1` }, `${FRONT}/done?t=1`],
    [{ c: `${FRONT}/done/é`, r: '/頁' }, `${FRONT}/done/%C3%A9?r=%2F%E9%A0%81`],
  ] as const)('%j → %s', async ([query, end]) => {
    await allowing(async () => expect(await followLogin(query)).toBe(end));
  });
});

describe('a login is refused', () => {
  test.for([
    [{}, ['/query/c']],
    [{ c: '' }, ['/query/c']],
    [{ c: '/done' }, ['/query/c']],
    [{ c: 'https://evil.example/' }, ['/query/c']],
    [{ c: `${FRONT}/done`, r: 'https://evil.example/' }, ['/query/r']],
    [{ c: `${FRONT}/done`, r: '//evil.example/' }, ['/query/r']],
    [{ c: `${FRONT}/done`, base: DEV }, ['/query/base']],
    [
      { c: 'javascript:alert(1)', r: 'data:text/html,x', base: 'https://evil.example' },
      ['/query/c', '/query/r', '/query/base'],
    ],
    [{ c: `${FRONT}/${'a'.repeat(2_048)}` }, ['/query/c']],
    [{ c: `${FRONT}/${'頁'.repeat(1_000)}` }, ['/query/c']],
  ] as const)('with %j: %j', async ([query, pointers]) => {
    await allowing(async () => expect(await readFaults(query)).toEqual(pointers));
  });

  test('with an origin that is not on the list', async () => {
    expect(await readFaults({ c: `${ELSEWHERE}/in` })).toEqual(['/query/c']);
  });

  test('with targets that are given twice', async () => {
    const response = await send('GET', `${loginPath()}&c=https://evil.example`);
    expect(response.status).toBe(400);
  });

  test('only beyond the stated length: the longest targets come back', async () => {
    const c = `${FRONT}/${'a'.repeat(2_020)}`;
    const r = `/${'b'.repeat(2_020)}`;
    expect(await followLogin({ c, r })).toBe(`${c}?r=%2F${'b'.repeat(2_020)}`);
  });
});

describe('the base of a front end under development', () => {
  const start = async (browser: Browser, base: string): Promise<Response> =>
    browser.visit(loginPath({ c: `${DEV}/done`, base }));

  test.for([DEV, `${DEV}/`])('%s is where the provider sends the browser back to', async (base) => {
    await allowing(async () => {
      const browser = browserOf();
      const started = await start(browser, base);
      const callback = await pick(locationOf(started), 'frank');
      expect(callback.split('?')[0]).toBe(`${DEV}/api/auth/login/oauth/LOGIN_PROVIDER_1/callback`);
      expect(locationOf(await browser.visit(callback))).toBe(`${DEV}/done`);
      expect((await whoIs(browser)).emails).toEqual(['frank@example.org']);
    }, true);
  });

  test('may have a path, which is the cookie’s too', async () => {
    await allowing(async () => {
      const started = await start(browserOf(), `${DEV}/app`);
      const path = '/app/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';
      expect(new URL(locationOf(started)).searchParams.get('redirect_uri')).toBe(DEV + path);
      expect(Object.values(cookiesOf(started)).map(({ attributes }) => attributes.path)).toEqual([path]);
    }, true);
  });

  test.for([
    'https://evil.example',
    `${DEV}/?x=1`,
    `${DEV}/#x`,
    `${DEV}/a;Domain=x`,
    `${DEV}/%0d%0a`,
    '/app',
    `${DEV}/${'a'.repeat(200)}`,
  ])('%s is refused', async (base) => {
    await allowing(async () => expect(await readFaults({ c: `${DEV}/done`, base })).toEqual(['/query/base']), true);
  });

  test('is optional: without it the callback is below the public URL', async () => {
    await allowing(async () => {
      expect(await followToCallback(browserOf(), 'frank')).toMatch(FRONT);
    }, true);
  });
});
