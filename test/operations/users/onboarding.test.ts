/** The current user, and choosing a username and a name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { readFaults, requestAs } from '#test/support/building.ts';
import { withConfig } from '#test/support/faults.ts';
import { expectProblem, type Person, person } from '#test/support/fixtures.ts';

const newcomer = (): Promise<Person> => person('newcomer', { onboarded: false });

const onboard = async ({ client }: Person, username: string, name = 'some_name') =>
  (await client.users.onboardUser({ body: { username, name } })).body;
const onboardProblem = (who: Person, username: string) => expectProblem(onboard(who, username));
const onboardFaults = (who: Person, body: unknown) => readFaults(who, 'PUT', '/api/users/onboarding', body);
const me = async ({ client }: Person) => (await client.users.getCurrentUser()).body;
const unique = (): string => `u-${crypto.randomUUID().slice(0, 12)}`;

describe('the current user', () => {
  test('has all the fields of a User and nothing else', async () => {
    const alice = await person('alice');
    expect(await me(alice)).toEqual({
      id: alice.id,
      username: `alice-${alice.id.slice(0, 8)}`,
      name: 'alice_1',
      emails: [alice.email],
      roles: ['USER'],
      require_onboarding: false,
      avatarUrl: '',
    });
  });

  test('has to be onboarded until a username and a name are chosen', async () => {
    const who = await newcomer();
    expect(await me(who)).toMatchObject({ username: '', name: '', require_onboarding: true });
    const username = unique();
    expect(await onboard(who, username, 'first_name')).toMatchObject({ username, require_onboarding: false });
    expect(await me(who)).toMatchObject({ username, name: 'first_name', require_onboarding: false });
  });

  test('is an operator while the configuration lists one of their e-mails, without regard to case', async () => {
    const email = `Olga.${crypto.randomUUID()}@Example.org`;
    const olga = await person('olga', { email });
    expect((await me(olga)).roles).toEqual(['USER']);
    await withConfig({ operatorEmails: new Set([email.toLowerCase()]) }, async () => {
      expect((await me(olga)).roles).toEqual(['USER', 'ADMIN']);
    });
  });

  test('signed out is 401', async () => {
    expect((await requestAs(undefined, 'GET', '/api/users/me')).status).toBe(401);
    const body = { username: 'x', name: 'nobody' };
    expect((await requestAs(undefined, 'PUT', '/api/users/onboarding', body)).status).toBe(401);
  });
});

describe('onboarding', () => {
  let who: Person;
  beforeAll(async () => {
    who = await newcomer();
  });

  test('takes a username of 1 to 64 of the characters A-Z a-z 0-9 _ . -', async () => {
    for (const username of ['a', 'A_b.c-9', 'x'.repeat(64), '-1']) {
      expect((await onboard(who, username)).username).toBe(username);
    }
    const refused = ['', 'x'.repeat(65), 'with space', 'ünal', '名前', 'a/b', 'a@b', 'line\n', ' lead'];
    for (const username of refused) {
      expect(await onboardFaults(who, { username, name: 'some_name' })).toEqual(['/body/username']);
    }
  });

  test('takes a name of 4 to 15 letters, digits or underscores', async () => {
    for (const name of ['abcd', 'a'.repeat(15), 'A_9z', '____']) {
      expect((await onboard(who, unique(), name)).name).toBe(name);
    }
    const refused = ['', 'abc', 'a'.repeat(16), 'with space', 'dot.name', 'dash-name', 'naïve', '名前名前', 'abcd\n'];
    for (const name of refused) {
      expect(await onboardFaults(who, { username: unique(), name })).toEqual(['/body/name']);
    }
  });

  test.for([
    [{}, ['/body/name', '/body/username']],
    [{ username: null, name: 7 }, ['/body/name', '/body/username']],
    [{ username: 'fine' }, ['/body/name']],
    [[], ['/body']],
    ['text', ['/body']],
    [undefined, ['/body']],
  ] as const)('reports all faults of %j at once', async ([body, pointers]) => {
    expect(await onboardFaults(who, body)).toEqual(pointers);
  });

  test('ignores unknown members', async () => {
    const body = { username: unique(), name: 'some_name', roles: ['ADMIN'], id: 'x', emails: ['oscar@example.org'] };
    const result = await requestAs(who, 'PUT', '/api/users/onboarding', body);
    expect(result).toMatchObject({ status: 200, body: { id: who.id, emails: [who.email], roles: ['USER'] } });
  });

  test('again changes both names and keeps the organizations of the user', async () => {
    const alice = await person('alice');
    const [slug, username] = [unique(), unique()];
    await alice.client.orgs.createOrganization({ body: { name: 'Rivers', description: '', metadata: {}, slug } });
    expect(await onboard(alice, username, 'new_name')).toMatchObject({ username, name: 'new_name' });
    expect(await me(alice)).toMatchObject({ username, name: 'new_name' });
    expect((await alice.client.orgs.listMyOrganizations()).body).toMatchObject([{ slug }]);
  });
});

describe('a username', () => {
  test('that passes for the service or an operator, or for no name, is 409', async () => {
    const someone = await newcomer();
    for (const username of ['admin', 'Admin', 'ad.min_', 'root', 'Support', 'form-service', 'null', '..', '-'])
      expect(await onboardProblem(someone, username)).toMatchObject({ status: 409, code: 'username_taken' });
    expect((await onboard(someone, `admin-${unique()}`)).username).toMatch(/^admin-/);
  });

  test('in use is 409, without regard to case, and changes nothing', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const username = `Taken.${unique()}`;
    await onboard(first, username);
    for (const requested of [username, username.toLowerCase(), username.toUpperCase()]) {
      expect(await onboardProblem(second, requested)).toMatchObject({
        status: 409,
        title: 'Conflict',
        code: 'username_taken',
        errors: [{ pointer: '/body/username' }],
      });
    }
    expect(await me(second)).toMatchObject({ username: '', require_onboarding: true });
  });

  test('of one’s own can be kept, and written in another case', async () => {
    const who = await newcomer();
    const username = `Mine.${unique()}`;
    await onboard(who, username);
    expect(await onboard(who, username, 'other_name')).toMatchObject({ username, name: 'other_name' });
    const upper = username.toUpperCase();
    expect((await onboard(who, upper)).username).toBe(upper);
    expect(await onboardProblem(await newcomer(), username)).toMatchObject({ status: 409 });
  });

  test('is free for others after its owner has changed it', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const [old, next] = [unique(), unique()];
    await onboard(first, old);
    await onboard(first, next);
    expect((await onboard(second, old.toUpperCase())).username).toBe(old.toUpperCase());
    expect(await onboardProblem(first, old)).toMatchObject({ status: 409 });
    expect((await me(first)).username).toBe(next);
  });

  test('goes to exactly one of many requests at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, newcomer));
    const username = unique();
    const outcomes = await Promise.allSettled(people.map((each) => onboard(each, username)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.problem.status)).toEqual([409, 409, 409, 409]);
    const users = await Promise.all(people.map(me));
    expect(users.filter((user) => user.username === username)).toHaveLength(1);
  });

  test('and name changed many times at the same time end as one of the pairs, and free the others', async () => {
    const who = await newcomer();
    const pairs = Array.from({ length: 5 }, (_, n) => ({ username: unique(), name: `name_${n}` }));
    await Promise.all(pairs.map(({ username, name }) => onboard(who, username, name)));
    const { username, name } = await me(who);
    expect(pairs).toContainEqual({ username, name });
    const other = await newcomer();
    for (const pair of pairs.filter((each) => each.username !== username)) {
      expect((await onboard(other, pair.username)).username).toBe(pair.username);
    }
    expect(await onboardProblem(other, username)).toMatchObject({ status: 409 });
  });
});
