/** The bound on what the patterns of all conditions of a form may cost together, so that walking a response is fast. */
import { expect, test } from 'vitest';

import { countCachedPatterns, MAX_PATTERN_STEPS, patternSteps } from '#core/structure/pattern.ts';
import { listCostlyConditions, MAX_PATTERN_COST, patternCost, totalCost } from '#core/structure/pattern-cost.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isChoiceType, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { MAX_CONDITIONS, type WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { condition, faultsOf, form, id, LATER, question, section } from '#test/support/workflow.ts';

/** The pointers of a PUT that changes some nodes, by name. */
function refusedBy(structure: Structure, changes: Record<string, Partial<WorkflowNodeInput>>): string[] {
  const byId = new Map(Object.entries(changes).map(([name, change]) => [id(name), change]));
  const inputs = structure.nodes.map(({ type: _, ...node }) => ({ ...node, ...byId.get(node.id) }));
  return faultsOf(() => replaceWorkflow(structure, inputs, LATER));
}

const sourceFor = (type: QuestionType) => (isChoiceType(type) ? ('CHOICE' as const) : ('NON_CHOICE' as const));

/** How many choices a question offers by default. */
const OFFERED = 200;

/** a(q) → c0 → c1 → … → end, each condition with a pattern on q. */
function chain(count: number, pattern: string, type: QuestionType, offered = OFFERED): Structure {
  const name = (index: number): string => (index < count ? `c${index}` : 'end');
  const conditions = Array.from({ length: count }, (_, index) =>
    condition(name(index), { asks: 'q', source: sourceFor(type), pattern }, name(index + 1), name(index + 1)),
  );
  const choices = Array.from({ length: offered }, (_, n) => ({ id: id(`choice${n}`), name: `${n}` }));
  const asked = { ...question('q', type), ...(isChoiceType(type) && { choices }) };
  return form('a', [section('a', name(0), [asked]), ...conditions]);
}

const rules = (count: number, toPattern: (index: number) => string, type: QuestionType) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const conditionRule = { source: sourceFor(type), question: id('q'), pattern: toPattern(index) };
      return [`c${index}`, { conditionRule }];
    }),
  );

const costly = (index: number): string => `a.{${480 + (index % 100)}}[c-d]`;

test.each([
  'SHORT_TEXT',
  'LONG_TEXT',
  'MULTIPLE_CHOICE',
  'DATE',
] as const)('the cost of all patterns on a %s is bounded, and a PUT beyond is refused at the last one that makes it larger', (type) => {
  const fitting = Math.floor(MAX_PATTERN_COST / patternCost(costly(99), type, OFFERED));
  expect(fitting).toBeGreaterThan(0);
  const plain = chain(fitting + 2, 'yes', type);
  expect(
    refusedBy(
      plain,
      rules(fitting, () => costly(99), type),
    ),
  ).toEqual([]);
  const index = plain.nodes.findIndex((node) => node.id === id(`c${fitting + 1}`));
  expect(
    refusedBy(
      plain,
      rules(fitting + 2, () => costly(99), type),
    ),
  ).toEqual([`/body/${index}/conditionRule/pattern`]);
});

test('a pattern on choices costs by how many are offered, also by the question that is their source', () => {
  const few = chain(1, costly(0), 'MULTIPLE_CHOICE', 20);
  const many = chain(1, costly(0), 'MULTIPLE_CHOICE', 200);
  expect(totalCost(many)).toBe(10 * totalCost(few));
  const sourced = { ...question('p', 'MULTIPLE_CHOICE'), sourceId: id('q') };
  const asked = many.sections[0];
  if (!asked) throw new Error('there is no section');
  const nodes = many.nodes.map((node) =>
    node.conditionRule ? { ...node, conditionRule: { ...node.conditionRule, question: id('p') } } : node,
  );
  const sections = [{ ...asked, questions: [...asked.questions, sourced] }];
  expect(totalCost({ ...many, nodes, sections })).toBe(totalCost(many));
});

test('no pattern is compiled before all of them are within the bound', () => {
  const plain = chain(MAX_CONDITIONS, 'yes', 'MULTIPLE_CHOICE');
  const before = countCachedPatterns();
  const patterns = (index: number): string => `[pLpN-]{0,${MAX_PATTERN_STEPS - 10 - index}}[yz]`;
  expect(refusedBy(plain, rules(MAX_CONDITIONS, patterns, 'MULTIPLE_CHOICE'))).toHaveLength(1);
  expect(countCachedPatterns()).toEqual(before);
});

test('a form that was beyond the bound before is shown and repaired, and no rule beyond it is compiled', () => {
  const stored = chain(40, costly(0), 'LONG_TEXT');
  const before = countCachedPatterns().steps;
  const info = workflowInfo(stored);
  expect(info).toHaveLength(39);
  expect(info[0]?.message).toContain('cost too much together');
  expect(countCachedPatterns().steps - before).toBeLessThanOrEqual(patternSteps(costly(0)));
  expect(refusedBy(stored, { a: { label: 'New' }, c0: { conditionRule: null } })).toEqual([]);
  expect(
    refusedBy(
      stored,
      rules(20, () => 'yes', 'LONG_TEXT'),
    ),
  ).toEqual([]);
  expect(
    refusedBy(
      stored,
      rules(1, () => costly(90), 'LONG_TEXT'),
    ),
  ).toHaveLength(1);
});

test.each(QUESTION_TYPES)('as many ordinary patterns on a %s as a form may have conditions are within it', (type) => {
  const ids = [1, 2, 3].map((n) => id(`q${n}`));
  const ordinary = [
    ...['yes', '^yes$', 'yes$', String.raw`^A\.B`, '^no$|x', '(?i)yes', String.raw`^\d{4}$`],
    ...[`^${ids[0]}$`, `^(?:${ids.join('|')})$`, `(${ids.join('|')})`, ids.join('|')],
  ];
  const pattern = (index: number): string => ordinary[index % ordinary.length] ?? '';
  const structure = chain(MAX_CONDITIONS, '', type);
  expect(refusedBy(structure, rules(MAX_CONDITIONS, pattern, type))).toEqual([]);
});

test('texts and ids cost nothing, and a rule that cannot be evaluated does not either', () => {
  const ids = Array.from({ length: 13 }, (_, n) => id(`q${n}`)).join('|');
  for (const pattern of ['a'.repeat(500), `^${id('q1')}$`, `^(?:${ids})$`, ids, String.raw`^\(1\)$`]) {
    expect(patternCost(pattern, 'MULTIPLE_CHOICE', 500)).toBe(0);
  }
  const other = chain(3, costly(0), 'LONG_TEXT');
  expect(totalCost({ ...other, sections: [] })).toBe(0);
  expect(listCostlyConditions(other)).toEqual(new Set([id('c1'), id('c2')]));
});
