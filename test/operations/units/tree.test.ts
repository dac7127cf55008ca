/** The tree of units: lists, linking, unlinking and deleting. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { insertMember, insertOrganization } from '#core/organizations/store.ts';
import { EMPTY_TREE, findAncestorIds, MAX_LEVELS } from '#core/organizations/unit-tree.ts';
import { insertUnit, loadTree, replaceTree } from '#core/organizations/units.ts';
import { nextOf, readFaults, requestAs } from '#test/support/building.ts';
import { newCast, newOrganization } from '#test/support/fixtures.ts';

const cast = await newCast();

type Organization = { slug: string; orgId: string };
type Units = Organization & { ids: string[] };

/** An organization of alice and bob with units; `parents` has the index of each unit's parent, or null. */
async function withUnits(parents: readonly (number | null)[]): Promise<Units> {
  const orgId = app().uuid();
  const ids = parents.map(() => app().uuid());
  const now = app().now().toISOString();
  const fields = { name: 'Field team', description: '', metadata: {}, createdAt: now, updatedAt: now };
  const org = { ...fields, id: orgId, slug: orgId, slugSince: now, version: 1 };
  await app().table.write(insertOrganization(org, cast.alice.id, 2_000));
  await app().table.write(insertMember(orgId, cast.bob.id, now, 2_000));
  const units = parents.map((parent, index) => ({
    id: ids[index] ?? '',
    parentId: parent === null ? null : (ids[parent] ?? ''),
  }));
  await app().table.write([
    replaceTree(orgId, EMPTY_TREE, { version: 0, units }),
    ...ids.map((id) => insertUnit({ id, ...fields, orgId, version: 1 })),
  ]);
  return { slug: orgId, orgId, ids };
}

const atRoot = (count: number) => withUnits(Array.from({ length: count }, () => null));
/** Units of which each is the parent of the next one. */
const chain = (count: number) =>
  withUnits(Array.from({ length: count }, (_, index) => (index === 0 ? null : index - 1)));

const link = ({ orgId }: Organization, childId: string | undefined, parentId?: string | null) =>
  requestAs(cast.alice, 'POST', '/api/orgs/relations', {
    orgId,
    childId,
    ...(parentId === undefined ? {} : { parentId }),
  });
const linkFaults = ({ orgId }: Organization, childId: string | undefined, parentId: string | null | undefined) =>
  readFaults(cast.alice, 'POST', '/api/orgs/relations', { orgId, childId, parentId });
const unlink = async (childId: string | undefined, by = cast.alice) =>
  (await requestAs(by, 'DELETE', `/api/orgs/relations/child-id/${childId}`)).status;
const remove = async ({ slug }: Organization, unitId: string | undefined) =>
  (await requestAs(cast.alice, 'DELETE', `/api/orgs/${slug}/units/${unitId}`)).status;

const list = async ({ slug }: Organization, path: string) =>
  (await requestAs(cast.bob, 'GET', `/api/orgs/${slug}/${path}`)).body;
const readRoot = (org: Organization): Promise<string[]> => list(org, 'unit-ids');
const readChildren = (org: Organization, unitId: string | undefined): Promise<string[]> =>
  list(org, `units/${unitId}/subunit-ids`);

describe('linking', () => {
  test('moves a unit with all that is below it, and returns the link; again it changes nothing', async () => {
    const org = await withUnits([null, 0, 1, null]);
    const [first, second, third, other = ''] = org.ids;
    for (let time = 0; time < 2; time += 1) {
      expect(await link(org, second, other)).toMatchObject({
        status: 201,
        body: { parentId: other, childId: second, orgId: org.orgId },
      });
      expect(await readChildren(org, first)).toEqual([]);
      expect(await readChildren(org, other)).toEqual([second]);
      expect(await readChildren(org, second)).toEqual([third]);
    }
  });

  test.each([undefined, null])('without a parentId (%s) moves a unit to the root', async (parentId) => {
    const org = await chain(2);
    const [first, second] = org.ids;
    const { status, body } = await link(org, second, parentId);
    expect(status).toBe(201);
    expect(body).toEqual({ childId: second, orgId: org.orgId, ...(parentId === null ? { parentId } : {}) });
    expect(await readRoot(org)).toEqual([first, second]);
  });

  test('is 400 for a unit under itself, and for a cycle of any length', async () => {
    const org = await chain(4);
    const [first, second, , last] = org.ids;
    for (const parentId of [first, second, last]) {
      expect(await linkFaults(org, first, parentId)).toEqual(['/body/parentId']);
    }
    expect(await readRoot(org)).toEqual([first]);
  });

  test('is 400 for units of different organizations, and for unknown ones', async () => {
    const [org, other] = [await atRoot(1), await atRoot(1)];
    const [own] = org.ids;
    const [foreign] = other.ids;
    expect(await linkFaults(org, own, foreign)).toEqual(['/body/parentId']);
    expect(await linkFaults(org, foreign, own)).toEqual(['/body/childId']);
    expect(await linkFaults(org, foreign, null)).toEqual(['/body/childId']);
    expect(await linkFaults(org, app().uuid(), app().uuid())).toEqual(['/body/childId', '/body/parentId']);
  });

  test('allows 32 levels; the 33rd is 400', async () => {
    const org = await withUnits([
      ...Array.from({ length: MAX_LEVELS - 1 }, (_, n) => (n === 0 ? null : n - 1)),
      null,
      31,
    ]);
    const [top, leaf] = org.ids.slice(-2);
    const last = org.ids.at(-3);
    expect(await linkFaults(org, top, last)).toEqual(['/body/parentId']);
    expect((await link(org, leaf, last)).status).toBe(201);
    expect(await linkFaults(org, top, leaf)).toEqual(['/body/parentId']);
  });

  test('needs an existing organization (404), its admin (403), and ids (400)', async () => {
    const org = await atRoot(1);
    const [childId] = org.ids;
    const body = { orgId: org.orgId, childId };
    expect((await link({ ...org, orgId: app().uuid() }, childId)).status).toBe(404);
    for (const person of [cast.bob, cast.chelsea, cast.oscar]) {
      expect((await requestAs(person, 'POST', '/api/orgs/relations', body)).status).toBe(403);
    }
    expect((await requestAs(undefined, 'POST', '/api/orgs/relations', body)).status).toBe(401);
    const all = ['/body/childId', '/body/orgId', '/body/parentId'];
    expect(await readFaults(cast.alice, 'POST', '/api/orgs/relations', { parentId: 'x', childId: 7 })).toEqual(all);
  });
});

describe('unlinking', () => {
  test('moves a unit to the root with all that is below it; again it changes nothing', async () => {
    const org = await chain(3);
    const [first, second, third] = org.ids;
    for (let time = 0; time < 2; time += 1) {
      expect(await unlink(second)).toBe(204);
      expect(await readRoot(org)).toEqual([first, second]);
      expect(await readChildren(org, second)).toEqual([third]);
    }
  });

  test('is 403 for a member, 404 for an outsider and an unknown unit, 400 for a malformed id', async () => {
    const org = await chain(2);
    const [first, second] = org.ids;
    expect(await unlink(second, cast.bob)).toBe(403);
    expect(await unlink(second, cast.chelsea)).toBe(404);
    expect(await unlink(app().uuid())).toBe(404);
    expect(await unlink('none')).toBe(400);
    expect(await readRoot(org)).toEqual([first]);
  });
});

describe('deleting a unit', () => {
  test('moves its children to its parent, or to the root', async () => {
    const org = await withUnits([null, 0, null, 1, 1]);
    const [first, second, third, fourth, fifth] = org.ids;
    expect(await remove(org, second)).toBe(204);
    expect(await readChildren(org, first)).toEqual([fourth, fifth]);
    expect(await remove(org, first)).toBe(204);
    expect(await readRoot(org)).toEqual([third, fourth, fifth]);
  });
});

describe('lists', () => {
  test('have the units at the root or under parentId, oldest first, with all their fields or as ids', async () => {
    const org = await withUnits([1, null, null, 1]);
    const [first, second, third, fourth] = org.ids;
    const units = await Promise.all(org.ids.map((unitId) => list(org, `units/${unitId}`)));
    expect(await list(org, 'unit-ids')).toEqual([second, third]);
    expect(await list(org, 'units')).toEqual([units[1], units[2]]);
    expect(await list(org, `unit-ids?parentId=${second}`)).toEqual([first, fourth]);
    for (const path of [`units?parentId=${second}`, `units/${second}/subunits`]) {
      expect(await list(org, path)).toEqual([units[0], units[3]]);
    }
    expect(await list(org, `units/${third}/subunits`)).toEqual([]);
  });

  test('below a unit have its direct children, or with parentId those of that descendant', async () => {
    const org = await chain(4);
    const [first, second, third, fourth] = org.ids;
    expect(await readChildren(org, first)).toEqual([second]);
    expect(await list(org, `units/${first}/subunit-ids?parentId=${third}`)).toEqual([fourth]);
    expect(await list(org, `units/${first}/subunit-ids?parentId=${first}`)).toEqual([second]);
    expect(await list(org, `units/${first}/subunits?parentId=${third}`)).toMatchObject([{ id: fourth }]);
  });

  test('are 404 for a parentId that is unknown, of another organization or not below the unit, 400 for a malformed one', async () => {
    const [org, other] = [await withUnits([null, 0, 1, null]), await atRoot(1)];
    const [first, second, , beside] = org.ids;
    const path = `/api/orgs/${org.slug}`;
    const status = async (rest: string) => (await requestAs(cast.bob, 'GET', `${path}/${rest}`)).status;
    for (const parentId of [other.ids[0], app().uuid()]) {
      for (const each of ['units', 'unit-ids', `units/${first}/subunits`, `units/${first}/subunit-ids`]) {
        expect(await status(`${each}?parentId=${parentId}`)).toBe(404);
      }
    }
    for (const parentId of [beside, first]) {
      expect(await status(`units/${second}/subunit-ids?parentId=${parentId}`)).toBe(404);
    }
    for (const each of ['units', `units/${first}/subunits`]) {
      expect(await readFaults(cast.bob, 'GET', `${path}/${each}?parentId=X`, undefined)).toEqual(['/query/parentId']);
    }
  });

  /** The pages of a list of units or ids, as ids. */
  async function readPages(path: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers } = await requestAs(cast.bob, 'GET', next);
      pages.push(body.map((unit: string | { id: string }) => (typeof unit === 'string' ? unit : unit.id)));
      next = nextOf(headers);
    }
    return pages;
  }

  test('come in pages; a cursor is valid for its own list only', async () => {
    const org = await withUnits([null, 0, 0, 0, 0]);
    const [first, ...rest] = org.ids;
    const path = `/api/orgs/${org.slug}`;
    const under = `${path}/units?parentId=${first}&limit=3`;
    expect(await readPages(under)).toEqual([rest.slice(0, 3), rest.slice(3)]);
    for (const each of ['subunits', 'subunit-ids']) {
      expect(await readPages(`${path}/units/${first}/${each}?limit=2`)).toEqual([rest.slice(0, 2), rest.slice(2)]);
    }
    const next = nextOf((await requestAs(cast.bob, 'GET', under)).headers) ?? '';
    const elsewhere = next.replace(`parentId=${first}`, `parentId=${rest[0]}`);
    expect(await readFaults(cast.bob, 'GET', elsewhere, undefined)).toEqual(['/query/cursor']);
    expect(nextOf((await requestAs(cast.bob, 'GET', `${path}/units?limit=1`)).headers)).toBeUndefined();
  });

  test('have 1,000 items a page when no limit is given', async () => {
    const { slug, orgId } = await newOrganization(cast.alice, cast.bob);
    const units = Array.from({ length: 1_001 }, () => ({ id: app().uuid(), parentId: null }));
    await app().table.write([replaceTree(orgId, EMPTY_TREE, { version: 0, units })]);
    const pages = await readPages(`/api/orgs/${slug}/unit-ids`);
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1]);
    expect(pages.flat()).toEqual(units.map(({ id }) => id));
    expect(await readFaults(cast.bob, 'GET', `/api/orgs/${slug}/units?limit=1001`, undefined)).toEqual([
      '/query/limit',
    ]);
  });

  test('leave nothing out when the last unit of a page is moved or deleted before the next page', async () => {
    const org = await atRoot(6);
    const [, second, third, fourth, fifth, sixth] = org.ids;
    const path = `/api/orgs/${org.slug}/unit-ids?limit=2`;
    const next = nextOf((await requestAs(cast.bob, 'GET', path)).headers) ?? '';
    await link(org, second, sixth);
    expect((await requestAs(cast.bob, 'GET', next)).body).toEqual([third, fourth]);
    await remove(org, second);
    const rest = (await readPages(next)).flat();
    expect(rest).toEqual(expect.arrayContaining([third, fourth, fifth, sixth]));
    expect(new Set(rest).size).toBe(rest.length);
  });
});

describe('changes at the same time', () => {
  test('of two units to be under each other: one is refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const org = await atRoot(2);
      const [one, two] = org.ids;
      const results = await Promise.all([link(org, one, two), link(org, two, one)]);
      expect(results.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await readRoot(org)).toHaveLength(1);
    }
  });

  test('of five units in a circle leave a tree with all units', async () => {
    for (let round = 0; round < 3; round += 1) {
      const org = await atRoot(5);
      await Promise.all(org.ids.map((id, index) => link(org, id, org.ids[(index + 1) % 5])));
      const tree = await loadTree(app().table, org.orgId);
      expect(tree.units.map(({ id }) => id)).toEqual(org.ids);
      for (const id of org.ids) expect(findAncestorIds(tree, id)).not.toContain(id);
      expect(tree.units.filter(({ parentId }) => parentId === null)).toHaveLength(1);
    }
  });

  test('leave no unit under a deleted one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const org = await atRoot(3);
      const [one, two, three] = org.ids;
      await Promise.all([link(org, one, two), link(org, three, two), remove(org, two)]);
      expect(await readRoot(org)).toEqual([one, three]);
    }
  });
});
