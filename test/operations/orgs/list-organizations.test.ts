/** The lists of organizations and members, page by page. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { insertOrganization } from '#core/organizations/store.ts';
import { nextOf, readPages, requestAs } from '#test/support/building.ts';
import { newOrganization, type Person, person } from '#test/support/fixtures.ts';

let alice: Person;
let bob: Person;
let chelsea: Person;
let oscar: Person;
/** In the order of their creation: three of alice, two of bob that alice has joined, one of bob. */
let organizations: { slug: string; orgId: string }[];

beforeAll(async () => {
  [alice, bob, chelsea, oscar] = await Promise.all([
    person('alice'),
    person('bob'),
    person('chelsea'),
    person('oscar', { email: 'oscar@example.org' }),
  ]);
  organizations = [];
  for (let count = 0; count < 3; count += 1) organizations.push(await newOrganization(alice));
  for (let count = 0; count < 2; count += 1) organizations.push(await newOrganization(bob, alice));
  organizations.push(await newOrganization(bob));
});

const orgIds = (from: number, to: number): string[] => organizations.slice(from, to).map(({ orgId }) => orgId);
const listed = async (who: Person, path: string): Promise<string[]> => (await readPages(who, path)).flat();

describe('GET /orgs', () => {
  test('lists all organizations to an operator, oldest first', async () => {
    expect(await listed(oscar, '/api/orgs')).toEqual(orgIds(0, 6));
    expect(await readPages(oscar, '/api/orgs?limit=4')).toEqual([orgIds(0, 4), orgIds(4, 6)]);
  });

  test('lists to everybody else the organizations they are a member of', async () => {
    expect(await listed(alice, '/api/orgs')).toEqual(orgIds(0, 5).sort());
    expect(await listed(bob, '/api/orgs')).toEqual(orgIds(3, 6).sort());
    expect(await listed(chelsea, '/api/orgs')).toEqual([]);
  });

  test('lists organizations with all their fields in a bare array', async () => {
    const [first] = (await oscar.client.orgs.listOrganizations({ query: { limit: 1 } })).body;
    const params = { slug: organizations[0]?.slug ?? '' };
    expect(first).toEqual((await alice.client.orgs.getOrganization({ params })).body);
  });
});

describe('GET /orgs/me', () => {
  test('lists the organizations that the caller is a member of, to an operator too', async () => {
    expect(await listed(alice, '/api/orgs/me')).toEqual(orgIds(0, 5).sort());
    expect(await listed(bob, '/api/orgs/me')).toEqual(orgIds(3, 6).sort());
    expect(await listed(chelsea, '/api/orgs/me')).toEqual([]);
    expect(await listed(oscar, '/api/orgs/me')).toEqual([]);
  });
});

describe('a list', () => {
  test('signed out is 401', async () => {
    for (const path of ['/api/orgs', '/api/orgs/me'])
      expect((await requestAs(undefined, 'GET', path)).status).toBe(401);
  });

  test.for([1, 2, 3, 5, 6, 1_000])('in pages of %i has everything once and in order', async (limit) => {
    for (const [who, path, all] of [
      [oscar, '/api/orgs', orgIds(0, 6)],
      [alice, '/api/orgs/me', orgIds(0, 5).sort()],
    ] as const) {
      const pages = await readPages(who, `${path}?limit=${limit}`);
      expect(pages.flat()).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
  });

  test('of members comes in pages too', async () => {
    const org = await newOrganization(alice);
    const people = await Promise.all(Array.from({ length: 4 }, (_, n) => person(`member${n}`)));
    for (const { email } of people) {
      await alice.client.orgs.addMember({ params: { slug: org.slug }, body: { email } });
    }
    const all = [alice, ...people].map(({ id }) => id).sort();
    const path = `/api/orgs/${org.slug}/members`;
    expect(await readPages(alice, `${path}?limit=2`)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(await readPages(alice, `${path}?limit=5`)).toEqual([all]);
  });

  test('that continues has a Link header with its own path and parameters; one at its end has none', async () => {
    const first = await requestAs(alice, 'GET', '/api/orgs/me?limit=4&other=%C3%BC');
    expect(first.headers.get('link')).toMatch(/^<\/api\/orgs\/me\?[^>]+>; rel="next"$/);
    const next = new URL(nextOf(first.headers) ?? '', 'http://local');
    expect([next.searchParams.get('limit'), next.searchParams.get('other')]).toEqual(['4', 'ü']);
    expect((await requestAs(alice, 'GET', nextOf(first.headers) ?? '')).headers.get('link')).toBeNull();
    expect((await requestAs(alice, 'GET', '/api/orgs/me?limit=100')).headers.get('link')).toBeNull();
  });

  test.for(['0', '1001', '-1', '1.5', 'many', '', '1&limit=2'])('with limit=%s is 400', async (limit) => {
    for (const path of ['/api/orgs', '/api/orgs/me', `/api/orgs/${organizations[0]?.slug}/members`]) {
      const result = await requestAs(alice, 'GET', `${path}?limit=${limit}`);
      expect(result).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/limit' }] } });
    }
  });

  test('continues in the same place when something is added in between', async () => {
    const who = await person('busy');
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await newOrganization(who)).orgId);
    ids.sort();
    const first = await requestAs(who, 'GET', '/api/orgs/me?limit=2');
    const added = await newOrganization(who);
    const rest = await listed(who, nextOf(first.headers) ?? '');
    expect(rest.filter((id) => id !== added.orgId)).toEqual(ids.slice(2));
  });

  test('ends a page early where it would be larger than a response can be', async () => {
    const who = await person('large');
    const now = app().now().toISOString();
    // Fewer and larger than requests could make them, which takes less time.
    const metadata = { text: 'x'.repeat(350_000) };
    const ids = Array.from({ length: 15 }, () => app().uuid()).sort();
    for (const id of ids) {
      const dates = { createdAt: now, updatedAt: now, slugSince: now };
      const org = { id, name: 'Large', description: '', metadata, slug: id, ...dates, version: 1 };
      await app().table.write(insertOrganization(org, who.id, 2_000));
    }
    const pages = await readPages(who, '/api/orgs/me');
    expect([pages.length, pages.flat()]).toEqual([2, ids]);
  });
});
