/** The current user, and choosing a username and a nickname (contract section 2, interface "User"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, faultsOf } from '#test/support/building.ts';
import { withConfig } from '#test/support/faults.ts';
import { type Person, person, problemOf } from '#test/support/world.ts';

const newcomer = (): Promise<Person> => person('newcomer', { onboarded: false });

const onboard = async ({ client }: Person, username: string, name = 'some_name') =>
  (await client.users.onboardUser({ body: { username, name } })).body;
const onboardProblem = (who: Person, username: string, name?: string) => problemOf(onboard(who, username, name));
const me = async ({ client }: Person) => (await client.users.getCurrentUser()).body;
const unique = (): string => `u-${crypto.randomUUID().slice(0, 12)}`;

describe('the current user', () => {
  test('is shown with all the fields of a User and nothing else', async () => {
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

  test('is an operator exactly while the configuration names one of their e-mails, without regard to case', async () => {
    const email = `Olga.${crypto.randomUUID()}@Example.org`;
    const olga = await person('olga', { email });
    expect((await me(olga)).roles).toEqual(['USER']);
    await withConfig({ operatorEmails: new Set([email.toLowerCase()]) }, async () => {
      expect((await me(olga)).roles).toEqual(['USER', 'ADMIN']);
    });
  });

  test('is nobody signed out: 401', async () => {
    expect((await ask(undefined, 'GET', '/api/users/me')).status).toBe(401);
    const answer = await ask(undefined, 'PUT', '/api/users/onboarding', { username: 'x', name: 'nobody' });
    expect(answer.status).toBe(401);
  });
});

describe('onboarding', () => {
  let who: Person;
  beforeAll(async () => {
    who = await newcomer();
  });

  test.for(['a', 'A_b.c-9', 'x'.repeat(64), '...', '-'])('takes the username %j', async (wanted) => {
    expect((await onboard(who, wanted)).username).toBe(wanted);
  });

  test.for([
    '',
    'x'.repeat(65),
    'with space',
    'ünal',
    '名前',
    'a/b',
    'a@b',
    'line\n',
    ' lead',
  ])('refuses the username %j with 400', async (username) => {
    expect(await onboardProblem(who, username)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/username' }],
    });
  });

  test.for(['abcd', 'a'.repeat(15), 'A_9z', '____'])('takes the name %j', async (name) => {
    expect((await onboard(who, unique(), name)).name).toBe(name);
  });

  test.for([
    '',
    'abc',
    'a'.repeat(16),
    'with space',
    'dot.name',
    'dash-name',
    'naïve',
    '名前名前',
    'abcd\n',
  ])('refuses the name %j with 400', async (name) => {
    expect(await onboardProblem(who, unique(), name)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/name' }],
    });
  });

  test.for([
    [{}, ['/body/name', '/body/username']],
    [{ username: null, name: 7 }, ['/body/name', '/body/username']],
    [{ username: 'fine' }, ['/body/name']],
    [[], ['/body']],
    ['text', ['/body']],
    [undefined, ['/body']],
  ] as const)('reports everything that is wrong with %j at once', async ([body, pointers]) => {
    expect(await faultsOf(who, 'PUT', '/api/users/onboarding', body)).toEqual(pointers);
  });

  test('ignores members that it does not know', async () => {
    const username = unique();
    const body = { username, name: 'some_name', roles: ['ADMIN'], id: 'x', emails: ['oscar@example.org'] };
    const answer = await ask(who, 'PUT', '/api/users/onboarding', body);
    expect(answer).toMatchObject({ status: 200, body: { id: who.id, emails: [who.email], roles: ['USER'] } });
  });

  test('again later changes both names', async () => {
    const username = unique();
    await onboard(who, unique(), 'old_name');
    expect(await onboard(who, username, 'new_name')).toMatchObject({ username, name: 'new_name' });
    expect(await me(who)).toMatchObject({ username, name: 'new_name' });
  });

  test('keeps the organizations of a user', async () => {
    const alice = await person('alice');
    const slug = unique();
    await alice.client.orgs.createOrganization({ body: { name: 'Rivers', description: '', metadata: {}, slug } });
    await onboard(alice, unique(), 'new_name');
    expect((await alice.client.orgs.listMyOrganizations()).body).toMatchObject([{ slug }]);
  });
});

describe('a username', () => {
  test('that somebody else has is 409, without regard to case, and changes nothing', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const username = `Taken.${unique()}`;
    await onboard(first, username);
    for (const wanted of [username, username.toLowerCase(), username.toUpperCase()]) {
      expect(await onboardProblem(second, wanted)).toMatchObject({
        status: 409,
        title: 'Conflict',
        code: 'username_taken',
        errors: [{ pointer: '/body/username' }],
      });
    }
    expect(await me(second)).toMatchObject({ username: '', require_onboarding: true });
  });

  test('of one’s own can be kept, and written in other case', async () => {
    const who = await newcomer();
    const username = `Mine.${unique()}`;
    await onboard(who, username);
    expect(await onboard(who, username, 'other_name')).toMatchObject({ username, name: 'other_name' });
    const upper = username.toUpperCase();
    expect((await onboard(who, upper)).username).toBe(upper);
    expect(await onboardProblem(await newcomer(), username)).toMatchObject({ status: 409 });
  });

  test('is free for others once its owner has changed it', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const [old, next] = [unique(), unique()];
    await onboard(first, old);
    await onboard(first, next);
    expect((await onboard(second, old.toUpperCase())).username).toBe(old.toUpperCase());
    expect(await onboardProblem(first, old)).toMatchObject({ status: 409 });
    expect((await me(first)).username).toBe(next);
  });

  test('goes to exactly one of many who want it at once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, newcomer));
    const username = unique();
    const outcomes = await Promise.allSettled(people.map((each) => onboard(each, username)));
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(losers).toHaveLength(5);
    for (const { reason } of losers) expect(reason).toMatchObject({ status: 409 });
    const names = await Promise.all(people.map(async (each) => (await me(each)).username));
    expect(names.filter((name) => name === username)).toHaveLength(1);
  });

  test('and name of one user that are changed many times at once end as one of the pairs, and free the others', async () => {
    const who = await newcomer();
    const pairs = Array.from({ length: 6 }, (_, n) => ({ username: unique(), name: `name_${n}` }));
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
