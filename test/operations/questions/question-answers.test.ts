/** What editing a question does to the answers that refer to it (contract section 5, last paragraph). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, draftResponse, faultsOf, submittedResponse } from '#test/support/building.ts';
import { type Cast, newCast, newForm, problemOf, question } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

/** A published form with a text and a choice question in one section. */
async function twoQuestions() {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'Name' },
      { type: 'MULTIPLE_CHOICE', title: 'Colours', choices: [{ name: 'red' }, { name: 'blue' }] },
    ],
  ]);
  const [sectionId = '', text = '', choice = ''] = [...sectionIds, ...questionIds];
  const [listed] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const [red = '', blue = ''] = listed?.questions?.[1]?.choices?.map(({ id }) => id) ?? [];
  const answers = [
    { questionId: text, questionType: 'SHORT_TEXT' as const, value: 'Dave' },
    { questionId: choice, questionType: 'MULTIPLE_CHOICE' as const, value: [red, blue] },
  ];
  return { formId, sectionId, text, choice, red, blue, answers, path: `/api/sections/${sectionId}/questions` };
}

describe('the type of a question', () => {
  test('may change while nobody has answered it', async () => {
    const { formId, path, text, answers } = await twoQuestions();
    await draftResponse(cast.dave, formId, answers.slice(1));
    expect(await ask(cast.bob, 'PUT', `${path}/${text}`, question({ type: 'LONG_TEXT' }))).toMatchObject({
      status: 200,
      body: { id: text, type: 'LONG_TEXT' },
    });
  });

  test('is refused with 400 once any response, be it a draft, holds an answer to it; all else may change', async () => {
    const { formId, path, text, answers } = await twoQuestions();
    await draftResponse(cast.dave, formId, answers.slice(0, 1));
    expect(await faultsOf(cast.bob, 'PUT', `${path}/${text}`, question({ type: 'LONG_TEXT' }))).toEqual(['/body/type']);
    const same = question({ type: 'SHORT_TEXT', title: 'Your name', required: true });
    expect(await ask(cast.bob, 'PUT', `${path}/${text}`, same)).toMatchObject({
      status: 200,
      body: { title: 'Your name', required: true },
    });
  });
});

describe('deleting a question that answers refer to', () => {
  test('never deletes the answers: tables keep a column for it, marked as removed, behind the others', async () => {
    const { formId, sectionId, text, choice, answers } = await twoQuestions();
    const responseId = await submittedResponse(cast.dave, formId, answers);
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId, questionId: text } });
    const { body } = await cast.bob.client.exports.previewTable({
      params: { formId },
      body: { questionIds: [text, choice] },
    });
    expect(body.headers).toEqual([
      { id: choice, title: 'Colours' },
      { id: text, title: expect.stringMatching(/^Name .*removed/) },
    ]);
    expect(body.rows).toMatchObject([{ id: responseId, answers: { [text]: { displayValue: 'Dave' } } }]);
    const answer = await cast.dave.client.responses.getAnswer({ params: { responseId, questionId: text } });
    expect(answer.body.answer.displayValue).toBe('Dave');
  });

  test('holds for every question of a deleted section too', async () => {
    const { formId, sectionId, text, choice, answers } = await twoQuestions();
    await submittedResponse(cast.dave, formId, answers);
    await cast.bob.client.workflow.deleteNode({ params: { formId, nodeId: sectionId } });
    const questionIds = [text, choice];
    const { body } = await cast.bob.client.exports.previewTable({ params: { formId }, body: { questionIds } });
    expect(body.headers.map(({ id, title }) => [id, /removed/.test(title)])).toEqual([
      [text, true],
      [choice, true],
    ]);
    expect(body.rows[0]?.answers[choice]?.displayValue).toBe('red, blue');
  });

  test('one that nobody answered leaves no column', async () => {
    const { formId, sectionId, text } = await twoQuestions();
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId, questionId: text } });
    const body = { questionIds: [text] };
    expect((await problemOf(cast.bob.client.exports.previewTable({ params: { formId }, body }))).status).toBe(404);
  });

  test('a deleted choice stays in the answers that selected it, under its name', async () => {
    const { formId, sectionId, choice, blue, answers } = await twoQuestions();
    const responseId = await submittedResponse(cast.dave, formId, answers);
    const body = question({ type: 'MULTIPLE_CHOICE', choices: [{ id: blue, name: 'navy' }] });
    await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId: choice }, body });
    const { answer } = (await cast.bob.client.responses.getAnswer({ params: { responseId, questionId: choice } })).body;
    expect(answer).toMatchObject({ displayValue: 'red, blue', answer: { value: answers[1]?.value } });
  });
});

test('a type change and a first answer that meet never both go through', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { formId, path, text, answers } = await twoQuestions();
    const responseId = await draftResponse(cast.dave, formId);
    const [retyped, saved] = await Promise.all([
      ask(
        cast.bob,
        'PUT',
        `${path}/${text}`,
        question({ type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } }),
      ),
      ask(cast.dave, 'PATCH', `/api/responses/${responseId}/answers`, { answers: answers.slice(0, 1) }),
    ]);
    expect([retyped.status, saved.status].sort()).toEqual([200, 400]);
  }
});

test('deleting a question that meets its first answer loses no answer that was stored', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { formId, path, text, answers } = await twoQuestions();
    const responseId = await draftResponse(cast.dave, formId);
    const [removed, saved] = await Promise.all([
      ask(cast.bob, 'DELETE', `${path}/${text}`),
      ask(cast.dave, 'PATCH', `/api/responses/${responseId}/answers`, { answers: answers.slice(0, 1) }),
    ]);
    expect(removed.status).toBe(204);
    const columns = await ask(cast.bob, 'POST', `/api/forms/${formId}/responses/export/preview`, {
      questionIds: [text],
    });
    expect(columns.status).toBe(saved.status === 200 ? 200 : 404);
  }
});
