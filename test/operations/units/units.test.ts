/** Creating, reading, updating and deleting units. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { EMPTY_TREE, MAX_UNITS } from '#core/organizations/unit-tree.ts';
import { replaceTree } from '#core/organizations/units.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { newCast, newOrganization } from '#test/support/fixtures.ts';
import { newUnit } from '#test/support/scene.ts';
import { itemsMentioning } from '#test/support/stored.ts';

const cast = await newCast();

const input = { name: 'Field team', description: 'Takes the samples', metadata: { room: '2.14', on: [1, null] } };
const pathOf = (slug: string, unitId?: string): string => `/api/orgs/${slug}/units${unitId ? `/${unitId}` : ''}`;
const create = (body: unknown = input) => requestAs(cast.alice, 'POST', pathOf(cast.slug), body);

describe('a unit', () => {
  test('is created with its fields at the root, and read by members', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['createdAt', 'description', 'id', 'metadata', 'name', 'updatedAt']);
    expect(body).toMatchObject(input);
    expect((await requestAs(cast.bob, 'GET', pathOf(cast.slug, body.id))).body).toEqual(body);
    expect((await requestAs(cast.bob, 'GET', `/api/orgs/${cast.slug}/unit-ids`)).body).toContain(body.id);
  });

  test('is replaced by an admin; its id and createdAt stay', async () => {
    const { body: before } = await create();
    const next = { name: 'Lab', description: '', metadata: {} };
    const path = pathOf(cast.slug, before.id);
    const { status, body } = await requestAs(cast.alice, 'PUT', path, next);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...next, updatedAt: body.updatedAt });
    expect(body.updatedAt >= before.updatedAt).toBe(true);
    expect((await requestAs(cast.bob, 'GET', path)).body).toEqual(body);
  });

  test('needs name, description and metadata within their limits, on create and on update', async () => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const cases: [object, string[]][] = [
      [{ name: undefined, description: undefined, metadata: undefined }, ['description', 'metadata', 'name']],
      [{ description: undefined }, ['description']],
      [{ name: '' }, ['name']],
      [{ name: '𝒙'.repeat(256) }, ['name']],
      [{ description: 'x'.repeat(2_001) }, ['description']],
      [{ metadata: [] }, ['metadata']],
      [{ metadata: { x: 'x'.repeat(8_192) } }, ['metadata']],
    ];
    for (const [part, members] of cases) {
      const body = { ...input, ...part };
      const pointers = members.map((member) => `/body/${member}`);
      expect(await readFaults(cast.alice, 'POST', pathOf(cast.slug), body)).toEqual(pointers);
      expect(await readFaults(cast.alice, 'PUT', pathOf(cast.slug, unitId), body)).toEqual(pointers);
    }
    const metadata = { x: 'x'.repeat(8_192 - '{"x":""}'.length) };
    const largest = { name: '𝒙'.repeat(255), description: '𝒙'.repeat(2_000), metadata };
    expect(await create(largest)).toMatchObject({ status: 201, body: largest });
  });

  test('that is unknown or of another organization is 404 for members, before the body is checked', async () => {
    const { alice, bob, slug } = cast;
    const foreign = await newUnit(alice.client, (await newOrganization(alice)).slug);
    for (const unitId of [foreign, app().uuid()]) {
      const path = pathOf(slug, unitId);
      for (const each of [path, `${path}/subunits`, `${path}/subunit-ids`]) {
        expect((await requestAs(bob, 'GET', each)).status).toBe(404);
      }
      expect((await requestAs(alice, 'PUT', path, {})).status).toBe(404);
      expect((await requestAs(alice, 'DELETE', path)).status).toBe(404);
    }
    expect(await readFaults(bob, 'GET', pathOf(slug, 'none'), undefined)).toEqual(['/path/unitId']);
    expect((await requestAs(alice, 'GET', pathOf('nowhere-at-all'))).status).toBe(404);
  });

  test('is written by admins and read by members; all else is 403, also for units that do not exist', async () => {
    const { alice, bob, chelsea, slug } = cast;
    const path = pathOf(slug, await newUnit(alice.client, slug));
    expect((await requestAs(bob, 'POST', pathOf(slug), input)).status).toBe(403);
    expect((await requestAs(bob, 'PUT', path, input)).status).toBe(403);
    expect((await requestAs(bob, 'DELETE', path)).status).toBe(403);
    for (const each of [path, `${path}/subunits`, pathOf(slug), `/api/orgs/${slug}/unit-ids`]) {
      expect((await requestAs(chelsea, 'GET', each)).status).toBe(403);
      expect((await requestAs(bob, 'GET', each)).status).toBe(200);
    }
    expect((await requestAs(chelsea, 'GET', pathOf(slug, app().uuid()))).status).toBe(403);
  });

  test('of which several updates run at the same time has the fields of one, never half of each', async () => {
    const path = pathOf(cast.slug, await newUnit(cast.alice.client, cast.slug));
    const inputs = ['one', 'two', 'three'].map((word) => ({ name: word, description: word, metadata: { word } }));
    const results = await Promise.all(inputs.map((body) => requestAs(cast.alice, 'PUT', path, body)));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { name, description, metadata } = (await requestAs(cast.bob, 'GET', path)).body;
    expect(inputs).toContainEqual({ name, description, metadata });
  });
});

describe('deleting a unit', () => {
  test('removes all of it; again it is 404', async () => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const path = pathOf(cast.slug, unitId);
    expect((await requestAs(cast.alice, 'DELETE', path)).status).toBe(204);
    expect(await itemsMentioning(unitId)).toEqual([]);
    expect((await requestAs(cast.alice, 'DELETE', path)).status).toBe(404);
    expect((await requestAs(cast.alice, 'GET', path)).status).toBe(404);
  });

  test('while others are created leaves exactly those others', async () => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice);
    const deleted = [await newUnit(alice.client, slug), await newUnit(alice.client, slug)];
    const [created] = await Promise.all([
      Promise.all([newUnit(alice.client, slug), newUnit(alice.client, slug)]),
      ...deleted.map((unitId) => requestAs(alice, 'DELETE', pathOf(slug, unitId))),
    ]);
    const { body } = await requestAs(alice, 'GET', pathOf(slug));
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([...created].sort());
    for (const unitId of deleted) expect(await itemsMentioning(unitId)).toEqual([]);
  });
});

test(`an organization has at most ${MAX_UNITS} units: one more is 400`, async () => {
  const { slug, orgId } = await newOrganization(cast.alice);
  const units = Array.from({ length: MAX_UNITS - 1 }, () => ({ id: app().uuid(), parentId: null }));
  await app().table.write([replaceTree(orgId, EMPTY_TREE, { version: 0, units })]);
  expect((await requestAs(cast.alice, 'POST', pathOf(slug), input)).status).toBe(201);
  expect(await requestAs(cast.alice, 'POST', pathOf(slug), input)).toMatchObject({
    status: 400,
    body: { code: 'too_many_units' },
  });
});
