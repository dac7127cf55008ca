/** Editing a submitted response: in place and complete when the form allows it, else not at all. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  type Branched,
  branchedForm,
  castAt,
  choice,
  clear,
  displays,
  editQuestion,
  pass,
  preview,
  readQuestion,
  readTable,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const required = { type: 'SHORT_TEXT', required: true } as const;
const sections = { first: [required, { type: 'LONG_TEXT' as const }], yes: [required], no: [] };
let allowing: Branched;
let forbidding: Branched;
beforeAll(async () => {
  const { alice, slug } = cast;
  allowing = await branchedForm({ person: alice, slug }, sections);
  const options = { allowEditResponse: false };
  forbidding = await branchedForm({ person: alice, slug }, sections, undefined, options);
});

async function submitted(form: Branched) {
  const [, remark = ''] = form.first;
  const responseId = await start(cast.dave, form.formId);
  const answers = [text(form.asked, 'no'), sent(remark, 'LONG_TEXT', 'nothing')];
  const { body, headers } = await submit(cast.dave, responseId, answers);
  return { responseId, remark, submittedAt: body.submittedAt, etag: headers.get('etag'), answers };
}

describe('with allowEditResponse', () => {
  test('PATCH edits in place: progress and times of the list stay, and the table shows the edit', async () => {
    const { alice, dave } = cast;
    const { responseId, remark, submittedAt } = await submitted(allowing);
    const updatedAt = pass(60);
    const saved = await save(dave, responseId, [sent(remark, 'LONG_TEXT', 'something')]);
    expect(saved.body.answers).toMatchObject([{ displayValue: 'something', updatedAt }]);
    const { formId } = allowing;
    const { responses } = (await dave.client.responses.listMyResponses({ params: { formId } })).body;
    const item = responses.find(({ id }) => id === responseId);
    expect(item).toMatchObject({ progress: 'SUBMITTED', submittedAt, updatedAt: submittedAt });
    expect((await preview(dave, formId, responseId)).updatedAt).toBe(updatedAt);
    const { rows } = await readTable(alice, formId, [remark]);
    expect(rows.find(({ id }) => id === responseId)?.answers[remark]?.displayValue).toBe('something');
  });

  test('what changes nothing is accepted although its choice was removed, and changes nothing', async () => {
    const { alice, dave, slug } = cast;
    const choices = [{ name: 'Red' }, { name: 'Blue' }];
    for (const allowEditResponse of [true, false]) {
      const kinds = [{ type: 'SINGLE_CHOICE' as const, choices }];
      const { formId, questionIds } = await newForm(alice, slug, [kinds], { allowEditResponse });
      const question = await readQuestion(alice, formId, questionIds[0]);
      const answers = [sent(question.id, 'SINGLE_CHOICE', [choice(question, 'Red')])];
      const responseId = await start(dave, formId);
      const first = await submit(dave, responseId, answers);
      await editQuestion(alice, question, { choices: question.choices?.filter(({ name }) => name === 'Blue') ?? [] });
      const again = await save(dave, responseId, answers);
      expect(again).toMatchObject({ status: 200, body: { answers: [{ displayValue: 'Red' }] } });
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
  });

  test('an answer that is not required can be cleared', async () => {
    const { dave } = cast;
    const { responseId, remark } = await submitted(allowing);
    expect((await clear(dave, responseId, remark)).status).toBe(204);
    const shown = await preview(dave, allowing.formId, responseId);
    expect(shown.progress).toBe('SUBMITTED');
    expect(displays(shown)[remark]).toBeNull();
  });

  test('each edit must leave it complete: clearing a required answer is 400 and changes nothing', async () => {
    const { dave } = cast;
    const { responseId, etag } = await submitted(allowing);
    const { asked } = allowing;
    const missing = { status: 400, errors: [{ pointer: `/answers/${asked}` }] };
    expect(await expectProblem(clear(dave, responseId, asked))).toMatchObject(missing);
    expect(await expectProblem(save(dave, responseId, [text(asked, '')]))).toMatchObject(missing);
    const read = await dave.client.responses.getAnswer({ params: { responseId, questionId: asked } });
    expect(read.headers.get('etag')).toBe(etag);
  });

  test('an edit that leads to another path must include what is required there', async () => {
    const { dave } = cast;
    const { responseId } = await submitted(allowing);
    const [needed = ''] = allowing.yes;
    const over = text(allowing.asked, 'yes');
    const problem = await expectProblem(save(dave, responseId, [over]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${needed}` }] });
    expect((await answerTo(dave, responseId, allowing.asked)).displayValue).toBe('no');
    expect((await save(dave, responseId, [over, text(needed, 'here')])).status).toBe(200);
    expect((await preview(dave, allowing.formId, responseId)).progress).toBe('SUBMITTED');
  });

  test('switched off meanwhile it no longer applies', async () => {
    const { alice, dave, slug } = cast;
    const form = await branchedForm({ person: alice, slug }, sections);
    const { responseId, remark } = await submitted(form);
    await alice.client.forms.updateForm({ params: { formId: form.formId }, body: { allowEditResponse: false } });
    const edit = save(dave, responseId, [sent(remark, 'LONG_TEXT', 'late')]);
    expect((await expectProblem(edit)).status).toBe(403);
  });
});

describe('without allowEditResponse', () => {
  test('PATCH and clear give 403, and nothing changes', async () => {
    const { dave } = cast;
    const { responseId, remark, etag } = await submitted(forbidding);
    const edit = save(dave, responseId, [sent(remark, 'LONG_TEXT', 'x')]);
    expect(await expectProblem(edit)).toMatchObject({ status: 403, title: 'Forbidden' });
    expect((await expectProblem(clear(dave, responseId, remark))).status).toBe(403);
    const read = await dave.client.responses.getAnswer({ params: { responseId, questionId: remark } });
    expect(read.headers.get('etag')).toBe(etag);
    expect(read.body.answer.displayValue).toBe('nothing');
  });

  test('a body is validated before that 403 is given', async () => {
    const { dave } = cast;
    const { responseId, remark } = await submitted(forbidding);
    const tooLong = save(dave, responseId, [sent(remark, 'LONG_TEXT', 'x'.repeat(10_001))]);
    expect(await expectProblem(tooLong)).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value' }] });
    const [behind = ''] = forbidding.yes;
    expect((await expectProblem(save(dave, responseId, [text(behind, 'off the path')]))).status).toBe(400);
    const shapeless = dave.client.responses.updateAnswers({ params: { responseId }, body: { answers: 5 as never } });
    expect((await expectProblem(shapeless)).status).toBe(400);
  });

  test('what changes nothing is 200, and 204 for a clear', async () => {
    const { dave } = cast;
    const { responseId, etag, answers } = await submitted(forbidding);
    const [behind = ''] = forbidding.yes;
    const same = await save(dave, responseId, answers);
    expect(same.status).toBe(200);
    expect(same.headers.get('etag')).toBe(etag);
    expect(same.body.answers).toHaveLength(2);
    expect((await save(dave, responseId, [])).status).toBe(200);
    expect((await clear(dave, responseId, behind)).status).toBe(204);
  });

  test('drafts can still be edited', async () => {
    const { dave } = cast;
    const responseId = await start(dave, forbidding.formId);
    for (const word of ['no', 'yes']) {
      expect((await save(dave, responseId, [text(forbidding.asked, word)])).status).toBe(200);
    }
  });
});
