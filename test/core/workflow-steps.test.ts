/** The bound on what the patterns of all conditions of a form may cost together, so that walking a response is fast. */
import { expect, test } from 'vitest';
import { patternSteps } from '#core/structure/pattern.ts';
import type { Structure } from '#core/structure/structure.ts';
import { MAX_TOTAL_PATTERN_STEPS, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import type { WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { condition, faultsOf, form, id, LATER, question, section } from '#test/support/workflow.ts';

/** The pointers of a PUT that changes some nodes, by name. */
function refusedBy(structure: Structure, changes: Record<string, Partial<WorkflowNodeInput>>): string[] {
  const byId = new Map(Object.entries(changes).map(([name, change]) => [id(name), change]));
  const inputs = structure.nodes.map(({ type: _, ...node }) => ({ ...node, ...byId.get(node.id) }));
  return faultsOf(() => replaceWorkflow(structure, inputs, LATER));
}

const COSTLY = 'a.{480}[c-d]';
const fitting = Math.floor(MAX_TOTAL_PATTERN_STEPS / patternSteps(COSTLY));

/** a(q) → c0 → c1 → … → end, each condition with a pattern on q. */
function chain(count: number, pattern: string): Structure {
  const name = (index: number): string => (index < count ? `c${index}` : 'end');
  const conditions = Array.from({ length: count }, (_, index) =>
    condition(name(index), { asks: 'q', pattern }, name(index + 1), name(index + 1)),
  );
  return form('a', [section('a', name(0), [question('q')]), ...conditions]);
}

const costly = (count: number) => {
  const conditionRule = { source: 'NON_CHOICE' as const, question: id('q'), pattern: COSTLY };
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, { conditionRule }]));
};

test('the steps of all patterns on texts together are bounded, and a PUT beyond is refused at the last pattern that it makes larger', () => {
  const plain = chain(fitting + 1, 'yes');
  expect(refusedBy(plain, costly(fitting))).toEqual([]);
  const index = plain.nodes.findIndex((node) => node.id === id(`c${fitting}`));
  expect(refusedBy(plain, costly(fitting + 1))).toEqual([`/body/${index}/conditionRule/pattern`]);
});

test('steps that were beyond the bound before do not block other changes', () => {
  const beyond = chain(fitting + 2, COSTLY);
  expect(refusedBy(beyond, { a: { label: 'New' }, c0: { conditionRule: null } })).toEqual([]);
});

test('hundreds of conditions with ordinary patterns are within the bound', () => {
  const many = chain(300, '');
  const conditionRule = { source: 'NON_CHOICE' as const, question: id('q'), pattern: '^no$|x' };
  const changes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}`, { conditionRule }]));
  expect(refusedBy(many, changes)).toEqual([]);
});
