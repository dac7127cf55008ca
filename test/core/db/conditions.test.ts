/** The table port's writes: each condition, transactions that are all or nothing, and the details of a refusal. */
import { beforeAll, expect, test } from 'vitest';
import { type Table, type Write, WriteRefused } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { newItemKey, storeItem } from '#test/support/stored.ts';

let table: Table;
beforeAll(() => {
  table = app().table;
});

const attribute = async (key: { pk: string; sk: string }, name: string): Promise<unknown> =>
  (await table.read([key]))[0]?.[name];

async function refusal(writes: readonly Write[]): Promise<WriteRefused> {
  const outcome = await table.write(writes).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof WriteRefused) return outcome;
  throw new Error(`expected the write to be refused, got ${outcome}`);
}

test('absent: true writes only where there is no item yet', async () => {
  const key = newItemKey();
  await table.write([{ put: { ...key, color: 'red' }, when: { absent: true } }]);
  await refusal([{ put: { ...key, color: 'blue' }, when: { absent: true } }]);
  expect(await attribute(key, 'color')).toBe('red');
});

test('absent: false writes only where there is an item, and creates none', async () => {
  const key = newItemKey();
  await refusal([{ update: key, set: { color: 'red' }, when: { absent: false } }]);
  expect(await table.read([key])).toEqual([undefined]);
  await table.write([{ put: key }]);
  await table.write([{ update: key, set: { color: 'red' }, when: { absent: false } }]);
  expect(await attribute(key, 'color')).toBe('red');
});

test('equals holds for exactly this value, text and number apart, and never for a missing attribute', async () => {
  const key = await storeItem({ version: 3, state: 'open' });
  for (const equals of [{ version: 2 }, { version: '3' }, { state: 'Open' }, { missing: 1 }]) {
    await refusal([{ update: key, set: { touched: true }, when: { equals } }]);
  }
  await table.write([{ update: key, set: { touched: true }, when: { equals: { version: 3, state: 'open' } } }]);
  expect(await attribute(key, 'touched')).toBe(true);
});

test('equals requires all of its values', async () => {
  const key = await storeItem({ version: 3, state: 'open' });
  await refusal([{ remove: key, when: { equals: { version: 3, state: 'closed' } } }]);
  expect(await attribute(key, 'version')).toBe(3);
});

test('above holds for numbers beyond the limit, and never for a missing attribute', async () => {
  const key = await storeItem({ admins: 2 });
  await refusal([{ update: key, add: { admins: -1 }, when: { above: { admins: 2 } } }]);
  await refusal([{ update: key, add: { admins: -1 }, when: { above: { missing: 0 } } }]);
  await table.write([{ update: key, add: { admins: -1 }, when: { above: { admins: 1 } } }]);
  expect(await attribute(key, 'admins')).toBe(1);
});

test('smaller holds for a map with fewer members, and never for a missing attribute', async () => {
  const key = await storeItem({ memberships: { a: 'ADMIN', b: 'MEMBER' } });
  const add = (name: string, smaller: Record<string, number>): Write => ({
    update: key,
    set: { [`memberships.${name}`]: 'MEMBER' },
    when: { smaller },
  });
  await refusal([add('c', { memberships: 2 })]);
  await refusal([add('c', { missing: 5 })]);
  await table.write([add('c', { memberships: 3 })]);
  expect(await attribute(key, 'memberships')).toEqual({ a: 'ADMIN', b: 'MEMBER', c: 'MEMBER' });
});

test('below holds for numbers under the limit, and for a missing attribute or item', async () => {
  const [missing, stored] = [newItemKey(), await storeItem({ uses: 2 })];
  await refusal([{ update: stored, add: { uses: 1 }, when: { below: { uses: 2 } } }]);
  await table.write([{ update: stored, add: { uses: 1 }, when: { below: { uses: 3, other: 0 } } }]);
  await table.write([{ update: missing, add: { uses: 1 }, when: { below: { uses: 1 } } }]);
  expect([await attribute(stored, 'uses'), await attribute(missing, 'uses')]).toEqual([3, 1]);
});

test('absentOrExpired holds for no item and for one whose time to live is over', async () => {
  const [missing, expired, live] = [
    newItemKey(),
    await storeItem({ expiresAt: 100 }),
    await storeItem({ expiresAt: 101 }),
  ];
  for (const key of [missing, expired]) {
    await table.write([{ put: { ...key, color: 'new' }, when: { absentOrExpired: 100 } }]);
    expect(await attribute(key, 'color')).toBe('new');
  }
  await refusal([{ put: { ...live, color: 'new' }, when: { absentOrExpired: 100 } }]);
  expect(await attribute(live, 'color')).toBeUndefined();
});

test('an empty condition holds', async () => {
  const key = newItemKey();
  await table.write([{ put: { ...key, color: 'red' }, when: {} }]);
  await table.write([{ update: key, set: { color: 'blue' }, when: {} }]);
  expect(await attribute(key, 'color')).toBe('blue');
});

test('an update sets, unsets and adds at once, one level into a map too', async () => {
  const key = await storeItem({ memberships: { a: 'ADMIN', b: 'MEMBER' }, count: 1, note: 'old', kept: 'yes' });
  await table.write([
    {
      update: key,
      set: { 'memberships.c': 'MEMBER', label: 'new', ignored: undefined },
      unset: ['memberships.a', 'note'],
      add: { count: 2, tags: new Set(['x']) },
    },
  ]);
  const [item] = await table.read([key]);
  expect(item).toMatchObject({ memberships: { b: 'MEMBER', c: 'MEMBER' }, count: 3, label: 'new', kept: 'yes' });
  expect(item?.tags).toEqual(new Set(['x']));
  expect(item).not.toHaveProperty('note');
  expect(item).not.toHaveProperty('ignored');
  expect(item?.memberships).not.toHaveProperty('a');
});

test('a transaction in which one condition fails writes nothing at all', async () => {
  const [made, changed, removed, checked] = [
    newItemKey(),
    await storeItem({ version: 1 }),
    await storeItem(),
    await storeItem(),
  ];
  const refused = await refusal([
    { put: made },
    { update: changed, set: { version: 2 } },
    { remove: removed },
    { check: checked, when: { equals: { version: 99 } } },
  ]);
  expect(refused.index).toBe(3);
  const items = await table.read([made, changed, removed, checked]);
  expect(items).toMatchObject([undefined, { version: 1 }, removed, checked]);
});

test('a transaction whose conditions hold writes everything', async () => {
  const [made, changed, removed, checked] = [
    newItemKey(),
    await storeItem({ version: 1 }),
    await storeItem(),
    await storeItem(),
  ];
  await table.write([
    { put: made, when: { absent: true } },
    { update: changed, set: { version: 2 }, when: { equals: { version: 1 } } },
    { remove: removed, when: { absent: false } },
    { check: checked, when: { absent: false } },
  ]);
  const items = await table.read([made, changed, removed, checked]);
  expect(items).toMatchObject([made, { version: 2 }, undefined, checked]);
});

test('a refusal names the first write that was refused and the stored item', async () => {
  const met = { version: 4, open: true, nothing: null, tags: new Set(['x', 'y']), list: [1, { deep: 'text' }] };
  const [key, other] = [await storeItem(met), newItemKey()];
  const alone = await refusal([{ update: key, set: { version: 9 }, when: { equals: { version: 3 } } }]);
  expect(alone.index).toBe(0);
  expect(alone.found).toMatchObject({ ...key, ...met });
  const together = await refusal([
    { put: other },
    { check: key, when: { equals: { version: 3 } } },
    { remove: { ...key, sk: 'OTHER' }, when: { absent: false } },
  ]);
  expect(together.index).toBe(1);
  expect(together.found).toMatchObject({ ...key, ...met });
});

test('a refusal without an item says so', async () => {
  const [alone, together] = [newItemKey(), newItemKey()];
  expect(await refusal([{ remove: alone, when: { absent: false } }])).toMatchObject({ index: 0, found: undefined });
  const refused = await refusal([{ put: newItemKey() }, { update: together, when: { equals: { version: 1 } } }]);
  expect(refused).toMatchObject({ index: 1, found: undefined });
});

test('an empty list of writes does nothing', async () => {
  await expect(table.write([])).resolves.toBeUndefined();
});

test('of many writers that each count on the version they read, none overwrites another', async () => {
  const key = await storeItem({ version: 1, notes: [] });
  const write = async (note: number): Promise<void> => {
    const [item] = await table.read([key]);
    const notes = Array.isArray(item?.notes) ? item.notes : [];
    const version = Number(item?.version);
    try {
      await table.write([
        { update: key, set: { notes: [...notes, note], version: version + 1 }, when: { equals: { version } } },
      ]);
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      await write(note);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, note) => write(note)));
  expect(await attribute(key, 'notes')).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7]));
  expect(await attribute(key, 'version')).toBe(9);
});
