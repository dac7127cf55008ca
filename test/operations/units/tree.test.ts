/** The tree of units: lists, linking and unlinking (contract section 3, rows "List units", "Child units", "Link", "Unlink"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadTree } from '#core/organizations/unit-store.ts';
import { ancestorsOf, MAX_LEVELS } from '#core/organizations/unit-tree.ts';
import { ask, faultsOf, nextOf, pagesOf } from '#test/support/building.ts';
import { newUnit } from '#test/support/scene.ts';
import { type Cast, newCast, newOrganization } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Place = { slug: string; orgId: string };
type Grown = Place & { ids: string[] };

/** An organization of alice and bob with some units at the root. */
async function planted(count: number): Promise<Grown> {
  const place = await newOrganization(cast.alice, cast.bob);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await newUnit(cast.alice.client, place.slug));
  return { ...place, ids };
}

/** An organization whose units stand one under the other. */
async function chained(count: number): Promise<Grown> {
  const grown = await planted(count);
  for (const [index, childId] of grown.ids.entries()) {
    if (index > 0) await link(grown, childId, grown.ids[index - 1]);
  }
  return grown;
}

const link = ({ orgId }: Place, childId: string | undefined, parentId?: string | null) =>
  ask(cast.alice, 'POST', '/api/orgs/relations', { orgId, childId, ...(parentId === undefined ? {} : { parentId }) });
const refusedLink = ({ orgId }: Place, childId: string | undefined, parentId: string | null | undefined) =>
  faultsOf(cast.alice, 'POST', '/api/orgs/relations', { orgId, childId, parentId });
const unlink = (childId: string | undefined, by = cast.alice) =>
  ask(by, 'DELETE', `/api/orgs/relations/child-id/${childId}`);

const idsAt = async ({ slug }: Place, path: string): Promise<string[]> =>
  (await ask(cast.bob, 'GET', `/api/orgs/${slug}/${path}`)).body;
const rootOf = (place: Place) => idsAt(place, 'unit-ids');
const childrenOf = (place: Place, unitId: string | undefined) => idsAt(place, `units/${unitId}/subunit-ids`);

describe('linking', () => {
  test('puts a unit under another one and answers the same three', async () => {
    const place = await planted(2);
    const [parentId, childId] = place.ids;
    expect(await link(place, childId, parentId)).toMatchObject({
      status: 201,
      body: { parentId, childId, orgId: place.orgId },
    });
    expect(await rootOf(place)).toEqual([parentId]);
    expect(await childrenOf(place, parentId)).toEqual([childId]);
    expect((await link(place, childId, parentId)).status).toBe(201);
    expect(await childrenOf(place, parentId)).toEqual([childId]);
  });

  test('moves a unit from one parent to another, with all that is below it', async () => {
    const place = await chained(3);
    const other = await newUnit(cast.alice.client, place.slug);
    const [top, middle, bottom] = place.ids;
    expect((await link(place, middle, other)).status).toBe(201);
    expect(await childrenOf(place, top)).toEqual([]);
    expect(await childrenOf(place, other)).toEqual([middle]);
    expect(await childrenOf(place, middle)).toEqual([bottom]);
  });

  test.each([undefined, null])('without a parentId (%s) puts a unit at the root', async (parentId) => {
    const place = await chained(2);
    const [top, bottom] = place.ids;
    const { status, body } = await link(place, bottom, parentId);
    expect(status).toBe(201);
    expect(body).toEqual({ childId: bottom, orgId: place.orgId, ...(parentId === null ? { parentId } : {}) });
    expect(await rootOf(place)).toEqual([top, bottom]);
  });

  test('refuses a unit under itself, and a cycle of any length, with 400', async () => {
    const place = await chained(4);
    const [first, second, , last] = place.ids;
    for (const parentId of [first, second, last]) {
      expect(await refusedLink(place, first, parentId)).toEqual(['/body/parentId']);
    }
    expect(await rootOf(place)).toEqual([first]);
    expect((await link(place, last, first)).status).toBe(201);
  });

  test('refuses units of different organizations, and unknown ones, with 400', async () => {
    const place = await planted(1);
    const other = await planted(1);
    const [mine] = place.ids;
    const [theirs] = other.ids;
    expect(await refusedLink(place, mine, theirs)).toEqual(['/body/parentId']);
    expect(await refusedLink(place, theirs, mine)).toEqual(['/body/childId']);
    expect(await refusedLink(place, theirs, null)).toEqual(['/body/childId']);
    expect(await refusedLink(place, app().uuid(), app().uuid())).toEqual(['/body/childId', '/body/parentId']);
    expect(await rootOf(place)).toEqual([mine]);
    expect(await rootOf(other)).toEqual([theirs]);
  });

  test('allows 32 levels and refuses the 33rd with 400', async () => {
    const place = await chained(MAX_LEVELS - 1);
    const [first] = place.ids;
    const last = place.ids.at(-1);
    const pair = [await newUnit(cast.alice.client, place.slug), await newUnit(cast.alice.client, place.slug)];
    expect((await link(place, pair[1], pair[0])).status).toBe(201);
    expect(await refusedLink(place, pair[0], last)).toEqual(['/body/parentId']);
    expect(await refusedLink(place, first, pair[1])).toEqual(['/body/parentId']);
    expect((await link(place, pair[1], last)).status).toBe(201);
    expect(await refusedLink(place, pair[0], pair[1])).toEqual(['/body/parentId']);
  });

  test('needs an organization that is there (404), its admin (403), and ids (400)', async () => {
    const place = await planted(1);
    const [childId] = place.ids;
    expect((await link({ ...place, orgId: app().uuid() }, childId)).status).toBe(404);
    for (const person of [cast.bob, cast.chelsea, cast.oscar]) {
      expect((await ask(person, 'POST', '/api/orgs/relations', { orgId: place.orgId, childId })).status).toBe(403);
    }
    expect((await ask(undefined, 'POST', '/api/orgs/relations', { orgId: place.orgId, childId })).status).toBe(401);
    const bad = { parentId: 'x', childId: 7 };
    expect(await faultsOf(cast.alice, 'POST', '/api/orgs/relations', bad)).toEqual([
      '/body/childId',
      '/body/orgId',
      '/body/parentId',
    ]);
  });
});

describe('unlinking', () => {
  test('puts a unit at the root with all that is below it, and may be asked for again', async () => {
    const place = await chained(3);
    const [top, middle, bottom] = place.ids;
    for (let time = 0; time < 2; time += 1) {
      expect((await unlink(middle)).status).toBe(204);
      expect(await rootOf(place)).toEqual([top, middle]);
      expect(await childrenOf(place, middle)).toEqual([bottom]);
    }
  });

  test('is for admins (403), of a unit that is there and the caller may know (404), by its id (400)', async () => {
    const place = await chained(2);
    const bottom = place.ids.at(-1);
    expect((await unlink(bottom, cast.bob)).status).toBe(403);
    expect((await unlink(bottom, cast.chelsea)).status).toBe(404);
    expect((await unlink(app().uuid())).status).toBe(404);
    expect((await unlink('none')).status).toBe(400);
    expect(await rootOf(place)).toEqual(place.ids.slice(0, 1));
  });
});

describe('deleting a unit', () => {
  test('moves its children to its parent, and to the root when it has none', async () => {
    const place = await planted(5);
    const [top, middle, , left, right] = place.ids;
    await link(place, middle, top);
    await link(place, right, middle);
    await link(place, left, middle);
    expect((await ask(cast.alice, 'DELETE', `/api/orgs/${place.slug}/units/${middle}`)).status).toBe(204);
    expect(await childrenOf(place, top)).toEqual([left, right]);
    expect((await ask(cast.alice, 'DELETE', `/api/orgs/${place.slug}/units/${top}`)).status).toBe(204);
    expect(await rootOf(place)).toEqual(place.ids.slice(2));
  });
});

describe('lists', () => {
  test('units at the root, or the children of parentId, as they were created, whole or as ids', async () => {
    const place = await planted(4);
    const [first, second, third, fourth] = place.ids;
    await link(place, fourth, second);
    await link(place, first, second);
    const shown = await Promise.all(
      place.ids.map(async (unitId) => (await ask(cast.bob, 'GET', `/api/orgs/${place.slug}/units/${unitId}`)).body),
    );
    expect(await idsAt(place, 'unit-ids')).toEqual([second, third]);
    expect(await idsAt(place, 'units')).toEqual([shown[1], shown[2]]);
    expect(await idsAt(place, `unit-ids?parentId=${second}`)).toEqual([first, fourth]);
    expect(await idsAt(place, `units?parentId=${second}`)).toEqual([shown[0], shown[3]]);
    expect(await idsAt(place, `units/${second}/subunits`)).toEqual([shown[0], shown[3]]);
    expect(await idsAt(place, `units/${third}/subunits`)).toEqual([]);
  });

  test('below a unit only direct children, or with parentId those of that descendant', async () => {
    const place = await chained(4);
    const [first, second, third, fourth] = place.ids;
    expect(await childrenOf(place, first)).toEqual([second]);
    const path = `units/${first}/subunit-ids?parentId=`;
    expect(await idsAt(place, path + third)).toEqual([fourth]);
    expect(await idsAt(place, path + first)).toEqual([second]);
    expect(await idsAt(place, `units/${first}/subunits?parentId=${third}`)).toMatchObject([{ id: fourth }]);
  });

  test('of a parentId that is unknown, of another organization, or not below the unit are 404; malformed it is 400', async () => {
    const place = await chained(3);
    const other = await planted(1);
    const [first, second] = place.ids;
    const beside = await newUnit(cast.alice.client, place.slug);
    const path = `/api/orgs/${place.slug}`;
    const [foreign = ''] = other.ids;
    for (const parentId of [foreign, app().uuid()]) {
      for (const list of ['units', 'unit-ids', `units/${first}/subunits`, `units/${first}/subunit-ids`]) {
        expect((await ask(cast.bob, 'GET', `${path}/${list}?parentId=${parentId}`)).status).toBe(404);
      }
    }
    for (const parentId of [beside, first]) {
      expect((await ask(cast.bob, 'GET', `${path}/units/${second}/subunit-ids?parentId=${parentId}`)).status).toBe(404);
    }
    for (const list of ['units', `units/${first}/subunits`]) {
      expect(await faultsOf(cast.bob, 'GET', `${path}/${list}?parentId=X`, undefined)).toEqual(['/query/parentId']);
    }
  });

  test('come in pages whose Link leads on; a cursor holds for its own list only', async () => {
    const place = await planted(5);
    const [first, ...rest] = place.ids;
    for (const childId of rest) await link(place, childId, first);
    const under = `/api/orgs/${place.slug}/units?parentId=${first}&limit=3`;
    expect(await pagesOf(cast.bob, under)).toEqual([rest.slice(0, 3), rest.slice(3)]);
    expect(await pagesOf(cast.bob, `/api/orgs/${place.slug}/units/${first}/subunits?limit=2`)).toEqual([
      rest.slice(0, 2),
      rest.slice(2),
    ]);
    const next = nextOf((await ask(cast.bob, 'GET', under)).headers) ?? '';
    const elsewhere = next.replace(`parentId=${first}`, `parentId=${rest[0]}`);
    expect(await faultsOf(cast.bob, 'GET', elsewhere, undefined)).toEqual(['/query/cursor']);
    expect(nextOf((await ask(cast.bob, 'GET', `/api/orgs/${place.slug}/units?limit=1`)).headers)).toBeUndefined();
  });

  test('leave nothing out when the last unit of a page moves away or is deleted before the next page', async () => {
    const place = await planted(6);
    const [, second, third, fourth, fifth, sixth] = place.ids;
    const list = `/api/orgs/${place.slug}/unit-ids?limit=2`;
    const next = nextOf((await ask(cast.bob, 'GET', list)).headers) ?? '';
    await link(place, second, sixth);
    expect((await ask(cast.bob, 'GET', next)).body).toEqual([third, fourth]);
    await ask(cast.alice, 'DELETE', `/api/orgs/${place.slug}/units/${second}`);
    const rest = (await pagesOfIds(next)).flat();
    expect(rest).toEqual(expect.arrayContaining([third, fourth, fifth, sixth]));
    expect(new Set(rest).size).toBe(rest.length);
  });
});

/** All pages of a list of ids. */
async function pagesOfIds(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers } = await ask(cast.bob, 'GET', next);
    pages.push(body);
    next = nextOf(headers);
  }
  return pages;
}

describe('links at the same time', () => {
  test('of two units under each other never make a cycle: one is refused', async () => {
    const place = await planted(2);
    const [one, two] = place.ids;
    for (let round = 0; round < 15; round += 1) {
      const answers = await Promise.all([link(place, one, two), link(place, two, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await rootOf(place)).toHaveLength(1);
      await Promise.all([unlink(one), unlink(two)]);
    }
  });

  test('of five units round in a circle leave a tree in which every unit still stands', async () => {
    const place = await planted(5);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(place.ids.map((id, index) => link(place, id, place.ids[(index + 1) % 5])));
      const tree = await loadTree(app().table, place.orgId);
      expect(tree.units.map(({ id }) => id)).toEqual(place.ids);
      for (const id of place.ids) expect(ancestorsOf(tree, id)).not.toContain(id);
      expect(tree.units.filter(({ parentId }) => parentId === null).length).toBe(1);
      await Promise.all(place.ids.map((id) => unlink(id)));
    }
  });

  test('and deletions leave no unit under one that is gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = await planted(3);
      const [one, two, three] = place.ids;
      await Promise.all([
        link(place, one, two),
        link(place, three, two),
        ask(cast.alice, 'DELETE', `/api/orgs/${place.slug}/units/${two}`),
      ]);
      expect(await rootOf(place)).toEqual([one, three]);
    }
  });
});
