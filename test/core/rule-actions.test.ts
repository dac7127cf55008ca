/** Any sequence of edits on the pages of rules leaves a workflow that other clients can read and send back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { presentNode } from '#core/structure/condition-rule.ts';
import { readTable, writeTable } from '#core/structure/rule-table.ts';
import { findWarnings } from '#core/structure/rule-warnings.ts';
import { readNode, readRules, type Test, writeNode, writeRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { condition, form, id, NOW, question, section } from '#test/support/workflow.ts';

/** Two sections share the first condition; behind it comes a second one. */
const drawn = (): Structure => {
  const rule = { asks: 'text', pattern: 'a' };
  const structure = form('s0', [
    section('s0', 's1', [question('text'), question('one', 'SINGLE_CHOICE')]),
    section('s1', 'c1', [question('many', 'MULTIPLE_CHOICE')]),
    section('s2', 'c1'),
    condition('c1', rule, 'c2', 's3'),
    condition('c2', rule, 's3', 'end'),
    section('s3', 'end'),
  ]);
  const nodes = structure.nodes.map((node) => ({ ...node, payload: { x: 1, y: node.label, own: [node.id] } }));
  return { ...structure, nodes };
};

const SECTIONS = ['s0', 's1', 's2', 's3'];
const anyNode = fc.constantFrom(...SECTIONS, 'end', 'c1', 'c2').map(id);
const anyTest: fc.Arbitrary<{ questionId: string; test: Test }> = fc.oneof(
  fc.subarray(['one1', 'one2'], { minLength: 1 }).map((names) => ({
    questionId: id('one'),
    test: { kind: 'choices' as const, ids: names.map(id) },
  })),
  fc.record({
    questionId: fc.constant(id('text')),
    test: fc.record({
      kind: fc.constantFrom('is', 'contains', 'begins', 'ends'),
      text: fc.string({ minLength: 1, maxLength: 9 }),
    }),
  }),
);
const anyRule = fc.tuple(anyTest, anyNode).map(([asked, target]) => ({ ...asked, target }));
const anyRules = fc.record({ rules: fc.array(anyRule, { maxLength: 3 }), otherwise: anyNode });
const anyAction = fc.record({
  kind: fc.constantFrom('rules', 'table', 'node'),
  at: fc.constantFrom(...SECTIONS).map(id),
  node: fc.constantFrom(...SECTIONS, 'c1', 'c2').map(id),
  rules: anyRules,
});
type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
const newId = () => {
  count += 1;
  return id(`r${count % 100_000}`);
};

/** Does what a page would do, if it shows the form for it. */
function act(structure: Structure, { kind, at, node, rules }: Action): Structure {
  const before = readRules(structure, at);
  const table = before && readTable(structure, at, before);
  if (kind === 'node') {
    const next = writeNode(structure, node, rules, NOW);
    if (readNode(structure, node)?.rules.length === 0) expect(readNode(next, node)?.otherwise).toBe(rules.otherwise);
    return next;
  }
  if (!before || (kind === 'table' && !table)) return structure;
  if (kind === 'rules' || !table) return writeRules(structure, at, rules, { now: NOW, newId });
  const rows = table.rows.map((row, index) => ({ ...row, target: rules.rules[index]?.target ?? row.target }));
  const typed = { ...table, rows, otherwise: rules.otherwise };
  return writeRules(structure, at, writeTable(structure, typed, before), { now: NOW, newId });
}

test('and what was drawn keeps its place', () => {
  const accepted = z.array(WorkflowNodeInput());
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 8 }), (actions) => {
      const last = actions.reduce(act, drawn());
      const sent = last.nodes.map((node) => presentNode(last, node));
      expect(replaceWorkflow(last, accepted.parse(sent), NOW)).toBe(last);
      const payloads = new Map(last.nodes.map((node) => [node.id, node.payload]));
      for (const { id: nodeId, payload } of drawn().nodes) {
        if (payloads.has(nodeId)) expect(payloads.get(nodeId)).toEqual(payload);
      }
      const created = last.nodes.filter((node) => !drawn().nodes.some((one) => one.id === node.id));
      for (const { payload } of created) {
        expect(payload).toEqual({ x: expect.any(Number), y: expect.any(Number) });
        expect(Number.isFinite(payload.x) && Number.isFinite(payload.y)).toBe(true);
      }
      findWarnings(last);
    }),
  );
});
