/** Changing an organization, and what a new slug does to the old one (contract section 3). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, faultsOf } from '#test/support/building.ts';
import { type Cast, newCast, newOrganization, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const newSlug = (): string => `s-${crypto.randomUUID()}`;

type Input = { name: string; description: string; metadata: Record<string, unknown>; slug: string };

const fields = (slug: string, more: Partial<Input> = {}): Input => ({
  name: 'Lakes',
  description: 'Standing water',
  metadata: { depth: 3 },
  slug,
  ...more,
});

const update = async (slug: string, body: Input, who = cast.alice) =>
  (await who.client.orgs.updateOrganization({ params: { slug }, body })).body;
const rename = (from: string, to: string, who = cast.alice) => update(from, fields(to), who);
const get = async (slug: string) => (await cast.chelsea.client.orgs.getOrganization({ params: { slug } })).body;
const historyOf = async (slug: string) =>
  (await cast.chelsea.client.orgs.getSlugHistory({ params: { slug } })).body.history;

describe('updating an organization', () => {
  test('replaces all of its fields and answers it as it is now', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const before = await get(slug);
    const body = fields(slug, { description: '', metadata: { new: [1, { two: null }] } });
    const changed = await update(slug, body);
    expect(changed).toEqual({ id: orgId, ...body, createdAt: before.createdAt, updatedAt: changed.updatedAt });
    expect(changed.updatedAt >= before.updatedAt).toBe(true);
    expect(await get(slug)).toEqual(changed);
  });

  test('needs all four fields, and reports all faults at once', async () => {
    const path = `/api/orgs/${cast.slug}`;
    const all = ['/body/description', '/body/metadata', '/body/name', '/body/slug'];
    expect(await faultsOf(cast.alice, 'PUT', path, {})).toEqual(all);
    const bad = { ...fields('me'), name: '', metadata: [] };
    expect(await faultsOf(cast.alice, 'PUT', path, bad)).toEqual(['/body/metadata', '/body/name', '/body/slug']);
  });

  test('is for admins: a member, an outsider and an operator get 403 and change nothing', async () => {
    const before = await get(cast.slug);
    for (const who of [cast.bob, cast.chelsea, cast.oscar]) {
      expect(await problemOf(rename(cast.slug, newSlug(), who))).toMatchObject({ status: 403 });
    }
    expect(await get(cast.slug)).toEqual(before);
  });

  test('of an unknown slug is 404 even when the body is bad, and 401 signed out', async () => {
    expect((await ask(cast.alice, 'PUT', `/api/orgs/${newSlug()}`, {})).status).toBe(404);
    expect((await ask(undefined, 'PUT', `/api/orgs/${cast.slug}`, {})).status).toBe(401);
  });

  test('by somebody who may not is 403 even when the body is bad', async () => {
    expect((await ask(cast.bob, 'PUT', `/api/orgs/${cast.slug}`, {})).status).toBe(403);
  });

  test('many at once ends with the fields of one of them, never half of each', async () => {
    const { slug } = await newOrganization(cast.alice);
    const bodies = Array.from({ length: 6 }, (_, n) =>
      fields(slug, { name: `name ${n}`, description: `text ${n}`, metadata: { n } }),
    );
    await Promise.all(bodies.map((body) => update(slug, body)));
    const { name, description, metadata } = await get(slug);
    expect(bodies).toContainEqual({ name, description, metadata, slug });
  });
});

describe('a new slug', () => {
  test('resolves at once, while the old one is 404 at once', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const next = newSlug();
    expect((await rename(slug, next)).slug).toBe(next);
    expect((await get(next)).id).toBe(orgId);
    expect(await problemOf(get(slug))).toMatchObject({ status: 404 });
    expect(await problemOf(rename(slug, newSlug()))).toMatchObject({ status: 404 });
    expect((await cast.alice.client.orgs.listMyOrganizations()).body.map((org) => org.slug)).toContain(next);
  });

  test('frees the old one for others', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    await rename(slug, newSlug());
    const other = await cast.bob.client.orgs.createOrganization({ body: fields(slug) });
    expect((await get(slug)).id).toBe(other.body.id);
    expect(other.body.id).not.toBe(orgId);
  });

  test('may be the old one again, as long as nobody has taken it', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const next = newSlug();
    await rename(slug, next);
    await rename(next, slug);
    expect((await get(slug)).id).toBe(orgId);
    expect(await problemOf(get(next))).toMatchObject({ status: 404 });
    await rename(slug, next);
    await cast.bob.client.orgs.createOrganization({ body: fields(slug) });
    expect(await problemOf(rename(next, slug))).toMatchObject({ status: 409, code: 'slug_taken' });
  });

  test('that differs in case alone is another slug', async () => {
    const slug = `Lower-${crypto.randomUUID()}`;
    const { body } = await cast.alice.client.orgs.createOrganization({ body: fields(slug) });
    await rename(slug, slug.toUpperCase());
    expect((await get(slug.toUpperCase())).id).toBe(body.id);
    expect(await problemOf(get(slug))).toMatchObject({ status: 404 });
  });

  test('in use by another organization is 409 and changes nothing, the other fields included', async () => {
    const [mine, other] = [await newOrganization(cast.alice), await newOrganization(cast.bob)];
    const before = await get(mine.slug);
    expect(await problemOf(rename(mine.slug, other.slug))).toMatchObject({
      status: 409,
      code: 'slug_taken',
      errors: [{ pointer: '/body/slug' }],
    });
    expect(await get(mine.slug)).toEqual(before);
    expect((await get(other.slug)).id).toBe(other.orgId);
  });

  test('that two organizations want at once goes to one of them; the other keeps its own', async () => {
    const [one, two] = [await newOrganization(cast.alice), await newOrganization(cast.bob)];
    const wanted = newSlug();
    const outcomes = await Promise.allSettled([rename(one.slug, wanted), rename(two.slug, wanted, cast.bob)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [one, two] : [two, one];
    expect((await get(wanted)).id).toBe(winner.orgId);
    expect((await get(loser.slug)).id).toBe(loser.orgId);
    expect(await problemOf(get(winner.slug))).toMatchObject({ status: 404 });
  });

  test('keeps members and forms where they are', async () => {
    const { slug } = await newOrganization(cast.alice, cast.bob);
    const settings = { title: 'Spring', visibility: 'PUBLIC' as const, allowEditResponse: true };
    const form = await cast.bob.client.forms.createForm({ params: { slug }, body: settings });
    const next = newSlug();
    await rename(slug, next);
    const forms = await cast.bob.client.forms.listOrganizationForms({ params: { slug: next } });
    expect(forms.body.map(({ id }) => id)).toEqual([form.body.id]);
    const members = await cast.bob.client.orgs.listMembers({ params: { slug: next } });
    expect(members.body.map(({ id }) => id).sort()).toEqual([cast.alice.id, cast.bob.id].sort());
  });
});

describe('the usage history of a slug', () => {
  test('ends the old usage and starts the new one at the same moment', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const next = newSlug();
    const { updatedAt } = await rename(slug, next);
    expect(await historyOf(slug)).toMatchObject([{ orgId, orgName: 'Rivers', endedAt: updatedAt }]);
    expect(await historyOf(next)).toEqual([{ orgId, orgName: 'Lakes', startedAt: updatedAt, endedAt: null }]);
  });

  test('of a slug that went away and came back has both usages, newest first', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const next = newSlug();
    await rename(slug, next);
    const { updatedAt } = await rename(next, slug);
    const [latest, first, ...rest] = await historyOf(slug);
    expect(latest).toMatchObject({ orgId, startedAt: updatedAt, endedAt: null });
    expect(first).toMatchObject({ orgId, endedAt: expect.any(String) });
    expect(rest).toEqual([]);
  });

  test('tells the present name of the organization after a change of its name', async () => {
    const { slug } = await newOrganization(cast.alice);
    await update(slug, fields(slug, { name: 'Renamed' }));
    expect(await historyOf(slug)).toMatchObject([{ orgName: 'Renamed', endedAt: null }]);
  });

  test('of a change that was refused has no trace of it', async () => {
    const [mine, other] = [await newOrganization(cast.alice), await newOrganization(cast.bob)];
    await problemOf(rename(mine.slug, other.slug));
    expect(await historyOf(other.slug)).toMatchObject([{ orgId: other.orgId, endedAt: null }]);
    expect(await historyOf(mine.slug)).toMatchObject([{ orgId: mine.orgId, endedAt: null }]);
  });
});
