/**
 * Deleting nodes of a workflow, and what becomes of what referred to them (contract section 6). Forms are drawn by
 * `test/support/workflow.ts`.
 */
import { describe, expect, test } from 'vitest';
import { removeNode } from '#core/structure/node-removal.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { dropRulesOn } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

const nodeOf = (structure: Structure, name: string) => structure.nodes.find((node) => node.id === id(name));

/** a(q, pick) → condition on q → b(r) or end */
const drawn = form('a', [
  section('a', 'if', [question('q'), question('pick', 'SINGLE_CHOICE')]),
  condition('if', { asks: 'q', pattern: 'yes' }, 'b', 'end'),
  section('b', 'end', [question('r')]),
]);

describe('deleting a node', () => {
  const none = { keep: new Set<string>(), now: LATER };

  test('of a section removes the section, its questions and all links to it', () => {
    const rest = removeNode(drawn, id('b'), none);
    expect(rest.nodes.map((node) => node.id)).toEqual(['start', 'a', 'if', 'end'].map(id));
    expect(rest.sections.map((each) => each.id)).toEqual([id('a')]);
    expect(nodeOf(rest, 'if')).not.toHaveProperty('nextTrue');
    expect(nodeOf(rest, 'if')?.nextFalse).toBe(id('end'));
    expect(drawn.sections).toHaveLength(2);
  });

  test('of a section leaves rules on its questions their pattern without the question', () => {
    const rest = removeNode(drawn, id('a'), none);
    expect(nodeOf(rest, 'if')?.conditionRule).toEqual({ source: 'NON_CHOICE', question: null, pattern: 'yes' });
    expect(nodeOf(rest, 'start')).not.toHaveProperty('next');
  });

  test('of a section in the middle leaves exactly the node before it at fault', () => {
    const chain = form('a', [
      section('a', 'b', [question('q')]),
      section('b', 'if'),
      condition('if', { asks: 'q', pattern: 'x' }, 'end', 'end'),
    ]);
    expect(workflowInfo(removeNode(chain, id('b'), none))).toMatchObject([
      { type: 'node_validation_failed', nodeId: id('a') },
    ]);
  });

  test('of a section remembers the questions that answers refer to, and no others', () => {
    const rest = removeNode(drawn, id('a'), { keep: new Set([id('q'), id('r')]), now: LATER });
    expect(rest.removed).toEqual([
      { id: id('q'), sectionId: id('a'), type: 'SHORT_TEXT', title: 'q', removedAt: LATER },
    ]);
  });

  test('of a section leaves no question elsewhere with a source that is gone', () => {
    const { choices: _, ...derived } = question('d', 'RANKING', { sourceId: id('pick') });
    const structure = {
      ...drawn,
      sections: drawn.sections.map((each) => (each.id === id('b') ? { ...each, questions: [derived] } : each)),
    };
    const [survivor] = removeNode(structure, id('a'), none).sections.flatMap(({ questions }) => questions);
    expect(survivor).toMatchObject({ id: id('d'), type: 'RANKING', choices: expect.any(Array) });
    expect(survivor).not.toHaveProperty('sourceId');
  });

  test('of a condition removes it and the links to it, and nothing else', () => {
    const rest = removeNode(drawn, id('if'), none);
    expect(rest.sections).toEqual(drawn.sections);
    expect(nodeOf(rest, 'a')).not.toHaveProperty('next');
    expect(rest.nodes).toHaveLength(4);
  });

  test.each(['start', 'end', 'gone'])('does not happen to %s', (name) => {
    expect(() => removeNode(drawn, id(name), none)).toThrow('may be deleted');
  });
});

test('rules lose the questions that are deleted and no others', () => {
  const freed = dropRulesOn(drawn, new Set([id('r')]));
  expect(freed).toEqual(drawn);
  expect(nodeOf(dropRulesOn(drawn, new Set([id('q')])), 'if')?.conditionRule).toEqual({
    source: 'NON_CHOICE',
    question: null,
    pattern: 'yes',
  });
});
