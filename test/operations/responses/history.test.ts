/** Answers outlive what editors do to the form: renames, removed choices, removed questions. */
import { describe, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  castAt,
  choice,
  displays,
  editQuestion,
  preview,
  readQuestion,
  readTable,
  respond,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();

/** A form of one ranking of Red and Blue, and a submitted response that ranks both. */
async function ranked() {
  const { alice, dave, slug } = cast;
  const choices = [{ name: 'Red' }, { name: 'Blue' }];
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'RANKING', choices }, { type: 'SHORT_TEXT' }]]);
  const question = await readQuestion(alice, formId, questionIds[0]);
  const both = [choice(question, 'Blue'), choice(question, 'Red')];
  const responseId = await respond(dave, formId, [sent(question.id, 'RANKING', both)]);
  return { formId, questionIds, question, both, responseId };
}

const renamed = (question: Awaited<ReturnType<typeof readQuestion>>) =>
  (question.choices ?? []).map(({ id, name }) => ({ id, name: name === 'Red' ? 'Crimson' : name }));

async function exported(formId: string, questionId: string) {
  const body = { questionIds: [questionId] };
  const file = await cast.alice.client.exports.downloadTable({ params: { formId }, body });
  const sheet = sheetOf(await open(fileOf(file)));
  return { header: sheet.getCell('D1').value, cells: valuesOf(sheet, 4).map((row) => row[3]) };
}

describe('an answer stores the names of its choices at that time:', () => {
  test('a later rename rewrites neither answer, preview, table nor XLSX', async () => {
    const { alice, dave } = cast;
    const { formId, question, responseId } = await ranked();
    await editQuestion(alice, question, { choices: renamed(question) });
    expect((await answerTo(dave, responseId, question.id)).displayValue).toBe('Blue > Red');
    expect(displays(await preview(dave, formId, responseId))[question.id]).toBe('Blue > Red');
    const { rows } = await readTable(alice, formId, [question.id]);
    expect(rows[0]?.answers[question.id]?.displayValue).toBe('Blue > Red');
    expect((await exported(formId, question.id)).cells).toEqual(['Blue > Red']);
  });

  test('the same selection sent again keeps the old name; a new selection has the new one', async () => {
    const { alice, dave } = cast;
    const { question, both, responseId } = await ranked();
    await editQuestion(alice, question, { choices: renamed(question) });
    const same = await save(dave, responseId, [sent(question.id, 'RANKING', both)]);
    expect(same.body.answers[0]?.displayValue).toBe('Blue > Red');
    const other = await save(dave, responseId, [sent(question.id, 'RANKING', both.toReversed())]);
    expect(other.body.answers[0]?.displayValue).toBe('Crimson > Blue');
  });

  test('a removed choice stays readable in the answers that name it, and blocks the submit of a draft that names it', async () => {
    const { alice, dave } = cast;
    const { formId, question, both, responseId } = await ranked();
    const draft = await start(dave, formId);
    await save(dave, draft, [sent(question.id, 'RANKING', both)]);
    await editQuestion(alice, question, { choices: renamed(question).filter(({ name }) => name === 'Blue') });
    expect((await answerTo(dave, responseId, question.id)).displayValue).toBe('Blue > Red');
    const refused = { status: 400, errors: [{ pointer: `/answers/${question.id}` }] };
    expect(await expectProblem(submit(dave, draft))).toMatchObject(refused);
    expect((await answerTo(dave, draft, question.id)).displayValue).toBe('Blue > Red');
    expect((await exported(formId, question.id)).cells).toEqual(['Blue > Red']);
  });
});

describe('deleting a question never deletes the answers:', () => {
  test('they are read by question, and the table and the XLSX keep a column marked as removed', async () => {
    const { alice, dave } = cast;
    const { formId, questionIds, question, responseId } = await ranked();
    const params = { sectionId: question.sectionId, questionId: question.id };
    await alice.client.questions.deleteQuestion({ params });
    expect((await answerTo(dave, responseId, question.id)).displayValue).toBe('Blue > Red');
    expect(displays(await preview(dave, formId, responseId))).toEqual({
      [questionIds[1] ?? '']: null,
      [question.id]: 'Blue > Red',
    });
    const { headers, rows } = await readTable(alice, formId, questionIds);
    expect(headers.map(({ id }) => id)).toEqual(questionIds.toReversed());
    expect(headers.at(-1)?.title).toMatch(/removed/);
    expect(headers.at(-1)?.title).toContain(question.title);
    expect(rows[0]?.answers[question.id]?.displayValue).toBe('Blue > Red');
    expect(await exported(formId, question.id)).toEqual({ header: headers.at(-1)?.title, cells: ['Blue > Red'] });
  });

  test('nor does deleting its whole section', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds, sectionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Why?' }]]);
    const [questionId = ''] = questionIds;
    const responseId = await respond(dave, formId, [text(questionId, 'because')]);
    await alice.client.workflow.deleteNode({ params: { formId, nodeId: sectionIds[0] ?? '' } });
    expect((await answerTo(dave, responseId, questionId)).displayValue).toBe('because');
    const { headers, rows } = await readTable(alice, formId, [questionId]);
    expect(headers[0]?.title).toMatch(/^Why\?.*removed/);
    expect(rows[0]?.answers[questionId]?.displayValue).toBe('because');
  });

  test('but nobody can answer it any more', async () => {
    const { alice, dave } = cast;
    const { question, both, responseId } = await ranked();
    const params = { sectionId: question.sectionId, questionId: question.id };
    await alice.client.questions.deleteQuestion({ params });
    const problem = await expectProblem(save(dave, responseId, [sent(question.id, 'RANKING', both)]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/questionId' }] });
  });
});

test("a question's type cannot change once a response holds an answer to it", async () => {
  const { alice } = cast;
  const { question } = await ranked();
  const change = editQuestion(alice, question, { type: 'SHORT_TEXT' });
  expect(await expectProblem(change)).toMatchObject({ status: 400, errors: [{ pointer: '/body/type' }] });
});
