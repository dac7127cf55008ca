/** The text that a respondent enters for the other choice: where it is allowed, and that it is kept everywhere. */
import { beforeAll, expect, test } from 'vitest';
import type { QuestionType, QuestionView } from '#core/structure/question-model.ts';
import { problemOf } from '#test/support/fixtures.ts';
import {
  answerTo,
  castAt,
  choice,
  displays,
  type EveryType,
  everyTypeForm,
  preview,
  save,
  sent,
  start,
  submit,
  tableOf,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast().alice, cast().slug);
});

const pick = (question: QuestionView, ...names: string[]): string[] => names.map((name) => choice(question, name));
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
  const { alice, dave } = cast();
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
  const { rows } = await tableOf(alice, formId, ids);
  expect(ids.map((id) => rows[0]?.answers[id])).toEqual(saved);
  const file = await alice.client.exports.downloadTable({ params: { formId }, body: { questionIds: ids } });
  const [cells] = valuesOf(sheetOf(await open(fileOf(file))), 3 + ids.length);
  expect(cells?.slice(3).toSorted()).toEqual(Object.values(displayed).toSorted());
});

test('it can be left out, and then the name of the choice is displayed', async () => {
  const { dave } = cast();
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
  const { dave } = cast();
  const responseId = await start(dave, form.formId);
  const answers = [
    chosen('SINGLE_CHOICE', ['Red'], 'Teal'),
    chosen('MULTIPLE_CHOICE', ['Red', 'Blue'], 'Teal'),
    chosen('RANKING', ['Blue'], 'Teal'),
    sent(form.byType.SHORT_TEXT.id, 'SHORT_TEXT', 'x', 'Teal'),
    sent(form.byType.LINEAR_SCALE.id, 'LINEAR_SCALE', 5, 'Teal'),
  ];
  const problem = await problemOf(save(dave, responseId, answers));
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(
    answers.map((_, index) => `/body/answers/${index}/otherText`),
  );
  const longest = '😀'.repeat(200);
  const tooLong = await problemOf(save(dave, responseId, [chosen('DROPDOWN', ['Other'], `${longest}!`)]));
  expect(tooLong).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/otherText' }] });
  expect((await save(dave, responseId, [chosen('DROPDOWN', ['Other'], longest)])).status).toBe(200);
});

test('changing it alone changes the answer', async () => {
  const { dave } = cast();
  const responseId = await start(dave, form.formId);
  const first = await save(dave, responseId, [chosen('DROPDOWN', ['Other'], 'Teal')]);
  const second = await save(dave, responseId, [chosen('DROPDOWN', ['Other'], 'Plum')]);
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect(second.body.answers[0]?.displayValue).toBe('Plum');
  await save(dave, responseId, [chosen('DROPDOWN', ['Red'])]);
  expect((await answerTo(dave, responseId, form.byType.DROPDOWN.id)).answer).not.toHaveProperty('otherText');
});
