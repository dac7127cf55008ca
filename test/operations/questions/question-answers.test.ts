/** What editing a question does to the answers to it. */
import { describe, expect, test } from 'vitest';
import { readFaults, requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { expectProblem, newCast, newForm, question } from '#test/support/fixtures.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

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
    await start(cast.dave, formId, answers.slice(1));
    expect(await requestAs(cast.bob, 'PUT', `${path}/${text}`, question({ type: 'LONG_TEXT' }))).toMatchObject({
      status: 200,
      body: { id: text, type: 'LONG_TEXT' },
    });
  });

  test('is refused with 400 once any response, even a draft, holds an answer to it; all else may change', async () => {
    const { formId, path, text, answers } = await twoQuestions();
    await start(cast.dave, formId, answers.slice(0, 1));
    expect(await readFaults(cast.bob, 'PUT', `${path}/${text}`, question({ type: 'LONG_TEXT' }))).toEqual([
      '/body/type',
    ]);
    const same = question({ type: 'SHORT_TEXT', title: 'Your name', required: true });
    expect(await requestAs(cast.bob, 'PUT', `${path}/${text}`, same)).toMatchObject({
      status: 200,
      body: { title: 'Your name', required: true },
    });
  });
});

describe('deleting a question that answers refer to', () => {
  test('never deletes the answers: tables keep a column for it, marked as removed, behind the others', async () => {
    const { formId, sectionId, text, choice, answers } = await twoQuestions();
    const responseId = await respond(cast.dave, formId, answers);
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
    await respond(cast.dave, formId, answers);
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
    expect((await expectProblem(cast.bob.client.exports.previewTable({ params: { formId }, body }))).status).toBe(404);
  });

  test('a deleted choice stays in the answers that selected it, under its name', async () => {
    const { formId, sectionId, choice, blue, answers } = await twoQuestions();
    const responseId = await respond(cast.dave, formId, answers);
    const body = question({ type: 'MULTIPLE_CHOICE', choices: [{ id: blue, name: 'navy' }] });
    await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId: choice }, body });
    const { answer } = (await cast.bob.client.responses.getAnswer({ params: { responseId, questionId: choice } })).body;
    expect(answer).toMatchObject({ displayValue: 'red, blue', answer: { value: answers[1]?.value } });
  });
});

describe('an edit of a question and the first answer to it at the same time', () => {
  type Own = Awaited<ReturnType<typeof twoQuestions>>;
  const edits: [what: string, status: number, edit: (own: Own) => Promise<{ status: number }>][] = [
    [
      'a new type',
      200,
      ({ path, text }) => requestAs(cast.bob, 'PUT', `${path}/${text}`, question({ type: 'LONG_TEXT' })),
    ],
    ['deleting it', 204, ({ path, text }) => requestAs(cast.bob, 'DELETE', `${path}/${text}`)],
    [
      'deleting its section',
      204,
      ({ formId, sectionId }) => requestAs(cast.bob, 'DELETE', `/api/forms/${formId}/workflow/nodes/${sectionId}`),
    ],
  ];
  const answer = ({ formId, answers }: Own) =>
    requestAs(cast.dave, 'POST', `/api/forms/${formId}/responses`, { answers: answers.slice(0, 1) });

  test.each(edits)('%s sees an answer that was saved before it is written', async (what, status, edit) => {
    const own = await twoQuestions();
    const saved: { status: number; body: { id: string } }[] = [];
    const edited = await beforeFirstWrite(
      () => edit(own),
      async () => saved.push(await answer(own)),
    );
    expect(saved).toMatchObject([{ status: 201 }]);
    // The type of an answered question stays; a removed one keeps its column.
    expect(edited.status).toBe(what === 'a new type' ? 400 : status);
    const params = { responseId: saved[0]?.body.id ?? '', questionId: own.text };
    expect((await cast.dave.client.responses.getAnswer({ params })).body.answer.displayValue).toBe('Dave');
    const body = { questionIds: [own.text] };
    const { headers } = (await cast.bob.client.exports.previewTable({ params: own, body })).body;
    expect(headers).toMatchObject([{ id: own.text }]);
  });

  test.each(edits)('the answer is refused after %s, and nothing of it is stored', async (_, status, edit) => {
    const own = await twoQuestions();
    const edited: { status: number }[] = [];
    const refused = await beforeFirstWrite(
      () => answer(own),
      async () => edited.push(await edit(own)),
    );
    expect(edited).toMatchObject([{ status }]);
    expect(refused.status).toBe(400);
    const { body } = await cast.dave.client.responses.listMyResponses({ params: own });
    expect(body.responses).toEqual([]);
  });
});
