/** What a respondent writes beside the other choice: where it may stand and that it is kept everywhere (contract section 7). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { QuestionType, QuestionView } from '#core/structure/question-model.ts';
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
import { problemOf } from '#test/support/world.ts';
import { open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast().alice, cast().slug);
});

const pick = (question: QuestionView, ...names: string[]): string[] => names.map((name) => choice(question, name));
const chosen = (type: QuestionType, names: string[], otherText?: string) =>
  sent(form.byType[type].id, type, pick(form.byType[type], ...names), otherText);

describe.each<[QuestionType, string[], string]>([
  ['SINGLE_CHOICE', ['Other'], 'Teal'],
  ['DROPDOWN', ['Other'], 'Teal'],
  ['MULTIPLE_CHOICE', ['Other', 'Red'], 'Teal, Red'],
  ['DETAILED_MULTIPLE_CHOICE', ['Red', 'Other'], 'Red, Teal'],
  ['RANKING', ['Red', 'Other', 'Blue'], 'Red > Teal > Blue'],
])('beside the other choice of a %s question', (type, names, display) => {
  test('it replaces the name in displays and is kept in save, answer, preview, table and XLSX', async () => {
    const { alice, dave } = cast();
    const { formId } = form;
    const { id } = form.byType[type];
    const responseId = await start(dave, formId);
    const saved = await save(dave, responseId, [chosen(type, names, 'Teal')]);
    const expected = {
      answer: { questionId: id, questionType: type, value: pick(form.byType[type], ...names), otherText: 'Teal' },
      displayValue: display,
    };
    expect(saved.body.answers).toMatchObject([expected]);
    expect(await answerTo(dave, responseId, id)).toMatchObject(expected);
    expect(displays(await preview(alice, formId, responseId))[id]).toBe(display);
    await submit(dave, responseId);
    const { rows } = await tableOf(alice, formId, [id]);
    expect(rows.find((row) => row.id === responseId)?.answers[id]).toMatchObject(expected);
    const file = await alice.client.exports.downloadTable({ params: { formId }, body: { questionIds: [id] } });
    const cells = valuesOf(sheetOf(await open(Buffer.from(file.body))), 4);
    expect(cells.find(([first]) => first === responseId)?.[3]).toBe(display);
  });

  test('it can be left out, and then the name of the choice stands', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const { body } = await save(dave, responseId, [chosen(type, names)]);
    expect(body.answers[0]?.displayValue).toBe(display.replace('Teal', 'Other'));
    expect(body.answers[0]?.answer).not.toHaveProperty('otherText');
  });
});

describe('is refused with a pointer to it', () => {
  test.each<[string, QuestionType, string[]]>([
    ['when the other choice is not selected', 'SINGLE_CHOICE', ['Red']],
    ['when the other choice is not among the selected', 'MULTIPLE_CHOICE', ['Red', 'Blue']],
    ['when the other choice is not ranked', 'RANKING', ['Blue']],
  ])('%s', async (_, type, names) => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const problem = await problemOf(save(dave, responseId, [chosen(type, names, 'Teal')]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/otherText' }] });
  });

  test('beside an answer without choices', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const answers = [
      sent(form.byType.SHORT_TEXT.id, 'SHORT_TEXT', 'x', 'Teal'),
      sent(form.byType.LINEAR_SCALE.id, 'LINEAR_SCALE', 5, 'Teal'),
    ];
    const problem = await problemOf(save(dave, responseId, answers));
    const pointers = problem.errors?.map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/body/answers/0/otherText', '/body/answers/1/otherText']);
  });

  test('beyond 200 characters, counted as a person counts them', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const longest = '😀'.repeat(200);
    const { body } = await save(dave, responseId, [chosen('DROPDOWN', ['Other'], longest)]);
    expect(body.answers[0]?.displayValue).toBe(longest);
    const problem = await problemOf(save(dave, responseId, [chosen('DROPDOWN', ['Other'], `${longest}!`)]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/otherText' }] });
  });
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
