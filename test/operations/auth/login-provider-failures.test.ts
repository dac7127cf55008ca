/** Providers in every condition: down, misconfigured, talking nonsense. Those that work are in `login-provider-kinds`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProviderSettings } from '#core/aws/config.ts';
import { type FakeProvider, logInAt, OCTOCAT, startFakeProvider, TOKEN } from '#test/support/fake-provider.ts';
import { browserOf, locationOf, logIn, loginPath, stateOf, whoIs, withProviders } from '#test/support/journeys.ts';
import { cookiesOf } from '#test/support/sessions.ts';
import { send } from '#test/support/world.ts';

const CALLBACK = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());
let written: string[] = [];
beforeEach(() => {
  written = [];
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      written.push(parts.map(String).join(' '));
    });
  }
  fake.asked.length = 0;
  for (const path of Object.keys(fake.answers)) delete fake.answers[path];
  fake.answers['/token'] = { body: TOKEN };
  fake.answers['/user'] = { body: OCTOCAT };
});

afterEach(() => {
  vi.restoreAllMocks();
});

const unreachable = 'http://127.0.0.1:9';

describe('a code that is not taken is exchange_failed', () => {
  test.for([
    ['an error of OAuth', { status: 400, body: { error: 'invalid_grant' } }],
    ['an error with 200', { body: { error: 'bad_verification_code' } }],
    ['a failure', { status: 500, body: 'oops' }],
    ['no JSON', { body: '<html>' }],
    ['no token', { body: {} }],
    ['a token of a wrong type', { body: { access_token: 7, token_type: 'bearer' } }],
    ['null', { body: 'null' }],
  ] as const)('%s', async ([, said]) => {
    fake.answers['/token'] = said;
    const { browser, error, answer } = await logInAt(fake);
    expect(error).toBe('exchange_failed');
    expect(cookiesOf(answer)).not.toHaveProperty('access_token');
    expect((await browser.visit('/api/users/me')).status).toBe(401);
  });

  test('by a provider that is not there', async () => {
    expect((await logInAt(fake, { tokenEndpoint: `${unreachable}/token` })).error).toBe('exchange_failed');
  });

  test('where an ID token was asked for and none came', async () => {
    expect((await logInAt(fake, { scopes: ['openid'], issuer: fake.url })).error).toBe('exchange_failed');
  });
});

describe('a profile that says nothing is profile_failed', () => {
  test.for([
    ['no subject', { body: {} }],
    ['a list', { body: [OCTOCAT] }],
    ['null', { body: 'null' }],
    ['no JSON', { body: '<html>' }],
    ['a refusal', { status: 403, body: OCTOCAT }],
    ['a redirect', { status: 302, body: OCTOCAT }],
    ['a subject that is an object', { body: { id: { $ne: null } } }],
  ] as const)('%s', async ([, said]) => {
    fake.answers['/user'] = said;
    const { answer, error } = await logInAt(fake);
    expect(error).toBe('profile_failed');
    expect(cookiesOf(answer)).not.toHaveProperty('access_token');
  });

  test('by an endpoint that is not there', async () => {
    expect((await logInAt(fake, { userinfoEndpoint: `${unreachable}/user` })).error).toBe('profile_failed');
  });
});

describe('a start at a provider that cannot be used is 503, with nothing begun', () => {
  const settings = (parts: object): ProviderSettings => ProviderSettings.parse({ clientId: 'x', ...parts });
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
      const answer = await send('GET', loginPath());
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await answer.json()).toMatchObject({ code: 'provider_unavailable' });
      expect(answer.headers.getSetCookie()).toEqual([]);
    });
  });

  test.for([
    ['no document', { status: 500, body: {} }],
    ['a document of another issuer', { body: { issuer: 'https://evil.example' } }],
    ['a document without endpoints', { body: 'ISSUER' }],
    ['no JSON', { body: '<html>' }],
    ['endpoints over plain http elsewhere', { body: 'HTTP' }],
  ] as const)('one whose discovery answers %s', async ([, said]) => {
    const document = {
      issuer: fake.url,
      ...(said.body === 'HTTP' ? { authorization_endpoint: 'http://id.example.org/' } : {}),
    };
    const body = said.body === 'ISSUER' || said.body === 'HTTP' ? document : said.body;
    fake.answers['/.well-known/openid-configuration'] = { ...said, body };
    await withProviders({ LOGIN_PROVIDER_1: settings({ issuer: fake.url }) }, async () => {
      expect((await send('GET', loginPath())).status).toBe(503);
    });
  });

  test('but the failure is not kept: the next one asks again, and what it learns is kept', async () => {
    await withProviders({ LOGIN_PROVIDER_1: settings({ issuer: fake.url }) }, async () => {
      expect((await send('GET', loginPath())).status).toBe(503);
      const document = {
        issuer: fake.url,
        authorization_endpoint: `${fake.url}/authorize`,
        token_endpoint: `${fake.url}/token`,
      };
      fake.answers['/.well-known/openid-configuration'] = { body: document };
      for (const _ of [1, 2, 3]) expect((await send('GET', loginPath())).status).toBe(302);
      expect(fake.asked).toHaveLength(2);
    });
  });

  test('and the client authenticates as the provider’s document asks', async () => {
    fake.answers['/.well-known/openid-configuration'] = {
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
      expect(fake.asked.at(-1)).toMatchObject({ path: '/token', authorization: '' });
      expect(fake.asked.at(-1)?.body.get('client_secret')).toBe('the secret');
    });
  });
});

test('a failure is logged without what the provider said of anybody', async () => {
  process.env.LOG = 'on';
  process.env.POWERTOOLS_DEV = 'true';
  try {
    fake.answers['/user'] = { body: '{"email": "secret@example.org"' };
    await logInAt(fake);
    fake.answers['/token'] = { body: '{"access_token": "secret"' };
    await logInAt(fake);
  } finally {
    process.env.LOG = 'off';
  }
  const told = written.filter((line) => line.includes('"failed"')).map((line) => JSON.parse(line));
  expect(told).toMatchObject([
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
