/** The distinct answers to a question, to filter a view by. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { newForm, question } from '#test/support/fixtures.ts';
import {
  branchedForm,
  CHOICES,
  castAt,
  choice,
  editQuestion,
  everyTypeForm,
  pass,
  readQuestion,
  respond,
  save,
  sent,
  start,
  store,
  submissionOf,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();

type Filters = { questionId: string; answers: { option: string }[] }[];
const by = (questionId: string, ...options: string[]): Filters => [
  { questionId, answers: options.map((option) => ({ option })) },
];

/** A view of a form, and the distinct answers to its questions. */
async function newView(formId: string) {
  const { views } = cast.bob.client;
  const viewId = (await views.createView({ params: { formId } })).body.id;
  const path = (questionId: string): string => `/api/forms/${formId}/views/${viewId}/questions/${questionId}/filters`;
  const distinct = async (questionId: string, filters: Filters = []) =>
    (await views.listDistinctAnswers({ params: { formId, viewId, questionId }, body: { filters } })).body;
  /** What is displayed, in order. */
  const displayed = async (questionId: string, filters?: Filters) =>
    (await distinct(questionId, filters)).answers.map(({ displayValue }) => displayValue);
  return { viewId, path, distinct, displayed };
}

/** A form with two texts, a view of it, and a response for each pair. */
async function pairs(...given: [first: string, second: string][]) {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }]]);
  const [first = '', second = ''] = questionIds;
  for (const [one, two] of given) await respond(dave, formId, [text(first, one), text(second, two)]);
  return { formId, first, second, ...(await newView(formId)) };
}

describe('distinct answers', () => {
  test('are each value once, sorted by displayValue, with the requested ids', async () => {
    const { formId, viewId, first, distinct } = await pairs(['b', 'x'], ['a', 'x'], ['ä', 'y'], ['b', 'y'], ['c', 'x']);
    expect(await distinct(first)).toEqual({
      viewId,
      formId,
      questionId: first,
      answers: ['a', 'ä', 'b', 'c'].map((value) => ({ displayValue: value, matchValue: value, selected: false })),
      truncated: false,
      nextCursor: null,
    });
  });

  test('are of responses that match the other questions’ filters, not those of the question itself', async () => {
    const { first, second, displayed } = await pairs(['a', 'x'], ['b', 'x'], ['c', 'y']);
    expect(await displayed(first, by(second, 'x'))).toEqual(['a', 'b']);
    expect(await displayed(first, [...by(second, 'x'), ...by(first, 'c')])).toEqual(['a', 'b']);
    expect(await displayed(first, by(second, 'z'))).toEqual([]);
    expect(await displayed(second, by(first, 'c', 'a'))).toEqual(['x', 'y']);
  });

  test('are selected when the filters name them', async () => {
    const { first, second, distinct } = await pairs(['a', 'x'], ['b', 'x'], ['x', 'a']);
    const { answers } = await distinct(first, [...by(first, 'b', 'gone'), ...by(second, 'x', 'a'), ...by(first, 'x')]);
    expect(answers.map(({ matchValue, selected }) => [matchValue, selected])).toEqual([
      ['a', false],
      ['b', true],
      ['x', true],
    ]);
  });

  test('are of SUBMITTED responses only', async () => {
    const { formId, first, displayed } = await pairs(['a', 'x']);
    await save(cast.dave, await start(cast.dave, formId), [text(first, 'draft')]);
    expect(await displayed(first)).toEqual(['a']);
  });

  test('leave out what is off the path', async () => {
    const { alice, dave, slug } = cast;
    const kind = { type: 'SHORT_TEXT' as const };
    const form = await branchedForm({ person: alice, slug }, { first: [kind], yes: [kind], no: [kind] });
    const [inYes = ''] = form.yes;
    const { displayed } = await newView(form.formId);
    const id = await respond(dave, form.formId, [text(form.asked, 'yes'), text(inYes, 'on the path')]);
    await respond(dave, form.formId, [text(form.asked, 'yes'), text(inYes, 'still there')]);
    expect(await displayed(inYes)).toEqual(['on the path', 'still there']);
    await save(dave, id, [text(form.asked, 'no')]);
    expect(await displayed(inYes)).toEqual(['still there']);
  });

  test('of a question that is unknown, of another form or in the filters unknown are 404; no filters are 400', async () => {
    const { first, path } = await pairs();
    const { first: foreign } = await pairs();
    const { bob } = cast;
    for (const unknown of [foreign, app().uuid()]) {
      expect((await requestAs(bob, 'POST', path(unknown), { filters: [] })).status).toBe(404);
      expect((await requestAs(bob, 'POST', path(first), { filters: by(unknown, 'a') })).status).toBe(404);
    }
    expect(await readFaults(bob, 'POST', path(first), {})).toEqual(['/body/filters']);
    expect(await readFaults(bob, 'POST', path('x'), { filters: [] })).toEqual(['/path/questionId']);
    expect((await requestAs(cast.dave, 'POST', path(first), { filters: [] })).status).toBe(403);
  });
});

describe('of a choice question', () => {
  test('are choice ids under their present names, each choice of a multiple choice by itself; removed ones keep the name they had', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'MULTIPLE_CHOICE', choices: CHOICES }]]);
    const [questionId = ''] = questionIds;
    const before = await readQuestion(alice, formId, questionId);
    const [red, blue] = [choice(before, 'Red'), choice(before, 'Blue')];
    const { distinct } = await newView(formId);
    await respond(dave, formId, [sent(questionId, 'MULTIPLE_CHOICE', [red, blue])]);
    await respond(dave, formId, [sent(questionId, 'MULTIPLE_CHOICE', [red])]);
    const others = (before.choices ?? []).filter(({ id }) => id !== red && id !== blue);
    await editQuestion(alice, before, { choices: [{ id: red, name: 'Crimson' }, ...others] });
    expect((await distinct(questionId)).answers).toEqual([
      { displayValue: 'Blue', matchValue: blue, selected: false },
      { displayValue: 'Crimson', matchValue: red, selected: false },
    ]);
  });

  test('are one value for the other choice, whatever text was entered for it', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SINGLE_CHOICE', choices: CHOICES }]]);
    const [questionId = ''] = questionIds;
    const other = choice(await readQuestion(alice, formId, questionId), 'Other');
    const { distinct } = await newView(formId);
    for (const written of ['Green', 'Violet']) {
      await respond(dave, formId, [sent(questionId, 'SINGLE_CHOICE', [other], written)]);
    }
    expect((await distinct(questionId)).answers).toEqual([
      { displayValue: 'Other', matchValue: other, selected: false },
    ]);
  });
});

test('of a removed question are listed as before', async () => {
  const { alice, dave, slug } = cast;
  const kinds = [[{ type: 'SHORT_TEXT' as const }, { type: 'SHORT_TEXT' as const }]];
  const { formId, questionIds, sectionIds } = await newForm(alice, slug, kinds);
  const [removed = ''] = questionIds;
  await respond(dave, formId, [text(removed, 'kept')]);
  await alice.client.questions.deleteQuestion({ params: { sectionId: sectionIds[0] ?? '', questionId: removed } });
  expect(await (await newView(formId)).displayed(removed)).toEqual(['kept']);
});

/** Two answers of each type that is stored as it was sent. */
const PLAIN_ANSWERS: Partial<Record<QuestionType, [AnswerContent, AnswerContent]>> = {
  SHORT_TEXT: [
    { type: 'SHORT_TEXT', value: '=1+1 "\\' },
    { type: 'SHORT_TEXT', value: ' 🐸 ' },
  ],
  LONG_TEXT: [
    { type: 'LONG_TEXT', value: 'a\nb' },
    { type: 'LONG_TEXT', value: '𝒙'.repeat(300) },
  ],
  HYPERLINK: [
    { type: 'HYPERLINK', value: 'https://a.example/?b=c#d' },
    { type: 'HYPERLINK', value: 'http://b.example' },
  ],
  LINEAR_SCALE: [
    { type: 'LINEAR_SCALE', value: 1, display: '1 (1-10)' },
    { type: 'LINEAR_SCALE', value: 10, display: '10 (1-10)' },
  ],
  RATING: [
    { type: 'RATING', value: 2, display: '2 (1-5)' },
    { type: 'RATING', value: 3, display: '3 (1-5)' },
  ],
};

/** Two answers of each type as they are stored, whose values differ. */
function twoOfEach(offered: readonly string[]): Partial<Record<QuestionType, [AnswerContent, AnswerContent]>> {
  const [one = '', two = ''] = offered;
  const chosen = (type: QuestionType): [AnswerContent, AnswerContent] => [
    { type, value: [one], names: ['Red'] },
    { type, value: [two], names: ['Blue'] },
  ];
  const file = (name: string) => ({ fileId: app().uuid(), originalFilename: name, contentType: 'x/y', size: 1 });
  const connected = (username: string): AnswerContent => ({
    type: 'OAUTH_CONNECT',
    value: { provider: 'PROVIDER_ONE', providerId: username, username, email: '', avatar_url: '', avatarUrl: '' },
    display: username,
  });
  const day = (date: string): AnswerContent => ({ type: 'DATE', value: `${date}T00:00:00Z`, display: date });
  return {
    ...PLAIN_ANSWERS,
    DATE: [day('2024-06-15'), day('1999-12-31')],
    UPLOAD_FILE: [
      { type: 'UPLOAD_FILE', value: [file('a.pdf')] },
      { type: 'UPLOAD_FILE', value: [file('b.pdf')] },
    ],
    OAUTH_CONNECT: [connected('ann'), connected('ben')],
    SINGLE_CHOICE: chosen('SINGLE_CHOICE'),
    MULTIPLE_CHOICE: chosen('MULTIPLE_CHOICE'),
    DROPDOWN: chosen('DROPDOWN'),
    DETAILED_MULTIPLE_CHOICE: chosen('DETAILED_MULTIPLE_CHOICE'),
    RANKING: chosen('RANKING'),
  };
}

test('the matchValue of every type, sent back as an option, finds exactly the responses that hold it', async () => {
  const { alice, bob, dave, slug } = cast;
  const form = await everyTypeForm(alice, slug);
  const { formId, byType } = form;
  const { distinct } = await newView(formId);
  const questions = Object.values(byType);
  const responses = [0, 1].map((which) => {
    const now = pass(1);
    const contents = questions.map(({ id, type, choices }) => {
      const content = twoOfEach(choices?.map((each) => each.id) ?? [])[type]?.[which];
      if (!content) throw new Error(`there is no answer of type ${type}`);
      return [id, content] as const;
    });
    return submissionOf(form, dave.id, now, Object.fromEntries(contents));
  });
  await store(responses);
  for (const { id: questionId, type } of questions) {
    const { answers } = await distinct(questionId);
    expect(answers, type).toHaveLength(2);
    const found: string[] = [];
    for (const { matchValue } of answers) {
      const body = { filters: by(questionId, matchValue) };
      const page = (await bob.client.responses.filterResponses({ params: { formId }, body })).body;
      expect(page.responses, type).toHaveLength(1);
      found.push(...page.responses.map(({ id }) => id));
    }
    expect(found.sort(), type).toEqual(responses.map(({ id }) => id).sort());
  }
});

test('a question that asks for year and month is found by them', async () => {
  const { alice, dave, slug } = cast;
  const kind = question({ type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: false } });
  const { formId, questionIds } = await newForm(alice, slug, [
    [kind, { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } }],
  ]);
  const [date = '', rating = ''] = questionIds;
  await respond(dave, formId, [sent(date, 'DATE', '2024-06'), sent(rating, 'RATING', 4)]);
  const { distinct } = await newView(formId);
  expect((await distinct(date)).answers).toEqual([{ displayValue: '2024-06', matchValue: '2024-06', selected: false }]);
  expect((await distinct(rating)).answers).toEqual([{ displayValue: '4 (1-5)', matchValue: '4', selected: false }]);
});
