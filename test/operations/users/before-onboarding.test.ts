/** What a user may do before onboarding: read themselves, onboard, log out, and answer forms. */
import { beforeAll, expect, test } from 'vitest';
import { draftForm } from '#test/support/building.ts';
import { type Cast, expectProblem, newCast, newForm, type Person, person } from '#test/support/fixtures.ts';
import { respond } from '#test/support/responses.ts';

let cast: Cast;
let newcomer: Person;
beforeAll(async () => {
  cast = await newCast();
  newcomer = await person('newcomer', { onboarded: false });
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: newcomer.email } });
});

const onboardingRequired = { status: 403, title: 'Forbidden', code: 'onboarding_required' };
const organization = { name: 'Rivers', description: '', metadata: {}, slug: 'early-bird' };

test('creating an organization is 403, also for a bad body', async () => {
  const { createOrganization, getSlugStatus } = newcomer.client.orgs;
  expect(await expectProblem(createOrganization({ body: organization }))).toMatchObject(onboardingRequired);
  expect(await expectProblem(createOrganization({ body: { ...organization, name: '' } }))).toMatchObject(
    onboardingRequired,
  );
  expect((await getSlugStatus({ params: { slug: organization.slug } })).body.available).toBe(true);
});

test('creating a form is 403 even for a member', async () => {
  expect(await expectProblem(draftForm(newcomer, cast.slug))).toMatchObject(onboardingRequired);
});

test('reading /users/me and lists, and logging out work', async () => {
  expect((await newcomer.client.users.getCurrentUser()).body).toMatchObject({ require_onboarding: true });
  expect((await newcomer.client.orgs.listMyOrganizations()).body).toMatchObject([{ slug: cast.slug }]);
  expect((await newcomer.client.auth.logout()).status).toBe(200);
});

test('answering a form works from start to submission', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', required: true }]]);
  const answers = [{ questionId: questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'hello' }];
  expect(await respond(newcomer, formId, answers)).toMatch(/-/);
});

test('after onboarding, creating organizations and forms works with the same access token', async () => {
  await newcomer.client.users.onboardUser({ body: { username: `late-${newcomer.id}`, name: 'late_bird' } });
  expect((await draftForm(newcomer, cast.slug)).creator.id).toBe(newcomer.id);
  expect((await newcomer.client.orgs.createOrganization({ body: organization })).status).toBe(201);
});
