/** Login by user ID, and the access token in cookie and header. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { User } from '#core/accounts/model.ts';
import { app, createApp } from '#core/http/app.ts';
import { withConfig } from '#test/support/faults.ts';
import { clientWith, expectProblem, type Person, person } from '#test/support/fixtures.ts';
import { cookiesOf, login, newSession, whoAmI } from '#test/support/sessions.ts';

let alice: Person;
let bob: Person;
beforeAll(async () => {
  [alice, bob] = await Promise.all([person('alice'), person('bob')]);
});
afterEach(() => {
  vi.useRealTimers();
});

const loginProblem = (uid: unknown) => expectProblem(clientWith().auth.loginInternal({ body: { uid: String(uid) } }));
const nobodyId = '00000000-0000-4000-8000-0000000000ff';

describe('login by user ID', () => {
  test('returns a message and both cookies, which the browser keeps from scripts and sends everywhere', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const response = await login(alice.id);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    const { access_token, refresh_token } = cookiesOf(response);
    expect(access_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '3600' });
    expect(refresh_token?.attributes).toEqual({ httponly: '', path: '/', samesite: 'Lax', 'max-age': '2592000' });
  });

  test('takes SameSite, Secure and Domain of the cookies, and how long they last, from the configuration', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { token } = app().config;
    const cookies = { secure: true, sameSite: 'none' as const, domain: 'forms.example.org' };
    await withConfig({ cookies, token: { ...token, accessMinutes: 5, refreshDays: 1 } }, async () => {
      const { access_token, refresh_token } = cookiesOf(await login(alice.id));
      const set = { httponly: '', path: '/', samesite: 'None', secure: '', domain: 'forms.example.org' };
      expect(access_token?.attributes).toEqual({ ...set, 'max-age': '300' });
      expect(refresh_token?.attributes).toEqual({ ...set, 'max-age': '86400' });
    });
  });

  test('makes a refresh token of 256 random bits that is not stored as it is', async () => {
    const { refresh } = await newSession(alice);
    const [familyId = '', secret = ''] = refresh.split('.');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const [stored] = await app().table.read([{ pk: `REFRESH#${familyId}`, sk: 'REFRESH' }]);
    expect(stored).toMatchObject({ userId: alice.id });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test('returns 404 for an unknown user', async () => {
    expect(await loginProblem(nobodyId)).toMatchObject({ status: 404, title: 'Not Found' });
  });

  test.for(['alice', '', 'A'.repeat(36)])('returns 400 for %j, which is not a UUID', async (uid) => {
    expect(await loginProblem(uid)).toMatchObject({ status: 400, errors: [{ pointer: '/body/uid' }] });
  });

  test('returns 400 for an upper-case UUID', async () => {
    expect(await loginProblem(alice.id.toUpperCase())).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/uid' }],
    });
  });

  test('returns 400 without a uid', async () => {
    const response = await login(undefined);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/body/uid', detail: 'is required' }] });
  });

  test('returns 404 to everybody where the configuration does not enable it, even for a bad body', async () => {
    await withConfig({ internalLogin: false }, async () => {
      expect((await login(alice.id)).status).toBe(404);
      expect((await login('nonsense')).status).toBe(404);
    });
  });
});

describe('the credential', () => {
  const readId = async (response: Response): Promise<string> => User().parse(await response.json()).id;

  test('is read from the cookie', async () => {
    const { access } = await newSession(alice);
    expect(await readId(await whoAmI({ cookie: `other=1; access_token=${access}` }))).toBe(alice.id);
  });

  test('is read from the Authorization header where there is no cookie, whatever the case of Bearer', async () => {
    expect(await readId(await whoAmI({ authorization: `Bearer ${alice.token}` }))).toBe(alice.id);
    expect(await readId(await whoAmI({ authorization: `bearer ${alice.token}` }))).toBe(alice.id);
  });

  test('is read from the cookie before the Authorization header', async () => {
    const { access } = await newSession(alice);
    const both = { cookie: `access_token=${access}`, authorization: `Bearer ${bob.token}` };
    expect(await readId(await whoAmI(both))).toBe(alice.id);
  });

  test.for([
    ['missing', {}],
    ['malformed', { authorization: 'Bearer nonsense' }],
    ['of another scheme', { authorization: 'Basic YWxpY2U6c2VjcmV0' }],
    ['an empty cookie', { cookie: 'access_token=' }],
  ] as const)('that is %s returns 401 with WWW-Authenticate: Bearer', async ([, headers]) => {
    const response = await whoAmI(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      title: 'Unauthorized',
      detail: 'Authentication credentials were missing or invalid',
    });
  });

  test('expires after 60 minutes', async () => {
    const { access } = await newSession(alice);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * 60_000 });
    expect((await whoAmI({ cookie: `access_token=${access}` })).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expect((await whoAmI({ cookie: `access_token=${access}` })).status).toBe(401);
  });

  test('whose signature or claims were changed returns 401', async () => {
    const [head = '', claims = '', signature = ''] = alice.token.split('.');
    const forged = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const asBob = Buffer.from(JSON.stringify({ ...forged, sub: bob.id })).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const token of [`${head}.${asBob}.${signature}`, `${unsigned}.${claims}.`, `${head}.${claims}.AAAA`]) {
      expect((await whoAmI({ authorization: `Bearer ${token}` })).status).toBe(401);
    }
  });

  test.for(['issuer', 'audience'] as const)('of another %s returns 401', async (part) => {
    const { token } = app().config;
    const stranger = createApp({ ...app().config, token: { ...token, [part]: 'somebody else' } });
    const foreign = await stranger.tokens.sign({ id: alice.id, roles: ['USER'] }, new Date());
    expect((await whoAmI({ authorization: `Bearer ${foreign}` })).status).toBe(401);
  });

  test('of an account that does not exist returns 401', async () => {
    const token = await app().tokens.sign({ id: nobodyId, roles: ['USER'] }, new Date());
    expect((await whoAmI({ authorization: `Bearer ${token}` })).status).toBe(401);
  });
});
