/** Members' roles and leaving (contract section 3, rows "List / add / remove members" and "Change a member's role"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { ask, draftForm, faultsOf, itemsMentioning } from '#test/support/building.ts';
import { type Cast, newCast, newOrganization, type Person, person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const pathTo = (slug: string, member: { id: string }): string => `/api/orgs/${slug}/members/${member.id}`;
const setRole = (by: Person, slug: string, member: { id: string }, role: string) =>
  ask(by, 'PATCH', pathTo(slug, member), { role });
const remove = async (by: Person, slug: string, member: { id: string }) =>
  (await ask(by, 'DELETE', pathTo(slug, member))).status;

/** Whether somebody is an admin: only admins are heard out when they send an empty change. */
const isAdmin = async (who: Person, slug: string) => (await ask(who, 'PUT', `/api/orgs/${slug}`, {})).status === 400;

/** An organization with alice and bob as its admins. */
async function twoAdmins() {
  const { alice, bob } = cast;
  const { slug, orgId } = await newOrganization(alice, bob);
  expect((await setRole(alice, slug, bob, 'ADMIN')).status).toBe(200);
  return { slug, orgId };
}

describe('changing a role', () => {
  test('makes a member an admin and an admin a member, with all that goes with it, at once', async () => {
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
    expect((await ask(alice, 'GET', `/api/orgs/${slug}/members`)).status).toBe(200);
  });

  test('to the role that a member has already changes nothing, also for the last admin', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    for (const [member, role] of [
      [alice, 'ADMIN'],
      [bob, 'MEMBER'],
      [alice, 'ADMIN'],
    ] as const) {
      expect(await setRole(alice, slug, member, role)).toMatchObject({ status: 200, body: { role } });
    }
    expect((await setRole(alice, slug, alice, 'MEMBER')).status).toBe(400);
  });

  test('to anything but ADMIN or MEMBER is 400', async () => {
    const { slug } = await newOrganization(cast.alice, cast.bob);
    for (const body of [{ role: 'OWNER' }, { role: 'admin' }, { role: null }, {}]) {
      expect(await faultsOf(cast.alice, 'PATCH', pathTo(slug, cast.bob), body)).toEqual(['/body/role']);
    }
  });

  test('of the last admin is 400, and they stay one; of one of two it is not', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await setRole(alice, slug, alice, 'MEMBER')).toMatchObject({ status: 400, body: { code: 'last_admin' } });
    expect(await isAdmin(alice, slug)).toBe(true);
    await setRole(alice, slug, bob, 'ADMIN');
    expect((await setRole(alice, slug, alice, 'MEMBER')).status).toBe(200);
    expect((await setRole(bob, slug, bob, 'MEMBER')).status).toBe(400);
  });
});

describe('removing a member', () => {
  test('takes everything from them at once: members, units and forms', async () => {
    const { alice, bob } = cast;
    const { slug, orgId } = await newOrganization(alice, bob);
    const { id: formId } = await draftForm(alice, slug);
    const paths = [`/api/orgs/${slug}/members`, `/api/orgs/${slug}/units`, `/api/orgs/${slug}/forms`];
    for (const path of paths) expect((await ask(bob, 'GET', path)).status).toBe(200);
    expect((await ask(bob, 'GET', `/api/forms/${formId}`)).status).toBe(200);
    expect(await remove(alice, slug, bob)).toBe(204);
    for (const path of paths) expect((await ask(bob, 'GET', path)).status).toBe(403);
    expect((await ask(bob, 'GET', `/api/forms/${formId}`)).status).toBe(404);
    const theirs = (await bob.client.orgs.listMyOrganizations()).body;
    expect(theirs.map(({ id }) => id)).not.toContain(orgId);
    const members = (await alice.client.orgs.listMembers({ params: { slug } })).body;
    expect(members.map(({ id }) => id)).toEqual([alice.id]);
    const traces = (await itemsMentioning(orgId)).filter((key) => key.includes(bob.id));
    expect(traces).toEqual([]);
  });

  test('who is removed and added again is a member, whatever they were before', async () => {
    const { alice, bob } = cast;
    const { slug } = await twoAdmins();
    expect(await remove(alice, slug, bob)).toBe(204);
    await alice.client.orgs.addMember({ params: { slug }, body: { email: bob.email } });
    expect(await isAdmin(bob, slug)).toBe(false);
    expect((await ask(bob, 'GET', `/api/orgs/${slug}/members`)).status).toBe(200);
  });

  test('refuses the last admin with 400, and lets one of two go, themselves too', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await remove(alice, slug, alice)).toBe(400);
    expect(await isAdmin(alice, slug)).toBe(true);
    await setRole(alice, slug, bob, 'ADMIN');
    expect(await remove(alice, slug, alice)).toBe(204);
    expect(await remove(bob, slug, bob)).toBe(400);
  });
});

describe('somebody who is no member', () => {
  test('can neither be changed nor removed: 404', async () => {
    const { alice, bob, chelsea } = cast;
    const { slug } = await newOrganization(alice, bob);
    for (const stranger of [chelsea, { id: app().uuid() }]) {
      expect((await setRole(alice, slug, stranger, 'ADMIN')).status).toBe(404);
      expect(await remove(alice, slug, stranger)).toBe(404);
    }
    expect(await remove(alice, slug, bob)).toBe(204);
    expect(await remove(alice, slug, bob)).toBe(404);
    expect((await setRole(alice, slug, bob, 'ADMIN')).status).toBe(404);
    // The thing addressed comes before the body.
    expect((await setRole(alice, slug, bob, 'OWNER')).status).toBe(404);
  });

  test('is not told who is one, and a malformed id is 400', async () => {
    const { alice, bob, chelsea } = cast;
    const { slug } = await newOrganization(alice, bob);
    for (const member of [bob, { id: app().uuid() }]) {
      expect((await setRole(chelsea, slug, member, 'ADMIN')).status).toBe(403);
      expect(await remove(chelsea, slug, member)).toBe(403);
    }
    for (const method of ['PATCH', 'DELETE']) {
      expect(await faultsOf(alice, method, pathTo(slug, { id: 'bob' }), { role: 'ADMIN' })).toEqual(['/path/memberId']);
    }
  });
});

describe('at the same time', () => {
  const ROUNDS = 15;

  test('two admins who make each other members leave one admin', async () => {
    const { alice, bob } = cast;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { slug } = await twoAdmins();
      await Promise.all([setRole(alice, slug, bob, 'MEMBER'), setRole(bob, slug, alice, 'MEMBER')]);
      expect([await isAdmin(alice, slug), await isAdmin(bob, slug)].filter(Boolean)).toHaveLength(1);
    }
  });

  test('two admins who remove each other, or themselves, leave one admin', async () => {
    const { alice, bob } = cast;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { slug } = await twoAdmins();
      const [ofAlice, ofBob] = round % 2 === 0 ? [alice, bob] : [bob, alice];
      await Promise.all([remove(alice, slug, ofAlice), remove(bob, slug, ofBob)]);
      expect([await isAdmin(alice, slug), await isAdmin(bob, slug)].filter(Boolean)).toHaveLength(1);
    }
  });

  test('an admin who is made a member and removed is gone, and was counted once: the last admin stays protected', async () => {
    const { alice, bob } = cast;
    const carol = await person('carol');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { slug } = await twoAdmins();
      await alice.client.orgs.addMember({ params: { slug }, body: { email: carol.email } });
      await setRole(alice, slug, carol, 'ADMIN');
      const changes = [() => setRole(alice, slug, bob, 'MEMBER'), () => remove(carol, slug, bob)];
      await Promise.all((round % 2 === 0 ? changes : changes.reverse()).map((change) => change()));
      const members = (await alice.client.orgs.listMembers({ params: { slug } })).body;
      expect(members.map(({ id }) => id).sort()).toEqual([alice.id, carol.id].sort());
      expect((await setRole(alice, slug, carol, 'MEMBER')).status).toBe(200);
      expect((await setRole(alice, slug, alice, 'MEMBER')).status).toBe(400);
    }
  });
});
