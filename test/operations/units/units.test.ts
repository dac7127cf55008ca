/** Units of an organization (contract section 3, rows "Create / get / update / delete unit"; interface "Unit"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadTree, replaceTree } from '#core/organizations/unit-store.ts';
import type { UnitTree } from '#core/organizations/unit-tree.ts';
import { MAX_UNITS } from '#core/organizations/unit-tree.ts';
import { ask, faultsOf, itemsMentioning } from '#test/support/building.ts';
import { withTable } from '#test/support/faults.ts';
import { newUnit } from '#test/support/scene.ts';
import { type Cast, newCast, newOrganization } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const input = { name: 'Field team', description: 'Takes the samples', metadata: { room: '2.14', on: [1, null] } };
const unitsOf = (slug: string): string => `/api/orgs/${slug}/units`;
const create = (body: unknown = input) => ask(cast.alice, 'POST', unitsOf(cast.slug), body);

describe('a unit', () => {
  test('is created with its fields, read by members, and stands at the root', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['createdAt', 'description', 'id', 'metadata', 'name', 'updatedAt']);
    expect(body).toMatchObject(input);
    expect((await ask(cast.bob, 'GET', `${unitsOf(cast.slug)}/${body.id}`)).body).toEqual(body);
    expect((await ask(cast.bob, 'GET', `/api/orgs/${cast.slug}/unit-ids`)).body).toContain(body.id);
  });

  test('is replaced by an admin; its id and createdAt stay', async () => {
    const { body: before } = await create();
    const next = { name: 'Lab', description: '', metadata: {} };
    const path = `${unitsOf(cast.slug)}/${before.id}`;
    const { status, body } = await ask(cast.alice, 'PUT', path, next);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...next, updatedAt: body.updatedAt });
    expect(body.updatedAt >= before.updatedAt).toBe(true);
    expect((await ask(cast.bob, 'GET', path)).body).toEqual(body);
  });

  test('needs all of name, description and metadata, on create and on update', async () => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const everything = ['/body/description', '/body/metadata', '/body/name'];
    expect(await faultsOf(cast.alice, 'POST', unitsOf(cast.slug), {})).toEqual(everything);
    expect(await faultsOf(cast.alice, 'PUT', `${unitsOf(cast.slug)}/${unitId}`, {})).toEqual(everything);
    const { description: _, ...rest } = input;
    expect(await faultsOf(cast.alice, 'POST', unitsOf(cast.slug), rest)).toEqual(['/body/description']);
  });

  test.each<[string, object, string]>([
    ['a name of no character', { name: '' }, '/body/name'],
    ['a name of 256 characters', { name: '𝒙'.repeat(256) }, '/body/name'],
    ['a description of 2,001 characters', { description: 'x'.repeat(2_001) }, '/body/description'],
    ['metadata that is a list', { metadata: [] }, '/body/metadata'],
    ['metadata of more than 8 KB', { metadata: { x: 'x'.repeat(8_192) } }, '/body/metadata'],
  ])('is refused with %s', async (_, part, pointer) => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const body = { ...input, ...part };
    expect(await faultsOf(cast.alice, 'POST', unitsOf(cast.slug), body)).toEqual([pointer]);
    expect(await faultsOf(cast.alice, 'PUT', `${unitsOf(cast.slug)}/${unitId}`, body)).toEqual([pointer]);
  });

  test('may have a name of 255, a description of 2,000 characters and metadata of 8 KB', async () => {
    const metadata = { x: 'x'.repeat(8_192 - '{"x":""}'.length) };
    const body = { name: '𝒙'.repeat(255), description: '𝒙'.repeat(2_000), metadata };
    expect(await create(body)).toMatchObject({ status: 201, body });
  });

  test('that is not there, or is of another organization, is 404 for members', async () => {
    const { alice, bob, slug } = cast;
    const other = await newOrganization(alice);
    const foreign = await newUnit(alice.client, other.slug);
    for (const unitId of [foreign, app().uuid()]) {
      const path = `${unitsOf(slug)}/${unitId}`;
      for (const each of [path, `${path}/subunits`, `${path}/subunit-ids`]) {
        expect((await ask(bob, 'GET', each)).status).toBe(404);
      }
      // The thing addressed comes before the body.
      expect((await ask(alice, 'PUT', path, {})).status).toBe(404);
      expect((await ask(alice, 'DELETE', path)).status).toBe(404);
    }
    expect(await faultsOf(bob, 'GET', `${unitsOf(slug)}/none`, undefined)).toEqual(['/path/unitId']);
  });

  test('is written by admins and read by members: everybody else is 403', async () => {
    const { alice, bob, chelsea, slug } = cast;
    const unitId = await newUnit(alice.client, slug);
    const path = `${unitsOf(slug)}/${unitId}`;
    expect((await ask(bob, 'POST', unitsOf(slug), input)).status).toBe(403);
    expect((await ask(bob, 'PUT', path, input)).status).toBe(403);
    expect((await ask(bob, 'DELETE', path)).status).toBe(403);
    for (const each of [path, `${path}/subunits`, unitsOf(slug), `/api/orgs/${slug}/unit-ids`]) {
      expect((await ask(chelsea, 'GET', each)).status).toBe(403);
      expect((await ask(bob, 'GET', each)).status).toBe(200);
    }
    expect((await ask(alice, 'GET', '/api/orgs/nowhere-at-all/units')).status).toBe(404);
  });
});

describe('deleting a unit', () => {
  test('leaves nothing of it, and asked for again it is 404', async () => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const path = `${unitsOf(cast.slug)}/${unitId}`;
    expect((await ask(cast.alice, 'DELETE', path)).status).toBe(204);
    expect(await itemsMentioning(unitId)).toEqual([]);
    expect((await ask(cast.alice, 'DELETE', path)).status).toBe(404);
    expect((await ask(cast.alice, 'GET', path)).status).toBe(404);
  });

  test('while others are created leaves exactly those others, in the tree and by themselves', async () => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice);
    const doomed = await Promise.all(Array.from({ length: 5 }, () => newUnit(alice.client, slug)));
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => newUnit(alice.client, slug))),
      ...doomed.map((unitId) => ask(alice, 'DELETE', `${unitsOf(slug)}/${unitId}`)),
    ]);
    const { body } = await ask(alice, 'GET', unitsOf(slug));
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([...made].sort());
    expect((await Promise.all(doomed.map(itemsMentioning))).flat()).toEqual([]);
  });
});

describe('two who change a unit at the same time', () => {
  test('both go well, and the last one wins, never half of each', async () => {
    const unitId = await newUnit(cast.alice.client, cast.slug);
    const path = `${unitsOf(cast.slug)}/${unitId}`;
    const inputs = ['one', 'two', 'three'].map((word) => ({ name: word, description: word, metadata: { word } }));
    const answers = await Promise.all(inputs.map((body) => ask(cast.alice, 'PUT', path, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { name, description, metadata } = (await ask(cast.bob, 'GET', path)).body;
    expect(inputs).toContainEqual({ name, description, metadata });
  });
});

describe('a unit asked for twice under one Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'one-unit' };
  const asked = () => cast.alice.client.units.createUnit({ params: { slug: cast.slug }, body: input, headers });

  test('is made once, also when the first answer was lost after it was made', async () => {
    let writes = 0;
    // The key is taken, the unit is made, and the answer cannot be kept.
    const losing = withTable(
      ({ write }) => ({
        write: async (...given) => {
          writes += 1;
          if (writes === 3) throw new Error('the power went off');
          await write(...given);
        },
      }),
      asked,
    );
    await expect(losing).rejects.toThrow();
    const first = await asked();
    const second = await asked();
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await ask(cast.bob, 'GET', `${unitsOf(cast.slug)}/${first.body.id}`);
    expect(body).toEqual(first.body);
    const tree = await loadTree(app().table, cast.orgId);
    expect(tree.units.filter(({ id }) => id === first.body.id)).toHaveLength(1);
  });
});

test(`an organization has at most ${MAX_UNITS} units: one more is 400`, async () => {
  const { slug, orgId } = await newOrganization(cast.alice);
  const units = Array.from({ length: MAX_UNITS - 1 }, () => ({ id: app().uuid(), parentId: null }));
  const before: UnitTree = { version: 0, units: [] };
  await app().table.write([replaceTree(orgId, before, { ...before, units })]);
  expect((await ask(cast.alice, 'POST', unitsOf(slug), input)).status).toBe(201);
  const refused = await ask(cast.alice, 'POST', unitsOf(slug), input);
  expect(refused).toMatchObject({ status: 400, body: { code: 'too_many_units' } });
});
