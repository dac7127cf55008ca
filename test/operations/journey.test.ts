/** The main job end to end: an organization builds a form with branching, a respondent answers, an editor reviews. */
import { expect, test } from 'vitest';
import { expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { fileOf } from '#test/support/xlsx.ts';

const cast = await newCast();

test('a respondent saves, submits, cancels and submits again', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [
    [{ type: 'SHORT_TEXT', required: true }],
    [{ type: 'LONG_TEXT' }],
  ]);
  const [first = ''] = questionIds;
  const responseId = (await dave.client.responses.startResponse({ params: { formId } })).body.id;
  const incomplete = await expectProblem(
    dave.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } }),
  );
  expect(incomplete).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${first}` }] });
  const answers = [{ questionId: first, questionType: 'SHORT_TEXT' as const, value: 'hello' }];
  const saved = await dave.client.responses.updateAnswers({ params: { responseId }, body: { answers } });
  expect(saved.body.answers).toMatchObject([{ displayValue: 'hello', responseId }]);
  const submitted = await dave.client.responses.submitResponse({ params: { responseId }, body: { answers } });
  expect(submitted).toMatchObject({ status: 201, body: { progress: 'SUBMITTED' } });
  expect((await dave.client.responses.cancelResponse({ params: { responseId } })).body.progress).toBe('DRAFT');
  await dave.client.responses.submitResponse({ params: { responseId }, body: { answers } });
  const table = await alice.client.exports.previewTable({ params: { formId }, body: { questionIds } });
  expect(table.body.rows).toHaveLength(1);
  const file = await alice.client.exports.downloadTable({ params: { formId }, body: { questionIds } });
  expect(fileOf(file).subarray(0, 2).toString()).toBe('PK');
});
