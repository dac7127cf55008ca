/** Cancelling a submitted response: it is a draft again, with all its answers. */
import { expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  cancel,
  castAt,
  pass,
  preview,
  readTable,
  respond,
  save,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();

async function submitted(allowEditResponse = true) {
  const { alice, dave, slug } = cast;
  const options = { allowEditResponse };
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', required: true }]], options);
  const [questionId = ''] = questionIds;
  return { formId, questionId, responseId: await respond(dave, formId, [text(questionId, 'kept')]) };
}

test.each([true, false])('makes it a draft again whatever allowEditResponse is: %s', async (allowEditResponse) => {
  const { alice, dave } = cast;
  const createdAt = new Date().toISOString();
  const { formId, questionId, responseId } = await submitted(allowEditResponse);
  const cancelled = await cancel(dave, responseId);
  const summary = { id: responseId, formId, createdAt, submittedAt: null, progress: 'DRAFT' };
  expect(cancelled).toMatchObject({ status: 200, body: summary });
  expect((await answerTo(dave, responseId, questionId)).displayValue).toBe('kept');
  expect((await readTable(alice, formId, [questionId])).rows).toEqual([]);
  expect((await save(dave, responseId, [text(questionId, 'changed')])).status).toBe(200);
});

test('a later submit is a new submission with its own time', async () => {
  const { alice, dave } = cast;
  const { formId, questionId, responseId } = await submitted();
  await cancel(dave, responseId);
  const submittedAt = pass(3_000);
  expect((await submit(dave, responseId)).body).toMatchObject({ submittedAt, progress: 'SUBMITTED' });
  expect((await readTable(alice, formId, [questionId])).rows).toHaveLength(1);
});

test('a draft is refused with 400: only submitted responses can be cancelled', async () => {
  const { dave } = cast;
  const { formId, responseId } = await submitted();
  const draft = await start(dave, formId);
  expect(await expectProblem(cancel(dave, draft))).toMatchObject({ status: 400, title: 'Bad Request' });
  await cancel(dave, responseId);
  expect((await expectProblem(cancel(dave, responseId))).status).toBe(400);
});

test('is for the owner: members 403, others 404, not signed in 401', async () => {
  const { alice, bob, chelsea, dave, nobody } = cast;
  const { formId, responseId } = await submitted();
  for (const member of [alice, bob]) expect((await expectProblem(cancel(member, responseId))).status).toBe(403);
  expect((await expectProblem(cancel(chelsea, responseId))).status).toBe(404);
  expect((await expectProblem(nobody.responses.cancelResponse({ params: { responseId } }))).status).toBe(401);
  expect((await preview(dave, formId, responseId)).progress).toBe('SUBMITTED');
});

test('with a stale If-Match is 409 and changes nothing', async () => {
  const { dave } = cast;
  const { formId, responseId } = await submitted();
  expect((await expectProblem(cancel(dave, responseId, { 'if-match': '"9"' }))).status).toBe(409);
  expect((await preview(dave, formId, responseId)).progress).toBe('SUBMITTED');
});
