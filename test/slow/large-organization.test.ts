/** The pages of an organization with 200 members, 300 units and 500 forms: how often they wait for storage, and how large they are. */
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { insertMember } from '#core/organizations/store.ts';
import { insertUnit, replaceTree } from '#core/organizations/units.ts';
import { costOf } from '#test/support/cost.ts';
import { newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';

let alice: Person;
let slug: string;
let orgId: string;

const unitId = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

beforeAll(async () => {
  alice = await person('alice');
  ({ slug, orgId } = await newOrganization(alice));
  const { table, now } = app();
  const createdAt = now().toISOString();
  const inParallel = async (count: number, make: (index: number) => Promise<unknown>): Promise<void> => {
    for (let from = 0; from < count; from += 50) {
      const length = Math.min(50, count - from);
      await Promise.all(Array.from({ length }, (_, index) => make(from + index)));
    }
  };
  await inParallel(199, async (index) => {
    const { id } = await person(`member${index}`);
    await table.write(insertMember(orgId, id, createdAt, 10));
  });
  await inParallel(300, (index) => {
    const unit = { id: unitId(index), name: `Unit ${index}`, description: '', metadata: {}, createdAt };
    return table.write([insertUnit({ ...unit, updatedAt: createdAt, orgId, version: 1 })]);
  });
  const units = Array.from({ length: 300 }, (_, index) => ({
    id: unitId(index),
    parentId: index === 0 ? null : unitId(Math.floor((index - 1) / 4)),
  }));
  await table.write([replaceTree(orgId, { version: 0, units: [] }, { version: 0, units })]);
  await inParallel(500, (index) => newForm(alice, slug, [], { title: `Form ${index}`, publish: index % 3 !== 0 }));
  for (let index = 0; index < 30; index += 1) await newOrganization(alice);
}, 120_000);

/** The most round trips, in a function that has opened the organization before, and the most bytes of the page. */
const PAGES: readonly (readonly [path: string, roundTrips: number, bytes: number])[] = [
  // The forms come from an index, their numbers from counters.
  ['', 5, 4_000],
  ['?status=DRAFT', 5, 4_000],
  ['?search=form%2049', 5, 4_000],
  ['/settings', 2, 4_000],
  ['/members', 2, 8_000],
  ['/units', 2, 8_000],
  [`/units/${unitId(0)}`, 2, 8_000],
  [`/units/${unitId(299)}`, 2, 8_000],
  [`/units/${unitId(3)}/delete`, 2, 4_000],
  ['/delete', 2, 4_000],
  ['/new', 2, 4_000],
];

test.for(PAGES)('%s waits for storage at most %d times, and is small', async ([path, roundTrips, maxBytes]) => {
  const show = () => costOf(() => pagesOf(alice).show(`/o/${slug}${path}`));
  const first = await show();
  expect(first.cost.roundTrips).toBeLessThanOrEqual(Math.max(3, roundTrips));
  const { cost, result } = await show();
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
  expect(textOf(result) === textOf(first.result)).toBe(true);
  expect(brotliCompressSync(result).length).toBeLessThanOrEqual(maxBytes);
});

test('the page that deletes the organization counts what goes with it up to a limit', async () => {
  const html = textOf(await pagesOf(alice).show(`/o/${slug}/delete`));
  expect(html).toContain('It has more than 100 forms, more than 100 members and more than 100 units.');
});

test('an organization that takes over the slug of another one shows its own members', async () => {
  const bea = await person('bea');
  const { slug: other } = await newOrganization(bea);
  expect(textOf(await pagesOf(bea).show(`/o/${other}/members`))).toContain(bea.email);
  await bea.client.orgs.deleteOrganization({ params: { slug: other } });
  const carla = await person('carla');
  const organization = { name: 'Lakes', description: '', metadata: {}, slug: other };
  await carla.client.orgs.createOrganization({ body: organization });
  const html = textOf(await pagesOf(carla).show(`/o/${other}/members`));
  expect(html).toContain(carla.email);
  expect(html).not.toContain(bea.email);
  expect(textOf(await pagesOf(carla).show(`/o/${other}/units`))).toContain('Units');
});
