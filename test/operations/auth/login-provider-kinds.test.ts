/** Providers of both kinds, plain OAuth 2 and OpenID Connect: what they are asked, and how they are read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeProvider, logInAt, OCTOCAT, startFakeProvider, TOKEN } from '#test/support/fake-provider.ts';
import { FRONT, locationOf, whoIs } from '#test/support/journeys.ts';
import { person } from '#test/support/world.ts';

const CALLBACK = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.asked.length = 0;
  fake.answers['/token'] = { body: TOKEN };
  fake.answers['/user'] = { body: OCTOCAT };
});

describe('a provider of plain OAuth 2', () => {
  test('signs in by the profile that its endpoint answers', async () => {
    const { browser, answer } = await logInAt(fake);
    expect(locationOf(answer)).toBe(`${FRONT}/done`);
    expect(await whoIs(browser)).toMatchObject({ emails: [], avatarUrl: 'https://example.org/octocat.png' });
  });

  test('is asked with PKCE, its own scopes and parameters, and no nonce', async () => {
    const { page } = await logInAt(fake, {
      parameters: { prompt: 'consent', state: 'mine', redirect_uri: 'https://evil.example' },
    });
    const asked = Object.fromEntries(page.searchParams);
    expect(asked).toMatchObject({
      scope: 'read:user',
      prompt: 'consent',
      code_challenge_method: 'S256',
      redirect_uri: FRONT + CALLBACK,
    });
    expect(asked).not.toHaveProperty('nonce');
    expect(asked.state).not.toBe('mine');
    const [token, user] = fake.asked;
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
    expect(fake.asked[0]?.authorization).toBe('');
    expect(fake.asked[0]?.body.get('client_id')).toBe('the client');
  });

  test('may say who it is: without a configured issuer there is nothing to compare', async () => {
    const { browser } = await logInAt(fake, {}, { iss: 'https://whoever.example' });
    expect((await whoIs(browser)).id).toBeTypeOf('string');
  });

  test('does not find somebody else by a number that JSON rounds', async () => {
    fake.answers['/user'] = { body: '{"id": 9007199254740993}' };
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
    fake.answers['/token'] = { body: { ...TOKEN, id_token: `${parts.join('.')}.c2lnbmF0dXJl` } };
    fake.answers['/user'] = { body: userinfo };
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

  test('vouches for the address in it, not for another one in the userinfo', async () => {
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
  ])('with %j is not taken', async ([token = {}]) => {
    expect((await logInWithIdToken(token)).error).toBe('exchange_failed');
  });

  test('of somebody else than the userinfo is nobody’s', async () => {
    expect((await logInWithIdToken({}, { sub: 'openid-2' })).error).toBe('profile_failed');
    expect((await logInWithIdToken({}, {})).error).toBe('profile_failed');
  });
});
