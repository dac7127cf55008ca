/** Slugs: who uses one now and who used it when, and what renaming an organization does. */
import { describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { draftForm, readFaults, requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { expectProblem, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { castAt, pass } from '#test/support/responses.ts';

const cast = await castAt();
muteErrors();

let count = 0;
/** A slug that no other test uses. */
const freshSlug = (word = 'slug'): string => {
  count += 1;
  return `${word}-${count}`;
};

const input = (slug: string, name = 'Rivers') => ({ name, description: '', metadata: {}, slug });

/** A new organization of alice with this slug: its id, and when its use of the slug began. */
async function newUse(slug: string, name?: string, admin: Person = cast.alice) {
  const { id, createdAt } = (await admin.client.orgs.createOrganization({ body: input(slug, name) })).body;
  return { id, startedAt: createdAt };
}

const rename = async (from: string, to: string, name?: string) =>
  (await cast.alice.client.orgs.updateOrganization({ params: { slug: from }, body: input(to, name) })).body;
const remove = (slug: string) => cast.alice.client.orgs.deleteOrganization({ params: { slug } });
const readStatus = async (slug: string) => (await cast.dave.client.orgs.getSlugStatus({ params: { slug } })).body;
const readRecord = async (slug: string) => (await cast.dave.client.orgs.getSlugHistory({ params: { slug } })).body;
const get = (slug: string) => requestAs(cast.chelsea, 'GET', `/api/orgs/${slug}`);

const FREE = { available: true, orgId: null };
const usedBy = (orgId: string | undefined) => ({ available: false, orgId });

describe('the status of a slug', () => {
  test('says whether it is free, and else who uses it; the case of its letters counts', async () => {
    const slug = freshSlug('Case');
    expect(await readStatus(slug)).toEqual(FREE);
    const { id } = await newUse(slug);
    expect(await readStatus(slug)).toEqual(usedBy(id));
    expect(await readStatus(slug.toLowerCase())).toEqual(FREE);
  });

  test.each(['status', 'history'])('and its %s are 400 for what cannot be a slug, 401 signed out', async (what) => {
    for (const slug of ['a%20b', 'd%C3%A9', 'a.b', 'x'.repeat(65), 'me', 'relations']) {
      expect(await readFaults(cast.dave, 'GET', `/api/orgs/${slug}/${what}`, undefined)).toEqual(['/path/slug']);
    }
    expect((await requestAs(cast.dave, 'GET', `/api/orgs/${'x'.repeat(64)}/${what}`)).status).toBe(200);
    expect((await requestAs(undefined, 'GET', `/api/orgs/free/${what}`)).status).toBe(401);
  });
});

describe('the usage history of a slug', () => {
  test('that was never used is empty', async () => {
    expect(await readRecord(freshSlug())).toEqual({ current: FREE, history: [], nextCursor: null });
  });

  test('has no endedAt while a use lasts, and shows the present name of the organization', async () => {
    const slug = freshSlug();
    const { id, startedAt } = await newUse(slug, 'Before');
    pass(5);
    await rename(slug, slug, 'After');
    expect(await readRecord(slug)).toEqual({
      current: usedBy(id),
      history: [{ orgId: id, orgName: 'After', startedAt, endedAt: null }],
      nextCursor: null,
    });
  });

  test('of an organization renamed from A to B and back has two uses of A, newest first, and one of B', async () => {
    const [a, b] = [freshSlug('a'), freshSlug('b')];
    const { id, startedAt } = await newUse(a, 'First');
    const left = pass(10);
    await rename(a, b, 'Second');
    const back = pass(10);
    await rename(b, a, 'Third');
    expect(await readRecord(a)).toMatchObject({
      current: usedBy(id),
      history: [
        { orgId: id, orgName: 'Third', startedAt: back, endedAt: null },
        { orgId: id, orgName: 'First', startedAt, endedAt: left },
      ],
    });
    expect(await readRecord(b)).toMatchObject({
      current: FREE,
      history: [{ orgId: id, orgName: 'Second', startedAt: left, endedAt: back }],
    });
  });

  test('includes another organization that took the slug when it was free', async () => {
    const slug = freshSlug();
    const first = await newUse(slug, 'First');
    const endedAt = pass(10);
    await rename(slug, freshSlug());
    pass(10);
    const second = await newUse(slug, 'Second', cast.bob);
    expect(await readRecord(slug)).toMatchObject({
      current: usedBy(second.id),
      history: [
        { orgId: second.id, orgName: 'Second', startedAt: second.startedAt, endedAt: null },
        { orgId: first.id, orgName: 'First', startedAt: first.startedAt, endedAt },
      ],
    });
  });

  test('survives the deletion of the organization and keeps its last name', async () => {
    const [old, slug] = [freshSlug(), freshSlug()];
    const { id } = await newUse(old, 'First');
    const startedAt = pass(10);
    await rename(old, slug, 'Second');
    pass(10);
    await rename(slug, slug, 'Last');
    const endedAt = pass(10);
    await remove(slug);
    expect(await readRecord(slug)).toEqual({
      current: FREE,
      history: [{ orgId: id, orgName: 'Last', startedAt, endedAt }],
      nextCursor: null,
    });
    expect((await readRecord(old)).history).toMatchObject([{ orgId: id, endedAt: startedAt }]);
  });

  test('comes in pages, and a cursor is valid for its slug only', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    await newUse(a);
    for (let time = 0; time < 4; time += 1) {
      pass(1);
      await (time % 2 === 0 ? rename(a, b) : rename(b, a));
    }
    const history = (await readRecord(a)).history;
    expect(history).toHaveLength(3);
    const { getSlugHistory } = cast.dave.client.orgs;
    const pages = [];
    for await (const page of paginate(getSlugHistory, { params: { slug: a }, query: { limit: 2 } })) {
      pages.push(page.body);
    }
    expect(pages.map(({ history }) => history)).toEqual([history.slice(0, 2), history.slice(2)]);
    const query = { cursor: pages[0]?.nextCursor ?? '' };
    expect(await expectProblem(getSlugHistory({ params: { slug: b }, query }))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/cursor' }],
    });
  });
});

describe('renaming', () => {
  test('makes the old slug stop resolving at once and frees it, and the new one resolves at once', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    const { id } = await newUse(a);
    await rename(a, b);
    expect((await get(a)).status).toBe(404);
    expect(await expectProblem(rename(a, freshSlug()))).toMatchObject({ status: 404 });
    expect((await get(b)).body).toMatchObject({ id, slug: b });
    expect(await readStatus(a)).toEqual(FREE);
    expect(await readStatus(b)).toEqual(usedBy(id));
  });

  test('may change only the case of the slug', async () => {
    const slug = freshSlug('lower');
    const { id } = await newUse(slug);
    await rename(slug, slug.toUpperCase());
    expect((await get(slug.toUpperCase())).body).toMatchObject({ id });
    expect((await get(slug)).status).toBe(404);
  });

  test('keeps members and forms', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    const { id: formId } = await draftForm(bob, slug);
    const params = { slug: freshSlug() };
    await rename(slug, params.slug);
    const forms = await bob.client.forms.listOrganizationForms({ params });
    expect(forms.body.map(({ id }) => id)).toEqual([formId]);
    const members = await bob.client.orgs.listMembers({ params });
    expect(members.body.map(({ id }) => id).sort()).toEqual([alice.id, bob.id].sort());
  });

  test('to a slug in use is 409 and changes nothing', async () => {
    const [mine, theirs] = [freshSlug(), freshSlug()];
    const { id } = await newUse(mine, 'Mine');
    const other = await newUse(theirs, 'Theirs', cast.bob);
    const before = await Promise.all([readRecord(mine), readRecord(theirs)]);
    expect(await expectProblem(rename(mine, theirs, 'Changed'))).toMatchObject({
      status: 409,
      code: 'slug_taken',
      errors: [{ pointer: '/body/slug' }],
    });
    expect((await get(mine)).body).toMatchObject({ id, name: 'Mine' });
    expect((await get(theirs)).body).toMatchObject({ id: other.id, name: 'Theirs' });
    expect(await Promise.all([readRecord(mine), readRecord(theirs)])).toEqual(before);
  });

  test('is one transaction: when it fails nothing has changed', async () => {
    const [a, b] = [freshSlug(), freshSlug()];
    await newUse(a);
    const before = await Promise.all([readRecord(a), readRecord(b)]);
    const failed = await withTable(dyingAfter(0), () => expectProblem(rename(a, b)));
    expect(failed.status).toBe(500);
    expect(await Promise.all([readRecord(a), readRecord(b)])).toEqual(before);
    await withTable(dyingAfter(1), () => rename(a, b));
    expect((await readRecord(b)).current.available).toBe(false);
  });

  test('of two organizations to one slug at the same time: one gets it, the other keeps its own', async () => {
    for (let round = 0; round < 4; round += 1) {
      const slugs = [freshSlug(), freshSlug()] as const;
      const target = freshSlug();
      const uses = await Promise.all(slugs.map((slug) => newUse(slug)));
      pass(1);
      const results = await Promise.all(
        slugs.map((slug) => requestAs(cast.alice, 'PUT', `/api/orgs/${slug}`, input(target))),
      );
      expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = results.findIndex(({ status }) => status === 200);
      const loser = 1 - winner;
      expect(await readStatus(target)).toEqual(usedBy(uses[winner]?.id));
      expect(await readStatus(slugs[loser] ?? '')).toEqual(usedBy(uses[loser]?.id));
      expect(await readStatus(slugs[winner] ?? '')).toEqual(FREE);
      expect((await readRecord(target)).history).toHaveLength(1);
    }
  });

  test('of one organization to two slugs at the same time ends with one slug; every other use has ended', async () => {
    const owner = await person('owner');
    for (let round = 0; round < 3; round += 1) {
      const slugs = [freshSlug(), freshSlug(), freshSlug()];
      const [first = '', ...others] = slugs;
      const { id } = await newUse(first, 'Rivers', owner);
      pass(1);
      await Promise.all(others.map((slug) => requestAs(owner, 'PUT', `/api/orgs/${first}`, input(slug))));
      const present = (await owner.client.orgs.listMyOrganizations()).body.find((org) => org.id === id)?.slug;
      for (const slug of slugs) {
        const { current, history } = await readRecord(slug);
        expect(current).toEqual(slug === present ? usedBy(id) : FREE);
        expect(history.filter(({ endedAt }) => endedAt === null)).toHaveLength(slug === present ? 1 : 0);
      }
    }
  });
});
