/** The text that a respondent enters for the other choice: where it is allowed, and that it is kept everywhere. */
import { beforeAll, expect, test } from 'vitest';
import type { QuestionDocument, QuestionType } from '#core/structure/question-model.ts';
import { expectProblem, newForm, question as questionInput } from '#test/support/fixtures.ts';
import {
  answerTo,
  castAt,
  choice,
  displays,
  type EveryType,
  everyTypeForm,
  preview,
  readQuestion,
  readTable,
  save,
  sent,
  start,
  submit,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast.alice, cast.slug);
});

const pick = (question: QuestionDocument, ...names: string[]): string[] => names.map((name) => choice(question, name));
const chosen = (type: QuestionType, names: string[], otherText?: string) =>
  sent(form.byType[type].id, type, pick(form.byType[type], ...names), otherText);

const CASES: [type: QuestionType, names: string[], display: string][] = [
  ['SINGLE_CHOICE', ['Other'], 'Teal'],
  ['DROPDOWN', ['Other'], 'Teal'],
  ['MULTIPLE_CHOICE', ['Other', 'Red'], 'Teal, Red'],
  ['DETAILED_MULTIPLE_CHOICE', ['Red', 'Other'], 'Red, Teal'],
  ['RANKING', ['Red', 'Other', 'Blue'], 'Red > Teal > Blue'],
];

test('it replaces the name in displays and is kept in save, answer, preview, table and XLSX', async () => {
  const { alice, dave } = cast;
  const { formId } = form;
  const ids = CASES.map(([type]) => form.byType[type].id);
  const displayed = Object.fromEntries(CASES.map(([type, , display]) => [form.byType[type].id, display]));
  const responseId = await start(dave, formId);
  const answers = CASES.map(([type, names]) => chosen(type, names, 'Teal'));
  const saved = (await save(dave, responseId, answers)).body.answers;
  expect(saved).toMatchObject(
    CASES.map(([type, names, displayValue]) => ({
      answer: { value: pick(form.byType[type], ...names), otherText: 'Teal' },
      displayValue,
    })),
  );
  expect(await Promise.all(ids.map((id) => answerTo(dave, responseId, id)))).toEqual(saved);
  expect(displays(await preview(alice, formId, responseId))).toMatchObject(displayed);
  await submit(dave, responseId);
  const { rows } = await readTable(alice, formId, ids);
  expect(ids.map((id) => rows[0]?.answers[id])).toEqual(saved);
  const file = await alice.client.exports.downloadTable({ params: { formId }, body: { questionIds: ids } });
  const [cells] = valuesOf(sheetOf(await open(fileOf(file))), 3 + ids.length);
  expect(cells?.slice(3).toSorted()).toEqual(Object.values(displayed).toSorted());
});

test('it can be left out, and then the name of the choice is displayed', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const { body } = await save(
    dave,
    responseId,
    CASES.map(([type, names]) => chosen(type, names)),
  );
  expect(body.answers.map(({ displayValue }) => displayValue)).toEqual(
    CASES.map(([, , display]) => display.replace('Teal', 'Other')),
  );
  for (const { answer } of body.answers) expect(answer).not.toHaveProperty('otherText');
});

test('it is refused with a pointer without the other choice, with other types, and beyond 200 characters', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const answers = [
    chosen('SINGLE_CHOICE', ['Red'], 'Teal'),
    chosen('MULTIPLE_CHOICE', ['Red', 'Blue'], 'Teal'),
    chosen('RANKING', ['Blue'], 'Teal'),
    sent(form.byType.SHORT_TEXT.id, 'SHORT_TEXT', 'x', 'Teal'),
    sent(form.byType.LINEAR_SCALE.id, 'LINEAR_SCALE', 5, 'Teal'),
  ];
  const problem = await expectProblem(save(dave, responseId, answers));
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(
    answers.map((_, index) => `/body/answers/${index}/otherText`),
  );
  const longest = '😀'.repeat(200);
  const tooLong = await expectProblem(save(dave, responseId, [chosen('DROPDOWN', ['Other'], `${longest}!`)]));
  expect(tooLong).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/otherText' }] });
  expect((await save(dave, responseId, [chosen('DROPDOWN', ['Other'], longest)])).status).toBe(200);
});

test('changing it alone changes the answer', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const first = await save(dave, responseId, [chosen('DROPDOWN', ['Other'], 'Teal')]);
  const second = await save(dave, responseId, [chosen('DROPDOWN', ['Other'], 'Plum')]);
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect(second.body.answers[0]?.displayValue).toBe('Plum');
  await save(dave, responseId, [chosen('DROPDOWN', ['Red'])]);
  expect((await answerTo(dave, responseId, form.byType.DROPDOWN.id)).answer).not.toHaveProperty('otherText');
});

test('a choice without a name needs it to be submitted, and is shown as Other until then, to reviewers always', async () => {
  const { alice, bob, dave, slug } = cast;
  const choices = [{ name: 'Red' }, { name: '', isOther: true }];
  const kinds = [{ type: 'MULTIPLE_CHOICE' as const, required: true, choices }];
  const { formId, questionIds } = await newForm(alice, slug, [kinds]);
  const [questionId = ''] = questionIds;
  const unnamed = choice(await readQuestion(alice, formId, questionId), '');
  const picked = (otherText?: string) => [sent(questionId, 'MULTIPLE_CHOICE', [unnamed], otherText)];
  const responseId = await start(dave, formId);
  expect((await save(dave, responseId, picked())).body.answers[0]?.displayValue).toBe('Other');
  const refused = await expectProblem(submit(dave, responseId));
  expect(refused).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${questionId}` }] });
  for (const otherText of ['Tea', 'Pizza']) {
    const { body } = await dave.client.responses.startResponse({ params: { formId } });
    await submit(dave, body.id, picked(otherText));
  }
  expect((await expectProblem(submit(dave, responseId, picked(' \u200b')))).status).toBe(400);
  await submit(dave, responseId, picked('Beer'));
  expect((await expectProblem(save(dave, responseId, picked()))).status).toBe(400);
  const { rows } = await readTable(alice, formId, [questionId]);
  expect(rows.map(({ answers }) => answers[questionId]?.displayValue).toSorted()).toEqual(['Beer', 'Pizza', 'Tea']);
  await bob.client.forms.setHighlight({ params: { formId }, body: { questionId } });
  const highlight = (await bob.client.forms.getHighlight({ params: { formId } })).body;
  expect(highlight.choices.map(({ name, count }) => [name, count])).toEqual([
    ['Red', 0],
    ['Other', 3],
  ]);
  const viewId = (await bob.client.views.createView({ params: { formId } })).body.id;
  const params = { formId, viewId, questionId };
  const distinct = (await bob.client.views.listDistinctAnswers({ params, body: { filters: [] } })).body.answers;
  expect(distinct).toEqual([{ displayValue: 'Other', matchValue: unnamed, selected: false }]);
});

test('a corrected text is followed by the answers that took it over, and distinct answers show none of them', async () => {
  const { alice, bob, dave, slug } = cast;
  const choices = [{ name: 'Red' }, { name: 'Else', isOther: true }];
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, [[{ type: 'MULTIPLE_CHOICE', choices }]]);
  const [sourceId = ''] = questionIds;
  const body = questionInput({ type: 'RANKING', sourceId });
  const params = { sectionId: sectionIds[0] ?? '' };
  const ranking = (await alice.client.questions.createQuestion({ params, body })).body.id;
  const other = choice(await readQuestion(alice, formId, sourceId), 'Else');
  const picked = (otherText: string) => [sent(sourceId, 'MULTIPLE_CHOICE', [other], otherText)];
  const responseId = await start(dave, formId);
  await submit(dave, responseId, [...picked('Tea'), sent(ranking, 'RANKING', [other])]);
  await save(dave, responseId, picked('Beer'));
  expect((await answerTo(dave, responseId, ranking)).displayValue).toBe('Beer');
  const { rows } = await readTable(alice, formId, [ranking]);
  expect(rows[0]?.answers[ranking]?.displayValue).toBe('Beer');
  const viewId = (await bob.client.views.createView({ params: { formId } })).body.id;
  const view = { params: { formId, viewId, questionId: ranking }, body: { filters: [] } };
  const distinct = (await bob.client.views.listDistinctAnswers(view)).body.answers;
  expect(distinct.map(({ displayValue }) => displayValue)).toEqual(['Else']);
});
