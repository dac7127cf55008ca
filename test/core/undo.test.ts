/** Undoing the last deletion or move: the property takes it back after any edits of other sections. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyQuestion, deleteQuestion, moveQuestion, updateSection } from '#core/structure/questions.ts';
import { showIf } from '#core/structure/rule-steps.ts';
import { moveSection } from '#core/structure/sections.ts';
import { findNode, findQuestion, type Structure } from '#core/structure/structure.ts';
import { listTakenNames, recordUndo, undoEdit } from '#core/structure/undo.ts';
import { createNode, deleteNode, removeNode } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

/** a (p, q) → b (r, s) → if r: c (t, u), else d (v) → end; p and r have answers. */
const start = form('a', [
  section('a', 'b', [question('p'), question('q')]),
  section('b', 'if', [question('r'), question('s')]),
  condition('if', { asks: 'r', pattern: 'x' }, 'c', 'd'),
  section('c', 'd', [question('t'), question('u')]),
  section('d', 'end', [question('v')]),
]);
const answered = new Set(['p', 'r'].map(id));

type Edit = (structure: Structure) => Structure;
const removeQuestion =
  (name: string): Edit =>
  (structure) => {
    const sectionId = findQuestion(structure, id(name))?.section.id ?? '';
    return deleteQuestion(structure, answered, { sectionId, questionId: id(name), now: LATER });
  };
const remove =
  (name: string): Edit =>
  (structure) =>
    removeNode(structure, answered, id(name), LATER);
const move =
  (name: string, to: string, after: string | null = null): Edit =>
  (structure) => {
    const names = { sectionId: findQuestion(structure, id(name))?.section.id ?? '', questionId: id(name) };
    return moveQuestion(structure, names, { sectionId: id(to), after: after && id(after) });
  };
const rename =
  (name: string, title: string): Edit =>
  (structure) =>
    updateSection(structure, id(name), { title }, LATER);
const uncondition: Edit = (structure) => deleteNode(structure, answered, id('if'), LATER);

/** Takes an edit back after others. */
function undone(edit: Edit, ...others: Edit[]) {
  const after = edit(start);
  const record = recordUndo(start, after);
  if (!record) throw new Error('the edit cannot be undone');
  return {
    record,
    ...undoEdit(
      others.reduce((structure, other) => other(structure), after),
      record,
    ),
  };
}
const sorted = ({ nodes, sections, removed }: Structure) => {
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  return { nodes: nodes.toSorted(byId), sections: sections.toSorted(byId), removed };
};

const IDS = { now: LATER, newId: () => id('n') };
const relink: Edit = (structure) => ({
  ...structure,
  nodes: structure.nodes.map((node) => (node.id === id('if') ? { ...node, nextTrue: id('end') } : node)),
});

const UNDOABLE: [string, Edit, string, string][] = [
  ['a question with answers', removeQuestion('p'), 'QUESTION', 'p'],
  ['a question without', removeQuestion('q'), 'QUESTION', 'q'],
  ['a question of a rule', removeQuestion('r'), 'QUESTION', 'r'],
  ['the first section', remove('a'), 'SECTION', 'a'],
  ['a section behind a condition', remove('c'), 'SECTION', 'c'],
  ['a section with the question of a rule', remove('b'), 'SECTION', 'b'],
  ['a condition', uncondition, 'RULE', ''],
  ['a move within a section', move('p', 'a', 'q'), 'ORDER', 'a'],
  ['a move to another section', move('p', 'c', 't'), 'ORDER', 'a'],
  ['another target of a rule', relink, 'RULE', ''],
  ['a new rule', (structure) => showIf(structure, id('d'), { questionId: id('p'), value: '' }, IDS), 'RULE', ''],
  ['a move of a section', (structure) => moveSection(structure, id('d'), id('a')), 'PATH', ''],
];

describe('is as it was before', () => {
  test.each(UNDOABLE)('%s', (_name, edit, kind, title) => {
    const { record, structure, conflicts } = undone(edit);
    expect([record.kind, record.title]).toEqual([kind, title]);
    expect(conflicts).toEqual([]);
    expect(sorted(structure)).toEqual(sorted(start));
  });

  test('also when it was put back before', () => {
    const { record, structure } = undone(remove('b'));
    expect(sorted(undoEdit(structure, record).structure)).toEqual(sorted(start));
    expect(undoEdit(structure, record).conflicts).toEqual([]);
  });

  test('and keeps what was edited elsewhere since', () => {
    const add: Edit = (structure) =>
      copyQuestion(
        structure,
        { sectionId: id('d'), questionId: id('v') },
        { copyId: id('w'), newId: () => id('n'), now: LATER },
      );
    const insert: Edit = (structure) =>
      createNode(structure, { id: id('e'), type: 'SECTION', payload: {}, now: LATER, after: id('d') });
    const others = [rename('d', 'Others'), add, insert];
    const edits = [removeQuestion('p'), removeQuestion('q'), removeQuestion('r'), remove('a'), move('p', 'b', 'r')];
    fc.assert(
      fc.property(fc.constantFrom(...edits), fc.subarray(others), (edit, list) => {
        const { structure, conflicts } = undone(edit, ...list);
        expect(conflicts).toEqual([]);
        expect(sorted(structure)).toEqual(sorted(list.reduce((before, other) => other(before), start)));
      }),
    );
  });
});

test.each([
  ['another one moved the same question', move('p', 'a', 'q'), move('p', 'c'), []],
  ['another one led past the section', remove('c'), rename('b', 'B'), []],
  ['the same order was changed', move('t', 'c', 'u'), move('t', 'c'), []],
])('still works when %s', (_name, edit, other, expected) => {
  const { structure, conflicts } = undone(edit, other);
  expect(conflicts).toEqual(expected);
  expect(structure.nodes.every(({ next }) => next === undefined || findNode(structure, next))).toBe(true);
});

test('what was edited in the same place since is a conflict', () => {
  expect(undone(remove('c'), relink).conflicts).toMatchObject([{ kind: 'WORKFLOW', id: id('if') }]);
});

test('a question whose section was deleted since is a conflict, with what it was', () => {
  const { structure, conflicts, before } = undone(removeQuestion('p'), remove('a'));
  expect(conflicts).toMatchObject([{ kind: 'QUESTION', id: id('p') }]);
  expect([findQuestion(before, id('p'))?.question.title, findQuestion(structure, id('p'))]).toEqual(['p', undefined]);
});

test('other edits are not recorded', () => {
  const insert = createNode(start, { id: id('e'), type: 'SECTION', payload: {}, now: LATER, after: id('d') });
  const placed = { ...start, nodes: start.nodes.map((node) => ({ ...node, payload: { x: 1 } })) };
  for (const after of [start, insert, placed, rename('a', 'A')(start)])
    expect(recordUndo(start, after)).toBeUndefined();
});

test('a deleted question returns without a name that another one got meanwhile', () => {
  const name =
    (of: string, value: string): Edit =>
    (structure) => ({
      ...structure,
      sections: structure.sections.map((each) => ({
        ...each,
        questions: each.questions.map((one) => (one.id === id(of) ? { ...one, name: value } : one)),
      })),
    });
  const named = name('t', 'Age')(start);
  const after = removeQuestion('t')(named);
  const record = recordUndo(named, after);
  if (!record) throw new Error('the edit cannot be undone');
  const back = (current: Structure) => findQuestion(undoEdit(current, record).structure, id('t'))?.question;
  expect(back(after)?.name).toBe('Age');
  expect(listTakenNames(after, record)).toEqual([]);
  const taken = name('u', 'age')(after);
  expect(back(taken)?.title).toBe(findQuestion(named, id('t'))?.question.title);
  expect(back(taken)).not.toHaveProperty('name');
  expect(listTakenNames(taken, record)).toEqual(['Age']);
  expect(undoEdit(taken, record).conflicts).toEqual([]);
});
