/**
 * What keeps a form from being published (`info`), one test per fault. That a form without faults can always be finished
 * is tested in `workflow-order.test.ts`. Forms are drawn by `test/support/workflow.ts`.
 */
import { describe, expect, test } from 'vitest';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { condition, form, id, question, section } from '#test/support/workflow.ts';

/** a(q) → condition → b or end */
const withRule = (rule: Parameters<typeof condition>[1], of = question('q')): Structure =>
  form('a', [section('a', 'if', [of]), condition('if', rule, 'b', 'end'), section('b', 'end')]);
const withChoice = (pattern: string): Structure =>
  withRule({ asks: 'q', pattern, source: 'CHOICE' }, question('q', 'SINGLE_CHOICE'));

const valid = { asks: 'q', pattern: 'yes' };

test.each([
  ['a new form, START linked to END', form('end', [])],
  ['a chain of sections', form('a', [section('a', 'b'), section('b', 'end')])],
  ['a condition with a rule and both branches', withRule(valid)],
  ['a condition on a choice', withChoice(`^${id('q1')}$|${id('q2')}`)],
  [
    'a condition both branches of which lead to the same node',
    form('a', [section('a', 'if', [question('q')]), condition('if', valid, 'end', 'end')]),
  ],
])('nothing keeps %s from being published', (_, structure) => {
  expect(workflowInfo(structure)).toEqual([]);
});

test('a new unlinked section is exactly one fault, of the node', () => {
  expect(workflowInfo(form('end', [section('new')]))).toEqual([
    { type: 'node_validation_failed', nodeId: id('new'), message: 'Section "new" has no next node (next).' },
  ]);
});

test('a START without next is a fault of the node, and not of the nodes behind it', () => {
  expect(workflowInfo(form(undefined, [section('a', 'end')]))).toEqual([
    { type: 'node_validation_failed', nodeId: id('start'), message: 'Start "開始表單" has no next node (next).' },
  ]);
});

describe('a condition is at fault', () => {
  test.each<[string, Structure, string]>([
    [
      'without a true branch',
      form('a', [section('a', 'if', [question('q')]), condition('if', valid, undefined, 'end')]),
      'has no node for when it is true (nextTrue).',
    ],
    [
      'without a false branch',
      form('a', [section('a', 'if', [question('q')]), condition('if', valid, 'end')]),
      'has no node for when it is false (nextFalse).',
    ],
    ['without a rule', withRule(undefined), 'has no rule'],
    ['without a question', withRule({ asks: null, pattern: 'yes' }), 'has no question'],
    ['without a pattern', withRule({ asks: 'q', pattern: null }), 'has no pattern'],
    ['with an empty pattern', withRule({ asks: 'q', pattern: '' }), 'has no pattern'],
    [
      'on a question that does not exist',
      withRule({ asks: 'none', pattern: 'yes' }),
      'has a question that this form does not have',
    ],
    ['with a pattern that does not compile', withRule({ asks: 'q', pattern: '(' }), 'missing closing )'],
    ['with a pattern that RE2 does not have', withRule({ asks: 'q', pattern: '(?=a)' }), 'look-around'],
    ['with a pattern that would be slow', withRule({ asks: 'q', pattern: '(?:.{1,30}){1,30}' }), 'too big'],
    [
      'with a source that contradicts its question',
      withRule({ ...valid, source: 'CHOICE' }),
      'has the source CHOICE, but its question "q" is of type SHORT_TEXT',
    ],
    [
      'with the other contradiction',
      withRule(valid, question('q', 'DROPDOWN')),
      'has the source NON_CHOICE, but its question "q" is of type DROPDOWN',
    ],
    [
      'that looks for a choice its question does not have',
      withChoice(`${id('q1')}|${id('z9')}`),
      `looks for the choice ${id('z9')}`,
    ],
  ])('%s', (_, structure, message) => {
    expect(workflowInfo(structure)).toEqual([
      { type: 'node_validation_failed', nodeId: id('if'), message: expect.stringContaining(message) },
    ]);
  });

  test('without a source', () => {
    const structure = withRule(valid);
    const nodes = structure.nodes.map((node) =>
      node.conditionRule ? { ...node, conditionRule: { ...node.conditionRule, source: null } } : node,
    );
    const message = expect.stringContaining('has no source');
    expect(workflowInfo({ ...structure, nodes })).toMatchObject([{ nodeId: id('if'), message }]);
  });

  test('is named as it is shown', () => {
    const [info] = workflowInfo(withRule({ asks: 'q', pattern: '(' }));
    expect(info?.message).toMatch(/^Condition "When q matches \(" has a faulty pattern/);
  });

  test('only once, by its first fault', () => {
    const structure = form('a', [section('a', 'if'), condition('if', undefined)]);
    expect(workflowInfo(structure)).toHaveLength(1);
  });
});

test('a link to a node that does not exist is a fault of the node', () => {
  expect(workflowInfo(form('a', [section('a', 'none')]))).toMatchObject([
    { type: 'node_validation_failed', nodeId: id('a'), message: expect.stringContaining('does not exist') },
  ]);
});

test('a link back to the start is a fault of the node', () => {
  expect(workflowInfo(form('a', [section('a', 'start')]))).toMatchObject([
    { type: 'node_validation_failed', nodeId: id('a'), message: 'Section "a" leads back to the start (next).' },
  ]);
});

test('several faulty nodes are one item each', () => {
  const structure = form('a', [section('a'), section('b'), condition('if', undefined)]);
  expect(workflowInfo(structure).map(({ nodeId }) => nodeId)).toEqual([id('a'), id('b'), id('if')]);
});

/** A question that takes its choices from another. */
const derived = (name: string, sourceName: string) => {
  const { choices: _, ...rest } = question(name, 'SINGLE_CHOICE', { sourceId: id(sourceName) });
  return rest;
};

describe('choice ids in a pattern', () => {
  const deriving = (pattern: string, roots = [question('r', 'MULTIPLE_CHOICE'), derived('m', 'r')]): Structure =>
    form('a', [
      section('a', 'if', [...roots, derived('q', 'm')]),
      condition('if', { asks: 'q', pattern, source: 'CHOICE' }, 'end', 'end'),
    ]);

  test('are looked up where the choices of a question come from, however far', () => {
    expect(workflowInfo(deriving(id('r1')))).toEqual([]);
    expect(workflowInfo(deriving(id('m1')))).toHaveLength(1);
  });

  test('exist nowhere when the sources of a question lead in a circle or to nothing', () => {
    const conditionOf = (structure: Structure) => workflowInfo(structure).find(({ nodeId }) => nodeId === id('if'));
    expect(conditionOf(deriving(id('r1'), [derived('m', 'q')]))?.message).toContain('looks for the choice');
    expect(conditionOf(deriving(id('r1'), []))?.message).toContain('looks for the choice');
  });

  test('do not matter to a question of another kind, and other text does not matter at all', () => {
    expect(workflowInfo(withRule({ asks: 'q', pattern: id('z9') }))).toEqual([]);
    expect(workflowInfo(withChoice('^0000'))).toEqual([]);
  });
});

describe('a question that takes its choices from', () => {
  const source = question('s', 'DROPDOWN');
  const faultsOf = (structure: Structure) => workflowInfo(structure).map(({ type, nodeId }) => [type, nodeId]);

  test('a question of an earlier section or the same one is no fault', () => {
    expect(faultsOf(form('a', [section('a', 'b', [source]), section('b', 'end', [derived('d', 's')])]))).toEqual([]);
    expect(faultsOf(form('a', [section('a', 'end', [derived('d', 's'), source])]))).toEqual([]);
  });

  test('a deleted question, or one without choices, is a fault of the node of its section', () => {
    const broken = [['node_validation_failed', id('a')]];
    expect(faultsOf(form('a', [section('a', 'end', [derived('d', 's')])]))).toEqual(broken);
    expect(faultsOf(form('a', [section('a', 'end', [derived('d', 's'), question('s')])]))).toEqual(broken);
  });

  test('a question that only comes later, or is not linked yet, is a fault of the graph', () => {
    const [late, unlinked] = [section('b', 'end', [source]), section('b', undefined, [source])];
    const dependent = derived('d', 's');
    expect(workflowInfo(form('a', [section('a', 'b', [dependent]), late]))).toEqual([
      {
        type: 'graph_validation_failed',
        nodeId: id('a'),
        message: expect.stringContaining(
          '"d", which takes its choices from "s", whose section comes before it on no path',
        ),
      },
    ]);
    expect(faultsOf(form('a', [section('a', 'end', [dependent]), unlinked]))).toEqual([
      ['graph_validation_failed', id('a')],
      ['node_validation_failed', id('b')],
    ]);
  });

  test('two faulty questions in a section is one item', () => {
    const both = [derived('d', 'none'), derived('e', 'none')];
    expect(workflowInfo(form('a', [section('a', 'end', both)]))).toHaveLength(1);
  });
});

describe('when no node is faulty in itself', () => {
  test('an unreachable node is a fault of the graph', () => {
    expect(workflowInfo(form('end', [section('a', 'end'), section('b', 'a')]))).toEqual([
      { type: 'graph_validation_failed', nodeId: id('a'), message: 'Section "a" cannot be reached from the start.' },
      { type: 'graph_validation_failed', nodeId: id('b'), message: 'Section "b" cannot be reached from the start.' },
    ]);
  });

  test('an unreachable node is not reported while another node is at fault', () => {
    expect(workflowInfo(form('end', [section('a', 'end'), section('b')])).map(({ nodeId }) => nodeId)).toEqual([
      id('b'),
    ]);
  });

  test('a cycle is a fault of the nodes that lie on it, even where a way leads out', () => {
    const structure = form('a', [
      section('a', 'b', [question('q')]),
      section('b', 'if'),
      condition('if', valid, 'b', 'c'),
      section('c', 'end'),
    ]);
    const info = workflowInfo(structure);
    expect(info.map(({ nodeId }) => nodeId)).toEqual([id('b'), id('if')]);
    expect(info.every(({ type, message }) => type === 'graph_validation_failed' && message.includes('cycle'))).toBe(
      true,
    );
  });

  test('a node from which END cannot be reached is a fault', () => {
    const structure = form('a', [section('a', 'b'), section('b', 'c'), section('c', 'b')]);
    expect(workflowInfo(structure).map(({ nodeId, message }) => [nodeId, message.replace(/^.*" /, '')])).toEqual([
      [id('start'), 'does not lead to the end.'],
      [id('a'), 'does not lead to the end.'],
      [id('b'), 'lies on a cycle: its links lead back to it.'],
      [id('c'), 'lies on a cycle: its links lead back to it.'],
      [id('end'), 'cannot be reached from the start.'],
    ]);
  });

  test('a condition on a question that only comes later is a fault', () => {
    const structure = form('if', [condition('if', valid, 'a', 'end'), section('a', 'end', [question('q')])]);
    expect(workflowInfo(structure)).toMatchObject([
      {
        type: 'graph_validation_failed',
        nodeId: id('if'),
        message: expect.stringContaining('comes before it on no path'),
      },
    ]);
  });

  test('a condition on a question that is not linked yet is reported together with the missing link', () => {
    const structure = form('if', [condition('if', valid, 'end', 'end'), section('a', undefined, [question('q')])]);
    expect(workflowInfo(structure).map(({ nodeId }) => nodeId)).toEqual([id('if'), id('a')]);
  });

  test('a condition on a question that only some paths pass is none', () => {
    const structure = form('a', [
      section('a', 'if1', [question('p')]),
      condition('if1', { asks: 'p', pattern: 'x' }, 'b', 'if2'),
      section('b', 'if2', [question('q')]),
      condition('if2', valid, 'c', 'end'),
      section('c', 'end'),
    ]);
    expect(workflowInfo(structure)).toEqual([]);
  });
});

test('a workflow without START or END is a fault of the workflow', () => {
  const structure = form('a', [section('a', 'end')]);
  const without = (type: string) => ({ ...structure, nodes: structure.nodes.filter((node) => node.type !== type) });
  expect(workflowInfo(without('START'))).toEqual([
    { type: 'workflow_validation_failed', message: 'The workflow must have exactly one START node.' },
  ]);
  expect(workflowInfo(without('END'))[0]).toMatchObject({ type: 'workflow_validation_failed' });
});
