/** The credential of a request: a valid access token in the cookie or the header. */
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { signedTokens } from '#core/identity/tokens.ts';
import { person } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';

const call = probe();
const alice = await person('alice');

test.for<[string, (token: string) => Record<string, string>]>([
  ['in the header', (token) => ({ authorization: `Bearer ${token}` })],
  ['with another case and more spaces', (token) => ({ authorization: `bearer   ${token}` })],
  ['in the cookie', (token) => ({ cookie: `theme=dark; access_token=${token}` })],
])('a valid token %s is accepted', async ([, headersOf]) => {
  expect((await call({ headers: headersOf(alice.token) })).status).toBe(200);
});

describe('401 with WWW-Authenticate', () => {
  const kinds = ['expired', 'of a foreign key', 'for another audience', 'of another issuer', 'unsigned', 'HS256'];
  test.for(kinds)('for a token that is not valid: %s', async (kind) => {
    const token = (await badTokens())[kind] ?? '';
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `access_token=${token}` }]) {
      const response = await call({ headers });
      expect(response).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test.for([
    '',
    'Bearer',
    'Bearer no.jwt.atall',
    'Basic YWxpY2U6',
    'Bearer a b',
  ])('for the header %j', async (authorization) => {
    expect((await call({ headers: { authorization } })).status).toBe(401);
  });
});

test('an operation for everybody ignores a token that is not valid', async () => {
  const open = probe({ spec: { access: { credential: 'none' } } });
  expect((await open({ headers: { authorization: 'Bearer nonsense' } })).status).toBe(200);
});

/** Tokens that are no credential, by what is wrong with them. */
async function badTokens(): Promise<Record<string, string>> {
  const { config, now, tokens } = app();
  const { token: settings } = config;
  const caller = { id: alice.id, roles: ['USER', 'ADMIN'] as const };
  const foreignKey = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: settings.key.kid };
  const payload = { roles: ['USER'], sub: caller.id, iss: settings.issuer, aud: settings.audience, exp: 2 ** 40 };
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    expired: await tokens.sign(caller, new Date(now().getTime() - 7_200_000)),
    'of a foreign key': await signedTokens({ ...settings, key: foreignKey }).sign(caller, now()),
    'for another audience': await signedTokens({ ...settings, audience: 'another' }).sign(caller, now()),
    'of another issuer': await signedTokens({ ...settings, issuer: 'another' }).sign(caller, now()),
    unsigned: `${base64({ alg: 'none' })}.${base64(payload)}.`,
    HS256: await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', kid: settings.key.kid })
      .sign(Buffer.from(settings.key.x ?? '', 'base64url')),
  };
}
