/** The local identity provider, met as the service meets it: through openid-client, and as a browser meets it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '#stacks/local/dynamo.ts';
import { type LocalProvider, startProvider } from '#stacks/local/provider.ts';
import { PROVIDER_PEOPLE } from '#stacks/local/provider-people.ts';
import { pick } from '#test/support/provider.ts';
import { type Asked, askAt, CALLBACKS, exchange, NAMES, type Name, settingsOf } from '#test/support/provider-client.ts';

let provider: LocalProvider;
const said: unknown[][] = [];
const spies = (['debug', 'error', 'info', 'log', 'warn'] as const).map((method) =>
  vi.spyOn(console, method).mockImplementation((...words) => void said.push(words)),
);

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  await provider.stop();
  for (const spy of spies) spy.mockRestore();
  expect(said, 'the provider says nothing on the console').toEqual([]);
});

const ask = (name: Name, change: Record<string, string> = {}): Promise<Asked> => askAt(provider, name, change);

/** What the provider says of the person who was picked. */
async function profileOf(name: Name, who: string, from = provider): Promise<client.UserInfoResponse> {
  const asked = await askAt(from, name);
  const tokens = await exchange(asked, await pick(asked.url.href, who));
  return client.fetchUserInfo(asked.configuration, tokens.access_token, tokens.claims()?.sub ?? '');
}

/** What a browser sees when it is sent on an authorization request, without going on. */
async function seen(url: URL): Promise<{ status: number; page: string; headers: Headers }> {
  const sent = await fetch(url, { redirect: 'manual' });
  const location = sent.headers.get('location');
  const cookie = sent.headers.getSetCookie().map((line) => line.split(';')[0]);
  const shown = location ? await fetch(new URL(location, url), { headers: { cookie: cookie.join('; ') } }) : sent;
  return { status: shown.status, page: await shown.text(), headers: shown.headers };
}

const alice = PROVIDER_PEOPLE.find(({ preferred_username }) => preferred_username === 'alice');

describe('the code flow', () => {
  test.for([
    'LOGIN_PROVIDER_1',
    'LOGIN_PROVIDER_2',
    'PROVIDER_ONE',
  ] as const)('tells all of alice at %s', async (name) => {
    expect(await profileOf(name, 'alice')).toEqual(alice);
  });

  test('tells no e-mail address of alice at PROVIDER_TWO, which does not ask for one', async () => {
    const { sub, name, preferred_username, picture } = alice ?? {};
    expect(await profileOf('PROVIDER_TWO', 'alice')).toEqual({ sub, name, preferred_username, picture });
  });

  test('finds the member that the settings call the username', async () => {
    const usernames = NAMES.map((name) => settingsOf(provider, name).profile.username);
    expect(usernames).toEqual(['preferred_username', 'preferred_username', 'preferred_username', 'name']);
  });

  test('does not vouch for the address of mallory', async () => {
    expect(await profileOf('LOGIN_PROVIDER_1', 'mallory')).toMatchObject({
      email: 'alice@example.org',
      email_verified: false,
    });
  });

  test('gives a signed ID token with the nonce of the request', async () => {
    const asked = await ask('LOGIN_PROVIDER_1');
    client.enableNonRepudiationChecks(asked.configuration);
    const tokens = await exchange(asked, await pick(asked.url.href, 'bob'));
    expect(tokens.claims()).toMatchObject({
      iss: provider.issuer,
      sub: 'person-bob',
      nonce: asked.checks.expectedNonce,
    });
  });

  test('takes the secret of a client in a header as well', async () => {
    const asked = await ask('PROVIDER_ONE');
    const { clientId, clientSecret = '' } = settingsOf(provider, 'PROVIDER_ONE');
    const basic = new client.Configuration(
      asked.configuration.serverMetadata(),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
    );
    client.allowInsecureRequests(basic);
    const callback = await pick(asked.url.href, 'dave');
    expect((await exchange({ ...asked, configuration: basic }, callback)).claims()?.sub).toBe('person-dave');
  });
});

describe('the provider sends the browser back without a code', () => {
  test.for(NAMES)('with access_denied when it is denied at %s', async (name) => {
    const { url, checks } = await ask(name);
    const callback = new URL(await pick(url.href, 'deny'));
    expect(`${callback.origin}${callback.pathname}`).toBe(CALLBACKS[name]);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'the person denied the request',
      state: checks.expectedState,
      iss: provider.issuer,
    });
  });

  test('with login_required when it must not ask', async () => {
    const { url } = await ask('LOGIN_PROVIDER_1', { prompt: 'none' });
    expect(new URL(await pick(url.href, 'alice')).searchParams.get('error')).toBe('login_required');
  });

  test.for([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['another flow', { response_type: 'code id_token' }],
  ] as const)('with an error when the request has %s', async ([, change]) => {
    const { url } = await ask('LOGIN_PROVIDER_1', change);
    const { searchParams, hash } = new URL(await pick(url.href, 'alice'));
    expect(searchParams.get('error') ?? hash).toMatch(/invalid_request|unsupported_response_type|unauthorized_client/);
    expect(searchParams.has('code')).toBe(false);
  });
});

describe('a code', () => {
  test('is refused the second time, and its access token with it', async () => {
    const asked = await ask('LOGIN_PROVIDER_1');
    const callback = await pick(asked.url.href, 'alice');
    const tokens = await exchange(asked, callback);
    await expect(exchange(asked, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(
      client.fetchUserInfo(asked.configuration, tokens.access_token, client.skipSubjectCheck),
    ).rejects.toThrow();
  });

  test('is refused without the verifier of its challenge', async () => {
    const asked = await ask('LOGIN_PROVIDER_1');
    const callback = await pick(asked.url.href, 'alice');
    const checks = { ...asked.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(exchange({ ...asked, checks }, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('is refused to another client', async () => {
    const asked = await ask('LOGIN_PROVIDER_1');
    const { configuration } = await ask('LOGIN_PROVIDER_2');
    const callback = await pick(asked.url.href, 'alice');
    await expect(exchange({ ...asked, configuration }, callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a callback is refused on the spot', () => {
  test.for([
    ['of another host', 'http://forms.example.org:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['of a host that only begins so', 'http://127.0.0.1.example.org/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['with another scheme', 'https://127.0.0.1:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback'],
    ['with another path', 'http://127.0.0.1:3000/elsewhere'],
    ['with a query', `${CALLBACKS.LOGIN_PROVIDER_1}?next=1`],
    ['of another client', CALLBACKS.LOGIN_PROVIDER_2],
  ] as const)('%s', async ([, redirect_uri]) => {
    const { url } = await ask('LOGIN_PROVIDER_1', { redirect_uri });
    const { status, page, headers } = await seen(url);
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(page).toContain('invalid_redirect_uri');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('the page', () => {
  test('says who asks for what, and has a button for each person and one to deny', async () => {
    const { page, status } = await seen((await ask('PROVIDER_TWO')).url);
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

  test('has a strict policy, no script and no copy in a cache', async () => {
    const { page, headers } = await seen((await ask('LOGIN_PROVIDER_1')).url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  test('writes names and scopes of others as text', async () => {
    const name = '"><script>alert(1)</script>&amp;';
    const odd = { sub: name, preferred_username: name, email: name, email_verified: true, name, picture: name };
    const other = await startProvider({ people: [odd] });
    try {
      const { url } = await askAt(other, 'PROVIDER_ONE');
      expect((await seen(url)).page).not.toContain('<script');
      expect((await profileOf('PROVIDER_ONE', name, other)).sub).toBe(name);
      url.searchParams.set('redirect_uri', 'http://x.example/<script>');
      expect((await seen(url)).page).not.toContain('<script');
    } finally {
      await other.stop();
    }
  });

  test('refuses somebody who is not on it', async () => {
    await expect(pick((await ask('LOGIN_PROVIDER_1')).url.href, 'nobody')).rejects.toThrow('there is no nobody');
  });

  test('cannot be answered by a browser that did not ask', async () => {
    const { url } = await ask('LOGIN_PROVIDER_1');
    const location = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    const stranger = await fetch(new URL(location, url), {
      method: 'POST',
      body: new URLSearchParams({ deny: 'yes' }),
    });
    expect(stranger.status).toBe(400);
    expect(await stranger.text()).toContain('The request is over');
  });
});

test('a browser that picked somebody is asked again, and may pick somebody else', async () => {
  const cookies = new Map<string, string>();
  const first = await ask('LOGIN_PROVIDER_1');
  const second = await ask('LOGIN_PROVIDER_1');
  const one = await exchange(first, await pick(first.url.href, 'alice', cookies));
  expect(cookies.size).toBeGreaterThan(0);
  const two = await exchange(second, await pick(second.url.href, 'bob', cookies));
  expect([one.claims()?.sub, two.claims()?.sub]).toEqual(['person-alice', 'person-bob']);
  const third = await ask('LOGIN_PROVIDER_1', { prompt: 'none' });
  const silent = await pick(third.url.href, 'alice', cookies);
  expect(new URL(silent).searchParams.get('error')).toBe('login_required');
});

test('the service gets none of the cookies, though they share a host', async () => {
  const { url } = await ask('LOGIN_PROVIDER_1');
  const fetched = vi.spyOn(globalThis, 'fetch');
  await pick(url.href, 'alice');
  const responses = await Promise.all(fetched.mock.settledResults.map(({ value }) => value));
  fetched.mockRestore();
  const lines = responses.flatMap((response) => response.headers.getSetCookie());
  expect(lines.some((line) => line.startsWith('_session='))).toBe(true);
  expect(lines.filter((line) => !/; path=\/(?:auth|pick)\b.*; httponly/i.test(line))).toEqual([]);
});

test('pages of other origins cannot read what the provider says to the service', async () => {
  const asked = await ask('LOGIN_PROVIDER_1');
  const { access_token } = await exchange(asked, await pick(asked.url.href, 'alice'));
  const headers = { authorization: `Bearer ${access_token}`, origin: 'http://127.0.0.1:3000' };
  const answer = await fetch(`${provider.issuer}/me`, { headers });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, null]);
});

test('two providers at once do not take each other for themselves', async () => {
  const other = await startProvider();
  try {
    expect(await profileOf('LOGIN_PROVIDER_1', 'frank', other)).toMatchObject({ preferred_username: 'frank' });
    const asked = await ask('LOGIN_PROVIDER_2');
    const callback = await pick(asked.url.href, 'frank');
    const { configuration } = await askAt(other, 'LOGIN_PROVIDER_2');
    await expect(exchange({ ...asked, configuration }, callback)).rejects.toThrow();
    expect((await exchange(asked, callback)).claims()?.sub).toBe('person-frank');
  } finally {
    await other.stop();
  }
});

test('stopping ends idle connections and half-sent requests, and frees the port', async () => {
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
