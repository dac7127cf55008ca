/**
 * Edits of a workflow: new forms, new nodes and PUT; deletion is in `workflow-remove.test.ts`. Forms are drawn by
 * `test/support/workflow.ts`.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presentNode } from '#core/structure/condition-rule.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { createNode, deleteNode, newStructure, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { WorkflowNode, type WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { condition, faultsOf, form, id, LATER, NOW, question, section } from '#test/support/workflow.ts';

const nodeOf = (structure: Structure, name: string) => structure.nodes.find((node) => node.id === id(name));

/** a(q, pick) → condition on q → b(r) or end */
const drawn = form('a', [
  section('a', 'if', [question('q'), question('pick', 'SINGLE_CHOICE')]),
  condition('if', { asks: 'q', pattern: 'yes' }, 'b', 'end'),
  section('b', 'end', [question('r')]),
]);

/** The body of a PUT that sends the form back with changes to some nodes. */
const sent = (structure: Structure, changes: Record<string, Partial<WorkflowNodeInput>> = {}): WorkflowNodeInput[] =>
  structure.nodes.map(({ type: _, ...node }) => {
    const change = Object.entries(changes).find(([name]) => id(name) === node.id)?.[1];
    return { ...node, ...change };
  });

/** The structure after a PUT that is accepted. */
const put = (changes: Record<string, Partial<WorkflowNodeInput>>, structure = drawn): Structure =>
  replaceWorkflow(structure, sent(structure, changes), LATER);

/** The pointers of a PUT that is refused. */
const refused = (inputs: WorkflowNodeInput[], structure = drawn): string[] =>
  faultsOf(() => replaceWorkflow(structure, inputs, LATER));

describe('a new form', () => {
  const fresh = newStructure(id('f'), { start: id('s'), end: id('e') });

  test('has START linked to END, no section, version 1, and may be published', () => {
    expect(fresh).toEqual({
      formId: id('f'),
      version: 1,
      nodes: [
        { id: id('s'), type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: id('e') },
        { id: id('e'), type: 'END', label: '確認/送出', payload: { x: 0, y: 240 } },
      ],
      sections: [],
      removed: [],
    });
    expect(workflowInfo(fresh)).toEqual([]);
  });

  test('gets an unlinked section together with its node', () => {
    const grown = createNode(fresh, { id: id('n'), type: 'SECTION', payload: { x: 3 }, now: NOW });
    expect(grown.nodes.at(-1)).toEqual({ id: id('n'), type: 'SECTION', label: 'New Section', payload: { x: 3 } });
    expect(grown.sections).toEqual([{ id: id('n'), description: null, questions: [], createdAt: NOW, updatedAt: NOW }]);
    expect(fresh.sections).toEqual([]);
  });

  test('gets an unlinked condition without a section', () => {
    const grown = createNode(fresh, { id: id('n'), type: 'CONDITION', payload: {}, now: NOW });
    expect(grown.nodes.at(-1)).toEqual({ id: id('n'), type: 'CONDITION', label: 'New Condition', payload: {} });
    expect(grown.sections).toEqual([]);
  });
});

describe('PUT', () => {
  test('of what is there changes nothing', () => {
    expect(put({})).toBe(drawn);
  });

  test('of what is there is accepted whatever faults it has, and changes nothing', () => {
    const [cut, retyped] = [deleteNode(drawn, new Set(), id('a'), LATER), structuredClone(drawn)];
    const asked = retyped.sections[0]?.questions[0];
    if (asked) asked.type = 'DROPDOWN';
    const damaged = structuredClone(drawn);
    for (const node of damaged.nodes) {
      if (node.next) node.next = id('none');
      if (node.type === 'SECTION') node.label = 'x'.repeat(201);
      if (node.conditionRule) node.conditionRule = { source: 'CHOICE', question: id('none'), pattern: 'a.{900}b' };
    }
    for (const structure of [cut, retyped, damaged]) {
      expect(workflowInfo(structure)).not.toEqual([]);
      expect(put({}, structure)).toBe(structure);
      expect(nodeOf(put({ if: { payload: { x: 1 } } }, structure), 'if')?.payload).toEqual({ x: 1 });
    }
  });

  test('refuses an old fault once the request makes it again', () => {
    const retyped = structuredClone(drawn);
    const asked = retyped.sections[0]?.questions[0];
    if (asked) asked.type = 'DROPDOWN';
    const conditionRule = { source: 'NON_CHOICE' as const, question: id('q'), pattern: 'other' };
    expect(refused(sent(retyped, { if: { conditionRule } }), retyped)).toEqual([]);
    const without = put({ if: { conditionRule: null } }, retyped);
    expect(refused(sent(without, { if: { conditionRule } }), without)).toEqual(['/body/2/conditionRule/source']);
  });

  test('replaces links, labels, payloads and rules, and keeps types and the order sent', () => {
    const rule = { source: 'CHOICE' as const, question: id('pick'), pattern: id('pick1'), colour: 'red' };
    const structure = replaceWorkflow(
      drawn,
      sent(drawn, {
        if: { conditionRule: rule, nextTrue: id('end'), nextFalse: id('b'), payload: { x: 1, deep: [{}] } },
        b: { label: 'Last' },
      }).reverse(),
      LATER,
    );
    expect(structure.nodes.map(({ type }) => type)).toEqual(['END', 'SECTION', 'CONDITION', 'SECTION', 'START']);
    expect(nodeOf(structure, 'if')).toEqual({
      id: id('if'),
      type: 'CONDITION',
      label: 'if',
      payload: { x: 1, deep: [{}] },
      conditionRule: rule,
      nextTrue: id('end'),
      nextFalse: id('b'),
    });
    expect(nodeOf(structure, 'b')?.label).toBe('Last');
  });

  test('refuses a label of several lines, unless it is the label that GET returned', () => {
    expect(refused(sent(drawn, { b: { label: 'two\nlines' }, if: { label: 'a\u202eb' } }))).toEqual([
      '/body/2/label',
      '/body/3/label',
    ]);
    const rule = { source: 'NON_CHOICE' as const, question: id('q'), pattern: '\u0000|\u202e' };
    const ruled = put({ if: { conditionRule: rule } });
    const shown = ruled.nodes.map((node) => presentNode(ruled, node));
    expect(nodeOf({ ...ruled, nodes: shown }, 'if')?.label).toContain('\u0000');
    expect(replaceWorkflow(ruled, sent({ ...ruled, nodes: shown }), LATER)).toBe(ruled);
  });

  test('marks a section whose title changed as updated, and no other', () => {
    const { sections } = put({ b: { label: 'Last' } });
    expect(sections.map(({ updatedAt }) => updatedAt)).toEqual([NOW, LATER]);
    expect(sections.map(({ questions }) => questions)).toEqual(drawn.sections.map(({ questions }) => questions));
  });

  test('takes away links and rules that are not sent, or sent as null', () => {
    const { next: _, ...unlinked } = sent(drawn)[1] ?? { id: '', label: '', payload: {} };
    const inputs = sent(drawn, { if: { conditionRule: null, nextTrue: null } }).with(1, unlinked);
    const structure = replaceWorkflow(drawn, inputs, LATER);
    expect(nodeOf(structure, 'a')).toEqual({ id: id('a'), type: 'SECTION', label: 'a', payload: {} });
    expect(nodeOf(structure, 'if')).toEqual({
      id: id('if'),
      type: 'CONDITION',
      label: 'if',
      payload: {},
      nextFalse: id('end'),
    });
  });

  test('drops members that do not belong to the type of a node, whatever they hold', () => {
    const rule = { source: 'CHOICE' as const, question: id('none'), pattern: 'a.{900}b' };
    const structure = put({
      start: { nextTrue: id('none'), conditionRule: rule },
      a: { conditionRule: rule, nextFalse: id('b') },
      if: { next: id('none') },
      end: { next: id('start'), nextTrue: id('a') },
    });
    expect(structure).toBe(drawn);
  });

  test('refuses an id that is missing, added or sent twice', () => {
    const all = sent(drawn);
    expect(refused(all.slice(1))).toContain('/body');
    expect(refused([...all, { id: id('new'), label: 'x', payload: {} }])).toEqual(['/body/5/id']);
    expect(refused([...all, ...all.slice(2, 3)])).toEqual(['/body/5/id']);
    expect(refused([])).toHaveLength(5);
  });

  test.each([
    ['a link to nowhere', { a: { next: id('none') } }, '/body/1/next'],
    ['a branch to nowhere', { if: { nextTrue: id('none') } }, '/body/2/nextTrue'],
    ['the other branch to nowhere', { if: { nextFalse: id('none') } }, '/body/2/nextFalse'],
    ['a link back to the start', { b: { next: id('start') } }, '/body/3/next'],
    ['a title of more than 200 characters', { b: { label: 'x'.repeat(201) } }, '/body/3/label'],
  ])('refuses %s', (_, changes, pointer) => {
    expect(refused(sent(drawn, changes))).toEqual([pointer]);
  });

  test.each([
    [
      'on a question of another form',
      { source: 'NON_CHOICE' as const, question: id('none'), pattern: 'x' },
      'question',
    ],
    [
      'of a source that contradicts a text question',
      { source: 'CHOICE' as const, question: id('q'), pattern: 'x' },
      'source',
    ],
    [
      'of a source that contradicts a choice question',
      { source: 'NON_CHOICE' as const, question: id('pick'), pattern: 'x' },
      'source',
    ],
    [
      'with a pattern that would be slow',
      { source: 'NON_CHOICE' as const, question: id('q'), pattern: '(?:.{1,30}){1,30}' },
      'pattern',
    ],
  ])('refuses a rule %s', (_, conditionRule, member) => {
    expect(refused(sent(drawn, { if: { conditionRule } }))).toEqual([`/body/2/conditionRule/${member}`]);
  });

  test('reports everything that is wrong at once', () => {
    const conditionRule = { source: 'CHOICE' as const, question: id('q'), pattern: 'a.{900}b' };
    expect(refused(sent(drawn, { a: { next: id('none') }, if: { conditionRule }, b: { next: id('none') } }))).toEqual([
      '/body/1/next',
      '/body/2/conditionRule/source',
      '/body/2/conditionRule/pattern',
      '/body/3/next',
    ]);
  });

  test.each([
    ['nothing', {}],
    ['nulls', { source: null, question: null, pattern: null }],
    ['empty texts', { source: 'NON_CHOICE' as const, question: '', pattern: '' }],
    ['a question alone', { question: id('q') }],
    ['a pattern alone', { pattern: 'x' }],
    ['a pattern that does not compile', { source: 'NON_CHOICE' as const, question: id('q'), pattern: '(' }],
    ['a question that only comes later', { source: 'NON_CHOICE' as const, question: id('r'), pattern: 'x' }],
  ])('accepts a rule of %s as it is, and info reports it', (_, conditionRule) => {
    const structure = put({ if: { conditionRule } });
    expect(nodeOf(structure, 'if')?.conditionRule).toEqual(conditionRule);
    expect(workflowInfo(structure).map(({ nodeId }) => nodeId)).toEqual([id('if')]);
  });

  test('accepts cycles and loose ends, and info reports them', () => {
    expect(workflowInfo(put({ b: { next: id('a') }, if: { nextFalse: id('end') } }))).not.toEqual([]);
    expect(workflowInfo(put({ b: { next: null } }))).toHaveLength(1);
  });

  test('of any links gives nodes that can be shown and sent back', () => {
    const target = fc.option(
      fc.constantFrom(...drawn.nodes.filter(({ type }) => type !== 'START').map((node) => node.id)),
      { nil: null },
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ next: target, nextTrue: target, nextFalse: target }), { minLength: 5, maxLength: 5 }),
        (links) => {
          const inputs = sent(drawn, { if: { conditionRule: null } }).map((input, index) => ({
            ...input,
            ...links[index],
          }));
          const structure = replaceWorkflow(drawn, inputs, LATER);
          expect(structure.nodes.every((node) => WorkflowNode().safeParse(node).success)).toBe(true);
          expect(put({}, structure)).toBe(structure);
        },
      ),
    );
  });
});

describe('the label of a condition', () => {
  const shown = (structure: Structure) =>
    presentNode(structure, nodeOf(structure, 'if') ?? condition('x', undefined).node).label;

  test('is generated from its rule on reads once that is complete, and is stored as it was', () => {
    expect(shown(drawn)).toBe('When q matches yes');
    expect(nodeOf(drawn, 'if')?.label).toBe('if');
    expect(shown(put({ if: { conditionRule: { source: 'NON_CHOICE', question: id('q'), pattern: '' } } }))).toBe('if');
    expect(shown(deleteNode(drawn, new Set(), id('a'), LATER))).toBe('if');
  });

  test('does not become the stored one when a client sends back what it read', () => {
    expect(nodeOf(put({ if: { label: 'When q matches yes' } }), 'if')?.label).toBe('if');
    expect(nodeOf(put({ if: { label: 'Mine' } }), 'if')?.label).toBe('Mine');
    expect(nodeOf(put({ if: { label: `When ${'q'.repeat(500)} matches x` } }), 'if')?.label).toBe('if');
  });

  test('leaves other nodes alone', () => {
    for (const node of drawn.nodes.filter(({ type }) => type !== 'CONDITION'))
      expect(presentNode(drawn, node)).toBe(node);
  });
});
