/** Lists of more units, organizations and members than one batch of the table holds. */
import { expect, test } from 'vitest';
import { createAccount } from '#core/accounts/accounts.ts';
import type { Write } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { insertMember, insertOrganization } from '#core/organizations/store.ts';
import { EMPTY_TREE } from '#core/organizations/unit-tree.ts';
import { insertUnit, replaceTree } from '#core/organizations/units.ts';
import { readPages } from '#test/support/building.ts';
import { newOrganization, person } from '#test/support/fixtures.ts';

const COUNT = 101;
const now = '2026-05-01T12:00:00.000Z';
const fields = { name: 'Rivers', description: '', metadata: {}, createdAt: now, updatedAt: now };
const newIds = () => Array.from({ length: COUNT }, () => app().uuid());

const alice = await person('alice');

/** Writes items that need not be written together. */
async function writeAll(writes: readonly Write[]): Promise<void> {
  for (let index = 0; index < writes.length; index += 100) await app().table.write(writes.slice(index, index + 100));
}

test('an organization lists all of its units', async () => {
  const { slug, orgId } = await newOrganization(alice);
  const ids = newIds();
  const units = ids.map((id) => ({ id, parentId: null }));
  await writeAll([
    replaceTree(orgId, EMPTY_TREE, { version: 0, units }),
    ...ids.map((id) => insertUnit({ ...fields, id, orgId, version: 1 })),
  ]);
  expect(await readPages(alice, `/api/orgs/${slug}/units`)).toEqual([ids]);
});

test('a user and an operator list all organizations', async () => {
  const [member, oscar] = [await person('mary'), await person('oscar', { email: 'oscar@example.org' })];
  const ids = newIds();
  for (const id of ids) {
    const org = { ...fields, id, slug: id, slugSince: now, version: 1 };
    await app().table.write(insertOrganization(org, member.id, 2_000));
  }
  expect(await readPages(member, '/api/orgs/me')).toEqual([ids.sort()]);
  const [all, ...more] = await readPages(oscar, '/api/orgs');
  expect(all).toEqual(expect.arrayContaining(ids));
  expect(more).toEqual([]);
});

test('an organization lists all of its members', async () => {
  const { slug, orgId } = await newOrganization(alice);
  const ids = newIds();
  const { table } = app();
  await Promise.all(ids.map((id) => createAccount(table, { id, emails: [`${id}@example.org`], avatarUrl: '', now })));
  // A transaction writes an item once, and all members check the same organization.
  await writeAll(ids.flatMap((id) => insertMember(orgId, id, now, 2_000)).filter((write) => !('check' in write)));
  expect(await readPages(alice, `/api/orgs/${slug}/members`)).toEqual([[...ids, alice.id].sort()]);
});
