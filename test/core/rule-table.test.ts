/** The rules of a section as a table: what is written reads back, and what a table cannot say is not shown as one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTable, writeTable } from '#core/structure/rule-table.ts';
import { type Rule, readRules, writeRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { form, id, NOW, question, section } from '#test/support/workflow.ts';

const CHOICES = ['a', 'b', 'c', 'd'].map(id);
const TARGETS = ['s1', 's2', 'end'].map(id);
const choices = (ids: readonly string[]) => ids.map((each) => ({ id: each, name: each }));

const newForm = (ids: readonly string[] = CHOICES): Structure =>
  form('s0', [
    section('s0', 's1', [
      question('text'),
      question('one', 'SINGLE_CHOICE', { choices: choices(ids) }),
      question('many', 'MULTIPLE_CHOICE'),
    ]),
    section('s1', 's2'),
    section('s2', 'end'),
  ]);

let count = 0;
const options = () => ({
  now: NOW,
  newId: () => {
    count += 1;
    return id(`r${count % 100_000}`);
  },
});
const rulesOf = (structure: Structure) => {
  const rules = readRules(structure, id('s0'));
  if (!rules) throw new Error('the rules of s0 are no list');
  return rules;
};
const tableOf = (structure: Structure) => readTable(structure, id('s0'), rulesOf(structure));

const anyTargets = fc.record({
  rows: fc.array(fc.constantFrom(...TARGETS), { minLength: CHOICES.length, maxLength: CHOICES.length }),
  otherwise: fc.constantFrom(...TARGETS),
});
type Targets = { rows: string[]; otherwise: string };
const toTable = ({ rows, otherwise }: Targets) => ({
  questionId: id('one'),
  rows: CHOICES.map((choiceId, index) => ({ choiceId, target: rows[index] })),
  otherwise,
});
const save = (structure: Structure, targets: Targets): Structure => {
  const rules = writeTable(structure, toTable(targets), rulesOf(structure));
  return writeRules(structure, id('s0'), rules, options());
};

test('a table reads back as it was written, over any earlier one, and saving it again changes nothing', () => {
  fc.assert(
    fc.property(anyTargets, anyTargets, (first, second) => {
      const after = save(save(newForm(), first), second);
      expect(tableOf(after)).toEqual(toTable(second));
      expect(workflowInfo(after).filter(({ type }) => type === 'node_validation_failed')).toEqual([]);
      expect(save(after, second).nodes).toEqual(after.nodes);
    }),
  );
});

test('choices that lead to the same place share a rule, and its condition stays', () => {
  const targets = { rows: ['s2', 's2', 'end', 's1'].map(id), otherwise: id('s1') };
  const before = save(newForm(), targets);
  expect(rulesOf(before).rules.map(({ test: { kind }, target }) => [kind, target])).toEqual([
    ['choices', id('s2')],
    ['choices', id('end')],
  ]);
  const after = save(before, { ...targets, rows: ['end', 's2', 'end', 's1'].map(id) });
  expect(rulesOf(after).rules.map(({ nodeId }) => nodeId)).toEqual(rulesOf(before).rules.map(({ nodeId }) => nodeId));
});

const rule = (more: Partial<Rule>): Rule => ({
  questionId: id('one'),
  test: { kind: 'choices', ids: [id('a')] },
  target: id('s2'),
  ...more,
});

describe('no table says what these rules say', () => {
  test.each<[name: string, rules: Rule[]]>([
    ['on another question', [rule({ questionId: id('many'), test: { kind: 'choices', ids: [id('many1')] } })]],
    ['on two questions', [rule({}), rule({ questionId: id('text'), test: { kind: 'is', text: 'a' } })]],
    ['with a pattern', [rule({ test: { kind: 'pattern', pattern: 'a' } })]],
    ['that name a choice twice', [rule({}), rule({ target: id('end') })]],
  ])('%s', (_name, rules) => {
    const structure = writeRules(newForm(), id('s0'), { rules, otherwise: id('s1') }, options());
    expect(rulesOf(structure).rules).toHaveLength(rules.length);
    expect(tableOf(structure)).toBeUndefined();
  });
});

test.each([
  [10, true],
  [11, false],
])('a question with %i choices has a table: %s', (size, isShown) => {
  const ids = Array.from({ length: size }, (_, index) => id(`n${index}`));
  expect(tableOf(newForm(ids)) !== undefined).toBe(isShown);
});
