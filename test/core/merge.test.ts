/**
 * Merging two structures. The properties run any edits of two editors: what only one edited is as that one left it, and
 * nothing goes that nobody deleted.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conflict, type Keep, mergeStructures } from '#core/structure/merge.ts';
import { listLinkTargets } from '#core/structure/path.ts';
import {
  createQuestion,
  deleteQuestion,
  moveQuestion,
  replaceQuestion,
  updateSection,
} from '#core/structure/questions.ts';
import { findNode, findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
import { createNode, deleteNode, removeNode, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

/** a (p, q) → b (r, s) → if r: c (t, u), else d (v, w); c → d → end. */
const base = form('a', [
  section('a', 'b', [question('p'), question('q')]),
  section('b', 'if', [question('r'), question('s')]),
  condition('if', { asks: 'r', pattern: 'x' }, 'c', 'd'),
  section('c', 'd', [question('t'), question('u')]),
  section('d', 'end', [question('v'), question('w')]),
]);
const SECTIONS = ['a', 'b', 'c', 'd'];
const QUESTIONS: Record<string, string[]> = { a: ['p', 'q'], b: ['r', 's'], c: ['t', 'u'], d: ['v', 'w'] };

type Edit = { do: string; at: string; to: string; by: string };
const input = (title: string, order: number) => ({
  input: { type: 'SHORT_TEXT' as const, required: false, title, description: null, order },
  now: LATER,
  newId: () => id('choice'),
});

/** Applies an edit; one that is not possible any more changes nothing. `by` makes new ids and titles differ. */
function edited(structure: Structure, edit: Edit): Structure {
  const [at, to] = [id(edit.at), id(edit.to)];
  const placed = findQuestion(structure, at);
  const names = placed && { sectionId: placed.section.id, questionId: at };
  const isSection = findSection(structure, at) !== undefined;
  const newId = id(`${edit.by}${edit.at}`);
  switch (edit.do) {
    case 'rename':
      if (isSection) return updateSection(structure, at, { title: edit.by }, LATER);
      return names ? replaceQuestion(structure, new Set(), { ...names, ...input(edit.by, placed.order) }) : structure;
    case 'add':
      if (!isSection || findQuestion(structure, newId)) return structure;
      return createQuestion(structure, { sectionId: at, questionId: newId, ...input(edit.by, 9) });
    case 'delete':
      if (isSection) return removeNode(structure, new Set(), at, LATER);
      return names ? deleteQuestion(structure, new Set(), { ...names, now: LATER }) : structure;
    case 'move':
      return names && findSection(structure, to)
        ? moveQuestion(structure, names, { sectionId: to, after: null })
        : structure;
    case 'insert': {
      if (!isSection || findNode(structure, newId)) return structure;
      if (findNode(structure, findNode(structure, at)?.next ?? '')?.type === 'CONDITION') return structure;
      return createNode(structure, { id: newId, type: 'SECTION', payload: {}, now: LATER, after: at });
    }
    case 'relink':
      if (!isSection || !findSection(structure, to)) return structure;
      return replaceWorkflow(
        structure,
        structure.nodes.map((node) => (node.id === at ? { ...node, next: to } : node)),
        LATER,
      );
    case 'uncondition':
      return findNode(structure, id('if')) ? deleteNode(structure, new Set(), id('if'), LATER) : structure;
    default:
      return structure;
  }
}
const applied = (structure: Structure, edits: readonly Edit[]): Structure => edits.reduce(edited, structure);
const merge = (theirs: Structure, mine: Structure, keep?: Keep) => mergeStructures({ base, theirs, mine }, () => keep);
const conflictsOf = (conflicts: readonly Conflict[]) => conflicts.map(({ kind, id: about }) => [kind, about]);

const edit = (action: string, at: string, to = 'a', by = 'mine'): Edit => ({ do: action, at, to, by });
const editsBy = (
  by: string,
  sections = SECTIONS,
  actions = ['rename', 'add', 'delete', 'move', 'insert', 'relink', 'uncondition'],
) => {
  const places = [...sections, ...sections.flatMap((name) => QUESTIONS[name] ?? [])];
  return fc.array(
    fc.record({
      do: fc.constantFrom(...actions),
      at: fc.constantFrom(...places),
      to: fc.constantFrom(...sections),
      by: fc.constant(by),
    }),
    { maxLength: 8 },
  );
};

/** What is compared of a structure where the order of sections and nodes does not matter. */
const sorted = ({ nodes, sections }: Structure) => {
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  return { nodes: nodes.toSorted(byId), sections: sections.toSorted(byId) };
};

describe('any edits', () => {
  test('of one side only are the result, on either side', () => {
    fc.assert(
      fc.property(editsBy('x'), (edits) => {
        const changed = applied(base, edits);
        expect(merge(changed, base)).toEqual({ structure: changed, conflicts: [] });
        expect(sorted(merge(base, changed).structure)).toEqual(sorted(changed));
        expect(merge(changed, changed)).toEqual({ structure: changed, conflicts: [] });
      }),
    );
  });

  test('in different sections are the same as one after the other, in either order', () => {
    const actions = ['rename', 'add', 'delete', 'insert'];
    fc.assert(
      fc.property(editsBy('m', ['a'], actions), editsBy('t', ['c'], actions), (my, their) => {
        const { structure, conflicts } = merge(applied(base, their), applied(base, my));
        expect(conflicts).toEqual([]);
        expect(sorted(structure)).toEqual(sorted(applied(applied(base, their), my)));
        expect(sorted(structure)).toEqual(sorted(applied(applied(base, my), their)));
      }),
    );
  });

  test.each([
    'MINE',
    'THEIRS',
  ] as const)('lose nothing that nobody deleted, and conflicts end as decided: %s', (keep) => {
    fc.assert(
      fc.property(editsBy('m'), editsBy('t'), (my, their) => {
        const [theirs, mine] = [applied(base, their), applied(base, my)];
        const { structure, conflicts } = merge(theirs, mine, keep);
        const isAsked = (kind: string, about: string) =>
          conflicts.some((each) => each.kind === kind && each.id === about);
        const questions = structure.sections.flatMap((each) => each.questions);
        expect(new Set(questions.map((each) => each.id)).size).toBe(questions.length);
        const sectionIds = structure.nodes.filter(({ type }) => type === 'SECTION').map((node) => node.id);
        expect(sectionIds.toSorted()).toEqual(structure.sections.map((each) => each.id).toSorted());
        for (const target of structure.nodes.flatMap(listLinkTargets))
          expect(findNode(structure, target)).toBeDefined();
        for (const { id: about } of [theirs, mine].flatMap((each) => each.sections.flatMap((one) => one.questions))) {
          const [was, their, my, is] = [base, theirs, mine, structure].map((each) => findQuestion(each, about));
          const homes = [was, their, my].map((each) => each?.section.id ?? '');
          if (homes.some((home) => isAsked('SECTION', home))) continue;
          const isDeleted = was !== undefined && (!their || !my);
          if (isAsked('QUESTION', about))
            expect(is?.question.title).toBe((keep === 'MINE' ? my : their)?.question.title);
          else if (isDeleted) expect(is).toBeUndefined();
          else if (my && my.question.title !== was?.question.title) expect(is?.question.title).toBe(my.question.title);
          else expect(is?.question.title).toBe(their?.question.title);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('what both edited is a conflict', () => {
  const rename = (at: string, by: string) => edit('rename', at, 'a', by);
  test.each([
    ['the same question', [rename('p', 'm')], [rename('p', 't')], [['QUESTION', id('p')]]],
    ['a question that one deleted', [edit('delete', 'p')], [rename('p', 't')], [['QUESTION', id('p')]]],
    ['a question that one moved', [edit('move', 'p', 'b')], [rename('p', 't')], [['QUESTION', id('p')]]],
    ['the title of a section', [rename('a', 'm')], [rename('a', 't')], [['SECTION', id('a')]]],
    ['a section that one deleted', [edit('delete', 'c')], [rename('c', 't')], [['SECTION', id('c')]]],
    ['a question in a section that one deleted', [edit('delete', 'c')], [rename('t', 't')], [['SECTION', id('c')]]],
    [
      'a question that one adds to a section that the other deletes',
      [edit('add', 'c')],
      [edit('delete', 'c')],
      [['SECTION', id('c')]],
    ],
    [
      'what follows a section',
      [edit('insert', 'a', 'a', 'm')],
      [edit('insert', 'a', 'a', 't')],
      [['WORKFLOW', id('a')]],
    ],
    ['different questions', [rename('p', 'm')], [rename('q', 't')], []],
    ['a question and its section', [rename('p', 'm')], [rename('a', 't')], []],
    ['the same, in the same way', [rename('p', 'x')], [rename('p', 'x')], []],
    ['title and what follows', [rename('a', 'm')], [edit('insert', 'a', 'a', 't')], []],
  ])('%s', (_name, my, their, expected) => {
    expect(conflictsOf(merge(applied(base, their), applied(base, my)).conflicts)).toEqual(expected);
  });

  test('the order of a section, if both reordered it differently', () => {
    const three = form('a', [
      section(
        'a',
        'end',
        ['p', 'q', 'r'].map((name) => question(name)),
      ),
    ]);
    const ordered = (names: string[]) =>
      form('a', [
        section(
          'a',
          'end',
          names.map((name) => question(name)),
        ),
      ]);
    const [theirs, mine] = [ordered(['q', 'p', 'r']), ordered(['p', 'r', 'q', 'n'])];
    const merged = (keep: Keep) => mergeStructures({ base: three, theirs, mine }, () => keep);
    expect(conflictsOf(merged('MINE').conflicts)).toEqual([['ORDER', id('a')]]);
    const titles = (keep: Keep) =>
      merged(keep)
        .structure.sections[0]?.questions.map(({ title }) => title)
        .join('');
    expect([titles('MINE'), titles('THEIRS')]).toEqual(['prqn', 'qnpr']);
  });
});

test.each([
  ['MINE', undefined],
  ['THEIRS', 'x'],
] as const)('a section deleted here and edited there: %s', (keep, title) => {
  const theirs = applied(base, [edit('rename', 'c', 'a', 'x')]);
  const { structure } = merge(theirs, applied(base, [edit('delete', 'c')]), keep);
  expect(findNode(structure, id('c'))?.label).toBe(title);
  expect(findQuestion(structure, id('t')) !== undefined).toBe(title !== undefined);
  // What led to the section leads to it again.
  expect(findNode(structure, id('if'))?.nextTrue).toBe(title === undefined ? id('d') : id('c'));
});

test('a question deleted here and edited there comes back with the rule that asks for it', () => {
  const theirs = applied(base, [edit('rename', 'r', 'a', 'x')]);
  const mine = applied(base, [edit('delete', 'r')]);
  expect(findNode(merge(theirs, mine, 'THEIRS').structure, id('if'))?.conditionRule?.question).toBe(id('r'));
  expect(findNode(merge(theirs, mine, 'MINE').structure, id('if'))?.conditionRule?.question).toBeNull();
});

describe('a name that each side gave to another question', () => {
  const named = (structure: Structure, names: Record<string, string>): Structure => ({
    ...structure,
    sections: structure.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) => {
        const name = Object.entries(names).find(([key]) => id(key) === question.id)?.[1];
        return name === undefined ? question : { ...question, name };
      }),
    })),
  });
  const namesOf = ({ sections }: Structure) =>
    sections.flatMap(({ questions }) =>
      questions.flatMap(({ id: questionId, name }) => (name ? [[questionId, name]] : [])),
    );
  const [theirs, mine] = [named(base, { q: 'Age' }), named(base, { r: 'age' })];

  test.for<[Keep | undefined, [string, string]]>([
    [undefined, ['r', 'age']],
    ['MINE', ['r', 'age']],
    ['THEIRS', ['q', 'Age']],
  ])('is a conflict of the question that got it here; decided %s, one question has it', ([keep, [owner, name]]) => {
    const { structure, conflicts } = merge(theirs, mine, keep);
    expect(conflicts).toEqual([{ kind: 'QUESTION', id: id('r'), keep }]);
    expect(namesOf(structure)).toEqual([[id(owner), name]]);
  });

  test('is none if both gave it to the same question, or to different ones other names', () => {
    expect(merge(theirs, named(base, { q: 'Age' })).conflicts).toEqual([]);
    const { structure, conflicts } = merge(theirs, named(base, { r: 'size' }));
    expect(conflicts).toEqual([]);
    expect(namesOf(structure)).toEqual([
      [id('q'), 'Age'],
      [id('r'), 'size'],
    ]);
  });
});
