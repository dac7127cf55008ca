/** The state of a login: one use, one browser, one provider, five minutes. */
import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { signedStates } from '#core/identity/states.ts';
import { withConfig } from '#test/support/faults.ts';
import { type Person, person, send } from '#test/support/fixtures.ts';
import {
  type Browser,
  browserOf,
  FRONT,
  followToCallback,
  locationOf,
  logIn,
  loginPath,
  stateOf,
  whoIs,
  withProviders,
} from '#test/support/oauth.ts';
import { pick } from '#test/support/provider.ts';
import { cookiesOf } from '#test/support/sessions.ts';

const CALLBACK = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';

let alice: Person;
beforeAll(async () => {
  alice = await person('alice', { email: 'alice@example.org' });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The claims of a state, which everybody can read. */
const claimsOf = (state: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString());

/** The cookie of an authorization request in a browser, as a `Cookie` header. */
function verifierCookie(browser: Browser): string {
  const [pair] = Object.entries(browser.cookiesFor(CALLBACK)).filter(([name]) => name.startsWith('oauth_'));
  return (pair ?? []).join('=');
}

/** Expects that a callback is refused for its state: a problem, no cookies, no redirect. */
async function expectUnusable(response: Response): Promise<void> {
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'unusable_state',
    detail: expect.stringContaining('Start again'),
  });
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(response.headers.get('location')).toBeNull();
}

const at = (path: string, cookie: string): Promise<Response> => send('GET', path, { headers: { cookie } });
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

describe('the start', () => {
  test('redirects to the provider with PKCE, a nonce and a state that holds no secret', async () => {
    const browser = browserOf();
    const page = new URL(locationOf(await browser.visit(loginPath())));
    const parameters = Object.fromEntries(page.searchParams);
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: 'form-service-login-provider-1',
      redirect_uri: `${FRONT}${CALLBACK}`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const verifier = verifierCookie(browser).split('=')[1] ?? '';
    expect(Buffer.from(verifier, 'base64url')).toHaveLength(32);
    expect(parameters.code_challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
    expect(page.href).not.toContain(verifier);
    expect(JSON.stringify(claimsOf(stateOf(page.href)))).not.toContain(verifier);
  });

  test('uses a new nonce, state and challenge each time', async () => {
    const pages = await Promise.all([1, 2].map(async () => new URL(locationOf(await browserOf().visit(loginPath())))));
    for (const name of ['nonce', 'state', 'code_challenge']) {
      expect(new Set(pages.map((page) => page.searchParams.get(name))).size, name).toBe(2);
    }
  });

  test('sets a cookie that scripts cannot read, for this callback only, for five minutes', async () => {
    const [[name, cookie] = []] = Object.entries(cookiesOf(await browserOf().visit(loginPath())));
    expect(name).toMatch(/^oauth_[0-9a-f-]{36}$/);
    expect(cookie?.attributes).toEqual({ httponly: '', samesite: 'Lax', path: CALLBACK, 'max-age': '300' });
  });

  test('sets that cookie to Lax even if session cookies are Strict, because the browser returns from another site', async () => {
    const cookies = { secure: true, sameSite: 'strict' as const, domain: 'example.org' };
    await withConfig({ cookies }, async () => {
      const browser = browserOf();
      const started = await browser.visit(loginPath());
      const [cookie] = Object.values(cookiesOf(started));
      const set = { httponly: '', samesite: 'Lax', path: CALLBACK, secure: '', domain: 'example.org' };
      expect(cookie?.attributes).toEqual({ ...set, 'max-age': '300' });
      const {
        access_token: _,
        refresh_token: __,
        ...left
      } = cookiesOf(await browser.visit(await pick(locationOf(started), 'alice')));
      expect(Object.values(left)).toEqual([{ value: '', attributes: { ...set, 'max-age': '0' } }]);
    });
  });
});

describe('a state', () => {
  test('works in two tabs of one browser, in any order of the callbacks', async () => {
    const browser = browserOf();
    const [first, second] = [await followToCallback(browser, 'alice'), await followToCallback(browser, 'alice')];
    expect((await browser.visit(second)).status).toBe(302);
    expect((await browser.visit(first)).status).toBe(302);
    expect(await whoIs(browser)).toMatchObject({ id: alice.id });
  });

  test('is refused the second time, even with the cookie of the first', async () => {
    const browser = browserOf();
    const callback = await followToCallback(browser, 'alice');
    const cookie = verifierCookie(browser);
    expect((await browser.visit(callback)).status).toBe(302);
    expect(verifierCookie(browser)).toBe('');
    await expectUnusable(await browser.visit(callback));
    await expectUnusable(await at(pathOf(callback), cookie));
  });

  test('is accepted once when it is sent several times at once', async () => {
    const browser = browserOf();
    const callback = pathOf(await followToCallback(browser, 'alice'));
    const cookie = verifierCookie(browser);
    const responses = await Promise.all([1, 2, 3].map(() => at(callback, cookie)));
    expect(responses.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
  });

  test('that was used is remembered until it expires', async () => {
    const browser = browserOf();
    const callback = await followToCallback(browser, 'alice');
    await browser.visit(callback);
    const { id, exp } = claimsOf(stateOf(callback));
    const [used] = await app().table.read([keys.usedState(String(id))]);
    expect(used).toMatchObject({ expiresAt: exp });
  });

  test('is refused in another browser, and is still good in its own', async () => {
    const [own, other] = [browserOf(), browserOf()];
    const callback = await followToCallback(own, 'alice');
    await expectUnusable(await other.visit(callback));
    await followToCallback(other, 'alice');
    await expectUnusable(await other.visit(callback));
    expect((await own.visit(callback)).status).toBe(302);
  });

  test.for(['', 'x', 'A'.repeat(43)])('is refused with the cookie value %j', async (value) => {
    const browser = browserOf();
    const callback = await followToCallback(browser, 'alice');
    const [name] = verifierCookie(browser).split('=');
    await expectUnusable(await at(pathOf(callback), `${name}=${value}`));
  });

  test('of another authorization request of the same browser does not match this one', async () => {
    const browser = browserOf();
    const first = await followToCallback(browser, 'alice');
    const [, verifier] = verifierCookie(browser).split('=');
    const second = await followToCallback(browserOf(), 'alice');
    const name = `oauth_${claimsOf(stateOf(second)).id}`;
    await expectUnusable(await at(pathOf(second), `${name}=${verifier}`));
    expect((await browser.visit(first)).status).toBe(302);
  });

  test('lasts five minutes', async () => {
    // Time does not pass by itself, however long the requests take.
    vi.useFakeTimers({ toFake: ['Date'] });
    const [early, late] = [browserOf(), browserOf()];
    const [inTime, tooLate] = [await followToCallback(early, 'alice'), await followToCallback(late, 'alice')];
    const { exp } = claimsOf(stateOf(tooLate));
    vi.setSystemTime(Date.now() + 295_000);
    expect((await early.visit(inTime)).status).toBe(302);
    vi.setSystemTime(Number(exp) * 1_000);
    await expectUnusable(await late.visit(tooLate));
  });

  test('of one provider is refused at the other', async () => {
    const browser = browserOf();
    const callback = await followToCallback(browser, 'alice');
    const path = pathOf(callback).replace('LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2');
    await expectUnusable(await at(path, verifierCookie(browser)));
  });

  test('of another purpose is refused', async () => {
    const browser = browserOf();
    const callback = new URL(await followToCallback(browser, 'alice'));
    const { exp: _, iat: __, aud: ___, ...claims } = claimsOf(stateOf(callback.href));
    const { states, now } = app();
    callback.searchParams.set('state', await states.sign('connect', claims, 600, now()));
    await expectUnusable(await at(pathOf(callback.href), verifierCookie(browser)));
  });

  test('that is not signed by this service is refused', async () => {
    const browser = browserOf();
    const callback = new URL(await followToCallback(browser, 'alice'));
    const state = stateOf(callback.href);
    const [head, body = '', signature] = state.split('.');
    const evil = { ...claimsOf(state), payload: { c: 'https://evil.example/' } };
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      'nonsense',
      `${head}.${body}`,
      `${head}.${encoded(evil)}.${signature}`,
      `${encoded({ alg: 'none' })}.${encoded(evil)}.`,
      await signedStates({ stateSecret: 'another secret of forty characters or more' }).sign(
        'login',
        evil,
        300,
        new Date(),
      ),
    ];
    for (const each of forged) {
      callback.searchParams.set('state', each);
      await expectUnusable(await at(pathOf(callback.href), verifierCookie(browser)));
    }
  });

  test('that is missing is a fault of the query', async () => {
    const response = await send('GET', `${CALLBACK}?code=x`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/query/state' }] });
  });
});

describe('a code', () => {
  test('of another authorization request is not exchanged', async () => {
    const [victim, attacker] = [browserOf(), browserOf()];
    const mine = new URL(await followToCallback(victim, 'alice'));
    const theirs = new URL(await followToCallback(attacker, 'mallory'));
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const response = await victim.visit(mine.href);
    expect(locationOf(response)).toBe(`${FRONT}/done?status=error&error=exchange_failed`);
    expect(cookiesOf(response)).not.toHaveProperty('access_token');
  });

  test('of another issuer is not exchanged', async () => {
    const browser = browserOf();
    const callback = new URL(await followToCallback(browser, 'alice'));
    callback.searchParams.set('iss', 'https://evil.example');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${FRONT}/done?status=error&error=exchange_failed`);
  });
});

describe('a provider', () => {
  test.for([
    'LOGIN_PROVIDER_3',
    'PROVIDER_ONE',
    'constructor',
    '%00',
    'login_provider_1',
  ])('called %s is 404, whatever else is wrong', async (name) => {
    for (const path of [`${name}?c=https://evil.example`, `${name}/callback`]) {
      expect((await send('GET', `/api/auth/login/oauth/${path}`)).status).toBe(404);
    }
  });

  test('that is not configured is 404', async () => {
    await withProviders({ LOGIN_PROVIDER_1: undefined }, async () => {
      expect((await send('GET', loginPath())).status).toBe(404);
      expect((await send('GET', `${CALLBACK}?state=x`)).status).toBe(404);
    });
  });
});

test('a login replaces an existing session', async () => {
  const browser = browserOf(alice);
  await logIn(browser, 'frank');
  expect((await whoIs(browser)).emails).toEqual(['frank@example.org']);
});
