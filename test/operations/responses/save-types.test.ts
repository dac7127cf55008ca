/** Saving answers of all 13 types: what goes in, what comes out and how it is displayed. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { QuestionType } from '#core/structure/question-model.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  castAt,
  choice,
  type EveryType,
  everyTypeForm,
  NOW,
  readQuestion,
  type Sent,
  save,
  sent,
  start,
  submit,
} from '#test/support/responses.ts';

const cast = await castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast.alice, cast.slug);
});

type Written = Sent['value'];
/** The ids of choices of a question by their names; every other value as it is. */
const valueFor = (type: QuestionType, value: Written): Written =>
  Array.isArray(value) ? value.map((name) => choice(form.byType[type], name)) : value;
const answer = (type: QuestionType, value: Written, otherText?: string): Sent =>
  sent(form.byType[type].id, type, valueFor(type, value), otherText);

/** One good answer of each type that PATCH takes: the value in, the value out where it differs, the displayValue. */
const GOOD: { [T in QuestionType]?: { value: Written; out?: Written; display: string } } = {
  SHORT_TEXT: { value: ' =1+1 "kept" ', display: ' =1+1 "kept" ' },
  LONG_TEXT: { value: `two\nlines ${'字'.repeat(9_000)}😀`, display: `two\nlines ${'字'.repeat(9_000)}😀` },
  HYPERLINK: { value: 'https://example.org/?q=1#x', display: 'https://example.org/?q=1#x' },
  SINGLE_CHOICE: { value: ['Red'], display: 'Red' },
  DROPDOWN: { value: ['Blue'], display: 'Blue' },
  MULTIPLE_CHOICE: { value: ['Blue', 'Red'], display: 'Blue, Red' },
  DETAILED_MULTIPLE_CHOICE: { value: ['Red', 'Other'], display: 'Red, Other' },
  RANKING: { value: ['Other', 'Red'], display: 'Other > Red' },
  LINEAR_SCALE: { value: 8, display: '8 (1-10)' },
  RATING: { value: 5, display: '5 (1-5)' },
  DATE: { value: '2026-6-5', out: '2026-06-05T00:00:00Z', display: '2026-06-05' },
};

const SAVED_TYPES = QUESTION_TYPES.filter((type) => type !== 'UPLOAD_FILE' && type !== 'OAUTH_CONNECT');
const idOf = (type: QuestionType): string => form.byType[type].id;
const goodAnswers = (): Sent[] => SAVED_TYPES.map((type) => answer(type, GOOD[type]?.value ?? ''));

test('an answer of each type is returned with its value and displayValue, and read back the same', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const { body, status } = await save(dave, responseId, goodAnswers());
  const expected = SAVED_TYPES.map((type) => {
    const { value, out = value, display } = GOOD[type] ?? { value: '', display: '' };
    return {
      createdAt: NOW,
      updatedAt: NOW,
      responseId,
      answer: { questionId: idOf(type), questionType: type, value: valueFor(type, out) },
      displayValue: display,
    };
  });
  expect({ status, answers: body.answers }).toEqual({ status: 200, answers: expected });
  const read = await Promise.all(SAVED_TYPES.map((type) => answerTo(dave, responseId, idOf(type))));
  expect(read).toEqual(expected);
});

test('an answer of each type can be sent back as it was returned, and nothing changes', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const first = await save(dave, responseId, goodAnswers());
  const returned = SAVED_TYPES.map((type) => answer(type, GOOD[type]?.out ?? GOOD[type]?.value ?? ''));
  const again = await save(dave, responseId, returned);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
});

test.each([
  [''],
  [[]],
  [null],
  [' \n\u200b'],
])('%j clears an answer of each type, and changes nothing where there is none', async (empty) => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const cleared = QUESTION_TYPES.map((type) => sent(idOf(type), type, empty));
  expect((await save(dave, responseId, cleared)).headers.get('etag')).toBe('"1"');
  await save(dave, responseId, goodAnswers());
  expect((await save(dave, responseId, cleared)).body.answers).toEqual([]);
  expect((await expectProblem(answerTo(dave, responseId, idOf('RANKING')))).status).toBe(404);
});

test('faults are reported with a pointer to the answer, and to the part of its value', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const anId = '00000000-0000-4000-8000-000000000009';
  const bad: [answer: Sent, at: string][] = [
    [answer('SHORT_TEXT', 'x'.repeat(501)), '/value'],
    [{ ...answer('LONG_TEXT', 'x'), questionType: 'SHORT_TEXT' }, '/questionType'],
    [answer('HYPERLINK', 'javascript:alert(1)'), '/value'],
    [answer('SINGLE_CHOICE', ['Red', 'Blue']), '/value'],
    [sent(idOf('DROPDOWN'), 'DROPDOWN', [choice(form.byType.SINGLE_CHOICE, 'Red')]), '/value/0'],
    [answer('MULTIPLE_CHOICE', ['Red', 'Red']), '/value/1'],
    [answer('RANKING', ['Blue', 'Red', 'Blue']), '/value/2'],
    [answer('LINEAR_SCALE', 0), '/value'],
    [answer('RATING', 1.5), '/value'],
    [answer('DATE', '2026-02-30'), '/value'],
    [answer('UPLOAD_FILE', { files: [{ fileId: anId }] }), '/value'],
    [answer('OAUTH_CONNECT', 'me'), ''],
  ];
  const problem = await expectProblem(
    save(
      dave,
      responseId,
      bad.map(([each]) => each),
    ),
  );
  expect(problem).toMatchObject({ status: 400, detail: 'The request body contains invalid data' });
  expect(problem.errors).toEqual(
    bad.map(([, at], index) => ({ pointer: `/body/answers/${index}${at}`, detail: expect.any(String) })),
  );
});

test('a missing value is required, and values of other kinds are refused', async () => {
  const { dave } = cast;
  const responseId = await start(dave, form.formId);
  const bad = [undefined, { text: 'x' }, [1], true].map((value) => ({
    ...sent(idOf('SHORT_TEXT'), 'SHORT_TEXT', ''),
    value: value as never,
  }));
  const problem = await expectProblem(save(dave, responseId, bad));
  const pointers = new Set(problem.errors?.map(({ pointer }) => pointer.split('/').slice(0, 5).join('/')));
  expect(problem.status).toBe(400);
  expect(pointers).toEqual(new Set([0, 1, 2, 3].map((index) => `/body/answers/${index}/value`)));
  expect(problem.errors?.[0]).toEqual({ pointer: '/body/answers/0/value', detail: 'is required' });
});

test.each(['\u0000', 'a\u0000b'])('the text %j is refused by save, start and submit', async (value) => {
  const { dave } = cast;
  const { formId } = form;
  const responseId = await start(dave, formId);
  const answers = [sent(idOf('SHORT_TEXT'), 'SHORT_TEXT', value)];
  const refused = { status: 400, errors: [{ pointer: '/body/answers/0/value' }] };
  expect(await expectProblem(save(dave, responseId, answers))).toMatchObject(refused);
  expect(await expectProblem(submit(dave, responseId, answers))).toMatchObject(refused);
  expect(await expectProblem(start(dave, formId, answers))).toMatchObject(refused);
});

test('a text without a visible character is no answer to a required question', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', required: true }]]);
  const [questionId = ''] = questionIds;
  for (const blank of [' ', '\n\t', '\u200b']) {
    const answers = [sent(questionId, 'SHORT_TEXT', blank)];
    const problem = await expectProblem(submit(dave, await start(dave, formId), answers));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${questionId}` }] });
  }
});

test('a removed choice is no current choice any more', async () => {
  const { alice, dave, slug } = cast;
  const choices = [{ name: 'Red' }, { name: 'Blue' }];
  const built = await newForm(alice, slug, [[{ type: 'SINGLE_CHOICE', choices }]]);
  const question = await readQuestion(alice, built.formId, built.questionIds[0]);
  const red = choice(question, 'Red');
  const responseId = await start(dave, built.formId);
  const params = { sectionId: question.sectionId, questionId: question.id };
  const left = question.choices?.filter(({ name }) => name !== 'Red') ?? [];
  await alice.client.questions.updateQuestion({ params, body: { ...question, choices: left } });
  const problem = await expectProblem(save(dave, responseId, [sent(question.id, 'SINGLE_CHOICE', [red])]));
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value/0' }] });
});

describe('a DATE answer', () => {
  const parts = (hasYear: boolean, hasMonth: boolean, hasDay: boolean) => ({ hasYear, hasMonth, hasDay });
  const cases: [ReturnType<typeof parts>, string, string, string][] = [
    [parts(true, true, true), '2024-06-15T23:30:00-05:00', '2024-06-15T00:00:00Z', '2024-06-15'],
    [parts(true, true, false), '2024-06', '2024-06-01T00:00:00Z', '2024-06'],
    [parts(true, false, false), '2026', '2026-01-01T00:00:00Z', '2026'],
    [parts(false, true, true), '06-15', '1970-06-15T00:00:00Z', '06-15'],
    [parts(true, true, false), '2024-06-15', '2024-06-01T00:00:00Z', '2024-06'],
  ];

  test('has the requested parts, stores 1970/01/01 for the others, and displays the requested ones', async () => {
    const { alice, dave, slug } = cast;
    const built = await newForm(alice, slug, [cases.map(([date]) => ({ type: 'DATE' as const, date }))]);
    const responseId = await start(dave, built.formId);
    const answers = cases.map(([, value], index) => sent(built.questionIds[index] ?? '', 'DATE', value));
    const { body } = await save(dave, responseId, answers);
    expect(body.answers.map(({ answer: { value }, displayValue }) => [value, displayValue])).toEqual(
      cases.map(([, , value, display]) => [value, display]),
    );
  });

  test('must lie in the range of its question', async () => {
    const { alice, dave, slug } = cast;
    const date = { ...parts(true, true, true), minDate: '2026-01-10', maxDate: '2026-01-20' };
    const built = await newForm(alice, slug, [[{ type: 'DATE', date }]]);
    const [questionId = ''] = built.questionIds;
    const responseId = await start(dave, built.formId);
    for (const [day, ok] of [
      ['09', false],
      ['10', true],
      ['20', true],
      ['21', false],
    ] as const) {
      const call = save(dave, responseId, [sent(questionId, 'DATE', `2026-01-${day}`)]);
      expect(ok ? (await call).status : (await expectProblem(call)).status).toBe(ok ? 200 : 400);
    }
  });
});
