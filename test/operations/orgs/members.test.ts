/** Adding and listing the members of an organization. */
import { describe, expect, test } from 'vitest';
import { addEmail, loadAccount } from '#core/accounts/accounts.ts';
import { app } from '#core/http/app.ts';
import { draftForm, readFaults, requestAs } from '#test/support/building.ts';
import { expectProblem, newCast, newOrganization, type Person, person } from '#test/support/fixtures.ts';

const cast = await newCast();

const add = (slug: string, email: string, who: Person = cast.alice) =>
  who.client.orgs.addMember({ params: { slug }, body: { email } });
const readMembers = async (slug: string, who: Person = cast.alice) =>
  (await who.client.orgs.listMembers({ params: { slug } })).body;
const readIds = async (slug: string, who?: Person) => (await readMembers(slug, who)).map(({ id }) => id);

describe('adding a member', () => {
  test('returns 201 with the organization and the user', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const added = await add(slug, cast.dave.email);
    const dave = (await cast.dave.client.users.getCurrentUser()).body;
    expect(added).toMatchObject({ status: 201, body: { orgId, member: dave } });
    expect(await readIds(slug)).toEqual([cast.alice.id, cast.dave.id].sort());
  });

  test('again, also many times at once, returns the same and changes neither members nor roles', async () => {
    const { slug } = await newOrganization(cast.alice);
    const results = await Promise.all(Array.from({ length: 6 }, () => add(slug, cast.dave.email)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    const again = await add(slug, cast.dave.email);
    expect([again.status, again.body]).toEqual([201, results[0]?.body]);
    expect(await readIds(slug)).toHaveLength(2);
    expect((await add(slug, cast.alice.email)).status).toBe(201);
    const body = { name: 'Still mine', description: '', metadata: {}, slug };
    expect((await cast.alice.client.orgs.updateOrganization({ params: { slug }, body })).status).toBe(200);
  });

  test('finds any e-mail of an existing user without regard to case, onboarded or not', async () => {
    const { slug } = await newOrganization(cast.alice);
    const email = `MiXed.${crypto.randomUUID()}@Example.ORG`;
    const mixed = await person('mixed', { email, onboarded: false });
    expect((await add(slug, email.toLowerCase())).body.member).toMatchObject({
      id: mixed.id,
      require_onboarding: true,
    });
    expect((await add(slug, email.toUpperCase())).body.member.emails).toEqual([email]);
    expect(await readIds(slug)).toHaveLength(2);
  });

  test('tells of a member only the address that was typed, and not that they are an operator', async () => {
    const { slug } = await newOrganization(cast.alice);
    const second = `second.${crypto.randomUUID()}@example.org`;
    const account = await loadAccount(app().table, cast.oscar.id);
    if (!account) throw new Error('oscar has an account');
    await app().table.write(addEmail(account, second, app().now().toISOString()).writes);
    const own = (await cast.oscar.client.users.getCurrentUser()).body;
    expect(own).toMatchObject({ emails: [cast.oscar.email, second], roles: ['USER', 'ADMIN'] });
    // The second time, oscar is a member already.
    for (const email of [second, second, cast.oscar.email]) {
      expect((await add(slug, email)).body.member).toEqual({ ...own, emails: [email], roles: ['USER'] });
    }
  });

  test('is 404 for an e-mail that no user has', async () => {
    const unknown = add(cast.slug, `nobody.${crypto.randomUUID()}@example.org`);
    expect(await expectProblem(unknown)).toMatchObject({ status: 404, title: 'Not Found' });
  });

  test('is 400 for anything that is not an e-mail', async () => {
    const emails = ['', 'dave', 'dave@', '@example.org', 'dave example.org', 'dave@example.org ', 'a@b@c.org'];
    for (const email of [...emails, undefined, null, 7, ['dave@example.org']]) {
      const path = `/api/orgs/${cast.slug}/members`;
      expect(await readFaults(cast.alice, 'POST', path, { email })).toEqual(['/body/email']);
    }
  });

  test('is for admins: a member, an outsider and an operator get 403 and add nobody', async () => {
    const before = await readIds(cast.slug);
    for (const who of [cast.bob, cast.chelsea, cast.oscar]) {
      expect(await expectProblem(add(cast.slug, cast.erin.email, who))).toMatchObject({ status: 403 });
    }
    expect(await readIds(cast.slug)).toEqual(before);
  });

  test('to an unknown organization is 404, and 401 signed out', async () => {
    expect(await expectProblem(add('nobody-uses-this', cast.dave.email))).toMatchObject({ status: 404 });
    const path = `/api/orgs/${cast.slug}/members`;
    expect((await requestAs(undefined, 'POST', path, { email: cast.dave.email })).status).toBe(401);
  });

  test('makes the organization and its drafts visible to them at once', async () => {
    const { slug } = await newOrganization(cast.alice);
    const params = { formId: (await draftForm(cast.alice, slug)).id };
    expect(await expectProblem(cast.erin.client.forms.getForm({ params }))).toMatchObject({ status: 404 });
    await add(slug, cast.erin.email);
    expect((await cast.erin.client.forms.getForm({ params })).body.id).toBe(params.formId);
    const organizations = (await cast.erin.client.orgs.listMyOrganizations()).body;
    expect(organizations.map((org) => org.slug)).toContain(slug);
  });
});

describe('listing members', () => {
  test('returns every member as a User, to each of them', async () => {
    const users = await Promise.all(
      [cast.alice, cast.bob].map(async ({ client }) => (await client.users.getCurrentUser()).body),
    );
    const sorted = users.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await readMembers(cast.slug, cast.alice)).toEqual(sorted);
    expect(await readMembers(cast.slug, cast.bob)).toEqual(sorted);
  });

  test('is 403 for an outsider and an operator, 404 for an unknown organization, 401 signed out', async () => {
    for (const who of [cast.chelsea, cast.oscar]) {
      expect(await expectProblem(readMembers(cast.slug, who))).toMatchObject({ status: 403 });
    }
    expect(await expectProblem(readMembers('nobody-uses-this'))).toMatchObject({ status: 404 });
    expect((await requestAs(undefined, 'GET', `/api/orgs/${cast.slug}/members`)).status).toBe(401);
  });
});
