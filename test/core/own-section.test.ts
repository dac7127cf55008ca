/** A question gets a section of its own, which is shown only after an answer: the order stays, and the edit is taken back as one. */
import { describe, expect, test } from 'vitest';
import { readOutline } from '#core/structure/gates.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { createQuestion, updateSection } from '#core/structure/questions.ts';
import { showAlone, showIf } from '#core/structure/rule-steps.ts';
import { listAloneQuestions } from '#core/structure/rules.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import { recordUndo, undoEdit } from '#core/structure/undo.ts';
import { listWorkflowFaults } from '#core/structure/workflow-check.ts';
import { form, id, LATER, NOW, question, section } from '#test/support/workflow.ts';

const newIds = (prefix = 'n') => {
  let count = 0;
  const newId = () => {
    count += 1;
    return id(`${prefix}${count}`);
  };
  return { now: NOW, newId };
};

const LAKES = [
  { id: id('ness'), name: 'Ness' },
  { id: id('erie'), name: 'Erie' },
];

/** A choice, then four questions of one section, then one more. */
const lakes = (): Structure =>
  form('s0', [
    section('s0', 's1', [question('lake', 'SINGLE_CHOICE', { choices: LAKES, required: true })]),
    section('s1', 's2', [
      question('boat', 'SINGLE_CHOICE', { choices: [{ id: id('yes'), name: 'Yes' }], required: true }),
      question('size'),
      question('why'),
      question('when'),
    ]),
    section('s2', 'end', [question('last')]),
  ]);

const when = (name: string, value: string) => ({ questionId: id(name), value });
/** The questions of each section in the order of the path, with what its gate asks for. */
const read = (structure: Structure) =>
  sectionsInOrder(structure).map((each) => [
    each.questions.map((one) => one.title),
    (readOutline(structure).gates.get(each.id)?.comparisons ?? []).map(({ questionId }) => questionId),
  ]);
const T = (name: string): string => question(name).title;

describe('a question in a section with others', () => {
  test('moves to a section behind what is above it, and what is below follows in one with the same title', () => {
    const named = updateSection(lakes(), id('s1'), { title: 'The boat' }, LATER);
    const next = showAlone(named, id('size'), when('boat', id('yes')), newIds());
    expect(read(next)).toEqual([
      [[T('lake')], []],
      [[T('boat')], []],
      [[T('size')], [id('boat')]],
      [[T('why'), T('when')], []],
      [[T('last')], []],
    ]);
    expect(
      sectionsInOrder(next)
        .map((each) => sectionTitle(next, each.id))
        .slice(1, 4),
    ).toEqual(['The boat', '', 'The boat']);
    expect(listWorkflowFaults(next)).toEqual([]);
  });

  test('as the last one leaves nothing behind it', () => {
    expect(read(showAlone(lakes(), id('when'), when('lake', id('ness')), newIds())).slice(1)).toEqual([
      [[T('boat'), T('size'), T('why')], []],
      [[T('when')], [id('lake')]],
      [[T('last')], []],
    ]);
  });

  test('as the first one keeps the section, and the others follow in a new one', () => {
    expect(read(showAlone(lakes(), id('boat'), when('lake', id('erie')), newIds())).slice(1)).toEqual([
      [[T('boat')], [id('lake')]],
      [[T('size'), T('why'), T('when')], []],
      [[T('last')], []],
    ]);
  });

  test('is shown only where its section was, and so is what follows it', () => {
    const gated = showIf(lakes(), id('s1'), when('lake', id('ness')), newIds());
    expect(read(showAlone(gated, id('size'), when('boat', id('yes')), newIds('g'))).slice(1)).toEqual([
      [[T('boat')], [id('lake')]],
      [[T('size')], [id('lake'), id('boat')]],
      [[T('why'), T('when')], [id('lake')]],
      [[T('last')], []],
    ]);
  });

  test('can be asked for by the questions before it, not by itself or later ones', () => {
    expect(listAloneQuestions(lakes(), id('why')).map(({ title }) => title)).toEqual([T('lake'), T('boat'), T('size')]);
    expect(listAloneQuestions(lakes(), id('last'))).toEqual([]);
    for (const asked of ['why', 'when', 'last'])
      expect(() => showAlone(lakes(), id('why'), when(asked, ''), newIds())).toThrow(
        expect.objectContaining({ status: 404 }),
      );
  });
});

test('a second press changes nothing', () => {
  const once = showAlone(lakes(), id('size'), when('boat', id('yes')), newIds());
  expect(showAlone(once, id('size'), when('boat', id('yes')), newIds())).toBe(once);
});

describe.each(['boat', 'size', 'when'])('taking back that “%s” was moved', (name) => {
  const before = lakes();
  const after = showAlone(before, id(name), when('lake', id('ness')), newIds());
  const record = recordUndo(before, after);

  test('is one step to what was there before', () => {
    if (!record) throw new Error('the edit cannot be undone');
    expect(undoEdit(after, record)).toMatchObject({ structure: before, conflicts: [] });
  });

  test('keeps a question that was added to the new section since, as a conflict', () => {
    if (!record) throw new Error('the edit cannot be undone');
    const added = after.nodes.find(
      ({ type, id: each }) => type === 'SECTION' && !before.nodes.some((one) => one.id === each),
    );
    const input = { type: 'SHORT_TEXT', title: 'New', required: false, description: null, order: 9 } as const;
    const edit = { sectionId: added?.id ?? '', questionId: id('new'), input, now: LATER, newId: () => id('x') };
    const { conflicts } = undoEdit(createQuestion(after, edit), record);
    expect(conflicts).not.toEqual([]);
  });
});
