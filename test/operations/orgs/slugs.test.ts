/** Slugs: who uses one now and who used it when, and renaming (contract section 3, rows "Slug …", "Renaming ends …"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { ask, faultsOf } from '#test/support/building.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { castAt, pass } from '#test/support/responses.ts';
import { type Person, person, problemOf } from '#test/support/world.ts';

const cast = castAt();

let made = 0;
/** A slug that no other test has. */
const freshSlug = (word = 'slug'): string => {
  made += 1;
  return `${word}-${made}`;
};

const input = (slug: string, name = 'Rivers') => ({ name, description: '', metadata: {}, slug });

/** A new organization of alice under a slug; when it began, and its id. */
async function newUser(slug: string, name?: string, admin: Person = cast().alice) {
  const { id, createdAt } = (await admin.client.orgs.createOrganization({ body: input(slug, name) })).body;
  return { id, startedAt: createdAt };
}

const rename = async (from: string, to: string, name?: string) =>
  (await cast().alice.client.orgs.updateOrganization({ params: { slug: from }, body: input(to, name) })).body;
const remove = (slug: string) => cast().alice.client.orgs.deleteOrganization({ params: { slug } });
const statusOf = async (slug: string) => (await cast().dave.client.orgs.getSlugStatus({ params: { slug } })).body;
const recordOf = async (slug: string) => (await cast().dave.client.orgs.getSlugHistory({ params: { slug } })).body;

describe('the status of a slug', () => {
  test('is available while nobody uses it, else it tells who does; the case of its letters counts', async () => {
    const slug = freshSlug('Case');
    expect(await statusOf(slug)).toEqual({ available: true, orgId: null });
    const { id } = await newUser(slug);
    expect(await statusOf(slug)).toEqual({ available: false, orgId: id });
    expect(await statusOf(slug.toLowerCase())).toEqual({ available: true, orgId: null });
  });

  test.each([
    'status',
    'history',
  ])('and its %s are 400 for what cannot be a slug, and for words of the routes', async (what) => {
    for (const slug of ['a%20b', 'd%C3%A9', 'a.b', 'x'.repeat(65), 'me', 'relations']) {
      expect(await faultsOf(cast().dave, 'GET', `/api/orgs/${slug}/${what}`, undefined)).toEqual(['/path/slug']);
    }
    expect((await ask(cast().dave, 'GET', `/api/orgs/${'x'.repeat(64)}/${what}`)).status).toBe(200);
    expect((await ask(undefined, 'GET', `/api/orgs/free/${what}`)).status).toBe(401);
  });
});

describe('the usage history of a slug', () => {
  test('never used: available true, orgId null, []', async () => {
    const current = { available: true, orgId: null };
    expect(await recordOf(freshSlug())).toEqual({ current, history: [], nextCursor: null });
  });

  test('has no endedAt while a use lasts, and tells the present name of the organization', async () => {
    const slug = freshSlug();
    const { id, startedAt } = await newUser(slug, 'Before');
    pass(5);
    await rename(slug, slug, 'After');
    expect(await recordOf(slug)).toEqual({
      current: { available: false, orgId: id },
      history: [{ orgId: id, orgName: 'After', startedAt, endedAt: null }],
      nextCursor: null,
    });
  });

  test('of an organization renamed from A to B and back has two uses of A, newest first, and one of B', async () => {
    const [a, b] = [freshSlug('a'), freshSlug('b')];
    const { id, startedAt } = await newUser(a, 'First');
    const left = pass(10);
    await rename(a, b, 'Second');
    const back = pass(10);
    await rename(b, a, 'Third');
    expect(await recordOf(a)).toMatchObject({
      current: { available: false, orgId: id },
      history: [
        { orgId: id, orgName: 'Third', startedAt: back, endedAt: null },
        { orgId: id, orgName: 'First', startedAt, endedAt: left },
      ],
    });
    expect(await recordOf(b)).toMatchObject({
      current: { available: true, orgId: null },
      history: [{ orgId: id, orgName: 'Second', startedAt: left, endedAt: back }],
    });
  });

  test('tells of another organization that took the slug once it was free', async () => {
    const slug = freshSlug();
    const first = await newUser(slug, 'First');
    const endedAt = pass(10);
    await rename(slug, freshSlug());
    pass(10);
    const second = await newUser(slug, 'Second');
    expect(await recordOf(slug)).toMatchObject({
      current: { available: false, orgId: second.id },
      history: [
        { orgId: second.id, orgName: 'Second', startedAt: second.startedAt, endedAt: null },
        { orgId: first.id, orgName: 'First', startedAt: first.startedAt, endedAt },
      ],
    });
  });

  test('survives the deletion of the organization and keeps its last name', async () => {
    const [old, slug] = [freshSlug(), freshSlug()];
    const { id } = await newUser(old, 'First');
    const startedAt = pass(10);
    await rename(old, slug, 'Second');
    pass(10);
    await rename(slug, slug, 'Last');
    const endedAt = pass(10);
    await remove(slug);
    expect(await recordOf(slug)).toEqual({
      current: { available: true, orgId: null },
      history: [{ orgId: id, orgName: 'Last', startedAt, endedAt }],
      nextCursor: null,
    });
    expect((await recordOf(old)).history).toMatchObject([{ orgId: id, endedAt: startedAt }]);
  });

  test('comes in pages, and a cursor holds for its slug only', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    await newUser(a);
    for (const [from, to] of [
      [a, b],
      [b, a],
      [a, b],
      [b, a],
    ] as const) {
      pass(1);
      await rename(from, to);
    }
    const whole = (await recordOf(a)).history;
    expect(whole).toHaveLength(3);
    const pages = [];
    for await (const page of paginate(cast().dave.client.orgs.getSlugHistory, {
      params: { slug: a },
      query: { limit: 2 },
    })) {
      pages.push(page.body);
    }
    expect(pages.map(({ history }) => history)).toEqual([whole.slice(0, 2), whole.slice(2)]);
    const query = { cursor: pages[0]?.nextCursor ?? '' };
    const problem = await problemOf(cast().dave.client.orgs.getSlugHistory({ params: { slug: b }, query }));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/query/cursor' }] });
  });
});

describe('renaming', () => {
  test('makes the old slug stop resolving at once and frees it, and the new one works', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    const { id } = await newUser(a);
    await rename(a, b);
    expect((await ask(cast().alice, 'GET', `/api/orgs/${a}`)).status).toBe(404);
    expect((await ask(cast().alice, 'GET', `/api/orgs/${b}`)).body).toMatchObject({ id, slug: b });
    expect(await statusOf(a)).toEqual({ available: true, orgId: null });
    expect(await statusOf(b)).toEqual({ available: false, orgId: id });
  });

  test('to a slug in use is 409 and changes nothing', async () => {
    const [mine, theirs] = [freshSlug(), freshSlug()];
    const { id } = await newUser(mine, 'Mine');
    const other = await newUser(theirs);
    const before = await recordOf(mine);
    const body = input(theirs, 'Changed');
    const problem = await problemOf(cast().alice.client.orgs.updateOrganization({ params: { slug: mine }, body }));
    expect(problem).toMatchObject({ status: 409, errors: [{ pointer: '/body/slug' }] });
    expect((await ask(cast().alice, 'GET', `/api/orgs/${mine}`)).body).toMatchObject({ id, name: 'Mine' });
    expect(await recordOf(mine)).toEqual(before);
    expect(await statusOf(theirs)).toEqual({ available: false, orgId: other.id });
  });

  test('is one transaction: when it fails nothing of it has happened', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    await newUser(a);
    const before = await Promise.all([recordOf(a), recordOf(b)]);
    const failed = await withTable(dyingAfter(0), () => problemOf(rename(a, b)));
    expect(failed.status).toBe(500);
    expect(await Promise.all([recordOf(a), recordOf(b)])).toEqual(before);
    await withTable(dyingAfter(1), () => rename(a, b));
    expect((await recordOf(b)).current.available).toBe(false);
  });

  test('two organizations racing for one slug: one wins, the other keeps its own', async () => {
    for (let round = 0; round < 10; round += 1) {
      const slugs = [freshSlug(), freshSlug()] as const;
      const wanted = freshSlug();
      const users = await Promise.all(slugs.map((slug) => newUser(slug)));
      pass(1);
      const path = (slug: string): string => `/api/orgs/${slug}`;
      const answers = await Promise.all(slugs.map((slug) => ask(cast().alice, 'PUT', path(slug), input(wanted))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const loser = 1 - winner;
      expect(await statusOf(wanted)).toEqual({ available: false, orgId: users[winner]?.id });
      expect(await statusOf(slugs[loser] ?? '')).toEqual({ available: false, orgId: users[loser]?.id });
      expect(await statusOf(slugs[winner] ?? '')).toEqual({ available: true, orgId: null });
      expect((await recordOf(wanted)).history).toHaveLength(1);
    }
  });
});

describe('one organization renamed twice at the same time', () => {
  let owner: Person;
  beforeAll(async () => {
    owner = await person('owner');
  });

  test('ends with one slug, and every other one is free and its use has ended', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slugs = [freshSlug(), freshSlug(), freshSlug()];
      const [first = '', ...others] = slugs;
      const { id } = await newUser(first, 'Rivers', owner);
      pass(1);
      await Promise.all(others.map((slug) => ask(owner, 'PUT', `/api/orgs/${first}`, input(slug))));
      const now = (await owner.client.orgs.listMyOrganizations()).body.find((org) => org.id === id)?.slug;
      for (const slug of slugs) {
        const { current, history } = await recordOf(slug);
        expect(current).toEqual(slug === now ? { available: false, orgId: id } : { available: true, orgId: null });
        expect(history.filter(({ endedAt }) => endedAt === null)).toHaveLength(slug === now ? 1 : 0);
      }
    }
  });
});
