/** Any sequence of edits on the pages of questions and rules leaves a workflow that other clients can read and send back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { presentNode } from '#core/structure/condition-rule.ts';
import { listLinkTargets } from '#core/structure/path.ts';
import { placeBelow } from '#core/structure/places.ts';
import { orderQuestions } from '#core/structure/question-order.ts';
import { readTable, writeTable } from '#core/structure/rule-table.ts';
import type { Test } from '#core/structure/rule-tests.ts';
import { findWarnings } from '#core/structure/rule-warnings.ts';
import { readNode, readRules, type SectionRules, writeNode, writeRules } from '#core/structure/rules.ts';
import { copySection, shiftSection } from '#core/structure/sections.ts';
import { findNode, type Structure } from '#core/structure/structure.ts';
import { createNode, removeNode, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { condition, form, id, NOW, question, section } from '#test/support/workflow.ts';

/** Two sections share the first condition; behind it comes a second one. Only some nodes have a place that is drawn. */
function drawn(places: readonly (object | undefined)[]): Structure {
  const rule = { asks: 'text', pattern: 'a' };
  const structure = form('s0', [
    section('s0', 's1', [question('text'), question('one', 'SINGLE_CHOICE')]),
    section('s1', 'c1', [question('many', 'MULTIPLE_CHOICE')]),
    section('s2', 'c1'),
    condition('c1', rule, 'c2', 's3'),
    condition('c2', rule, 's3', 'end'),
    section('s3', 'end'),
  ]);
  const nodes = structure.nodes.map((node, index) => ({
    ...node,
    payload: { x: 1, y: node.label, ...places[index], own: [node.id] },
  }));
  return { ...structure, nodes };
}

const coordinate = fc.oneof(fc.constantFrom(0, 120, 240, -1e9, 1e308), fc.integer({ min: -300, max: 500 }));
const anyPlaces = fc.array(fc.option(fc.record({ x: coordinate, y: coordinate }), { nil: undefined }), {
  maxLength: 8,
});

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
      kind: fc.constantFrom('exactly', 'contains', 'begins', 'ends'),
      text: fc.string({ minLength: 1, maxLength: 9 }),
    }),
  }),
);
const anyRule = fc.tuple(anyTest, anyNode).map(([asked, target]) => ({ ...asked, target }));
const anyRules = fc.record({ rules: fc.array(anyRule, { maxLength: 3 }), otherwise: anyNode });
const anyAction = fc.record({
  kind: fc.constantFrom('rules', 'table', 'node', 'insert', 'copy', 'move', 'order', 'remove'),
  /** Which section, and which other node, of those that there are. */
  section: fc.nat(),
  node: fc.nat(),
  rules: anyRules,
});
type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
const newId = () => {
  count += 1;
  return id(`r${count % 100_000}`);
};

const isCondition = (structure: Structure, nodeId: string | undefined): boolean =>
  findNode(structure, nodeId ?? '')?.type === 'CONDITION';

/** Rules without the ids of their conditions. */
const contentOf = (rules: SectionRules | undefined) =>
  rules && { ...rules, rules: rules.rules.map(({ nodeId: _node, ...rule }) => rule) };

/** Does what a page would do, if it shows the form for it. */
function act(structure: Structure, { kind, section: sectionIndex, node: nodeIndex, rules }: Action): Structure {
  const at = structure.sections[sectionIndex % structure.sections.length]?.id ?? '';
  const linking = structure.nodes.filter(({ type }) => type !== 'END');
  const node = linking[nodeIndex % linking.length] ?? { id: '', type: 'START', payload: {} };
  // A target may have been deleted before.
  const isGone = [rules.otherwise, ...rules.rules.map(({ target }) => target)].some((id) => !findNode(structure, id));
  const before = readRules(structure, at);
  const table = before && readTable(structure, at, before);
  switch (kind) {
    case 'insert': {
      if (node.type === 'CONDITION') return structure;
      const payload = placeBelow(structure, node);
      return createNode(structure, { id: newId(), type: 'SECTION', payload, now: NOW, after: node.id });
    }
    case 'copy':
      return copySection(structure, at, { copyId: newId(), newId, now: NOW });
    case 'move':
      return shiftSection(structure, at, nodeIndex % 2 === 0 ? 1 : -1);
    case 'order':
      return orderQuestions(structure, new Map([[id('one'), { sectionId: at, number: (nodeIndex % 3) + 1 }]]));
    case 'remove': {
      if (node.type !== 'CONDITION') return structure;
      const next = removeNode(structure, new Set(), node.id, NOW);
      expect(next.nodes.flatMap(listLinkTargets)).not.toContain(node.id);
      return next;
    }
    case 'node': {
      if (isGone) return structure;
      const next = writeNode(structure, node.id, rules, NOW);
      if (readNode(structure, node.id)?.rules.length === 0) {
        expect(readNode(next, node.id)?.otherwise).toBe(rules.otherwise);
      }
      return next;
    }
    default: {
      if (isGone || !before || (kind === 'table' && !table)) return structure;
      if (kind === 'rules' || !table) {
        const next = writeRules(structure, at, rules, { now: NOW, newId });
        const leads = [rules.otherwise, ...rules.rules.map(({ target }) => target)];
        if (!leads.some((target) => isCondition(next, target))) expect(contentOf(readRules(next, at))).toEqual(rules);
        return next;
      }
      const rows = table.rows.map((row, index) => ({ ...row, target: rules.rules[index]?.target ?? row.target }));
      const typed = { ...table, rows, otherwise: rules.otherwise };
      return writeRules(structure, at, writeTable(structure, typed, before), { now: NOW, newId });
    }
  }
}

type Place = { x: number; y: number };
const placesOf = ({ nodes }: Structure) =>
  nodes.flatMap(({ id: nodeId, payload: { x, y } }): (Place & { nodeId: string })[] =>
    typeof x === 'number' && typeof y === 'number' ? [{ nodeId, x, y }] : [],
  );

test('and what was drawn keeps its place, apart from what is new', () => {
  const accepted = z.array(WorkflowNodeInput());
  fc.assert(
    fc.property(anyPlaces, fc.array(anyAction, { maxLength: 8 }), (places, actions) => {
      const first = drawn(places);
      const last = actions.reduce(act, first);
      const sent = last.nodes.map((node) => presentNode(last, node));
      expect(replaceWorkflow(last, accepted.parse(sent), NOW)).toBe(last);
      const payloads = new Map(last.nodes.map((node) => [node.id, node.payload]));
      for (const { id: nodeId, payload } of first.nodes) {
        if (payloads.has(nodeId)) expect(payloads.get(nodeId)).toEqual(payload);
      }
      const created = last.nodes.filter((node) => !findNode(first, node.id));
      const known = placesOf(last);
      for (const { id: nodeId, payload } of created) {
        const at = known.find((place) => place.nodeId === nodeId);
        expect(payload).toEqual({ x: expect.any(Number), y: expect.any(Number) });
        const near = known.filter(({ x, y }) => at && Math.abs(x - at.x) < 100 && Math.abs(y - at.y) < 100);
        expect(near).toEqual([at]);
      }
      findWarnings(last);
    }),
  );
});
