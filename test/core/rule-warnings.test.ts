/** What is odd about rules although a form may be published: said of the rule that it is about, and of no other. */
import { expect, test } from 'vitest';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { Test, TextTest } from '#core/structure/rule-tests.ts';
import { findWarnings } from '#core/structure/rule-warnings.ts';
import { type Rule, writeRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { form, id, NOW, question, section } from '#test/support/workflow.ts';

/** Questions of the first section by name; each choice question has two choices, the scale 1 to 3. */
const QUESTIONS = {
  one: 'SINGLE_CHOICE',
  many: 'MULTIPLE_CHOICE',
  text: 'SHORT_TEXT',
  scale: 'LINEAR_SCALE',
  date: 'DATE',
} as const;
const OPTIONS: Partial<Record<QuestionType, object>> = {
  LINEAR_SCALE: { scale: { minVal: 1, maxVal: 3 } },
  DATE: { date: { hasYear: true, hasMonth: true, hasDay: true } },
};

const choices = (...names: string[]): Test => ({ kind: 'choices', ids: names.map(id) });
const values = (...numbers: number[]): Test => ({ kind: 'values', values: numbers.map(String) });
const text = (kind: TextTest | 'pattern', value: string): Test =>
  kind === 'pattern' ? { kind, pattern: value } : { kind, text: value };

type Row = readonly [name: keyof typeof QUESTIONS, test: Test, target: string | undefined];

function withRules(rows: readonly Row[], otherwise: string | undefined): Structure {
  const all = Object.entries(QUESTIONS).map(([name, type]) => question(name, type, OPTIONS[type] ?? {}));
  const parts = [
    section('s0', 's1', all),
    section('s1', 's2'),
    section('s2', 's3'),
    section('s3', 'end', [question('own', 'DROPDOWN')]),
  ];
  const rules = rows.map(([name, test, target]): Rule => {
    return { questionId: id(name), test, target: target === undefined ? undefined : id(target) };
  });
  const ids = rows.map((_, index) => id(`r${index}`));
  const last = otherwise === undefined ? undefined : id(otherwise);
  return writeRules(
    form('s0', parts),
    id('s0'),
    { rules, otherwise: last },
    { now: NOW, newId: () => ids.shift() ?? '' },
  );
}

/** The warnings as `kind rule`, the rules counted from 0. */
const found = (structure: Structure): string[] =>
  findWarnings(structure).map(({ kind, nodeId }) =>
    nodeId === undefined ? kind : `${kind} ${[0, 1, 2].findIndex((index) => id(`r${index}`) === nodeId)}`,
  );

const [ONE, TWO] = [choices('one1'), choices('one2')];
const BOTH = choices('one1', 'one2');

test.each<[name: string, rows: Row[], otherwise: string, expected: string[]]>([
  ['nothing, without rules', [], 's1', []],
  ['nothing, of one rule', [['one', ONE, 's2']], 's1', []],
  [
    'the same choice twice',
    [
      ['one', ONE, 's2'],
      ['one', ONE, 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'choices that earlier rules name together',
    [
      ['many', choices('many1'), 's2'],
      ['many', choices('many2'), 's3'],
      ['many', choices('many1', 'many2'), 'end'],
    ],
    's1',
    ['never 2'],
  ],
  [
    'numbers that are within earlier bounds',
    [
      ['scale', { kind: 'atLeast', from: '2' }, 's2'],
      ['scale', values(2, 3), 's3'],
      ['scale', { kind: 'between', from: '2', to: '3' }, 's3'],
    ],
    's1',
    ['never 1', 'never 2'],
  ],
  [
    'bounds for all numbers together',
    [
      ['scale', { kind: 'atLeast', from: '2' }, 's2'],
      ['scale', { kind: 'atMost', to: '1' }, 's3'],
      ['text', text('contains', 'a'), 'end'],
    ],
    's1',
    ['never 2'],
  ],
  [
    'any test behind “is answered”',
    [
      ['text', { kind: 'answered' }, 's2'],
      ['text', text('begins', 'a'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'days within earlier bounds',
    [
      ['date', { kind: 'after', from: '2026-01-01' }, 's2'],
      ['date', { kind: 'after', from: '2026-06-01' }, 's3'],
      ['date', { kind: 'before', to: '2026-06-01' }, 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'a text that is told by its capitals behind one that is not',
    [
      ['text', text('is', 'Tea'), 's2'],
      ['text', text('exactly', 'TEA'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'a wider rule behind a narrower one',
    [
      ['many', choices('many1'), 's2'],
      ['many', choices('many1', 'many2'), 's3'],
    ],
    's1',
    [],
  ],
  [
    'any rule behind all choices',
    [
      ['one', BOTH, 's2'],
      ['text', text('is', 'a'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'any rule behind all numbers',
    [
      ['scale', values(1, 2, 3), 's2'],
      ['text', text('is', 'a'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'not behind some numbers',
    [
      ['scale', values(1, 2), 's2'],
      ['text', text('is', 'a'), 's3'],
    ],
    's1',
    [],
  ],
  [
    'numbers again',
    [
      ['scale', values(1, 2), 's2'],
      ['scale', values(2), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'a text that contains an earlier one',
    [
      ['text', text('contains', 'a'), 's2'],
      ['text', text('exactly', 'bab'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'a date in an earlier month of every year',
    [
      ['date', text('month', '06'), 's2'],
      ['date', text('on', '2026-06-15'), 's3'],
      ['date', text('month', '2026-06'), 's1'],
    ],
    'end',
    ['never 1', 'never 2'],
  ],
  [
    'not a date whose day is the number of an earlier month, nor a month behind a year of one of its dates',
    [
      ['date', text('month', '06'), 's2'],
      ['date', text('on', '2026-05-06'), 's3'],
      ['date', text('year', '2026'), 's1'],
    ],
    'end',
    [],
  ],
  [
    'a month of an earlier year, but not that month of every year',
    [
      ['date', text('year', '2026'), 's2'],
      ['date', text('month', '2026-06'), 's3'],
      ['date', text('month', '06'), 's1'],
    ],
    'end',
    ['never 1'],
  ],
  [
    'a beginning of an earlier beginning',
    [
      ['text', text('begins', 'ab'), 's2'],
      ['text', text('begins', 'abc'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'an end that contains',
    [
      ['text', text('contains', 'c'), 's2'],
      ['text', text('ends', 'cd'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'a shorter beginning',
    [
      ['text', text('begins', 'ab'), 's2'],
      ['text', text('begins', 'a'), 's3'],
    ],
    's1',
    [],
  ],
  [
    'an end behind a beginning',
    [
      ['text', text('begins', 'a'), 's2'],
      ['text', text('ends', 'a'), 's3'],
    ],
    's1',
    [],
  ],
  [
    'an equal pattern',
    [
      ['text', text('pattern', '[ab]'), 's2'],
      ['text', text('pattern', '[ab]'), 's3'],
    ],
    's1',
    ['never 1'],
  ],
  [
    'another pattern',
    [
      ['text', text('pattern', '[ab]'), 's2'],
      ['text', text('pattern', '[a]'), 's3'],
    ],
    's1',
    [],
  ],
  [
    'another question',
    [
      ['one', ONE, 's2'],
      ['many', choices('many1'), 's3'],
    ],
    's1',
    [],
  ],
  ['a rule to where otherwise leads', [['one', ONE, 's1']], 's1', ['same 0']],
  [
    'the last of two such rules',
    [
      ['one', ONE, 's2'],
      ['text', text('is', 'a'), 's1'],
    ],
    's1',
    ['same 1'],
  ],
  [
    'not one that keeps answers from a later rule',
    [
      ['one', ONE, 's1'],
      ['text', text('is', 'a'), 's2'],
    ],
    's1',
    [],
  ],
  [
    'one before a rule on another choice',
    [
      ['one', ONE, 's1'],
      ['one', TWO, 's2'],
    ],
    's1',
    ['same 0'],
  ],
  [
    'not one before a pattern of another client, which may find the same choice',
    [
      ['one', ONE, 's1'],
      ['one', text('pattern', '.'), 's2'],
    ],
    's1',
    [],
  ],
  [
    'not one before a rule that may apply too',
    [
      ['many', choices('many1'), 's1'],
      ['many', choices('many2'), 's2'],
    ],
    's1',
    [],
  ],
])('rules are judged: %s', (_name, rows, otherwise, expected) => {
  expect(found(withRules(rows, otherwise))).toEqual(expected);
});

test.each<[name: string, rows: Row[], expected: string[] | undefined]>([
  ['the other choice', [['one', ONE, 's2']], ['one2']],
  [
    'a choice whose rule leads nowhere',
    [
      ['one', ONE, 's2'],
      ['one', TWO, undefined],
    ],
    ['one2'],
  ],
  [
    'none, if each has a rule',
    [
      ['one', ONE, 's2'],
      ['one', TWO, 's3'],
    ],
    undefined,
  ],
  [
    'none, if another question decides too',
    [
      ['one', ONE, 's2'],
      ['text', text('is', 'a'), 's3'],
    ],
    undefined,
  ],
])('without “otherwise” these choices have no way: %s', (_name, rows, names) => {
  const warning = findWarnings(withRules(rows, undefined)).find(({ kind }) => kind === 'noWay');
  expect(warning).toEqual(
    names && { kind: 'noWay', sectionId: id('s0'), questionId: id('one'), choiceIds: names.map(id) },
  );
});

test.each([
  ['required', true, ['never 2']],
  ['optional: left empty, it passes them', false, []],
])('behind rules for all choices, another rule never applies if the question is %s', (_name, required, expected) => {
  const rows: Row[] = [
    ['one', ONE, 's2'],
    ['one', TWO, 's3'],
    ['text', text('contains', 'a'), 'end'],
  ];
  const structure = withRules(rows, 's1');
  const sections = structure.sections.map((each) => ({
    ...each,
    questions: each.questions.map((one) => ({ ...one, required })),
  }));
  expect(found({ ...structure, sections })).toEqual(expected);
});

test('a section to which nothing leads is named while a fault elsewhere hides it', () => {
  const structure = form('s0', [section('s0'), section('s1', 's2'), section('s2', 'end')]);
  expect(workflowInfo(structure).map(({ nodeId }) => nodeId)).toEqual([id('s0')]);
  expect(findWarnings(structure)).toEqual([{ kind: 'unreachable', sectionId: id('s1') }]);
  const whole = form('s0', [section('s0', 'end'), section('s1', 'end')]);
  expect(workflowInfo(whole).map(({ nodeId }) => nodeId)).toEqual([id('s1')]);
  expect(findWarnings(whole)).toEqual([]);
});

test('questions that take their choices from each other are named, and end no search', () => {
  const takes = (name: string, sourceId: string, type: QuestionType = 'DROPDOWN') =>
    question(name, type, { sourceId: id(sourceId), choices: [] });
  const structure = form('s0', [section('s0', 'end', [takes('a', 'b'), takes('b', 'a'), takes('c', 'gone')])]);
  expect(findWarnings(structure).map(({ kind, questionId }) => [kind, questionId])).toEqual([
    ['sourceLoop', id('a')],
    ['sourceLoop', id('b')],
  ]);
});
