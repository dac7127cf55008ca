/** Saving answers of all 13 types: what goes in, what comes out and how it is displayed (contract section 7, the table). */
import { beforeAll, describe, expect, test } from 'vitest';
import { QUESTION_TYPES, type QuestionType } from '#core/structure/question-model.ts';
import {
  answerTo,
  castAt,
  choice,
  type EveryType,
  everyTypeForm,
  NOW,
  questionOf,
  type Sent,
  save,
  sent,
  start,
} from '#test/support/responses.ts';
import { newForm, problemOf } from '#test/support/world.ts';

const cast = castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast().alice, cast().slug);
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

describe.each(SAVED_TYPES)('an answer of type %s', (type) => {
  const { value, out = value, display } = GOOD[type] ?? { value: '', display: '' };

  test('is stored and answered with its value and displayValue, and read back the same', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const { body, status } = await save(dave, responseId, [answer(type, value)]);
    const expected = {
      createdAt: NOW,
      updatedAt: NOW,
      responseId,
      answer: { questionId: form.byType[type].id, questionType: type, value: valueFor(type, out) },
      displayValue: display,
    };
    expect({ status, answers: body.answers }).toEqual({ status: 200, answers: [expected] });
    expect(await answerTo(dave, responseId, form.byType[type].id)).toEqual(expected);
  });

  test('can be sent back as it was answered, and nothing changes', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const first = await save(dave, responseId, [answer(type, value)]);
    const [stored] = first.body.answers;
    const again = await save(dave, responseId, [{ ...answer(type, value), value: valueFor(type, out) }]);
    expect(again.body.answers).toEqual([stored]);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  test('is refused under another questionType', async () => {
    const { dave } = cast();
    const wrong: QuestionType = type === 'SHORT_TEXT' ? 'LONG_TEXT' : 'SHORT_TEXT';
    const responseId = await start(dave, form.formId);
    const problem = await problemOf(save(dave, responseId, [{ ...answer(type, value), questionType: wrong }]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/questionType' }] });
  });
});

describe('refuses, with a pointer to the fault,', () => {
  const anId = '00000000-0000-4000-8000-000000000009';
  test.each<[string, QuestionType, Written, string]>([
    ['a short text of 501 characters', 'SHORT_TEXT', 'x'.repeat(501), '/value'],
    ['a long text of 10,001 characters', 'LONG_TEXT', 'x'.repeat(10_001), '/value'],
    ['a link that is not http or https', 'HYPERLINK', 'javascript:alert(1)', '/value'],
    ['two ids for a single choice', 'SINGLE_CHOICE', ['Red', 'Blue'], '/value'],
    ['two ids for a dropdown', 'DROPDOWN', ['Red', 'Blue'], '/value'],
    ['a choice named twice', 'MULTIPLE_CHOICE', ['Red', 'Red'], '/value/1'],
    ['a detailed choice named twice', 'DETAILED_MULTIPLE_CHOICE', ['Red', 'Blue', 'Red'], '/value/2'],
    ['a ranking that names a choice twice', 'RANKING', ['Blue', 'Red', 'Blue'], '/value/2'],
    ['no choice at all', 'MULTIPLE_CHOICE', [], '/value'],
    ['an empty ranking', 'RANKING', [], '/value'],
    ['a number for a text', 'SHORT_TEXT', 5, '/value'],
    ['a text for a number', 'LINEAR_SCALE', '8', '/value'],
    ['a number below the scale', 'LINEAR_SCALE', 0, '/value'],
    ['a number above the scale', 'RATING', 6, '/value'],
    ['a number that is not whole', 'RATING', 1.5, '/value'],
    ['a date that is not real', 'DATE', '2026-02-30', '/value'],
    ['files, which PATCH does not take', 'UPLOAD_FILE', { files: [{ fileId: anId }] }, '/value'],
  ])('%s', async (_, type, value, at) => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const problem = await problemOf(save(dave, responseId, [answer(type, value)]));
    expect(problem).toMatchObject({ status: 400, detail: 'The request body contains invalid data' });
    expect(problem.errors).toEqual([{ pointer: `/body/answers/0${at}`, detail: expect.any(String) }]);
  });

  test('a choice that is not a current choice of the question', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const foreign = choice(form.byType.DROPDOWN, 'Red');
    const answers = [sent(form.byType.SINGLE_CHOICE.id, 'SINGLE_CHOICE', [foreign])];
    const problem = await problemOf(save(dave, responseId, answers));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value/0' }] });
  });

  test('ids of files in PATCH', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const problem = await problemOf(save(dave, responseId, [sent(form.byType.UPLOAD_FILE.id, 'UPLOAD_FILE', [anId])]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value' }] });
  });

  test('a connected account, which only the callback writes', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const problem = await problemOf(
      save(dave, responseId, [sent(form.byType.OAUTH_CONNECT.id, 'OAUTH_CONNECT', 'me')]),
    );
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: expect.stringMatching(/^\/body\/answers\/0/) }] });
  });

  test('a value that is null, missing or an object of another kind', async () => {
    const { dave } = cast();
    const responseId = await start(dave, form.formId);
    const { id } = form.byType.SHORT_TEXT;
    const bad = [null, undefined, { text: 'x' }, [1], true].map((value) => ({
      ...sent(id, 'SHORT_TEXT', ''),
      value: value as never,
    }));
    const problem = await problemOf(save(dave, responseId, bad));
    const pointers = new Set(problem.errors?.map(({ pointer }) => pointer.split('/').slice(0, 5).join('/')));
    expect(problem.status).toBe(400);
    expect(pointers).toEqual(new Set([0, 1, 2, 3, 4].map((index) => `/body/answers/${index}/value`)));
  });
});

test('a removed choice is no current choice any more', async () => {
  const { alice, dave, slug } = cast();
  const choices = [{ name: 'Red' }, { name: 'Blue' }];
  const built = await newForm(alice, slug, [[{ type: 'SINGLE_CHOICE', choices }]]);
  const question = await questionOf(alice, built.formId, built.questionIds[0]);
  const red = choice(question, 'Red');
  const responseId = await start(dave, built.formId);
  const params = { sectionId: question.sectionId, questionId: question.id };
  const left = question.choices?.filter(({ name }) => name !== 'Red') ?? [];
  await alice.client.questions.updateQuestion({ params, body: { ...question, choices: left } });
  const problem = await problemOf(save(dave, responseId, [sent(question.id, 'SINGLE_CHOICE', [red])]));
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

  test('takes the asked parts, stores 1970/01/01 for the others, and displays the asked ones', async () => {
    const { alice, dave, slug } = cast();
    const built = await newForm(alice, slug, [cases.map(([date]) => ({ type: 'DATE' as const, date }))]);
    const responseId = await start(dave, built.formId);
    const answers = cases.map(([, value], index) => sent(built.questionIds[index] ?? '', 'DATE', value));
    const { body } = await save(dave, responseId, answers);
    expect(body.answers.map(({ answer: { value }, displayValue }) => [value, displayValue])).toEqual(
      cases.map(([, , value, display]) => [value, display]),
    );
  });

  test('must lie in the range of its question', async () => {
    const { alice, dave, slug } = cast();
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
      expect(ok ? (await call).status : (await problemOf(call)).status).toBe(ok ? 200 : 400);
    }
  });
});
