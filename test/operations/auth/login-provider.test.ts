/** Logging in through an identity provider: whose account an identity is (contract section 2). */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadAccount } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { gate, withConfig, withTable } from '#test/support/faults.ts';
import { browserOf, callbackOf, FRONT, locationOf, logIn, stateOf, whoIs } from '#test/support/journeys.ts';
import { cookiesOf } from '#test/support/sessions.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Person, person } from '#test/support/world.ts';

let alice: Person;
beforeAll(async () => {
  alice = await person('alice', { email: 'Alice@Example.org' });
});

const identityOf = async (provider: string, subject: string) =>
  (await app().table.read([keys.identity(provider, subject)]))[0];
const emailOwner = async (email: string) => (await app().table.read([keys.email(email)]))[0]?.userId;

describe('somebody new', () => {
  test('gets an account that is to be onboarded, with the verified e-mail address and the picture', async () => {
    const browser = browserOf();
    const answer = await logIn(browser, 'frank');
    expect(locationOf(answer)).toBe(`${FRONT}/done`);
    expect(await whoIs(browser)).toEqual({
      id: expect.any(String),
      username: '',
      name: '',
      emails: ['frank@example.org'],
      roles: ['USER'],
      require_onboarding: true,
      avatarUrl: 'https://example.org/pictures/frank.png',
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
    const callbacks = await Promise.all(browsers.map((browser) => callbackOf(browser, who)));
    const looked = gate();
    let waiting = 0;
    await withTable(
      (table) => ({
        read: async (wanted) => {
          const found = await table.read(wanted);
          // Both have seen that there is nobody before either goes on.
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
    expect(await identityOf('LOGIN_PROVIDER_1', `person-${who}`)).toMatchObject({ userId: one?.id });
  });

  test('with an address of an operator is one', async () => {
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
    expect(await identityOf('LOGIN_PROVIDER_1', 'person-alice')).toMatchObject({ userId: alice.id });
  });

  test('makes the identities at two providers those of one user', async () => {
    const [first, second] = [browserOf(), browserOf()];
    await logIn(first, 'dave', undefined, 'LOGIN_PROVIDER_1');
    await logIn(second, 'dave', undefined, 'LOGIN_PROVIDER_2');
    const { id } = await whoIs(first);
    expect((await whoIs(second)).id).toBe(id);
    expect(await identityOf('LOGIN_PROVIDER_1', 'person-dave')).toMatchObject({ userId: id });
    expect(await identityOf('LOGIN_PROVIDER_2', 'person-dave')).toMatchObject({ userId: id });
  });

  test('is not needed any more once the identity is known', async () => {
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

describe('an e-mail address that nobody verified', () => {
  test('links nothing, is shown nowhere, and leaves the address to its owner', async () => {
    const browser = browserOf();
    await logIn(browser, 'mallory');
    const mallory = await whoIs(browser);
    expect(mallory).toMatchObject({ emails: [], roles: ['USER'], require_onboarding: true });
    expect(mallory.id).not.toBe(alice.id);
    expect(await emailOwner('alice@example.org')).toBe(alice.id);
  });

  test('makes a user of their own at each provider', async () => {
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

  test('whose account is gone is that of somebody new', async () => {
    const browser = browserOf();
    await logIn(browser, 'mallory');
    const { id } = await whoIs(browser);
    await app().table.write([{ remove: keys.account(id) }]);
    await logIn(browser, 'mallory');
    const now = await whoIs(browser);
    expect(now.id).not.toBe(id);
    expect(await identityOf('LOGIN_PROVIDER_1', 'person-mallory')).toMatchObject({ userId: now.id });
  });

  test('is not linked to an account that goes away meanwhile', async () => {
    const erin = await person('erin', { email: 'erin@example.org' });
    await app().table.write([{ put: { ...keys.email('bob@example.org'), userId: erin.id } }]);
    await app().table.write([{ remove: keys.identity('LOGIN_PROVIDER_1', 'person-bob') }]);
    const browser = browserOf();
    let isGone = false;
    await withTable(
      (table) => ({
        write: async (writes, writeId) => {
          const links = writes.some((write) => 'put' in write && write.put.sk === 'IDENTITY');
          if (links && !isGone) {
            isGone = true;
            await table.write([{ remove: keys.account(erin.id) }]);
          }
          await table.write(writes, writeId);
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
  test('is that of a login by user ID: the same cookies with the configured attributes', async () => {
    const cookies = { secure: true, sameSite: 'Strict' as const, domain: 'example.org' };
    await withConfig({ cookies }, async () => {
      const { access_token, refresh_token } = cookiesOf(await logIn(browserOf(), 'alice'));
      const set = { httponly: '', path: '/', samesite: 'Strict', secure: '', domain: 'example.org' };
      expect(access_token?.attributes).toEqual({ ...set, 'max-age': '3600' });
      expect(refresh_token?.attributes).toEqual({ ...set, 'max-age': '2592000' });
    });
  });
});

describe('who denies', () => {
  test('comes back to c with the code of the provider and no session, and nobody is made', async () => {
    const browser = browserOf();
    const before = await everythingStored();
    const callback = await callbackOf(browser, 'deny', { c: `${FRONT}/done?tab=2#top`, r: '/forms' });
    const answer = await browser.visit(callback);
    expect(locationOf(answer)).toBe(`${FRONT}/done?tab=2&r=%2Fforms&status=error&error=access_denied#top`);
    expect(Object.keys(cookiesOf(answer))).toEqual([expect.stringMatching(/^journey_/)]);
    const made = (await everythingStored()).filter((item) => !before.includes(item));
    expect(made.map((item) => item.split('#')[0])).toEqual(['STATE']);
  });

  test.for([
    ['access_denied', 'access_denied'],
    ['a'.repeat(150), 'a'.repeat(100)],
    ['not "this"', 'provider_error'],
    ['line\r\nSet-Cookie: a=b', 'provider_error'],
    ['&status=success', '&status=success'],
    ['錯誤', 'provider_error'],
    ['\u0000', 'provider_error'],
  ])('is told %j as the error %j, and nothing else changes', async ([error = '', told]) => {
    const browser = browserOf();
    const callback = new URL(await callbackOf(browser, 'deny'));
    const state = stateOf(callback.href);
    callback.search = `?${new URLSearchParams({ error, state })}`;
    const location = new URL(locationOf(await browser.visit(callback.href)));
    expect(location.origin + location.pathname).toBe(`${FRONT}/done`);
    expect([...location.searchParams]).toEqual([
      ['status', 'error'],
      ['error', told],
    ]);
  });

  test('without a code and without an error is told missing_code', async () => {
    const browser = browserOf();
    const callback = new URL(await callbackOf(browser, 'alice'));
    callback.searchParams.delete('code');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${FRONT}/done?status=error&error=missing_code`);
  });
});
