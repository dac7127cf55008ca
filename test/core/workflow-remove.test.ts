/**
 * Deleting nodes of a workflow, and what becomes of what referred to them. Forms are drawn by
 * `test/support/workflow.ts`.
 */
import { describe, expect, test } from 'vitest';
import { Problem } from '#core/problems/problems.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { deleteNode } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

const nodeOf = (structure: Structure, name: string) => structure.nodes.find((node) => node.id === id(name));

/** a(q, pick) → condition on q → b(r) or end */
const drawn = form('a', [
  section('a', 'if', [question('q'), question('pick', 'SINGLE_CHOICE')]),
  condition('if', { asks: 'q', pattern: 'yes' }, 'b', 'end'),
  section('b', 'end', [question('r')]),
]);

describe('deleting a node', () => {
  const remove = (structure: Structure, name: string, answered: string[] = []) =>
    deleteNode(structure, new Set(answered.map(id)), id(name), LATER);

  test('of a section removes the section, its questions and all links to it', () => {
    const rest = remove(drawn, 'b');
    expect(rest.nodes.map((node) => node.id)).toEqual(['start', 'a', 'if', 'end'].map(id));
    expect(rest.sections.map((each) => each.id)).toEqual([id('a')]);
    expect(nodeOf(rest, 'if')).not.toHaveProperty('nextTrue');
    expect(nodeOf(rest, 'if')?.nextFalse).toBe(id('end'));
    expect(drawn.sections).toHaveLength(2);
  });

  test('of a section leaves rules on its questions their pattern without the question', () => {
    const rest = remove(drawn, 'a');
    expect(nodeOf(rest, 'if')?.conditionRule).toEqual({ source: 'NON_CHOICE', question: null, pattern: 'yes' });
    expect(nodeOf(rest, 'start')).not.toHaveProperty('next');
  });

  test('of a section in the middle is reported at the node before it, and at conditions whose question is cut off', () => {
    const chain = form('a', [
      section('a', 'b', [question('q')]),
      section('b', 'c'),
      section('c', 'if', [question('r')]),
      condition('if', { asks: 'q', pattern: 'x' }, 'if2', 'end'),
      condition('if2', { asks: 'r', pattern: 'x' }, 'end', 'end'),
    ]);
    expect(workflowInfo(remove(chain, 'b'))).toMatchObject([
      { type: 'node_validation_failed', nodeId: id('a') },
      { type: 'graph_validation_failed', nodeId: id('if') },
    ]);
  });

  test('of a section remembers the questions that answers refer to, and no others', () => {
    const rest = remove(drawn, 'a', ['q', 'r']);
    expect(rest.removed).toEqual([
      { id: id('q'), sectionId: id('a'), type: 'SHORT_TEXT', title: 'q', removedAt: LATER },
    ]);
  });

  test('of a section leaves the sources of questions elsewhere, and they are reported', () => {
    const { choices: _, ...derived } = question('d', 'RANKING', { sourceId: id('pick') });
    const structure = form('a', [
      section('a', 'b', [question('pick', 'SINGLE_CHOICE')]),
      section('b', 'end', [derived]),
    ]);
    const rest = remove(structure, 'a');
    expect(rest.sections[0]?.questions).toEqual([derived]);
    expect(workflowInfo(rest).map(({ nodeId }) => nodeId)).toEqual([id('start'), id('b')]);
  });

  test('of a condition removes it and the links to it, and nothing else', () => {
    const rest = remove(drawn, 'if');
    expect(rest.sections).toEqual(drawn.sections);
    expect(nodeOf(rest, 'a')).not.toHaveProperty('next');
    expect(rest.nodes).toHaveLength(4);
  });

  test.each([
    ['start', 400],
    ['end', 400],
    ['none', 404],
  ])('is refused for %s with %i', (name, status) => {
    const refusal = expect(() => remove(drawn, name));
    refusal.toThrow(Problem);
    refusal.toThrow(expect.objectContaining({ status }));
  });
});
