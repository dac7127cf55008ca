/** The lists of organizations and members, page by page (contract sections 1 and 3). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, nextOf, pagesOf } from '#test/support/building.ts';
import { newOrganization, type Person, person } from '#test/support/world.ts';

let alice: Person;
let bob: Person;
let chelsea: Person;
let oscar: Person;
/** In the order in which they were made: alice's first three, then bob's, which alice has joined. */
let made: { slug: string; orgId: string }[];

beforeAll(async () => {
  [alice, bob, chelsea, oscar] = await Promise.all([
    person('alice'),
    person('bob'),
    person('chelsea'),
    person('oscar', { email: 'oscar@example.org' }),
  ]);
  made = [];
  for (let count = 0; count < 3; count += 1) made.push(await newOrganization(alice));
  for (let count = 0; count < 2; count += 1) made.push(await newOrganization(bob, alice));
  made.push(await newOrganization(bob));
});

const orgIds = (from: number, to: number): string[] => made.slice(from, to).map(({ orgId }) => orgId);
const listed = async (who: Person, path: string): Promise<string[]> => (await pagesOf(who, path)).flat();

describe('GET /orgs', () => {
  test('answers an operator all organizations, oldest first', async () => {
    expect(await listed(oscar, '/api/orgs')).toEqual(orgIds(0, 6));
    expect(await pagesOf(oscar, '/api/orgs?limit=4')).toEqual([orgIds(0, 4), orgIds(4, 6)]);
  });

  test('answers everybody else the organizations they are a member of', async () => {
    expect(await listed(alice, '/api/orgs')).toEqual(orgIds(0, 5).sort());
    expect(await listed(bob, '/api/orgs')).toEqual(orgIds(3, 6).sort());
    expect(await listed(chelsea, '/api/orgs')).toEqual([]);
  });

  test('answers whole organizations in a bare array', async () => {
    const [first] = (await oscar.client.orgs.listOrganizations({ query: { limit: 1 } })).body;
    const [known] = made;
    expect(first).toEqual((await alice.client.orgs.getOrganization({ params: { slug: known?.slug ?? '' } })).body);
  });

  test('signed out is 401', async () => {
    expect((await ask(undefined, 'GET', '/api/orgs')).status).toBe(401);
  });
});

describe('GET /orgs/me', () => {
  test('answers the organizations that the caller is a member of, to an operator too', async () => {
    expect(await listed(alice, '/api/orgs/me')).toEqual(orgIds(0, 5).sort());
    expect(await listed(bob, '/api/orgs/me')).toEqual(orgIds(3, 6).sort());
    expect(await listed(chelsea, '/api/orgs/me')).toEqual([]);
    expect(await listed(oscar, '/api/orgs/me')).toEqual([]);
  });

  test('signed out is 401', async () => {
    expect((await ask(undefined, 'GET', '/api/orgs/me')).status).toBe(401);
  });
});

describe('a list', () => {
  test.for([1, 2, 3, 5, 6, 100])('in pages of %i holds everything once and in order', async (limit) => {
    for (const [who, path, all] of [
      [oscar, '/api/orgs', orgIds(0, 6)],
      [alice, '/api/orgs', orgIds(0, 5).sort()],
      [alice, '/api/orgs/me', orgIds(0, 5).sort()],
    ] as const) {
      const pages = await pagesOf(who, `${path}?limit=${limit}`);
      expect(pages.flat()).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
  });

  test('of members goes on over pages too', async () => {
    const org = await newOrganization(alice);
    const people = await Promise.all(Array.from({ length: 4 }, (_, n) => person(`member${n}`)));
    for (const { email } of people) {
      await alice.client.orgs.addMember({ params: { slug: org.slug }, body: { email } });
    }
    const all = [alice, ...people].map(({ id }) => id).sort();
    const path = `/api/orgs/${org.slug}/members`;
    expect(await pagesOf(alice, `${path}?limit=2`)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(await pagesOf(alice, `${path}?limit=5`)).toEqual([all]);
  });

  test('that goes on says so in a Link header of its own path, other parameters kept; one at its end has none', async () => {
    const first = await ask(alice, 'GET', '/api/orgs/me?limit=4&other=%C3%BC');
    expect(first.headers.get('link')).toMatch(/^<\/api\/orgs\/me\?[^>]+>; rel="next"$/);
    const next = new URL(nextOf(first.headers) ?? '', 'http://local');
    expect([next.searchParams.get('limit'), next.searchParams.get('other')]).toEqual(['4', 'ü']);
    expect((await ask(alice, 'GET', nextOf(first.headers) ?? '')).headers.get('link')).toBeNull();
    expect((await ask(alice, 'GET', '/api/orgs/me?limit=100')).headers.get('link')).toBeNull();
  });

  test.for(['0', '101', '-1', '1.5', 'many', '', '1&limit=2'])('with limit=%s is refused with 400', async (limit) => {
    for (const path of ['/api/orgs', '/api/orgs/me', `/api/orgs/${made[0]?.slug}/members`]) {
      const answer = await ask(alice, 'GET', `${path}?limit=${limit}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/limit' }] } });
    }
  });

  test('goes on where it was when something was added or removed in between', async () => {
    const who = await person('busy');
    const mine = [await newOrganization(who), await newOrganization(who), await newOrganization(who)];
    const ids = mine.map(({ orgId }) => orgId).sort();
    const first = await ask(who, 'GET', '/api/orgs/me?limit=2');
    const added = await newOrganization(who);
    const rest = await listed(who, nextOf(first.headers) ?? '');
    expect(rest.filter((id) => id !== added.orgId)).toEqual(ids.slice(2));
  });
});
