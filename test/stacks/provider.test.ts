/**
 * What the local identity provider refuses and how it protects its pages. That people sign in and connect through it is
 * in `test/operations/auth` and `test/operations/connections`.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import { sha256 } from '#core/schema/hash.ts';
import { freePort } from '#stacks/local/dynamo/dynamo.ts';
import { type LocalProvider, startProvider } from '#stacks/local/identity/provider.ts';
import { pick } from '#test/support/provider.ts';

let provider: LocalProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

type Name = 'LOGIN_PROVIDER_1' | 'LOGIN_PROVIDER_2' | 'PROVIDER_TWO';
const CALLBACK = 'http://127.0.0.1:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';
const VERIFIER = 'v'.repeat(43);
const settingsOf = (name: Name, from = provider) => ProviderSettings().parse(JSON.parse(from.settings[name]));

const Tokens = z.looseObject({ access_token: z.string().optional(), error: z.string().optional() });

/** The URL of an authorization request of the service, with some parameters changed. */
function urlOf(change: Record<string, string> = {}, name: Name = 'LOGIN_PROVIDER_1', from = provider): URL {
  const { clientId, scopes } = settingsOf(name, from);
  const url = new URL(`${from.issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK.replaceAll('LOGIN_PROVIDER_1', name),
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge: Buffer.from(sha256(Buffer.from(VERIFIER), 'hex'), 'hex').toString('base64url'),
    code_challenge_method: 'S256',
    state: 'the-state',
    ...change,
  }).toString();
  return url;
}

/** The page that a browser shows for an authorization request. */
async function readPage(url: URL) {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  const shown = location ? await fetch(new URL(location, url), { headers: { cookie: cookie.join('; ') } }) : response;
  return { status: shown.status, page: await shown.text(), headers: shown.headers };
}

/** The response to an exchange of the code of a callback, by a client. */
async function exchange(callback: string, code_verifier = VERIFIER, by: Name = 'LOGIN_PROVIDER_1') {
  const { clientId, clientSecret = '' } = settingsOf(by);
  const code = new URL(callback).searchParams.get('code') ?? '';
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier });
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const response = await fetch(`${provider.issuer}/token`, { method: 'POST', body, headers: { authorization } });
  return { status: response.status, tokens: Tokens.parse(await response.json()) };
}

test.for<[what: string, change: Record<string, string>, error: RegExp]>([
  ['prompt=none', { prompt: 'none' }, /^login_required$/],
  ['no challenge', { code_challenge: '', code_challenge_method: '' }, /invalid_request/],
  ['a plain challenge', { code_challenge_method: 'plain' }, /invalid_request/],
  ['another flow', { response_type: 'code id_token', nonce: 'n' }, /unsupported_response_type|unauthorized_client/],
])('a request with %s gets an error instead of a code', async ([, change, error]) => {
  const { searchParams, hash } = new URL(await pick(urlOf(change).href, 'alice'));
  expect(searchParams.get('error') ?? hash).toMatch(error);
  expect(searchParams.has('code')).toBe(false);
});

test.for<[what: string, redirect_uri: string]>([
  ['of another host', CALLBACK.replace('127.0.0.1', 'forms.example.org')],
  ['of a host with the same prefix', CALLBACK.replace('127.0.0.1:3000', '127.0.0.1.example.org')],
  ['with another scheme', CALLBACK.replace('http:', 'https:')],
  ['with another path', 'http://127.0.0.1:3000/elsewhere'],
  ['with a query', `${CALLBACK}?next=1`],
  ['of another client', CALLBACK.replaceAll('LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2')],
])('a callback %s is refused without a redirect', async ([, redirect_uri]) => {
  const { status, page, headers } = await readPage(urlOf({ redirect_uri }));
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect(page).toContain('invalid_redirect_uri');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('a code is good once, for its client and with its verifier; other pages cannot read the profile', async () => {
  const callback = () => pick(urlOf().href, 'alice');
  for (const refused of [
    await exchange(await callback(), 'w'.repeat(43)),
    await exchange(await callback(), VERIFIER, 'LOGIN_PROVIDER_2'),
  ]) {
    expect(refused).toMatchObject({ status: 400, tokens: { error: 'invalid_grant' } });
  }
  const good = await callback();
  const { status, tokens } = await exchange(good);
  expect(status).toBe(200);
  const authorization = `Bearer ${tokens.access_token}`;
  const read = (headers: object) => fetch(`${provider.issuer}/me`, { headers: { authorization, ...headers } });
  expect((await read({})).status).toBe(200);
  const elsewhere = await read({ origin: 'http://127.0.0.1:3000' });
  expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([400, null]);
  expect(await exchange(good)).toMatchObject({ status: 400, tokens: { error: 'invalid_grant' } });
  expect((await read({})).status).toBe(401);
});

describe('the page', () => {
  test('names the client and what it requests, has a button for each person, a strict policy and no script', async () => {
    const redirect_uri = 'http://localhost:4711/api/oauth/callback/PROVIDER_TWO';
    const { status, page, headers } = await readPage(urlOf({ redirect_uri }, 'PROVIDER_TWO'));
    expect(status).toBe(200);
    for (const text of ['Form service (PROVIDER_TWO)', 'http://localhost:4711', 'your name, your username']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('your e-mail address, and');
    expect(page).toContain('alice@example.org (not verified)');
    const labels = [...page.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label);
    const people = ['alice', 'bob', 'chelsea', 'dave', 'oscar', 'frank', 'mallory'];
    expect(labels).toEqual([...people.map((name) => `Continue as ${name}`), 'Deny']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' [^;]+; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  test('escapes names and redirect URIs', async () => {
    const name = '"><script>alert(1)</script>&amp;';
    const odd = { sub: name, preferred_username: name, email: name, email_verified: true, name };
    const other = await startProvider({ people: [odd] });
    for (const change of [{}, { redirect_uri: 'http://x.example/<script>' }]) {
      expect((await readPage(urlOf(change, 'LOGIN_PROVIDER_1', other))).page).not.toContain('<script');
    }
    await other.stop();
  });

  test('is shown at each request, and accepts no choice from a browser that did not send the request', async () => {
    const cookies = new Map<string, string>();
    for (const who of ['alice', 'bob']) expect(await pick(urlOf().href, who, cookies)).toContain('code=');
    const silent = await pick(urlOf({ prompt: 'none' }).href, 'alice', cookies);
    expect(new URL(silent).searchParams.get('error')).toBe('login_required');
    const location = (await fetch(urlOf(), { redirect: 'manual' })).headers.get('location') ?? '';
    const body = new URLSearchParams({ deny: 'yes' });
    const result = await fetch(new URL(location, urlOf()), { method: 'POST', body });
    expect([result.status, await result.text()]).toEqual([400, expect.stringContaining('The request has ended')]);
  });

  test('has cookies for its own paths only, because the service shares its host', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    await pick(urlOf().href, 'alice');
    const responses = await Promise.all(fetched.mock.settledResults.map(({ value }) => value));
    fetched.mockRestore();
    const lines = responses.flatMap((response) => response.headers.getSetCookie());
    expect(lines.some((line) => line.startsWith('_session='))).toBe(true);
    expect(lines.filter((line) => !/; path=\/(?:auth|pick)\b.*; httponly/i.test(line))).toEqual([]);
  });
});

test('stopping ends idle connections and incomplete requests, and frees the port', async () => {
  const port = await freePort();
  const first = await startProvider({ port });
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
