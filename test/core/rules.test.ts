/** Rules of a section: they read back as they were written, and the path follows them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '#core/responses/model.ts';
import { walk } from '#core/structure/path.ts';
import { matches } from '#core/structure/pattern.ts';
import { patternCost } from '#core/structure/pattern-cost.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import { numberPattern } from '#core/structure/range-pattern.ts';
import { parseTest, type Test, toDateTest, toPattern, toRangeTest } from '#core/structure/rule-tests.ts';
import { listRuleQuestions, type Rule, readRules, writeRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { condition, form, id, NOW, question, section } from '#test/support/workflow.ts';

/** The questions of the first section by name. */
const QUESTIONS = {
  one: 'SINGLE_CHOICE',
  many: 'MULTIPLE_CHOICE',
  scale: 'LINEAR_SCALE',
  text: 'SHORT_TEXT',
  date: 'DATE',
} as const;
const DATE = { hasYear: true, hasMonth: true, hasDay: true };
type Name = keyof typeof QUESTIONS;
const NAMES = Object.keys(QUESTIONS) as Name[];
const TARGETS = ['s1', 's2', 's3', 'end'] as const;

/** Four sections, all of which lead to the end; the first one asks a question of each type. */
const newForm = (): Structure =>
  form('s0', [
    section(
      's0',
      's1',
      NAMES.map((name) => question(name, QUESTIONS[name], name === 'date' ? { date: DATE } : {})),
    ),
    section('s1', 's2'),
    section('s2', 's3'),
    section('s3', 'end'),
  ]);

const anyText = fc.oneof(
  fc.constantFrom('a', '^a$', 'a|b', '(?:a)', 'a\\', '$', '^', '.*', '[a]', 'ä', '水', '\\Q', 'a b'),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
);
const presence: fc.Arbitrary<Test> = fc.constantFrom({ kind: 'answered' }, { kind: 'empty' });
const choicesOf = (...names: string[]): fc.Arbitrary<Test> =>
  fc.oneof(
    fc.subarray(names, { minLength: 1 }).map((some): Test => ({ kind: 'choices', ids: some.map(id) })),
    presence,
  );
const trimmed = anyText.filter((text) => text.trim() === text);
const anyTest: Record<Name, fc.Arbitrary<Test>> = {
  one: choicesOf('one1', 'one2'),
  many: choicesOf('many1', 'many2'),
  scale: fc.oneof(
    fc.subarray(['1', '2', '3', '4', '5'], { minLength: 1 }).map((values): Test => ({ kind: 'values', values })),
    fc.constantFrom<Test>(
      { kind: 'atLeast', from: '3' },
      { kind: 'atMost', to: '2' },
      { kind: 'between', from: '2', to: '4' },
    ),
    presence,
  ),
  text: fc.oneof(
    fc.record({ kind: fc.constantFrom('exactly', 'contains', 'begins', 'ends'), text: anyText }),
    trimmed.map((text): Test => ({ kind: 'is', text })),
    presence,
  ),
  date: fc.oneof(
    fc.constantFrom<Test>(
      { kind: 'on', text: '2026-06-07' },
      { kind: 'year', text: '2026' },
      { kind: 'month', text: '06' },
      { kind: 'month', text: '2026-07' },
      { kind: 'before', to: '2026-06-07' },
      { kind: 'after', from: '2026-06-07' },
      { kind: 'during', from: '2025-06-07', to: '2026-06-07' },
    ),
    presence,
  ),
};
const anyRule: fc.Arbitrary<Rule> = fc.constantFrom(...NAMES).chain((name) =>
  fc.record({
    questionId: fc.constant(id(name)),
    test: anyTest[name],
    target: fc.constantFrom(...TARGETS).map(id),
  }),
);
const anyRules = fc.record({
  rules: fc.array(anyRule, { maxLength: 5 }),
  otherwise: fc.constantFrom(...TARGETS).map(id),
});

let count = 0;
const options = () => ({
  now: NOW,
  newId: () => {
    count += 1;
    return id(`r${count % 100_000}`);
  },
});
const withoutNodes = (structure: Structure) => {
  const read = readRules(structure, id('s0'));
  return read && { otherwise: read.otherwise, rules: read.rules.map(({ nodeId: _node, ...rule }) => rule) };
};

test('rules read back as they were written, over any earlier ones, and leave nothing else behind', () => {
  fc.assert(
    fc.property(anyRules, anyRules, (first, second) => {
      const before = writeRules(newForm(), id('s0'), first, options());
      expect(withoutNodes(before)).toEqual(first);
      const after = writeRules(before, id('s0'), second, options());
      expect(withoutNodes(after)).toEqual(second);
      expect(after.nodes).toHaveLength(newForm().nodes.length + second.rules.length);
    }),
  );
});

/** Whether an answer passes a test, without patterns. */
function passes(test: Test, answer: Answer): boolean {
  const { value } = answer;
  if (test.kind === 'choices')
    return Array.isArray(value) && value.some((each) => test.ids.some((one) => one === each));
  if (test.kind === 'values') return test.values.includes(String(value));
  if (test.kind === 'answered' || test.kind === 'empty') return test.kind === 'answered';
  if (test.kind === 'atLeast' || test.kind === 'atMost' || test.kind === 'between')
    return Number(value) >= Number(test.from ?? 0) && Number(value) <= Number(test.to ?? 10);
  if (test.kind === 'pattern' || typeof value !== 'string') return false;
  const date = value.slice(0, 10);
  if (test.kind === 'before') return date < String(test.to);
  if (test.kind === 'after') return date > String(test.from);
  if (test.kind === 'during') return date >= String(test.from) && date <= String(test.to);
  if (!('text' in test)) return false;
  const [year, month] = date.split('-');
  return {
    is: value.trim().toLowerCase() === test.text.toLowerCase(),
    exactly: value === test.text,
    equals: value === test.text,
    on: date === test.text,
    contains: value.includes(test.text),
    begins: value.startsWith(test.text),
    ends: value.endsWith(test.text),
    year: year === test.text,
    month: month === test.text || `${year}-${month}` === test.text,
  }[test.kind];
}

const times = { createdAt: NOW, updatedAt: NOW };
const anyAnswers = fc.record({
  one: fc.constantFrom('one1', 'one2').map((name) => [id(name)]),
  many: fc.subarray(['many1', 'many2'], { minLength: 1 }).map((names) => names.map(id)),
  scale: fc.integer({ min: 1, max: 5 }),
  text: anyText,
  date: fc.constantFrom('2026-06-07', '2025-06-07', '2026-07-06', '2020-12-26', '2026-10-06'),
});

test('the path follows the first rule that applies', () => {
  fc.assert(
    fc.property(anyRules, anyAnswers, (rules, values) => {
      const structure = writeRules(newForm(), id('s0'), rules, options());
      const answers = new Map(
        NAMES.map((name) => {
          const value = name === 'date' ? `${values.date}T00:00:00Z` : values[name];
          return [
            id(name),
            { type: QUESTIONS[name], value, ...(name === 'date' && { display: values.date }), ...times } as Answer,
          ];
        }),
      );
      const rule = rules.rules.find(({ questionId, test: each }) => {
        const answer = answers.get(questionId);
        return answer && passes(each, answer);
      });
      const following = walk(structure, (questionId) => answers.get(questionId)).sections[1];
      const target = rule ? rule.target : rules.otherwise;
      expect(following).toBe(target === id('end') ? undefined : target);
    }),
  );
});

test('a condition keeps its id, its place and the members of other clients', () => {
  const rule = { questionId: id('text'), test: { kind: 'exactly', text: 'a' } as const, target: id('s2') };
  const written = writeRules(newForm(), id('s0'), { rules: [rule], otherwise: id('s1') }, options());
  const nodes = written.nodes.map((node) =>
    node.type === 'CONDITION'
      ? { ...node, payload: { x: 7 }, conditionRule: { ...node.conditionRule, color: 'red' } }
      : node,
  );
  const [read] = readRules({ ...written, nodes }, id('s0'))?.rules ?? [];
  const changed = { ...rule, nodeId: read?.nodeId, target: id('s3') };
  const next = writeRules({ ...written, nodes }, id('s0'), { rules: [changed], otherwise: id('s1') }, options());
  expect(next.nodes.find(({ type }) => type === 'CONDITION')).toMatchObject({
    id: read?.nodeId,
    payload: { x: 7 },
    conditionRule: { color: 'red', pattern: '^a$' },
    nextTrue: id('s3'),
  });
});

describe('conditions that are more than a list of rules are left alone', () => {
  const rule = { asks: 'text', pattern: 'a' };
  const first = (next: string) => section('s0', next, [question('text')]);
  const shared = form('s0', [
    first('c1'),
    section('s1', 'c1'),
    section('s2', 'end'),
    condition('c1', rule, 's2', 'end'),
  ]);
  const nested = form('s0', [
    first('c1'),
    section('s1', 'end'),
    condition('c1', rule, 'c2', 'end'),
    condition('c2', rule, 's1', 'end'),
  ]);
  test.each([
    ['shared by two sections', shared],
    ['with a condition behind a true one', nested],
  ])('%s', (_name, structure) => {
    expect(readRules(structure, id('s0'))).toBeUndefined();
  });
});

test.each([
  ['SINGLE_CHOICE', `^${id('one1')}$`, 'choices'],
  ['SINGLE_CHOICE', `^(?:${id('one1')}|${id('one2')})$`, 'choices'],
  ['SINGLE_CHOICE', id('one1'), 'pattern'],
  ['RATING', '^(?:4|5)$', 'values'],
  ['RATING', '[45]', 'pattern'],
  ['SHORT_TEXT', '^Loch Ness$', 'exactly'],
  ['SHORT_TEXT', String.raw`(?i)^[\s\p{Z}]*Loch Ness[\s\p{Z}]*$`, 'is'],
  ['SHORT_TEXT', String.raw`(?i)^[\s\p{Z}]* Loch[\s\p{Z}]*$`, 'pattern'],
  ['SHORT_TEXT', '.', 'answered'],
  ['UPLOAD_FILE', '^$', 'empty'],
  ['SINGLE_CHOICE', '.', 'answered'],
  ['DROPDOWN', '^$', 'empty'],
  ['RATING', '.', 'answered'],
  ['SHORT_TEXT', 'Loch', 'contains'],
  ['SHORT_TEXT', '^Loch', 'begins'],
  ['SHORT_TEXT', 'Ness$', 'ends'],
  ['SHORT_TEXT', '(?i)loch', 'pattern'],
  ['DATE', '^2026', 'begins'],
  ['SHORT_TEXT', '', 'pattern'],
] satisfies [QuestionType, string, string][])('the pattern of a %s %j is read as %s', (type, pattern, kind) => {
  const read = parseTest({ type }, pattern);
  expect(read.kind).toBe(kind);
  expect(toPattern(read)).toBe(pattern);
});

describe('the tests of a date', () => {
  const parts = (letters: string) => ({
    hasYear: letters.includes('y'),
    hasMonth: letters.includes('m'),
    hasDay: letters.includes('d'),
  });

  test.each([
    ['ymd', 'on', '2026-6-5', '^2026-06-05$', ['2026-06-05'], ['2026-06-15']],
    ['ymd', 'year', '2026', String.raw`^2026\b`, ['2026-01-31'], ['2025-12-26', '2025-06-20']],
    ['y', 'year', '2026', String.raw`^2026\b`, ['2026'], ['2025']],
    ['ymd', 'month', '6', String.raw`^(?:\d{4}-)?06\b`, ['2026-06-15', '1999-06-01'], ['2026-05-06', '2006-12-01']],
    ['ym', 'month', '06', String.raw`^(?:\d{4}-)?06\b`, ['2026-06'], ['2006-12']],
    ['md', 'month', '12', String.raw`^(?:\d{4}-)?12\b`, ['12-31'], ['11-12']],
    ['ymd', 'month', '2026-6', String.raw`^2026-06\b`, ['2026-06-15'], ['2025-06-15', '2026-05-06']],
    ['md', 'on', '02-29', '^02-29$', ['02-29'], ['02-28']],
  ] as const)('asked for %s: %s %s', (letters, kind, typed, pattern, matching, others) => {
    const date = parts(letters);
    const built = toDateTest(date, kind, typed);
    if (!built) throw new Error('no test');
    expect(toPattern(built)).toBe(pattern);
    expect(parseTest({ type: 'DATE', date }, pattern)).toEqual(built);
    for (const answer of matching) expect([answer, matches(pattern, answer)]).toEqual([answer, true]);
    for (const answer of others) expect([answer, matches(pattern, answer)]).toEqual([answer, false]);
  });

  test.each([
    ['md', 'year', '2026'],
    ['yd', 'month', '6'],
    ['md', 'month', '2026-06'],
    ['ymd', 'month', '13'],
    ['ymd', 'on', '2026-02-30'],
    ['ymd', 'on', 'soon'],
    ['ymd', 'year', ''],
  ] as const)('asked for %s: %s %j is none', (letters, kind, typed) => {
    expect(toDateTest(parts(letters), kind, typed)).toBeUndefined();
  });

  test.each([
    '^soon$',
    String.raw`^2026-13\b`,
    String.raw`^2026-6\b`,
    '^2026-02-30$',
    String.raw`^(?:\d{4}-)?6\b`,
  ])('the pattern %s of another client stays one', (pattern) => {
    expect(parseTest({ type: 'DATE', date: parts('ymd') }, pattern)).toEqual({ kind: 'pattern', pattern });
  });
});

describe('a range', () => {
  const scale = { type: 'LINEAR_SCALE' } as const;

  test.each([
    [{ kind: 'atLeast', from: '18' }, String.raw`^(?:1[8-9]\b|[2-9]\d\b|[1-9]\d{2,}\b)[.\d]*$`],
    [{ kind: 'atMost', to: '2' }, String.raw`^(?:-(?:\d\b|[1-9]\d{1,}\b)|[0-1]\b|2$)[.\d]*$`],
    [{ kind: 'between', from: '7', to: '10' }, String.raw`^(?:[7-9]\b|10$)[.\d]*$`],
    [
      { kind: 'after', from: '2026-12' },
      String.raw`^(?:2(?:0(?:2(?:6-(?:1[3-9]|[2-9])|[7-9])|[3-9])|[1-9])|[3-9])[-\d]*$`,
    ],
  ] satisfies [Test, string][])('%o is the pattern %s', (range, pattern) => {
    expect(toPattern(range)).toBe(pattern);
  });

  const decimal = fc
    .tuple(fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom('', '.5', '.05', '.25', '.205', '.999999'))
    .map(([digits, fraction]) => `${digits}${fraction}`);

  test('finds the numbers between its bounds, whatever their signs and digits', () => {
    const bound = fc.option(decimal, { nil: undefined });
    fc.assert(
      fc.property(bound, bound, decimal, (first, second, number) => {
        fc.pre(first !== undefined || second !== undefined);
        const isTurned = first !== undefined && second !== undefined && Number(first) > Number(second);
        const [from, to] = isTurned ? [second, first] : [first, second];
        const isWithin = Number(number) >= Number(from ?? -Infinity) && Number(number) <= Number(to ?? Infinity);
        expect(matches(numberPattern({ from, to }), number)).toBe(isWithin);
      }),
      { numRuns: 300 },
    );
  });

  test('counts only as long as it gives the pattern beside it', () => {
    const stored = { kind: 'atLeast', from: '3' } as const;
    const pattern = toPattern(stored);
    expect(parseTest(scale, pattern, stored)).toEqual(stored);
    for (const other of [
      undefined,
      'atLeast',
      { kind: 'atLeast', from: 3 },
      { kind: 'atLeast', from: '4' },
      { ...stored, kind: 'after' },
    ]) {
      expect(parseTest(scale, pattern, other)).toEqual({ kind: 'pattern', pattern });
    }
    expect(parseTest({ type: 'SHORT_TEXT' }, pattern, stored)).toEqual({ kind: 'pattern', pattern });
  });

  const number = { type: 'SHORT_TEXT', text: { format: 'NUMBER' } } as const;

  test.each([
    [{ kind: 'equals', text: '-12.5' }, String.raw`^-12\.5$`],
    [{ kind: 'atLeast', from: '18' }, String.raw`^(?:1[8-9]\b|[2-9]\d\b|[1-9]\d{2,}\b)[.\d]*$`],
  ] satisfies [Test, string][])('of a number is compared with it, however it is typed: %o', (range, pattern) => {
    expect(parseTest(number, pattern, range)).toEqual(range);
    const structure = form('s0', [
      section('s0', 'c', [question('n', number.type, { text: number.text })]),
      condition('c', { asks: 'n', pattern }, 's1', 'end'),
      section('s1', 'end'),
    ]);
    const reaches = (typed: string): boolean =>
      walk(structure, () => ({ type: 'SHORT_TEXT', value: typed })).sections.includes(id('s1'));
    const [passing, failing] =
      range.kind === 'equals'
        ? [
            ['-12,50', ' -012.5'],
            ['12.5', '-12.51'],
          ]
        : [
            ['018', '+20,5', '18.000'],
            ['17,999', '-18', 'old', ''],
          ];
    for (const typed of passing) expect([typed, reaches(typed)]).toEqual([typed, true]);
    for (const typed of failing) expect([typed, reaches(typed)]).toEqual([typed, false]);
  });

  test('is none with bounds that are no dates of the question, or the wrong way round', () => {
    const date = { hasYear: true, hasMonth: true, hasDay: false };
    expect(toRangeTest({ date }, 'during', { from: '2026-1', to: '2026-12' })).toEqual({
      kind: 'during',
      from: '2026-01',
      to: '2026-12',
    });
    expect(toRangeTest({ date }, 'during', { from: '2026-12', to: '2026-01' })).toBeUndefined();
    expect(toRangeTest({ date }, 'before', { from: '', to: '2026-12-24' })).toBeUndefined();
    expect(toRangeTest({}, 'between', { from: '10', to: '9' })).toBeUndefined();
    expect(toRangeTest({}, 'atMost', { from: '', to: 'many' })).toBeUndefined();
  });
});

test.each([
  ['yes', ' YES\u00a0', true],
  ['yes', 'yes.', false],
  ['a.b', 'A.B', true],
  ['a.b', 'axb', false],
  ['kelvin', '\u212aELVIN', true],
  ['straße', 'STRASSE', false],
  ['水', '水\u3000', true],
])('“is %s” ignores case and outer spaces: %j', (text, answer, expected) => {
  const pattern = toPattern({ kind: 'is', text });
  expect(matches(pattern, answer)).toBe(expected);
  // As RE2 finds it.
  expect(matches(`(?:)${pattern}`, answer)).toBe(expected);
  expect(patternCost(pattern, 'LONG_TEXT', 0)).toBe(0);
});

test('only questions of a section and of those before it can be asked for', () => {
  const structure = form('s0', [
    section('s0', 's1', [question('a')]),
    section('s1', 's2', [question('b')]),
    section('s2', 'end', [question('c')]),
  ]);
  expect(listRuleQuestions(structure, id('s1')).map((each) => each.id)).toEqual([id('a'), id('b')]);
  expect(workflowInfo(structure)).toEqual([]);
});
