/** What a user may do until onboarded: read themselves, onboard, log out, and answer forms (contract section 2). */
import { beforeAll, expect, test } from 'vitest';
import { draftForm } from '#test/support/building.ts';
import { type Cast, newCast, newForm, type Person, person, problemOf } from '#test/support/world.ts';

let cast: Cast;
let newcomer: Person;
beforeAll(async () => {
  cast = await newCast();
  newcomer = await person('newcomer', { onboarded: false });
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: newcomer.email } });
});

const onboardingRequired = { status: 403, title: 'Forbidden', code: 'onboarding_required' };
const organization = { name: 'Rivers', description: '', metadata: {}, slug: 'early-bird' };

test('until onboarded, creating an organization is 403', async () => {
  const create = newcomer.client.orgs.createOrganization({ body: organization });
  expect(await problemOf(create)).toMatchObject(onboardingRequired);
  const own = await newcomer.client.orgs.getOrganization({ params: { slug: 'early-bird' } }).catch((error) => error);
  expect(own).toMatchObject({ status: 404 });
});

test('until onboarded, creating a form is 403 even for a member', async () => {
  expect(await problemOf(draftForm(newcomer, cast.slug))).toMatchObject(onboardingRequired);
});

test('until onboarded, the 403 comes before the faults of the body', async () => {
  const create = newcomer.client.orgs.createOrganization({ body: { ...organization, name: '' } });
  expect(await problemOf(create)).toMatchObject(onboardingRequired);
});

test('until onboarded, reading /users/me and the lists works', async () => {
  expect((await newcomer.client.users.getCurrentUser()).body).toMatchObject({ require_onboarding: true });
  expect((await newcomer.client.orgs.listMyOrganizations()).body).toMatchObject([{ slug: cast.slug }]);
  expect((await newcomer.client.auth.logout()).status).toBe(200);
});

test('until onboarded, answering a form works from start to submission', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', required: true }]]);
  const [questionId = ''] = questionIds;
  const responseId = (await newcomer.client.responses.startResponse({ params: { formId } })).body.id;
  const body = { answers: [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'hello' }] };
  await newcomer.client.responses.updateAnswers({ params: { responseId }, body });
  const submitted = await newcomer.client.responses.submitResponse({ params: { responseId }, body });
  expect(submitted.body.progress).toBe('SUBMITTED');
});

test('once onboarded, creating organizations and forms works with the same access token', async () => {
  const late = await person('late', { onboarded: false });
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: late.email } });
  await late.client.users.onboardUser({ body: { username: `late-${late.id}`, name: 'late_bird' } });
  expect((await draftForm(late, cast.slug)).creator.id).toBe(late.id);
  const created = await late.client.orgs.createOrganization({ body: { ...organization, slug: 'late-bird' } });
  expect(created.status).toBe(201);
});
