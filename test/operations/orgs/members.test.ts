/** Adding and listing the members of an organization (contract section 3). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, faultsOf } from '#test/support/building.ts';
import { type Cast, newCast, newOrganization, type Person, person, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const add = (slug: string, email: string, who: Person = cast.alice) =>
  who.client.orgs.addMember({ params: { slug }, body: { email } });
const membersOf = async (slug: string, who: Person = cast.alice) =>
  (await who.client.orgs.listMembers({ params: { slug } })).body;
const idsOf = async (slug: string, who?: Person) => (await membersOf(slug, who)).map(({ id }) => id);

describe('adding a member', () => {
  test('answers 201 with the organization and the user', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const answer = await add(slug, cast.dave.email);
    const me = (await cast.dave.client.users.getCurrentUser()).body;
    expect(answer).toMatchObject({ status: 201, body: { orgId, member: me } });
    expect(await idsOf(slug)).toEqual([cast.alice.id, cast.dave.id].sort());
  });

  test('again answers the same, adds nobody twice, and leaves the role as it is', async () => {
    const { slug } = await newOrganization(cast.alice);
    const first = await add(slug, cast.dave.email);
    const again = await add(slug, cast.dave.email);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await idsOf(slug)).toHaveLength(2);
    const own = await add(slug, cast.alice.email);
    expect(own.status).toBe(201);
    const body = { name: 'Still mine', description: '', metadata: {}, slug };
    expect((await cast.alice.client.orgs.updateOrganization({ params: { slug }, body })).status).toBe(200);
  });

  test('many times at once adds them once', async () => {
    const { slug } = await newOrganization(cast.alice);
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(slug, cast.dave.email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await idsOf(slug)).toHaveLength(2);
  });

  test('finds any e-mail of an existing user without regard to case', async () => {
    const { slug } = await newOrganization(cast.alice);
    const mixed = await person('mixed', { email: `MiXed.${crypto.randomUUID()}@Example.ORG` });
    expect((await add(slug, mixed.email.toLowerCase())).body.member.id).toBe(mixed.id);
    expect((await add(slug, mixed.email.toUpperCase())).body.member).toMatchObject({ emails: [mixed.email] });
    expect(await idsOf(slug)).toHaveLength(2);
  });

  test('takes a user who is not onboarded yet', async () => {
    const { slug } = await newOrganization(cast.alice);
    const late = await person('late', { onboarded: false });
    expect((await add(slug, late.email)).body.member).toMatchObject({ id: late.id, require_onboarding: true });
  });

  test('answers 404 for an e-mail that no user has', async () => {
    const unknown = add(cast.slug, `nobody.${crypto.randomUUID()}@example.org`);
    expect(await problemOf(unknown)).toMatchObject({ status: 404, title: 'Not Found' });
  });

  test.for([
    '',
    'dave',
    'dave@',
    '@example.org',
    'dave example.org',
    'dave@example.org ',
    'a@b@c.org',
  ])('answers 400 for %j, which is not an e-mail', async (email) => {
    expect(await problemOf(add(cast.slug, email))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/email' }],
    });
  });

  test.for([
    {},
    { email: null },
    { email: 7 },
    { email: ['dave@example.org'] },
  ])('answers 400 for the body %j', async (body) => {
    expect(await faultsOf(cast.alice, 'POST', `/api/orgs/${cast.slug}/members`, body)).toEqual(['/body/email']);
  });

  test('is for admins: a member, an outsider and an operator get 403 and add nobody', async () => {
    const before = await idsOf(cast.slug);
    for (const who of [cast.bob, cast.chelsea, cast.oscar]) {
      expect(await problemOf(add(cast.slug, cast.erin.email, who))).toMatchObject({ status: 403 });
    }
    expect(await idsOf(cast.slug)).toEqual(before);
  });

  test('to an unknown organization is 404, and 401 signed out', async () => {
    expect(await problemOf(add('nobody-uses-this', cast.dave.email))).toMatchObject({ status: 404 });
    const path = `/api/orgs/${cast.slug}/members`;
    expect((await ask(undefined, 'POST', path, { email: cast.dave.email })).status).toBe(401);
  });

  test('makes the organization and its drafts known to them at once', async () => {
    const { slug } = await newOrganization(cast.alice);
    const settings = { title: 'Spring', visibility: 'PRIVATE' as const, allowEditResponse: true };
    const formId = (await cast.alice.client.forms.createForm({ params: { slug }, body: settings })).body.id;
    expect(await problemOf(cast.erin.client.forms.getForm({ params: { formId } }))).toMatchObject({ status: 404 });
    await add(slug, cast.erin.email);
    expect((await cast.erin.client.forms.getForm({ params: { formId } })).body.id).toBe(formId);
    const mine = (await cast.erin.client.orgs.listMyOrganizations()).body;
    expect(mine.map((org) => org.slug)).toContain(slug);
  });
});

describe('listing members', () => {
  test('answers every member as a User, to each of them', async () => {
    const users = await Promise.all(
      [cast.alice, cast.bob].map(async ({ client }) => (await client.users.getCurrentUser()).body),
    );
    const sorted = users.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await membersOf(cast.slug, cast.alice)).toEqual(sorted);
    expect(await membersOf(cast.slug, cast.bob)).toEqual(sorted);
  });

  test('is 403 for an outsider and an operator, who may know the organization', async () => {
    for (const who of [cast.chelsea, cast.oscar]) {
      expect(await problemOf(membersOf(cast.slug, who))).toMatchObject({ status: 403 });
    }
  });

  test('is 404 for an unknown organization and 401 signed out', async () => {
    expect(await problemOf(membersOf('nobody-uses-this'))).toMatchObject({ status: 404 });
    expect((await ask(undefined, 'GET', `/api/orgs/${cast.slug}/members`)).status).toBe(401);
  });
});
