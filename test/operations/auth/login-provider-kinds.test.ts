/** Requests to providers of both kinds, plain OAuth 2 and OpenID Connect, and reading their responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { person } from '#test/support/fixtures.ts';
import { FRONT, locationOf, whoIs } from '#test/support/oauth.ts';
import { type FakeProvider, logInAt, OCTOCAT, startFakeProvider, TOKEN } from './fake-provider.ts';

const CALLBACK = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.requests.length = 0;
  fake.responses['/token'] = { body: TOKEN };
  fake.responses['/user'] = { body: OCTOCAT };
});

describe('a provider of plain OAuth 2', () => {
  test('signs in by the profile of its endpoint', async () => {
    const { browser, response } = await logInAt(fake);
    expect(locationOf(response)).toBe(`${FRONT}/done`);
    expect(await whoIs(browser)).toMatchObject({ emails: [], avatarUrl: 'https://example.org/octocat.png' });
  });

  test('is requested with PKCE, its own scopes and parameters, and no nonce', async () => {
    const { page } = await logInAt(fake, {
      parameters: { prompt: 'consent', state: 'mine', redirect_uri: 'https://evil.example' },
    });
    const parameters = Object.fromEntries(page.searchParams);
    expect(parameters).toMatchObject({
      scope: 'read:user',
      prompt: 'consent',
      code_challenge_method: 'S256',
      redirect_uri: FRONT + CALLBACK,
    });
    expect(parameters).not.toHaveProperty('nonce');
    expect(parameters.state).not.toBe('mine');
    const [token, user] = fake.requests;
    expect(token).toMatchObject({
      method: 'POST',
      path: '/token',
      authorization: `Basic ${Buffer.from('the+client:the+secret').toString('base64')}`,
    });
    const sent = Object.fromEntries(token?.body ?? []);
    expect(sent).toMatchObject({ code: 'a-code', redirect_uri: FRONT + CALLBACK, grant_type: 'authorization_code' });
    expect(sent.code_verifier).toMatch(/^[\w-]{43}$/);
    expect(user).toMatchObject({ method: 'GET', path: '/user', authorization: 'Bearer an-access-token' });
  });

  test('that is a public client is sent no secret', async () => {
    await logInAt(fake, { clientSecret: undefined });
    expect(fake.requests[0]?.authorization).toBe('');
    expect(fake.requests[0]?.body.get('client_id')).toBe('the client');
  });

  test('may send `iss`: without a configured issuer there is nothing to compare it with', async () => {
    const { browser } = await logInAt(fake, {}, { iss: 'https://any.example' });
    expect((await whoIs(browser)).id).toBeTypeOf('string');
  });

  test('does not accept a number that JSON rounds as a subject', async () => {
    fake.responses['/user'] = { body: '{"id": 9007199254740993}' };
    expect((await logInAt(fake)).error).toBe('profile_failed');
  });
});

/** A login at the fake as a provider of OpenID Connect, whose ID token and userinfo say what a test wants. */
function logInWithIdToken(token: Record<string, unknown>, userinfo: object = { sub: 'openid-1' }) {
  const settings = { scopes: ['openid'], issuer: fake.url, profile: {} };
  return logInAt(fake, settings, {}, (page) => {
    const now = Math.floor(Date.now() / 1_000);
    const standard = { iss: fake.url, aud: 'the client', sub: 'openid-1', iat: now, exp: now + 60 };
    const claims = { ...standard, nonce: page.searchParams.get('nonce'), ...token };
    const parts = [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    fake.responses['/token'] = { body: { ...TOKEN, id_token: `${parts.join('.')}.c2lnbmF0dXJl` } };
    fake.responses['/user'] = { body: userinfo };
  });
}

describe('an ID token', () => {
  test('is read together with the userinfo, which counts more', async () => {
    const { browser } = await logInWithIdToken(
      { email: 'token@example.org', email_verified: true, picture: 'https://example.org/token.png' },
      { sub: 'openid-1', email: 'info@example.org', email_verified: true },
    );
    expect(await whoIs(browser)).toMatchObject({
      emails: ['info@example.org'],
      avatarUrl: 'https://example.org/token.png',
    });
  });

  test('verifies the address in it, not another one in the userinfo', async () => {
    const { email } = await person('victim');
    const token = { email: 'token@example.org', email_verified: true };
    const { browser } = await logInWithIdToken({ sub: 'openid-3', ...token }, { sub: 'openid-3', email });
    expect(await whoIs(browser)).toMatchObject({ emails: [] });
    const same = await logInWithIdToken({ sub: 'openid-4', ...token }, { sub: 'openid-4', email: token.email });
    expect(await whoIs(same.browser)).toMatchObject({ emails: [token.email] });
  });

  test.for([
    [{ iss: 'https://evil.example' }],
    [{ aud: 'another client' }],
    [{ nonce: 'another nonce' }],
    [{ nonce: undefined }],
    [{ exp: 1 }],
    [{ sub: undefined }],
  ])('with %j is refused', async ([token = {}]) => {
    expect((await logInWithIdToken(token)).error).toBe('exchange_failed');
  });

  test('of another subject than the userinfo is refused', async () => {
    expect((await logInWithIdToken({}, { sub: 'openid-2' })).error).toBe('profile_failed');
    expect((await logInWithIdToken({}, {})).error).toBe('profile_failed');
  });
});
