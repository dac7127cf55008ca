/** Changing the roles of members and removing them; an organization keeps at least one admin. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { draftForm, readFaults, requestAs } from '#test/support/building.ts';
import { newCast, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { itemsMentioning } from '#test/support/stored.ts';

const cast = await newCast();

type Member = { id: string };
const pathTo = (slug: string, member: Member): string => `/api/orgs/${slug}/members/${member.id}`;
const setRole = (by: Person, slug: string, member: Member, role: string) =>
  requestAs(by, 'PATCH', pathTo(slug, member), { role });
const statusOfRole = async (by: Person, slug: string, member: Member, role: string) =>
  (await setRole(by, slug, member, role)).status;
const add = (by: Person, slug: string, { email }: Person) =>
  by.client.orgs.addMember({ params: { slug }, body: { email } });
const remove = async (by: Person, slug: string, member: Member) =>
  (await requestAs(by, 'DELETE', pathTo(slug, member))).status;

/** Whether somebody is an admin: for an admin an empty change is 400, for others 403. */
const isAdmin = async (who: Person, slug: string) =>
  (await requestAs(who, 'PUT', `/api/orgs/${slug}`, {})).status === 400;

describe('changing a role', () => {
  test('makes a member an admin and an admin a member at once', async () => {
    const { alice, bob } = cast;
    const { slug, orgId } = await newOrganization(alice, bob);
    expect(await isAdmin(bob, slug)).toBe(false);
    expect(await setRole(alice, slug, bob, 'ADMIN')).toMatchObject({
      status: 200,
      body: { orgId, member: { id: bob.id, emails: [bob.email] }, role: 'ADMIN' },
    });
    expect(await isAdmin(bob, slug)).toBe(true);
    expect(await setRole(bob, slug, alice, 'MEMBER')).toMatchObject({ status: 200, body: { role: 'MEMBER' } });
    expect(await isAdmin(alice, slug)).toBe(false);
    expect((await requestAs(alice, 'GET', `/api/orgs/${slug}/members`)).status).toBe(200);
  });

  test('to the present role changes nothing, also for the last admin', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    for (const [member, role] of [
      [alice, 'ADMIN'],
      [bob, 'MEMBER'],
      [alice, 'ADMIN'],
    ] as const) {
      expect(await setRole(alice, slug, member, role)).toMatchObject({ status: 200, body: { role } });
    }
    expect(await statusOfRole(alice, slug, alice, 'MEMBER')).toBe(400);
  });

  test('to anything but ADMIN or MEMBER is 400', async () => {
    for (const body of [{ role: 'OWNER' }, { role: 'admin' }, { role: null }, {}]) {
      expect(await readFaults(cast.alice, 'PATCH', pathTo(cast.slug, cast.bob), body)).toEqual(['/body/role']);
    }
  });

  test('of the last admin is 400; of one of two it is not', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await setRole(alice, slug, alice, 'MEMBER')).toMatchObject({ status: 400, body: { code: 'last_admin' } });
    expect(await isAdmin(alice, slug)).toBe(true);
    await setRole(alice, slug, bob, 'ADMIN');
    expect(await statusOfRole(alice, slug, alice, 'MEMBER')).toBe(200);
    expect(await statusOfRole(bob, slug, bob, 'MEMBER')).toBe(400);
  });
});

describe('removing a member', () => {
  test('ends their access to members, units and forms at once', async () => {
    const { alice, bob } = cast;
    const { slug, orgId } = await newOrganization(alice, bob);
    const { id: formId } = await draftForm(alice, slug);
    const paths = [`/api/orgs/${slug}/members`, `/api/orgs/${slug}/units`, `/api/orgs/${slug}/forms`];
    for (const path of paths) expect((await requestAs(bob, 'GET', path)).status).toBe(200);
    expect((await requestAs(bob, 'GET', `/api/forms/${formId}`)).status).toBe(200);
    expect(await remove(alice, slug, bob)).toBe(204);
    for (const path of paths) expect((await requestAs(bob, 'GET', path)).status).toBe(403);
    expect((await requestAs(bob, 'GET', `/api/forms/${formId}`)).status).toBe(404);
    const organizations = (await bob.client.orgs.listMyOrganizations()).body;
    expect(organizations.map(({ id }) => id)).not.toContain(orgId);
    const members = (await alice.client.orgs.listMembers({ params: { slug } })).body;
    expect(members.map(({ id }) => id)).toEqual([alice.id]);
    expect((await itemsMentioning(orgId)).filter((key) => key.includes(bob.id))).toEqual([]);
  });

  test('forgets their role: an admin who is added again is a member', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    await setRole(alice, slug, bob, 'ADMIN');
    expect(await remove(alice, slug, bob)).toBe(204);
    await add(alice, slug, bob);
    expect(await isAdmin(bob, slug)).toBe(false);
    expect((await requestAs(bob, 'GET', `/api/orgs/${slug}/members`)).status).toBe(200);
  });

  test('is 400 for the last admin; one of two admins may leave', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await remove(alice, slug, alice)).toBe(400);
    expect(await isAdmin(alice, slug)).toBe(true);
    await setRole(alice, slug, bob, 'ADMIN');
    expect(await remove(alice, slug, alice)).toBe(204);
    expect(await remove(bob, slug, bob)).toBe(400);
  });
});

describe('somebody who is not a member', () => {
  test('can neither be changed nor removed: 404, before the body is checked', async () => {
    const { alice, bob, chelsea } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await remove(alice, slug, bob)).toBe(204);
    for (const stranger of [chelsea, bob, { id: app().uuid() }]) {
      expect(await statusOfRole(alice, slug, stranger, 'ADMIN')).toBe(404);
      expect(await statusOfRole(alice, slug, stranger, 'OWNER')).toBe(404);
      expect(await remove(alice, slug, stranger)).toBe(404);
    }
  });

  test('does not learn who is one (403); a malformed id is 400', async () => {
    const { alice, bob, chelsea, slug } = cast;
    for (const member of [bob, { id: app().uuid() }]) {
      expect(await statusOfRole(chelsea, slug, member, 'ADMIN')).toBe(403);
      expect(await remove(chelsea, slug, member)).toBe(403);
    }
    for (const method of ['PATCH', 'DELETE']) {
      expect(await readFaults(alice, method, pathTo(slug, { id: 'bob' }), { role: 'ADMIN' })).toEqual([
        '/path/memberId',
      ]);
    }
  });
});

describe('at the same time', () => {
  const ROUNDS = 3;

  test('two admins who make each other members, or remove each other or themselves, leave one admin', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    await setRole(alice, slug, bob, 'ADMIN');
    const changes = [
      () => [setRole(alice, slug, bob, 'MEMBER'), setRole(bob, slug, alice, 'MEMBER')],
      () => [remove(alice, slug, bob), remove(bob, slug, alice)],
      () => [remove(alice, slug, alice), remove(bob, slug, bob)],
    ];
    for (let round = 0; round < ROUNDS * changes.length; round += 1) {
      await Promise.all(changes[round % changes.length]?.() ?? []);
      const admins = [await isAdmin(alice, slug), await isAdmin(bob, slug)];
      expect(admins.filter(Boolean)).toHaveLength(1);
      const [admin, other] = admins[0] ? [alice, bob] : [bob, alice];
      await add(admin, slug, other);
      expect(await statusOfRole(admin, slug, other, 'ADMIN')).toBe(200);
    }
  });

  test('an admin who is made a member and removed is counted once: the last admin stays protected', async () => {
    const { alice, bob } = cast;
    const carol = await person('carol');
    const { slug } = await newOrganization(alice, carol);
    for (let round = 0; round < ROUNDS; round += 1) {
      await setRole(alice, slug, carol, 'ADMIN');
      await add(alice, slug, bob);
      await setRole(alice, slug, bob, 'ADMIN');
      const changes = [() => setRole(alice, slug, bob, 'MEMBER'), () => remove(carol, slug, bob)];
      await Promise.all((round % 2 === 0 ? changes : changes.reverse()).map((change) => change()));
      const members = (await alice.client.orgs.listMembers({ params: { slug } })).body;
      expect(members.map(({ id }) => id).sort()).toEqual([alice.id, carol.id].sort());
      expect(await statusOfRole(alice, slug, carol, 'MEMBER')).toBe(200);
      expect(await statusOfRole(alice, slug, alice, 'MEMBER')).toBe(400);
    }
  });
});
