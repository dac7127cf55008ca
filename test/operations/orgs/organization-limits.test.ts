/** How many organizations one person can be in, and that their lists of forms stay cheap then. */
import { beforeAll, expect, test } from 'vitest';
import { draftForm } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { withConfig } from '#test/support/faults.ts';
import { expectProblem, newCast, newOrganization, type Person, person } from '#test/support/fixtures.ts';

let admin: Person;
beforeAll(async () => {
  admin = (await newCast()).alice;
});

const add = (slug: string, { email }: Person) => admin.client.orgs.addMember({ params: { slug }, body: { email } });
const listOrganizations = async ({ client }: Person) => (await client.orgs.listMyOrganizations()).body;
const create = ({ client }: Person) =>
  client.orgs.createOrganization({
    body: { name: 'Own', description: '', metadata: {}, slug: `own-${crypto.randomUUID()}` },
  });
const newSlugs = async (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await newOrganization(admin)).slug));

const tooMany = { status: 400, code: 'too_many_organizations' };

test('others add a person to so many organizations, and no more at the same time', async () => {
  const someone = await person('mary');
  const slugs = await newSlugs(5);
  await withConfig({ maxOrganizations: 3 }, async () => {
    const added = await Promise.allSettled(slugs.map((slug) => add(slug, someone)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const organizations = await listOrganizations(someone);
    expect(organizations).toHaveLength(3);
    const [member = ''] = organizations.map(({ slug }) => slug);
    const outside = slugs.find((slug) => organizations.every((organization) => organization.slug !== slug)) ?? '';
    expect(await expectProblem(add(outside, someone))).toMatchObject(tooMany);
    // A member can be added again, and another organization once one is left.
    expect((await add(member, someone)).status).toBe(201);
    await admin.client.orgs.removeMember({ params: { slug: member, memberId: someone.id } });
    expect((await add(outside, someone)).status).toBe(201);
  });
});

test('a person whom others added to all they may can create 20 organizations', async () => {
  const someone = await person('mary');
  const [slug = ''] = await newSlugs(1);
  await withConfig({ maxOrganizations: 1 }, async () => {
    await add(slug, someone);
    const created: string[] = [];
    for (let count = 0; count < 20; count += 1) created.push((await create(someone)).body.slug);
    expect(await expectProblem(create(someone))).toMatchObject(tooMany);
    expect(await listOrganizations(someone)).toHaveLength(21);
  });
});

test('the lists of forms of a person in 70 organizations cost one query for each and status', async () => {
  const someone = await person('mary');
  const slugs: string[] = [];
  for (let count = 0; count < 70; count += 1) slugs.push((await newOrganization(someone)).slug);
  const form = await draftForm(someone, slugs[0] ?? '');
  const { cost, result } = await measureCost(() => someone.client.forms.listForms({}));
  expect(result.body.map(({ id }) => id)).toContain(form.id);
  expect(cost.roundTrips).toBeLessThanOrEqual(3);
  expect(cost.calls).toBeLessThanOrEqual(150);
});
