/** Responses change only while the form is open; reading them is always possible. */
import { expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  cancel,
  castAt,
  clear,
  displays,
  pass,
  preview,
  respond,
  save,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();

/** A form with a draft and a submitted response by dave. */
async function answeredForm() {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = questionIds;
  const draft = await start(dave, formId);
  await save(dave, draft, [text(questionId, 'draft')]);
  return { formId, questionId, draft, submitted: await respond(dave, formId, [text(questionId, 'sent')]) };
}
type Answered = Awaited<ReturnType<typeof answeredForm>>;

/** Every change of a response is 400 with this reason in its detail, and nothing changes. */
async function expectClosed({ formId, questionId, draft, submitted }: Answered, reason: RegExp) {
  const { dave } = cast;
  for (const attempt of [
    () => save(dave, draft, [text(questionId, 'late')]),
    () => save(dave, submitted, [text(questionId, 'late')]),
    () => clear(dave, draft, questionId),
    () => submit(dave, draft, [text(questionId, 'late')]),
    () => cancel(dave, submitted),
  ]) {
    const problem = await expectProblem(attempt());
    expect(problem).toMatchObject({ status: 400, detail: expect.stringMatching(reason) });
  }
  await expectReadable({ formId, questionId, draft, submitted });
}

/** The owner still sees both responses as they were. */
async function expectReadable({ formId, questionId, draft, submitted }: Answered) {
  const { dave } = cast;
  const [one, two] = [await preview(dave, formId, draft), await preview(dave, formId, submitted)];
  expect([one.progress, two.progress]).toEqual(['DRAFT', 'SUBMITTED']);
  expect([displays(one)[questionId], displays(two)[questionId]]).toEqual(['draft', 'sent']);
  expect((await answerTo(dave, submitted, questionId)).displayValue).toBe('sent');
}

test('a deadline that passes meanwhile ends saving, clearing, submitting and cancelling, but not reading', async () => {
  const { alice, dave } = cast;
  const answered = await answeredForm();
  const params = { formId: answered.formId };
  const deadline = new Date(Date.now() + 60_000).toISOString();
  await alice.client.forms.updateForm({ params, body: { deadline } });
  await save(dave, answered.draft, [text(answered.questionId, 'draft')]);
  pass(61);
  await expectClosed(answered, /\bclosed\b/);
  await alice.client.forms.updateForm({ params, body: { deadline: new Date(Date.now() + 60_000).toISOString() } });
  expect((await submit(dave, answered.draft)).status).toBe(201);
});

test('so does a publishTime moved into the future', async () => {
  const { alice } = cast;
  const answered = await answeredForm();
  const body = { publishTime: new Date(Date.now() + 60_000).toISOString() };
  await alice.client.forms.updateForm({ params: { formId: answered.formId }, body });
  await expectClosed(answered, /not yet open/);
});

test('the owner still sees the response when the form is archived, and finds it in their list', async () => {
  const { alice, dave } = cast;
  const answered = await answeredForm();
  const params = { formId: answered.formId };
  await alice.client.forms.archiveForm({ params });
  await expectClosed(answered, /\barchived\b/);
  const mine = (await dave.client.responses.listMyResponses({ params })).body;
  expect(mine).toMatchObject({ totalCount: 2, draftCount: 1, submittedCount: 1 });
});

test('the owner still sees the response when the form is back to draft, and continues once it is published', async () => {
  const { alice, dave } = cast;
  const answered = await answeredForm();
  const params = { formId: answered.formId };
  await alice.client.forms.archiveForm({ params });
  await alice.client.forms.unarchiveForm({ params });
  await expectClosed(answered, /\bdraft\b/);
  await alice.client.forms.publishForm({ params });
  await expectReadable(answered);
  expect((await submit(dave, answered.draft)).status).toBe(201);
});

test('members read and an admin deletes a response whatever the state of the form', async () => {
  const { alice, bob } = cast;
  const { formId, submitted } = await answeredForm();
  await alice.client.forms.archiveForm({ params: { formId } });
  expect((await preview(bob, formId, submitted)).id).toBe(submitted);
  const params = { formId, responseId: submitted };
  expect((await alice.client.responses.deleteResponse({ params })).status).toBe(204);
});
