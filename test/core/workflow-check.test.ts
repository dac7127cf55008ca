/**
 * What keeps a workflow from being published (contract section 6, `info`), one test per fault, and the promise that a
 * form without faults can always be finished. Forms are drawn by `test/support/workflow.ts`.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { answers, condition, form, id, type Part, question, section } from '#test/support/workflow.ts';

/** a(q) → condition → b or end */
const asking = (rule: Parameters<typeof condition>[1], asked = question('q')): Structure =>
  form('a', [section('a', 'if', [asked]), condition('if', rule, 'b', 'end'), section('b', 'end')]);
const choosing = (pattern: string, asked = question('q', 'SINGLE_CHOICE')): Structure =>
  asking({ asks: 'q', pattern, source: 'CHOICE' }, asked);

const valid = { asks: 'q', pattern: 'yes' };

test.each([
  ['a new form, START linked to END', form('end', [])],
  ['a chain of sections', form('a', [section('a', 'b'), section('b', 'end')])],
  ['a condition with a rule and both branches', asking(valid)],
  ['a condition on a choice', choosing(`^${id('q1')}$|${id('q2')}`)],
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

test('a START without next is a fault of the node, and what is behind it is not blamed', () => {
  expect(workflowInfo(form(undefined, [section('a', 'end')]))).toEqual([
    { type: 'node_validation_failed', nodeId: id('start'), message: 'Start "開始表單" has no next node (next).' },
  ]);
});

describe('a condition is at fault', () => {
  const faultOf = (structure: Structure) => workflowInfo(structure);

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
    ['without a rule', asking(undefined), 'has no rule'],
    ['without a question', asking({ asks: null, pattern: 'yes' }), 'asks no question'],
    ['without a pattern', asking({ asks: 'q', pattern: null }), 'has no pattern'],
    ['with an empty pattern', asking({ asks: 'q', pattern: '' }), 'has no pattern'],
    [
      'on a question that is gone',
      asking({ asks: 'gone', pattern: 'yes' }),
      'asks a question that this form does not have',
    ],
    ['with a pattern that does not compile', asking({ asks: 'q', pattern: '(' }), 'missing closing )'],
    ['with a pattern that RE2 does not have', asking({ asks: 'q', pattern: '(?=a)' }), 'look-around'],
    ['with a pattern that would be slow', asking({ asks: 'q', pattern: '(?:.{1,30}){1,30}' }), 'too big'],
    [
      'with a source that contradicts its question',
      asking({ ...valid, source: 'CHOICE' }),
      'has the source CHOICE, but its question "q" is of type SHORT_TEXT',
    ],
    [
      'with the other contradiction',
      asking(valid, question('q', 'DROPDOWN')),
      'has the source NON_CHOICE, but its question "q" is of type DROPDOWN',
    ],
    [
      'that looks for a choice its question does not have',
      choosing(`${id('q1')}|${id('z9')}`),
      `looks for the choice ${id('z9')}`,
    ],
  ])('%s', (_, structure, message) => {
    expect(faultOf(structure)).toEqual([
      { type: 'node_validation_failed', nodeId: id('if'), message: expect.stringContaining(message) },
    ]);
  });

  test('without a source', () => {
    const structure = asking(valid);
    const nodes = structure.nodes.map((node) =>
      node.conditionRule ? { ...node, conditionRule: { ...node.conditionRule, source: null } } : node,
    );
    expect(workflowInfo({ ...structure, nodes })).toMatchObject([{ type: 'node_validation_failed', nodeId: id('if') }]);
  });

  test('is named as it is shown', () => {
    const [info] = workflowInfo(asking({ asks: 'q', pattern: '(' }));
    expect(info?.message).toMatch(/^Condition "When q matches \(" has a faulty pattern/);
  });

  test('only once, by its first fault', () => {
    const structure = form('a', [section('a', 'if'), condition('if', undefined)]);
    expect(workflowInfo(structure)).toHaveLength(1);
  });
});

test('a link to a node that does not exist is a fault of the node', () => {
  expect(workflowInfo(form('a', [section('a', 'gone')]))).toMatchObject([
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

describe('choice ids in a pattern', () => {
  const derived = (name: string, sourceName: string) => {
    const { choices: _, ...rest } = question(name, 'SINGLE_CHOICE', { sourceId: id(sourceName) });
    return rest;
  };
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
    expect(workflowInfo(deriving(id('r1'), [derived('m', 'q')]))).toHaveLength(1);
    expect(workflowInfo(deriving(id('r1'), []))).toHaveLength(1);
  });

  test('do not matter to a question of another kind, and other text does not matter at all', () => {
    expect(workflowInfo(asking({ asks: 'q', pattern: id('z9') }))).toEqual([]);
    expect(workflowInfo(choosing('^0000'))).toEqual([]);
  });
});

describe('when every node is well in itself', () => {
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

describe('a form without faults', () => {
  const SIZE = 8;
  const jump = fc.nat(SIZE);
  const patterns = fc.constantFrom('a', 'b', '^', 'c$');
  const part = fc.oneof(
    fc.constant(undefined),
    fc.record({ jump, asks: jump, pattern: patterns, jumpsWhenTrue: fc.boolean() }),
  );
  const name = (place: number): string => (place >= SIZE ? 'end' : `n${place}`);

  /** Node n leads on to n + 1, a condition also to some node behind it, and asks a section before it. */
  const soundForm = fc.array(part, { minLength: SIZE - 1, maxLength: SIZE - 1 }).map((parts) => {
    const drawn: Part[] = [section('n0', name(1), [question('q0')])];
    const asked = [0];
    for (const [index, each] of parts.entries()) {
      const place = index + 1;
      const next = name(place + 1);
      if (each) {
        const far = name(place + 1 + each.jump);
        const rule = { asks: `q${asked[each.asks % asked.length]}`, pattern: each.pattern };
        drawn.push(condition(name(place), rule, each.jumpsWhenTrue ? far : next, each.jumpsWhenTrue ? next : far));
      } else {
        asked.push(place);
        drawn.push(section(name(place), next, [question(`q${place}`)]));
      }
    }
    return form('n0', drawn);
  });
  const given = fc
    .array(fc.constantFrom('a', 'b', 'abc'), { minLength: SIZE, maxLength: SIZE })
    .map((values) => answers(Object.fromEntries(values.map((value, n) => [`q${n}`, value]))));

  test('reaches END whatever is answered, once everything is', () => {
    fc.assert(
      fc.property(soundForm, given, (structure, answerOf) => {
        expect(workflowInfo(structure)).toEqual([]);
        expect(walk(structure, answerOf).complete).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('has a fault as soon as one of its links is cut or leads back', () => {
    fc.assert(
      fc.property(soundForm, fc.nat(), fc.option(fc.nat(), { nil: undefined }), (structure, which, back) => {
        const cut = which % (structure.nodes.length - 1);
        const earlier = back === undefined ? undefined : structure.nodes[back % (cut + 1)]?.id;
        const nodes = structure.nodes.map((node, index) => {
          if (index !== cut) return node;
          const { next: _, nextFalse: __, ...rest } = node;
          if (!earlier) return rest;
          return node.type === 'CONDITION' ? { ...rest, nextFalse: earlier } : { ...rest, next: earlier };
        });
        expect(workflowInfo({ ...structure, nodes })).not.toEqual([]);
      }),
    );
  });

  test('can be finished by somebody who answers only what is asked', () => {
    fc.assert(
      fc.property(soundForm, given, (structure, answerOf) => {
        const reached = new Set(walk(structure, answerOf).sections);
        const asked = new Set(
          structure.sections
            .filter((each) => reached.has(each.id))
            .flatMap((each) => each.questions.map((one) => one.id)),
        );
        expect(
          walk(structure, (questionId) => (asked.has(questionId) ? answerOf(questionId) : undefined)).complete,
        ).toBe(true);
      }),
    );
  });
});
