/** The changes of a published form through the API: what authors have made on the pages can be seen, published, discarded. */
import { expect, test } from 'vitest';
import { type Built, expectProblem, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fillIn } from '#test/support/pages.ts';

const cast = await newCast();

/** A published form whose question got another title. */
async function changed(): Promise<Built> {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
  await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', 'Which pond?']]);
  return form;
}
const readEtag = async ({ formId }: Built) =>
  (await cast.bob.client.forms.getChanges({ params: { formId } })).headers.get('etag') ?? '';
const readTitle = async ({ formId }: Built) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body[0]?.section.questions?.[0]?.title;

test('shows the copy, what is different, and what keeps it from being published', async () => {
  const { formId } = await changed();
  const { body, headers } = await cast.bob.client.forms.getChanges({ params: { formId } });
  expect(body).toMatchObject({
    sections: [{ questions: [{ title: 'Which pond?' }] }],
    info: [],
    differences: [{ kind: 'questionChanged', title: 'Which pond?', isAnswered: false }],
    isOutdated: false,
  });
  expect(headers.get('etag')).toMatch(/^"\d+"$/);
});

test('publishes once, and nothing without changes', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  for (const _times of [1, 2]) await cast.bob.client.forms.publishChanges({ params });
  expect(await readTitle(form)).toBe('Which pond?');
  expect((await expectProblem(cast.bob.client.forms.getChanges({ params }))).status).toBe(404);
});

test('discards', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  for (const _times of [1, 2]) await cast.bob.client.forms.discardChanges({ params });
  expect(await readTitle(form)).toBe('Which lake?');
  expect((await expectProblem(cast.bob.client.forms.getChanges({ params }))).status).toBe(404);
});

test.each([
  'publishChanges',
  'discardChanges',
] as const)('%s is refused for changes that were discarded, when others were begun since', async (operation) => {
  const form = await changed();
  const params = { formId: form.formId };
  const headers = { 'if-match': await readEtag(form) };
  await cast.bob.client.forms.discardChanges({ params });
  await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', 'Which sea?']]);
  expect((await expectProblem(cast.bob.client.forms[operation]({ params, headers }))).status).toBe(409);
  expect((await cast.bob.client.forms.getChanges({ params })).body.differences).toMatchObject([
    { title: 'Which sea?' },
  ]);
});

test('refuses a stale If-Match, and a live form that was changed meanwhile unless forced', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  const headers = { 'if-match': '"2"' };
  expect((await expectProblem(cast.bob.client.forms.publishChanges({ params, headers }))).status).toBe(409);
  expect((await expectProblem(cast.bob.client.forms.discardChanges({ params, headers }))).status).toBe(409);
  const place = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
  const body = question({ type: 'SHORT_TEXT', title: 'Which sea?', order: 1 });
  await cast.alice.client.questions.updateQuestion({ params: place, body });
  expect((await cast.bob.client.forms.getChanges({ params })).body.isOutdated).toBe(true);
  expect((await expectProblem(cast.bob.client.forms.publishChanges({ params }))).status).toBe(409);
  expect(await readTitle(form)).toBe('Which sea?');
  const seen = { 'if-match': await readEtag(form) };
  await cast.bob.client.forms.publishChanges({ params, body: { force: true }, headers: seen });
  expect(await readTitle(form)).toBe('Which pond?');
});
