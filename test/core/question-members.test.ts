/**
 * Every member of a question, and of each of its options: a change of any of them is a difference, may have an effect on those
 * who answer, makes a form on a page stale, and is in the document of the API. The members are written out here, so that one
 * which is forgotten in a table of the code is missed.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashQuestion } from '#core/pages/builder/content-hash.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import { condition, form, id, question, section } from '#test/support/workflow.ts';

const scale = { minVal: 1, maxVal: 5, minValueLabel: 'low', maxValueLabel: 'high', icon: 'star' as const };
const uploadFile = { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 };
const date = { hasYear: true, hasMonth: true, hasDay: true, minDate: '2020-01-01', maxDate: '2030-01-01' };
const number = { format: 'NUMBER' as const, min: 1, max: 9, decimals: 2, unit: 'kg' };
const pattern = { format: 'PATTERN' as const, pattern: 'a+', hint: 'some a' };
const length = { minLength: 1, maxLength: 9 };
const email = { format: 'EMAIL' as const, sendCopy: true };

type Case = [member: string, type: QuestionType, before: Partial<Question>, after: Partial<Question>];
const CASES: Case[] = [
  ['name', 'SHORT_TEXT', { name: 'age' }, { name: 'years' }],
  ['hidden', 'SHORT_TEXT', {}, { hidden: true }],
  ['text', 'SHORT_TEXT', {}, { text: length }],
  ['text.format', 'SHORT_TEXT', { text: { format: 'TIME' } }, { text: { format: 'PHONE' } }],
  ['text.minLength', 'SHORT_TEXT', { text: length }, { text: { ...length, minLength: 2 } }],
  ['text.maxLength', 'LONG_TEXT', { text: length }, { text: { ...length, maxLength: 10 } }],
  ['text.min', 'SHORT_TEXT', { text: number }, { text: { ...number, min: 2 } }],
  ['text.max', 'SHORT_TEXT', { text: number }, { text: { ...number, max: 10 } }],
  ['text.decimals', 'SHORT_TEXT', { text: number }, { text: { ...number, decimals: 3 } }],
  ['text.unit', 'SHORT_TEXT', { text: number }, { text: { ...number, unit: 'g' } }],
  ['text.pattern', 'SHORT_TEXT', { text: pattern }, { text: { ...pattern, pattern: 'b+' } }],
  ['text.hint', 'SHORT_TEXT', { text: pattern }, { text: { ...pattern, hint: 'some b' } }],
  ['text.sendCopy', 'SHORT_TEXT', { text: email }, { text: { format: 'EMAIL' } }],
  ['selection.min', 'RANKING', { selection: { min: 1 } }, { selection: { min: 2 } }],
  ['selection.max', 'MULTIPLE_CHOICE', { selection: { max: 1 } }, { selection: { max: 2 } }],
  ['shuffle', 'DROPDOWN', {}, { shuffle: true }],
  ['grid', 'SINGLE_CHOICE', {}, { grid: true }],
  ['scale.minVal', 'LINEAR_SCALE', { scale }, { scale: { ...scale, minVal: 0 } }],
  ['scale.maxVal', 'RATING', { scale }, { scale: { ...scale, maxVal: 7 } }],
  ['scale.minValueLabel', 'RATING', { scale }, { scale: { ...scale, minValueLabel: 'none' } }],
  ['scale.maxValueLabel', 'RATING', { scale }, { scale: { ...scale, maxValueLabel: 'all' } }],
  ['scale.icon', 'RATING', { scale }, { scale: { ...scale, icon: 'heart' } }],
  [
    'uploadFile.allowedFileTypes',
    'UPLOAD_FILE',
    { uploadFile },
    { uploadFile: { ...uploadFile, allowedFileTypes: ['ZIP'] } },
  ],
  ['uploadFile.maxFileAmount', 'UPLOAD_FILE', { uploadFile }, { uploadFile: { ...uploadFile, maxFileAmount: 2 } }],
  [
    'uploadFile.maxFileSizeLimit',
    'UPLOAD_FILE',
    { uploadFile },
    { uploadFile: { ...uploadFile, maxFileSizeLimit: 9 } },
  ],
  ['date.hasYear', 'DATE', { date }, { date: { ...date, hasYear: false } }],
  ['date.hasMonth', 'DATE', { date }, { date: { ...date, hasMonth: false } }],
  ['date.hasDay', 'DATE', { date }, { date: { ...date, hasDay: false } }],
  ['date.minDate', 'DATE', { date }, { date: { ...date, minDate: '2021-01-01' } }],
  ['date.maxDate', 'DATE', { date }, { date: { ...date, maxDate: '2031-01-01' } }],
  ['oauthConnect', 'OAUTH_CONNECT', { oauthConnect: 'PROVIDER_ONE' }, { oauthConnect: 'PROVIDER_TWO' }],
  ['sourceId', 'DROPDOWN', { sourceId: id('m') }, { sourceId: id('n') }],
];

/** A form in which the answer to a question decides whether the last section is asked. */
const decided = (type: QuestionType, content: Partial<Question>) =>
  form('a', [
    section('a', 'if', [question('q', type, content)]),
    condition('if', { asks: 'q', pattern: 'x' }, 'b', 'end'),
    section('b', 'end', [question('last')]),
  ]);

test.each(CASES)('%s is seen when it changes', (_member, type, before, after) => {
  const [old, changed] = [decided(type, before), decided(type, after)];
  const stored = { structure: old, answered: { ids: new Set([id('q')]), revision: 1 } };
  expect(listDifferences(stored, changed)).toEqual([
    { kind: 'questionChanged', title: 'q', questionId: id('q'), isAnswered: true, details: [{ kind: 'options' }] },
  ]);
  expect(listEffects(stored, changed).map(({ kind, title }) => [kind, title])).toEqual([
    ['mayBeAsked', 'last'],
    ['mayBeSkipped', 'b'],
  ]);
  expect(hashQuestion(question('q', type, after))).not.toBe(hashQuestion(question('q', type, before)));
  expect(listDifferences(stored, old)).toEqual([]);
});

/** The members of what a client sends, by the name of the schema. */
const SENT: Record<string, string[]> = {
  QuestionInput: [
    ...['choices', 'date', 'description', 'grid', 'hidden', 'name', 'oauthConnect', 'order', 'required', 'scale'],
    ...['selection', 'shuffle', 'sourceId', 'text', 'title', 'type', 'uploadFile'],
  ],
  ChoiceInput: ['description', 'id', 'isOther', 'limit', 'name'],
  TextRules: [...['decimals', 'format', 'hint', 'max', 'maxLength', 'min', 'minLength', 'pattern', 'sendCopy', 'unit']],
  Selection: ['max', 'min'],
  Scale: ['icon', 'maxVal', 'maxValueLabel', 'minVal', 'minValueLabel'],
  UploadFile: ['allowedFileTypes', 'maxFileAmount', 'maxFileSizeLimit'],
  DateOptions: ['hasDay', 'hasMonth', 'hasYear', 'maxDate', 'minDate'],
};

test('every member is in the document of the API, and every member of the document is here', () => {
  const { components } = JSON.parse(readFileSync('stacks/build/openapi/openapi.json', 'utf8'));
  const documented = Object.keys(SENT).map((name) => [
    name,
    Object.keys(components.schemas[name].properties).toSorted(),
  ]);
  expect(Object.fromEntries(documented)).toEqual(SENT);
  const { choices: _choices, ...returned } = components.schemas.Question.properties;
  const members = new Set(CASES.map(([member]) => member.split('.')[0] ?? ''));
  expect(Object.keys(returned)).toEqual(expect.arrayContaining([...members]));
  for (const [schema, option] of [
    ['TextRules', 'text'],
    ['Selection', 'selection'],
    ['Scale', 'scale'],
    ['UploadFile', 'uploadFile'],
    ['DateOptions', 'date'],
  ] as const) {
    const changed = CASES.flatMap(([member]) =>
      member.startsWith(`${option}.`) ? [member.slice(option.length + 1)] : [],
    );
    expect(changed.toSorted()).toEqual(SENT[schema]);
  }
});
