/** Login through an identity provider: which account an identity belongs to. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadAccount } from '#core/accounts/accounts.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { gate, withConfig, withTable } from '#test/support/faults.ts';
import { type Person, person } from '#test/support/fixtures.ts';
import { browserOf, FRONT, followToCallback, locationOf, logIn, stateOf, whoIs } from '#test/support/oauth.ts';
import { cookiesOf } from '#test/support/sessions.ts';
import { everythingStored } from '#test/support/stored.ts';

let alice: Person;
beforeAll(async () => {
  alice = await person('alice', { email: 'Alice@Example.org' });
});

const readIdentity = async (provider: string, subject: string) =>
  (await app().table.read([keys.identity(provider, subject)]))[0];
const emailOwner = async (email: string) => (await app().table.read([keys.email(email)]))[0]?.userId;

describe('a new person', () => {
  test('gets an account that is not onboarded, with the verified e-mail address and the picture', async () => {
    const browser = browserOf();
    const response = await logIn(browser, 'frank');
    expect(locationOf(response)).toBe(`${FRONT}/done`);
    expect(await whoIs(browser)).toEqual({
      id: expect.any(String),
      username: '',
      name: '',
      emails: ['frank@example.org'],
      roles: ['USER'],
      require_onboarding: true,
      avatarUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pictures\/frank\.svg$/),
    });
  });

  test('is the same user the next time, in whatever browser', async () => {
    const [first, second] = [browserOf(), browserOf()];
    await logIn(first, 'frank');
    await logIn(second, 'frank');
    expect((await whoIs(second)).id).toBe((await whoIs(first)).id);
  });

  test.for([
    ['with a verified address', 'chelsea'],
    ['without one', 'mallory'],
  ])('%s is one user when two browsers log in for the first time at once', async ([, who = '']) => {
    const browsers = [browserOf(), browserOf()];
    const callbacks = await Promise.all(browsers.map((browser) => followToCallback(browser, who)));
    const looked = gate();
    let waiting = 0;
    await withTable(
      (table) => ({
        read: async (wanted) => {
          const found = await table.read(wanted);
          // Both read that there is no identity before either continues.
          if (wanted.some(({ sk }) => sk === 'IDENTITY') && waiting < 2) {
            waiting += 1;
            if (waiting === 2) looked.open();
            await looked.wait();
          }
          return found;
        },
      }),
      () => Promise.all(browsers.map((browser, index) => browser.visit(callbacks[index] ?? ''))),
    );
    const [one, other] = await Promise.all(browsers.map(whoIs));
    expect(one?.id).toBe(other?.id);
    expect(await readIdentity('LOGIN_PROVIDER_1', `person-${who}`)).toMatchObject({ userId: one?.id });
  });

  test('with the address of an operator is one', async () => {
    const browser = browserOf();
    await logIn(browser, 'oscar');
    expect(await whoIs(browser)).toMatchObject({ roles: ['USER', 'ADMIN'] });
  });
});

describe('a verified e-mail address', () => {
  test('links the identity to the user who has it, without regard to case', async () => {
    const browser = browserOf();
    await logIn(browser, 'alice');
    expect(await whoIs(browser)).toMatchObject({
      id: alice.id,
      emails: ['Alice@Example.org'],
      require_onboarding: false,
    });
    expect(await readIdentity('LOGIN_PROVIDER_1', 'person-alice')).toMatchObject({ userId: alice.id });
  });

  test('links the identities at two providers to one user', async () => {
    const [first, second] = [browserOf(), browserOf()];
    await logIn(first, 'dave', undefined, 'LOGIN_PROVIDER_1');
    await logIn(second, 'dave', undefined, 'LOGIN_PROVIDER_2');
    const { id } = await whoIs(first);
    expect((await whoIs(second)).id).toBe(id);
    expect(await readIdentity('LOGIN_PROVIDER_1', 'person-dave')).toMatchObject({ userId: id });
    expect(await readIdentity('LOGIN_PROVIDER_2', 'person-dave')).toMatchObject({ userId: id });
  });

  test('is not needed once the identity is known', async () => {
    const browser = browserOf();
    await logIn(browser, 'bob');
    const { id } = await whoIs(browser);
    const pointer = keys.email('bob@example.org');
    await app().table.write([{ put: { ...pointer, userId: alice.id } }]);
    await logIn(browser, 'bob');
    expect((await whoIs(browser)).id).toBe(id);
    await app().table.write([{ put: { ...pointer, userId: id } }]);
  });
});

describe('an unverified e-mail address', () => {
  test('links nothing, is not stored, and leaves the address to its owner', async () => {
    const browser = browserOf();
    await logIn(browser, 'mallory');
    const mallory = await whoIs(browser);
    expect(mallory).toMatchObject({ emails: [], roles: ['USER'], require_onboarding: true });
    expect(mallory.id).not.toBe(alice.id);
    expect(await emailOwner('alice@example.org')).toBe(alice.id);
  });

  test('creates a separate user for each provider', async () => {
    const [first, second] = [browserOf(), browserOf()];
    await logIn(first, 'mallory', undefined, 'LOGIN_PROVIDER_1');
    await logIn(second, 'mallory', undefined, 'LOGIN_PROVIDER_2');
    expect((await whoIs(first)).id).not.toBe((await whoIs(second)).id);
  });
});

describe('an identity', () => {
  test('whose account has no address takes the one that was verified meanwhile', async () => {
    const browser = browserOf();
    const account = await newAccount('person-frank', 'LOGIN_PROVIDER_2');
    await app().table.write([{ remove: keys.email('frank@example.org') }]);
    await logIn(browser, 'frank', undefined, 'LOGIN_PROVIDER_2');
    expect(await whoIs(browser)).toMatchObject({ id: account, emails: ['frank@example.org'] });
    expect(await emailOwner('frank@example.org')).toBe(account);
  });

  test('whose account has an address keeps to that one', async () => {
    const browser = browserOf();
    const { id, email } = await person('nora');
    await app().table.write([
      { put: { ...keys.identity('LOGIN_PROVIDER_2', 'person-frank'), userId: id } },
      { remove: keys.email('frank@example.org') },
    ]);
    await logIn(browser, 'frank', undefined, 'LOGIN_PROVIDER_2');
    expect(await whoIs(browser)).toMatchObject({ id, emails: [email] });
    expect(await emailOwner('frank@example.org')).toBeUndefined();
  });

  test('whose account is gone gets a new account', async () => {
    const browser = browserOf();
    await logIn(browser, 'mallory');
    const { id } = await whoIs(browser);
    await app().table.write([{ remove: keys.account(id) }]);
    await logIn(browser, 'mallory');
    const now = await whoIs(browser);
    expect(now.id).not.toBe(id);
    expect(await readIdentity('LOGIN_PROVIDER_1', 'person-mallory')).toMatchObject({ userId: now.id });
  });

  test('is not linked to an account that goes away meanwhile', async () => {
    const erin = await person('erin', { email: 'erin@example.org' });
    await app().table.write([{ put: { ...keys.email('bob@example.org'), userId: erin.id } }]);
    await app().table.write([{ remove: keys.identity('LOGIN_PROVIDER_1', 'person-bob') }]);
    const browser = browserOf();
    let isGone = false;
    await withTable(
      (table) => ({
        write: async (writes) => {
          const links = writes.some((write) => 'put' in write && write.put.sk === 'IDENTITY');
          if (links && !isGone) {
            isGone = true;
            await table.write([{ remove: keys.account(erin.id) }]);
          }
          await table.write(writes);
        },
      }),
      () => logIn(browser, 'bob'),
    );
    expect((await whoIs(browser)).id).not.toBe(erin.id);
  });
});

/** An account without an address that an identity belongs to; its id. */
async function newAccount(subject: string, provider: string): Promise<string> {
  const { id } = await person('nameless');
  const account = await loadAccount(app().table, id);
  const { version: _, memberships: __, ...stored } = { ...account, emails: [] };
  await app().table.write([
    { update: keys.account(id), set: { data: JSON.stringify(stored) } },
    { put: { ...keys.identity(provider, subject), userId: id } },
  ]);
  return id;
}

describe('the session', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is that of a login by user ID: the same cookies with the configured attributes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const cookies = { secure: true, sameSite: 'strict' as const, domain: 'example.org' };
    await withConfig({ cookies }, async () => {
      const { access_token, refresh_token } = cookiesOf(await logIn(browserOf(), 'alice'));
      const set = { httponly: '', path: '/', samesite: 'Strict', secure: '', domain: 'example.org' };
      expect(access_token?.attributes).toEqual({ ...set, 'max-age': '3600' });
      expect(refresh_token?.attributes).toEqual({ ...set, 'max-age': '2592000' });
    });
  });
});

describe('a person who denies', () => {
  test('comes back to c with the code of the provider and no session, and no user is created', async () => {
    const browser = browserOf();
    const before = await everythingStored();
    const callback = await followToCallback(browser, 'deny', { c: `${FRONT}/done?tab=2#top`, r: '/forms' });
    const response = await browser.visit(callback);
    expect(locationOf(response)).toBe(`${FRONT}/done?tab=2&r=%2Fforms&status=error&error=access_denied#top`);
    expect(Object.keys(cookiesOf(response))).toEqual([expect.stringMatching(/^oauth_/)]);
    const created = (await everythingStored()).filter((item) => !before.includes(item));
    expect(created.map((item) => item.split('#')[0])).toEqual(['STATE']);
  });

  test.for([
    ['access_denied', 'access_denied'],
    ['a'.repeat(150), 'a'.repeat(100)],
    ['not "this"', 'provider_error'],
    ['line\r\nSet-Cookie: a=b', 'provider_error'],
    ['&status=success', '&status=success'],
    ['錯誤', 'provider_error'],
    ['\u0000', 'provider_error'],
  ])('is redirected with %j as the error %j', async ([error = '', code]) => {
    const browser = browserOf();
    const callback = new URL(await followToCallback(browser, 'deny'));
    const state = stateOf(callback.href);
    callback.search = `?${new URLSearchParams({ error, state })}`;
    const location = new URL(locationOf(await browser.visit(callback.href)));
    expect(location.origin + location.pathname).toBe(`${FRONT}/done`);
    expect([...location.searchParams]).toEqual([
      ['status', 'error'],
      ['error', code],
    ]);
  });

  test('without a code and without an error is missing_code', async () => {
    const browser = browserOf();
    const callback = new URL(await followToCallback(browser, 'alice'));
    callback.searchParams.delete('code');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${FRONT}/done?status=error&error=missing_code`);
  });
});
