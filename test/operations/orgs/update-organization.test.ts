/** Replacing the fields of an organization; what a new slug does is tested in `slugs.test.ts`. */
import { describe, expect, test } from 'vitest';
import { readFaults, requestAs } from '#test/support/building.ts';
import { expectProblem, newCast, newOrganization } from '#test/support/fixtures.ts';

const cast = await newCast();

const fields = (slug: string) => ({ name: 'Lakes', description: 'Standing water', metadata: { depth: 3 }, slug });
type Fields = Omit<ReturnType<typeof fields>, 'metadata'> & { metadata: Record<string, unknown> };

const update = async (slug: string, body: Fields, who = cast.alice) =>
  (await who.client.orgs.updateOrganization({ params: { slug }, body })).body;
const get = async (slug: string) => (await cast.chelsea.client.orgs.getOrganization({ params: { slug } })).body;

describe('updating an organization', () => {
  test('replaces all of its fields and returns it', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const before = await get(slug);
    const body = { ...fields(slug), description: '', metadata: { new: [1, { two: null }] } };
    const changed = await update(slug, body);
    expect(changed).toEqual({ id: orgId, ...body, createdAt: before.createdAt, updatedAt: changed.updatedAt });
    expect(changed.updatedAt >= before.updatedAt).toBe(true);
    expect(await get(slug)).toEqual(changed);
  });

  test('needs all four fields, and reports all faults at once', async () => {
    const path = `/api/orgs/${cast.slug}`;
    const all = ['/body/description', '/body/metadata', '/body/name', '/body/slug'];
    expect(await readFaults(cast.alice, 'PUT', path, {})).toEqual(all);
    const bad = { ...fields('me'), name: '', metadata: [] };
    expect(await readFaults(cast.alice, 'PUT', path, bad)).toEqual(['/body/metadata', '/body/name', '/body/slug']);
  });

  test('is for admins: others get 403, even for a bad body, and change nothing', async () => {
    const before = await get(cast.slug);
    for (const who of [cast.bob, cast.chelsea, cast.oscar]) {
      expect(await expectProblem(update(cast.slug, fields('other-slug'), who))).toMatchObject({ status: 403 });
      expect((await requestAs(who, 'PUT', `/api/orgs/${cast.slug}`, {})).status).toBe(403);
    }
    expect(await get(cast.slug)).toEqual(before);
  });

  test('of an unknown slug is 404 even for a bad body, and 401 signed out', async () => {
    expect((await requestAs(cast.alice, 'PUT', '/api/orgs/nobody-uses-this', {})).status).toBe(404);
    expect((await requestAs(undefined, 'PUT', `/api/orgs/${cast.slug}`, {})).status).toBe(401);
  });

  test('many times at once ends with the fields of one update, never half of each', async () => {
    const { slug } = await newOrganization(cast.alice);
    const bodies = Array.from({ length: 5 }, (_, n) => ({
      name: `name ${n}`,
      description: `text ${n}`,
      metadata: { n },
      slug,
    }));
    await Promise.all(bodies.map((body) => update(slug, body)));
    const { name, description, metadata } = await get(slug);
    expect(bodies).toContainEqual({ name, description, metadata, slug });
  });
});
