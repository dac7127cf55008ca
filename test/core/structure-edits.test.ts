/**
 * Edits of sections and questions (interface "Ordering rules", contract section 5). The property runs any sequence of
 * creates, moves and deletes against the simplest model there is: the ids, sorted by the shifted orders.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  insertQuestion,
  questionCount,
  removeQuestion,
  updateQuestion,
  updateSection,
} from '#core/structure/question-edits.ts';
import type { Question } from '#core/structure/question-model.ts';
import { SectionView } from '#core/structure/section-model.ts';
import { showSection } from '#core/structure/section-view.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const THEN = '2026-02-02T00:00:00.000Z';
const [FIRST, SECOND, CONDITION] = [id(1), id(2), id(3)];

const question = (number: number, more: Partial<Question> = {}): Question => ({
  id: id(number),
  type: 'SHORT_TEXT',
  required: false,
  title: `question ${number}`,
  description: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Two sections with the given questions, deeply frozen so that an edit in place throws. */
const structureOf = (first: Question[], second: Question[] = []): Structure =>
  deepFreeze({
    formId: id(99),
    version: 4,
    nodes: [
      { id: FIRST, type: 'SECTION', label: 'One', payload: {}, next: CONDITION },
      { id: SECOND, type: 'SECTION', label: 'Two', payload: {} },
      {
        id: CONDITION,
        type: 'CONDITION',
        label: '',
        payload: {},
        conditionRule: { source: 'NON_CHOICE', question: id(11), pattern: 'x' },
      },
    ],
    sections: [
      { id: FIRST, description: null, questions: first, createdAt: NOW, updatedAt: NOW },
      { id: SECOND, description: null, questions: second, createdAt: NOW, updatedAt: NOW },
    ],
    removed: [],
  });

const ids = (structure: Structure, sectionId = FIRST): string[] =>
  findSection(structure, sectionId)?.questions.map((each) => each.id) ?? [];
const three = structureOf([question(11), question(12), question(13)], [question(21)]);

describe('a new question', () => {
  it.each([
    [1, [14, 11, 12, 13]],
    [3, [11, 12, 14, 13]],
    [4, [11, 12, 13, 14]],
    [99, [11, 12, 13, 14]],
    [-5, [14, 11, 12, 13]],
  ])('asked for at place %i shifts those from there on down', (order, expected) => {
    expect(ids(insertQuestion(three, FIRST, question(14), order))).toEqual(expected.map(id));
  });

  it('counts, and leaves the other sections alone', () => {
    const edited = insertQuestion(three, FIRST, question(14), 2);
    expect([questionCount(three), questionCount(edited)]).toEqual([4, 5]);
    expect(ids(edited, SECOND)).toEqual([id(21)]);
  });
});

describe('an updated question', () => {
  it.each([
    [12, 1, [12, 11, 13]],
    [11, 2, [12, 11, 13]],
    [11, 3, [12, 13, 11]],
    [11, 99, [12, 13, 11]],
    [13, 1, [13, 11, 12]],
    [12, 2, [11, 12, 13]],
  ])('%i moved to place %i takes it, and those between shift', (number, order, expected) => {
    const edited = updateQuestion(three, FIRST, question(number, { title: 'changed' }), order);
    expect(ids(edited)).toEqual(expected.map(id));
    expect(findQuestion(edited, id(number))?.question.title).toBe('changed');
  });

  it('has to stand in the section already', () => {
    expect(() => updateQuestion(three, FIRST, question(21), 1)).toThrow(/no question/);
    expect(() => insertQuestion(three, id(404), question(14), 1)).toThrow(/no section/);
  });
});

describe('a deleted question', () => {
  const remove = (structure: Structure, number: number, keep = false) =>
    removeQuestion(structure, FIRST, id(number), { keep, now: THEN });

  it('leaves no gap', () => expect(ids(remove(three, 12))).toEqual([id(11), id(13)]));

  it('leaves conditions on it with their pattern and without a question', () => {
    const rule = remove(three, 11).nodes.find((node) => node.id === CONDITION)?.conditionRule;
    expect(rule).toEqual({ source: 'NON_CHOICE', question: null, pattern: 'x' });
    expect(remove(three, 12).nodes).toEqual(three.nodes);
  });

  it('leaves questions that took their choices from it, with none', () => {
    const choices = [{ id: id(31), name: 'Red' }];
    const dependent = question(22, { type: 'RANKING', sourceId: id(11) });
    const stranger = question(23, { type: 'RANKING', sourceId: id(12) });
    const structure = structureOf(
      [question(11, { type: 'DROPDOWN', choices }), question(12, { type: 'DROPDOWN', choices })],
      [dependent, stranger],
    );
    const { sourceId: _, ...rest } = dependent;
    expect(findSection(remove(structure, 11), SECOND)?.questions).toStrictEqual([
      { ...rest, choices: [], updatedAt: THEN },
      stranger,
    ]);
  });

  it('is remembered when answers refer to it, and only then', () => {
    expect(remove(three, 11).removed).toEqual([]);
    const once = remove(three, 11, true);
    expect(remove(once, 13, true).removed).toEqual([
      { id: id(11), sectionId: FIRST, type: 'SHORT_TEXT', title: 'question 11', removedAt: THEN },
      { id: id(13), sectionId: FIRST, type: 'SHORT_TEXT', title: 'question 13', removedAt: THEN },
    ]);
  });

  it('has to stand in the section', () => {
    expect(() => removeQuestion(three, SECOND, id(11), { keep: true, now: THEN })).toThrow(/no question/);
  });
});

describe('any sequence of creates, moves and deletes', () => {
  const anyEdit = fc.record({
    kind: fc.constantFrom('insert', 'insert', 'move', 'remove'),
    sectionId: fc.constantFrom(FIRST, SECOND),
    pick: fc.nat(),
    order: fc.integer({ min: -2, max: 12 }),
  });
  type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;
  /** Orders by question id, kept by the three rules of the interface word for word. */
  type Model = Map<string, { sectionId: string; order: number }>;

  const of = (model: Model, sectionId: string) => [...model].filter(([, placed]) => placed.sectionId === sectionId);
  const clamp = (order: number, max: number) => Math.max(1, Math.min(order, max));

  function shift(model: Model, sectionId: string, from: number, to: number, by: number): void {
    for (const [, placed] of of(model, sectionId)) {
      if (placed.order >= from && placed.order <= to) placed.order += by;
    }
  }

  function apply(structure: Structure, model: Model, edit: Edit, number: number): Structure {
    const present = of(model, edit.sectionId);
    if (edit.kind === 'insert') {
      const order = clamp(edit.order, present.length + 1);
      shift(model, edit.sectionId, order, Number.POSITIVE_INFINITY, 1);
      model.set(id(number), { sectionId: edit.sectionId, order });
      return insertQuestion(structure, edit.sectionId, question(number), edit.order);
    }
    const [questionId, placed] = present[edit.pick % present.length] ?? [];
    if (!questionId || !placed) return structure;
    if (edit.kind === 'remove') {
      model.delete(questionId);
      shift(model, edit.sectionId, placed.order, Number.POSITIVE_INFINITY, -1);
      return removeQuestion(structure, edit.sectionId, questionId, { keep: false, now: NOW });
    }
    const order = clamp(edit.order, present.length);
    if (order < placed.order) shift(model, edit.sectionId, order, placed.order - 1, 1);
    else shift(model, edit.sectionId, placed.order + 1, order, -1);
    placed.order = order;
    const moved = findQuestion(structure, questionId)?.question ?? question(0);
    return updateQuestion(structure, edit.sectionId, moved, edit.order);
  }

  it('leaves orders 1 to n, and the order that the rules say', () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 40 }), (edits) => {
        const model: Model = new Map();
        let structure = structureOf([]);
        for (const [index, edit] of edits.entries()) {
          structure = deepFreeze(apply(structure, model, edit, 100 + index));
          for (const section of structure.sections) {
            const shown = showSection(structure, section).questions ?? [];
            expect(shown.map(({ order }) => order)).toEqual(shown.map((_, place) => place + 1));
            expect(new Map(shown.map((each) => [each.id, each.order]))).toEqual(
              new Map(of(model, section.id).map(([questionId, { order }]) => [questionId, order])),
            );
          }
        }
        expect(questionCount(structure)).toBe(model.size);
      }),
    );
  });

  it('keeps the others in their relative order', () => {
    const anyPlace = fc.record({ count: fc.integer({ min: 1, max: 8 }), pick: fc.nat(), order: fc.integer() });
    fc.assert(
      fc.property(anyPlace, ({ count, pick, order }) => {
        const structure = structureOf(Array.from({ length: count }, (_, index) => question(100 + index)));
        const touched = question(100 + (pick % count));
        const others = ids(structure).filter((each) => each !== touched.id);
        const removed = removeQuestion(structure, FIRST, touched.id, { keep: true, now: NOW });
        const moved = updateQuestion(structure, FIRST, touched, order);
        const back = insertQuestion(removed, FIRST, touched, order);
        expect(ids(removed)).toEqual(others);
        expect(ids(moved).filter((each) => each !== touched.id)).toEqual(others);
        expect(ids(back)).toEqual(ids(moved));
      }),
    );
  });
});

describe('an updated section', () => {
  const description = { type: 'doc' as const, content: [] };
  const shown = (structure: Structure) => {
    const section = findSection(structure, FIRST);
    if (!section) throw new Error('the section is gone');
    return showSection(structure, section);
  };

  it('has its title in its node', () => {
    const edited = updateSection(three, FIRST, { title: 'Renamed' }, THEN);
    expect(edited.nodes.map((node) => node.label)).toEqual(['Renamed', 'Two', '']);
    expect(shown(edited)).toMatchObject({ title: 'Renamed', description: null, createdAt: NOW, updatedAt: THEN });
  });

  it('keeps what is absent, and a null clears the description', () => {
    const described = updateSection(three, FIRST, { description }, THEN);
    expect(shown(described)).toMatchObject({ title: 'One', description, updatedAt: THEN });
    expect(shown(updateSection(described, FIRST, { title: 'x' }, THEN)).description).toEqual(description);
    expect(shown(updateSection(described, FIRST, { description: null }, THEN)).description).toBeNull();
    expect(updateSection(three, FIRST, {}, THEN)).toEqual(three);
  });

  it('is shown with its questions in order, or null when it has none', () => {
    expect(shown(three)).toMatchObject({
      id: FIRST,
      formId: id(99),
      title: 'One',
      progress: '',
      descriptionHtml: '',
      questions: [
        { id: id(11), sectionId: FIRST, order: 1 },
        { id: id(12), sectionId: FIRST, order: 2 },
        { id: id(13), sectionId: FIRST, order: 3 },
      ],
    });
    expect(shown(structureOf([])).questions).toBeNull();
    expect(SectionView().parse(shown(three))).toEqual(shown(three));
  });
});
