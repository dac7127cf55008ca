/** The local identity provider as the service uses it, through openid-client, and as a browser sees it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '#stacks/local/dynamo/dynamo.ts';
import { PROVIDER_PEOPLE } from '#stacks/local/identity/people.ts';
import { type LocalProvider, startProvider } from '#stacks/local/identity/provider.ts';
import { pick } from '#test/support/provider.ts';
import { type Authorization, authorize, CALLBACKS, exchange, NAMES, type Name, settingsOf } from './provider-client.ts';

let provider: LocalProvider;
const printed: unknown[][] = [];
const spies = (['debug', 'error', 'info', 'log', 'warn'] as const).map((method) =>
  vi.spyOn(console, method).mockImplementation((...values) => void printed.push(values)),
);

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  await provider.stop();
  for (const spy of spies) spy.mockRestore();
  expect(printed, 'output of the provider on the console').toEqual([]);
});

const request = (name: Name, change: Record<string, string> = {}): Promise<Authorization> =>
  authorize(provider, name, change);

/** The profile that the provider returns of the picked person. */
async function profileOf(name: Name, who: string, from = provider): Promise<client.UserInfoResponse> {
  const authorization = await authorize(from, name);
  const tokens = await exchange(authorization, await pick(authorization.url.href, who));
  return client.fetchUserInfo(authorization.configuration, tokens.access_token, tokens.claims()?.sub ?? '');
}

/** The page that a browser shows for an authorization request. */
async function pageOf(url: URL): Promise<{ status: number; page: string; headers: Headers }> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  const shown = location ? await fetch(new URL(location, url), { headers: { cookie: cookie.join('; ') } }) : response;
  return { status: shown.status, page: await shown.text(), headers: shown.headers };
}

const alice = PROVIDER_PEOPLE.find(({ preferred_username }) => preferred_username === 'alice');

describe('the code flow', () => {
  test.for([
    'LOGIN_PROVIDER_1',
    'LOGIN_PROVIDER_2',
    'PROVIDER_ONE',
  ] as const)('returns all claims of alice to %s', async (name) => {
    expect(await profileOf(name, 'alice')).toEqual(alice);
  });

  test('returns no e-mail address of alice to PROVIDER_TWO, which does not request the scope', async () => {
    const { sub, name, preferred_username, picture } = alice ?? {};
    expect(await profileOf('PROVIDER_TWO', 'alice')).toEqual({ sub, name, preferred_username, picture });
  });

  test('uses the claim that the settings name as the username', async () => {
    const usernames = NAMES.map((name) => settingsOf(provider, name).profile.username);
    expect(usernames).toEqual(['preferred_username', 'preferred_username', 'preferred_username', 'name']);
  });

  test('returns the address of mallory as not verified', async () => {
    expect(await profileOf('LOGIN_PROVIDER_1', 'mallory')).toMatchObject({
      email: 'alice@example.org',
      email_verified: false,
    });
  });
});

describe('the provider redirects back without a code', () => {
  test.for(NAMES)('with access_denied when the person denies %s', async (name) => {
    const { url, checks } = await request(name);
    const callback = new URL(await pick(url.href, 'deny'));
    expect(`${callback.origin}${callback.pathname}`).toBe(CALLBACKS[name]);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'the person denied the request',
      state: checks.expectedState,
      iss: provider.issuer,
    });
  });

  test('with login_required for prompt=none', async () => {
    const { url } = await request('LOGIN_PROVIDER_1', { prompt: 'none' });
    expect(new URL(await pick(url.href, 'alice')).searchParams.get('error')).toBe('login_required');
  });

  test.for([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['another flow', { response_type: 'code id_token' }],
  ] as const)('with an error when the request has %s', async ([, change]) => {
    const { url } = await request('LOGIN_PROVIDER_1', change);
    const { searchParams, hash } = new URL(await pick(url.href, 'alice'));
    expect(searchParams.get('error') ?? hash).toMatch(/invalid_request|unsupported_response_type|unauthorized_client/);
    expect(searchParams.has('code')).toBe(false);
  });
});

describe('a code', () => {
  test('is refused the second time, and its access token is revoked', async () => {
    const authorization = await request('LOGIN_PROVIDER_1');
    const callback = await pick(authorization.url.href, 'alice');
    const tokens = await exchange(authorization, callback);
    await expect(exchange(authorization, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(
      client.fetchUserInfo(authorization.configuration, tokens.access_token, client.skipSubjectCheck),
    ).rejects.toThrow();
  });

  test('is refused without the verifier of its challenge', async () => {
    const authorization = await request('LOGIN_PROVIDER_1');
    const callback = await pick(authorization.url.href, 'alice');
    const checks = { ...authorization.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(exchange({ ...authorization, checks }, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('is refused for another client', async () => {
    const authorization = await request('LOGIN_PROVIDER_1');
    const { configuration } = await request('LOGIN_PROVIDER_2');
    const callback = await pick(authorization.url.href, 'alice');
    await expect(exchange({ ...authorization, configuration }, callback)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('a callback is refused without a redirect', () => {
  test.for([
    ['of another host', 'http://forms.example.org:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['of a host with the same prefix', 'http://127.0.0.1.example.org/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['with another scheme', 'https://127.0.0.1:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['with another path', 'http://127.0.0.1:3000/elsewhere'],
    ['with a query', `${CALLBACKS.LOGIN_PROVIDER_1}?next=1`],
    ['of another client', CALLBACKS.LOGIN_PROVIDER_2],
  ] as const)('%s', async ([, redirect_uri]) => {
    const { url } = await request('LOGIN_PROVIDER_1', { redirect_uri });
    const { status, page, headers } = await pageOf(url);
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(page).toContain('invalid_redirect_uri');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('the page', () => {
  test('names the client and its scopes, and has a button for each person and one to deny', async () => {
    const { page, status } = await pageOf((await request('PROVIDER_TWO')).url);
    expect(status).toBe(200);
    expect(page).toContain('Form service (PROVIDER_TWO)');
    expect(page).toContain('http://localhost');
    expect(page).toContain('your name, your username and your picture');
    expect(page).not.toContain('your e-mail address, and');
    const labels = [...page.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(labels).toEqual([
      ...['alice', 'bob', 'chelsea', 'dave', 'oscar', 'frank', 'mallory'].map((name) => `Continue as ${name}`),
      'Deny',
    ]);
    expect(page).toContain('alice@example.org (not verified)');
  });

  test('has a strict content security policy and no script, and is not cached', async () => {
    const { page, headers } = await pageOf((await request('LOGIN_PROVIDER_1')).url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  test('escapes names and redirect URIs', async () => {
    const name = '"><script>alert(1)</script>&amp;';
    const odd = { sub: name, preferred_username: name, email: name, email_verified: true, name, picture: name };
    const other = await startProvider({ people: [odd] });
    try {
      const { url } = await authorize(other, 'PROVIDER_ONE');
      expect((await pageOf(url)).page).not.toContain('<script');
      expect((await profileOf('PROVIDER_ONE', name, other)).sub).toBe(name);
      url.searchParams.set('redirect_uri', 'http://x.example/<script>');
      expect((await pageOf(url)).page).not.toContain('<script');
    } finally {
      await other.stop();
    }
  });

  test('refuses a person who is not on it', async () => {
    await expect(pick((await request('LOGIN_PROVIDER_1')).url.href, 'nobody')).rejects.toThrow('there is no nobody');
  });

  test('accepts no choice from a browser that did not send the request', async () => {
    const { url } = await request('LOGIN_PROVIDER_1');
    const location = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    const result = await fetch(new URL(location, url), {
      method: 'POST',
      body: new URLSearchParams({ deny: 'yes' }),
    });
    expect(result.status).toBe(400);
    expect(await result.text()).toContain('The request has ended');
  });
});

test('each authorization request shows the page, so that another person can be picked', async () => {
  const cookies = new Map<string, string>();
  const first = await request('LOGIN_PROVIDER_1');
  const second = await request('LOGIN_PROVIDER_1');
  const one = await exchange(first, await pick(first.url.href, 'alice', cookies));
  expect(cookies.size).toBeGreaterThan(0);
  const two = await exchange(second, await pick(second.url.href, 'bob', cookies));
  expect([one.claims()?.sub, two.claims()?.sub]).toEqual(['person-alice', 'person-bob']);
  const third = await request('LOGIN_PROVIDER_1', { prompt: 'none' });
  const silent = await pick(third.url.href, 'alice', cookies);
  expect(new URL(silent).searchParams.get('error')).toBe('login_required');
});

test('its cookies are limited to its own paths, because the service shares its host', async () => {
  const { url } = await request('LOGIN_PROVIDER_1');
  const fetched = vi.spyOn(globalThis, 'fetch');
  await pick(url.href, 'alice');
  const responses = await Promise.all(fetched.mock.settledResults.map(({ value }) => value));
  fetched.mockRestore();
  const lines = responses.flatMap((response) => response.headers.getSetCookie());
  expect(lines.some((line) => line.startsWith('_session='))).toBe(true);
  expect(lines.filter((line) => !/; path=\/(?:auth|pick)\b.*; httponly/i.test(line))).toEqual([]);
});

test('pages of other origins cannot read the profile', async () => {
  const authorization = await request('LOGIN_PROVIDER_1');
  const { access_token } = await exchange(authorization, await pick(authorization.url.href, 'alice'));
  const headers = { authorization: `Bearer ${access_token}`, origin: 'http://127.0.0.1:3000' };
  const response = await fetch(`${provider.issuer}/me`, { headers });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([400, null]);
});

test('stopping ends idle connections and incomplete requests, and frees the port', async () => {
  const port = await freePort();
  const first = await startProvider({ port });
  expect(first.issuer).toBe(`http://127.0.0.1:${port}`);
  await (await fetch(`${first.issuer}/jwks`)).text();
  const half = connect(port, '127.0.0.1').on('error', () => {});
  await once(half, 'connect');
  half.write('GET /jwks HTTP/1.1\r\n');
  const closed = new Promise((resolve) => half.once('close', resolve));
  await first.stop();
  await closed;
  await first.stop();
  const again = await startProvider({ port });
  await expect(startProvider({ port })).rejects.toThrow(/is in use/);
  await again.stop();
});
