/** Providers that are down, misconfigured, or respond with nonsense. Those that work are in `login-provider-kinds`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import { captureOutput } from '#test/support/console.ts';
import { send } from '#test/support/fixtures.ts';
import { browserOf, locationOf, logIn, loginPath, stateOf, whoIs, withProviders } from '#test/support/oauth.ts';
import { cookiesOf } from '#test/support/sessions.ts';
import { type FakeProvider, logInAt, OCTOCAT, startFakeProvider, TOKEN } from './fake-provider.ts';

const CALLBACK = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());
let written: string[] = [];
beforeEach(() => {
  written = captureOutput();
  fake.requests.length = 0;
  for (const path of Object.keys(fake.responses)) delete fake.responses[path];
  fake.responses['/token'] = { body: TOKEN };
  fake.responses['/user'] = { body: OCTOCAT };
});

afterEach(() => {
  vi.restoreAllMocks();
});

const unreachable = 'http://127.0.0.1:9';

describe('a code that is refused is exchange_failed', () => {
  test.for([
    ['an error of OAuth', { status: 400, body: { error: 'invalid_grant' } }],
    ['an error with 200', { body: { error: 'bad_verification_code' } }],
    ['a failure', { status: 500, body: 'oops' }],
    ['no JSON', { body: '<html>' }],
    ['no token', { body: {} }],
    ['a token of a wrong type', { body: { access_token: 7, token_type: 'bearer' } }],
    ['null', { body: 'null' }],
  ] as const)('%s', async ([, reply]) => {
    fake.responses['/token'] = reply;
    const { browser, error, response } = await logInAt(fake);
    expect(error).toBe('exchange_failed');
    expect(cookiesOf(response)).not.toHaveProperty('access_token');
    expect((await browser.visit('/api/users/me')).status).toBe(401);
  });

  test('by a provider that is not there', async () => {
    expect((await logInAt(fake, { tokenEndpoint: `${unreachable}/token` })).error).toBe('exchange_failed');
  });

  test('if an ID token was requested and there is none', async () => {
    expect((await logInAt(fake, { scopes: ['openid'], issuer: fake.url })).error).toBe('exchange_failed');
  });
});

describe('a profile without a subject is profile_failed', () => {
  test.for([
    ['no subject', { body: {} }],
    ['a list', { body: [OCTOCAT] }],
    ['null', { body: 'null' }],
    ['no JSON', { body: '<html>' }],
    ['a refusal', { status: 403, body: OCTOCAT }],
    ['a redirect', { status: 302, body: OCTOCAT }],
    ['a subject that is an object', { body: { id: { $ne: null } } }],
  ] as const)('%s', async ([, reply]) => {
    fake.responses['/user'] = reply;
    const { response, error } = await logInAt(fake);
    expect(error).toBe('profile_failed');
    expect(cookiesOf(response)).not.toHaveProperty('access_token');
  });

  test('by an endpoint that is not there', async () => {
    expect((await logInAt(fake, { userinfoEndpoint: `${unreachable}/user` })).error).toBe('profile_failed');
  });
});

describe('a start at a provider that cannot be used is 503, and sets no cookie', () => {
  const settings = (parts: object): ProviderSettings => ProviderSettings().parse({ clientId: 'x', ...parts });
  const endpoints = (url: string) => ({
    authorizationEndpoint: `${url}/authorize`,
    tokenEndpoint: `${url}/token`,
    userinfoEndpoint: `${url}/user`,
  });
  test.for([
    ['one that is down', settings({ issuer: unreachable })],
    ['an issuer over plain http elsewhere', settings({ issuer: 'http://id.example.org' })],
    [
      'endpoints over plain http elsewhere',
      settings({ issuer: 'https://id.example.org', ...endpoints('http://id.example.org') }),
    ],
    ['an address that is neither', settings(endpoints('ftp://127.0.0.1'))],
  ] as const)('%s', async ([, configured]) => {
    await withProviders({ LOGIN_PROVIDER_1: configured }, async () => {
      const response = await send('GET', loginPath());
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await response.json()).toMatchObject({ code: 'provider_unavailable' });
      expect(response.headers.getSetCookie()).toEqual([]);
    });
  });

  test.for([
    ['no document', { status: 500, body: {} }],
    ['a document of another issuer', { body: { issuer: 'https://evil.example' } }],
    ['a document without endpoints', { body: 'ISSUER' }],
    ['no JSON', { body: '<html>' }],
    ['endpoints over plain http elsewhere', { body: 'HTTP' }],
  ] as const)('one whose discovery responds with %s', async ([, reply]) => {
    const document = {
      issuer: fake.url,
      ...(reply.body === 'HTTP' ? { authorization_endpoint: 'http://id.example.org/' } : {}),
    };
    const body = reply.body === 'ISSUER' || reply.body === 'HTTP' ? document : reply.body;
    fake.responses['/.well-known/openid-configuration'] = { ...reply, body };
    await withProviders({ LOGIN_PROVIDER_1: settings({ issuer: fake.url }) }, async () => {
      expect((await send('GET', loginPath())).status).toBe(503);
    });
  });

  test('but the failure is not cached: the next start discovers again, and that is cached', async () => {
    await withProviders({ LOGIN_PROVIDER_1: settings({ issuer: fake.url }) }, async () => {
      expect((await send('GET', loginPath())).status).toBe(503);
      const document = {
        issuer: fake.url,
        authorization_endpoint: `${fake.url}/authorize`,
        token_endpoint: `${fake.url}/token`,
      };
      fake.responses['/.well-known/openid-configuration'] = { body: document };
      for (const _ of [1, 2, 3]) expect((await send('GET', loginPath())).status).toBe(302);
      expect(fake.requests).toHaveLength(2);
    });
  });

  test('and the client authenticates as the discovery document says', async () => {
    fake.responses['/.well-known/openid-configuration'] = {
      body: {
        issuer: fake.url,
        authorization_endpoint: `${fake.url}/authorize`,
        token_endpoint: `${fake.url}/token`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      },
    };
    await withProviders({ LOGIN_PROVIDER_1: settings({ issuer: fake.url, clientSecret: 'the secret' }) }, async () => {
      const browser = browserOf();
      const page = locationOf(await browser.visit(loginPath()));
      await browser.visit(`${CALLBACK}?${new URLSearchParams({ code: 'a-code', state: stateOf(page) })}`);
      expect(fake.requests.at(-1)).toMatchObject({ path: '/token', authorization: '' });
      expect(fake.requests.at(-1)?.body.get('client_secret')).toBe('the secret');
    });
  });
});

test('a failure is logged without personal data', async () => {
  process.env.LOG = 'on';
  try {
    fake.responses['/user'] = { body: '{"email": "secret@example.org"' };
    await logInAt(fake);
    fake.responses['/token'] = { body: '{"access_token": "secret"' };
    await logInAt(fake);
  } finally {
    process.env.LOG = 'off';
  }
  const logged = written.filter((line) => line.includes('"failed"')).map((line) => JSON.parse(line));
  expect(logged).toMatchObject([
    { level: 'warn', provider: 'LOGIN_PROVIDER_1', failed: 'profile_failed', why: expect.stringMatching(/./) },
    {
      level: 'warn',
      provider: 'LOGIN_PROVIDER_1',
      failed: 'exchange_failed',
      kinds: expect.arrayContaining([expect.any(String)]),
    },
  ]);
  expect(written.join('\n')).not.toContain('secret');
});

test('the provider of all tests still works', async () => {
  const browser = browserOf();
  await logIn(browser, 'frank');
  expect((await whoIs(browser)).emails).toEqual(['frank@example.org']);
});
