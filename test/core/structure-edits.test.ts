/**
 * Edits of sections and questions. The property runs any sequence of creates, moves and deletes against the simplest
 * model: the ids, sorted by the shifted orders.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentSection } from '#core/structure/documents.ts';
import type { Question, QuestionInput } from '#core/structure/question-model.ts';
import {
  createQuestion,
  deleteQuestion,
  moveQuestion,
  replaceQuestion,
  updateSection,
} from '#core/structure/questions.ts';
import { SectionDocument } from '#core/structure/section-model.ts';
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

const editOf = (sectionId: string, questionId: string, order: number, title = 'new') => {
  const input: QuestionInput = { type: 'SHORT_TEXT', required: false, title, description: null, order };
  return { sectionId, questionId, input, now: THEN, newId: () => id(404) };
};
const create = (structure: Structure, sectionId: string, number: number, order: number): Structure =>
  createQuestion(structure, editOf(sectionId, id(number), order));
const move = (structure: Structure, sectionId: string, questionId: string, order: number, title?: string): Structure =>
  replaceQuestion(structure, new Set(), editOf(sectionId, questionId, order, title));
const remove = (structure: Structure, sectionId: string, questionId: string, answered: string[] = []): Structure =>
  deleteQuestion(structure, new Set(answered), { sectionId, questionId, now: THEN });
const questionCount = ({ sections }: Structure): number => sections.flatMap(({ questions }) => questions).length;

const ids = (structure: Structure, sectionId = FIRST): string[] =>
  findSection(structure, sectionId)?.questions.map((each) => each.id) ?? [];
const NOT_FOUND = expect.objectContaining({ status: 404 });
const three = structureOf([question(11), question(12), question(13)], [question(21)]);

describe('a new question', () => {
  it.each([
    [1, [14, 11, 12, 13]],
    [3, [11, 12, 14, 13]],
    [4, [11, 12, 13, 14]],
    [99, [11, 12, 13, 14]],
    [-5, [14, 11, 12, 13]],
  ])('at order %i shifts those from there on down', (order, expected) => {
    expect(ids(create(three, FIRST, 14, order))).toEqual(expected.map(id));
  });

  it('counts, and leaves the other sections alone', () => {
    const edited = create(three, FIRST, 14, 2);
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
    const edited = move(three, FIRST, id(number), order, 'changed');
    expect(ids(edited)).toEqual(expected.map(id));
    expect(findQuestion(edited, id(number))?.question).toEqual(question(number, { title: 'changed', updatedAt: THEN }));
  });

  it('has to be in the section already (404)', () => {
    expect(() => move(three, FIRST, id(21), 1)).toThrow(NOT_FOUND);
    expect(() => create(three, id(404), 14, 1)).toThrow(NOT_FOUND);
  });
});

describe('a deleted question', () => {
  it('leaves no gap', () => expect(ids(remove(three, FIRST, id(12)))).toEqual([id(11), id(13)]));

  it('leaves conditions on it with their pattern and without a question', () => {
    const rule = remove(three, FIRST, id(11)).nodes.find((node) => node.id === CONDITION)?.conditionRule;
    expect(rule).toEqual({ source: 'NON_CHOICE', question: null, pattern: 'x' });
    expect(remove(three, FIRST, id(12)).nodes).toEqual(three.nodes);
  });

  it('leaves questions that took their choices from it as they are', () => {
    const dependent = question(22, { type: 'RANKING', sourceId: id(11) });
    const structure = structureOf([question(11, { type: 'DROPDOWN', choices: [] })], [dependent]);
    expect(findSection(remove(structure, FIRST, id(11)), SECOND)?.questions).toEqual([dependent]);
  });

  it('is remembered when it has answers, and only then', () => {
    expect(remove(three, FIRST, id(11)).removed).toEqual([]);
    const answered = [id(11), id(13)];
    const once = remove(three, FIRST, id(11), answered);
    expect(remove(once, FIRST, id(13), answered).removed).toEqual([
      { id: id(11), sectionId: FIRST, type: 'SHORT_TEXT', title: 'question 11', removedAt: THEN },
      { id: id(13), sectionId: FIRST, type: 'SHORT_TEXT', title: 'question 13', removedAt: THEN },
    ]);
  });

  it('has to be in the section (404)', () => {
    expect(() => remove(three, SECOND, id(11))).toThrow(NOT_FOUND);
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
  /** Orders by question id, kept by the three ordering rules word for word. */
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
      return create(structure, edit.sectionId, number, edit.order);
    }
    const [questionId, placed] = present[edit.pick % present.length] ?? [];
    if (!questionId || !placed) return structure;
    if (edit.kind === 'remove') {
      model.delete(questionId);
      shift(model, edit.sectionId, placed.order, Number.POSITIVE_INFINITY, -1);
      return remove(structure, edit.sectionId, questionId);
    }
    const order = clamp(edit.order, present.length);
    if (order < placed.order) shift(model, edit.sectionId, order, placed.order - 1, 1);
    else shift(model, edit.sectionId, placed.order + 1, order, -1);
    placed.order = order;
    return move(structure, edit.sectionId, questionId, edit.order);
  }

  it('leaves orders 1 to n, and the order that the rules give', () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 40 }), (edits) => {
        const model: Model = new Map();
        let structure = structureOf([]);
        for (const [index, edit] of edits.entries()) {
          structure = deepFreeze(apply(structure, model, edit, 100 + index));
          for (const section of structure.sections) {
            const shown = presentSection(structure, section).questions ?? [];
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
        const touched = 100 + (pick % count);
        const others = ids(structure).filter((each) => each !== id(touched));
        const removed = remove(structure, FIRST, id(touched));
        const moved = move(structure, FIRST, id(touched), order);
        const back = create(removed, FIRST, touched, order);
        expect(ids(removed)).toEqual(others);
        expect(ids(moved).filter((each) => each !== id(touched))).toEqual(others);
        expect(ids(back)).toEqual(ids(moved));
      }),
    );
  });
});

describe('questions that are moved behind others', () => {
  type Move = { question: number; to: string; after: number | null };
  const [FIRST_IDS, SECOND_IDS] = [
    [101, 102, 103, 104],
    [201, 202, 203],
  ];
  const all = [...FIRST_IDS, ...SECOND_IDS];
  const seven = structureOf(
    FIRST_IDS.map((number) => question(number)),
    SECOND_IDS.map((number) => question(number)),
  );
  const anyMove: fc.Arbitrary<Move> = fc.record({
    question: fc.constantFrom(...all),
    to: fc.constantFrom(FIRST, SECOND),
    after: fc.option(fc.constantFrom(...all)),
  });
  /** The structure after a move, or the same one when it is refused. */
  const tryMove = (structure: Structure, { question: number, to, after }: Move): Structure => {
    const sectionId = findQuestion(structure, id(number))?.section.id ?? '';
    const target = { sectionId: to, after: after === null ? null : id(after) };
    try {
      return moveQuestion(structure, { sectionId, questionId: id(number) }, target);
    } catch {
      return structure;
    }
  };
  const lists = (structure: Structure): string[][] => [ids(structure), ids(structure, SECOND)];

  it('follow the one that was named, and no question is lost, doubled or changed', () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 20 }), (moves) => {
        let structure = seven;
        for (const each of moves) {
          const before = structure;
          structure = tryMove(structure, each);
          const { question: number, to, after } = each;
          const isPossible = after === null || (after !== number && ids(before, to).includes(id(after)));
          const others = (list: string[]) => list.filter((other) => other !== id(number));
          expect(lists(structure).map(others)).toEqual(lists(before).map(others));
          if (!isPossible) expect(structure).toBe(before);
          else if (after === null) expect(ids(structure, to)[0]).toBe(id(number));
          else expect(ids(structure, to)[ids(structure, to).indexOf(id(after)) + 1]).toBe(id(number));
        }
        const questions = (each: Structure) => each.sections.flatMap((section) => section.questions);
        expect(new Set(questions(structure))).toEqual(new Set(questions(seven)));
        expect(questionCount(structure)).toBe(all.length);
      }),
    );
  });

  it('end in the same order whichever moves first, unless both follow the same one or one follows the other', () => {
    const independent = fc.tuple(anyMove, anyMove).filter(([a, b]) => {
      const clash = a.after === b.after && (a.after !== null || a.to === b.to);
      return a.question !== b.question && a.after !== b.question && b.after !== a.question && !clash;
    });
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 5 }), independent, (earlier, [a, b]) => {
        const structure = earlier.reduce(tryMove, seven);
        expect(lists(tryMove(tryMove(structure, a), b))).toEqual(lists(tryMove(tryMove(structure, b), a)));
      }),
    );
  });
});

describe('an updated section', () => {
  const description = { type: 'doc' as const, content: [] };
  const shown = (structure: Structure) => {
    const section = findSection(structure, FIRST);
    if (!section) throw new Error('the section was removed');
    return presentSection(structure, section);
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
    expect(updateSection(three, FIRST, {}, THEN)).toBe(three);
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
    expect(SectionDocument().parse(shown(three))).toEqual(shown(three));
  });
});
