/**
 * From a question as it is sent to a question as it is kept: the options of each type, the identity of choices across
 * edits, and where choices may be taken from.
 */
import { describe, expect, it, test } from 'vitest';
import { shortName } from '#core/schema/schema.ts';
import { presentQuestion } from '#core/structure/documents.ts';
import { type Question, QuestionInput, type QuestionType } from '#core/structure/question-model.ts';
import { buildQuestion, type QuestionContext, type QuestionDraft } from '#core/structure/question-rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { faultsOf } from '#test/support/workflow.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const [EARLIER, HERE, LATER] = [id(1), id(2), id(3)];
const [A, B, C] = [id(11), id(12), id(13)];

function stored(questionId: string, type: QuestionType, more: Partial<Question> = {}): Question {
  const texts = { required: false, title: `question ${questionId}`, description: null, createdAt: NOW, updatedAt: NOW };
  return { id: questionId, type, ...texts, ...more };
}

function structureOf(sections: Record<string, Question[]>): Structure {
  const times = { description: null, createdAt: NOW, updatedAt: NOW };
  return {
    formId: id(99),
    version: 1,
    nodes: [],
    removed: [],
    sections: Object.entries(sections).map(([sectionId, questions]) => ({ id: sectionId, questions, ...times })),
  };
}

/** A context whose new ids are 1000, 1001, … */
function context(more: Partial<QuestionContext> = {}): QuestionContext {
  let next = 1_000;
  return { structure: structureOf({ [HERE]: [] }), newId: () => id(next++), ...more };
}

const parse = (type: QuestionType, options: object): QuestionInput =>
  QuestionInput().parse({ required: true, type, title: 'Which?', description: null, order: 1, ...options });

const build = (type: QuestionType, options: object, more?: Partial<QuestionContext>): QuestionDraft =>
  buildQuestion(parse(type, options), context(more));

const pointers = (type: QuestionType, options: object, more?: Partial<QuestionContext>): string[] =>
  faultsOf(() => build(type, options, more));

const BASE = { required: true, title: 'Which?', description: null };
const EVERY_OPTION = {
  choices: [{ name: 'Red' }],
  scale: { minVal: 1, maxVal: 5, icon: 'heart', minValueLabel: null, maxValueLabel: 'much' },
  uploadFile: { allowedFileTypes: ['PDF', 'PNG', 'PDF'], maxFileAmount: 2, maxFileSizeLimit: 100 },
  date: { hasYear: true, hasMonth: false, hasDay: false, minDate: null, maxDate: '2030-01-01' },
  oauthConnect: 'PROVIDER_TWO',
};
const KEPT = {
  choices: { choices: [{ id: id(1_000), name: 'Red' }] },
  scale: { scale: { minVal: 1, maxVal: 5, icon: 'heart', maxValueLabel: 'much' } },
  uploadFile: { uploadFile: { allowedFileTypes: ['PDF', 'PNG'], maxFileAmount: 2, maxFileSizeLimit: 100 } },
  date: { date: { hasYear: true, hasMonth: false, hasDay: false, maxDate: '2030-01-01' } },
  oauthConnect: { oauthConnect: 'PROVIDER_TWO' },
};

describe('a question keeps only the option of its type', () => {
  it.each<[QuestionType, object, string | undefined]>([
    ['SINGLE_CHOICE', KEPT.choices, '/body/choices'],
    ['MULTIPLE_CHOICE', KEPT.choices, '/body/choices'],
    ['DROPDOWN', KEPT.choices, '/body/choices'],
    ['DETAILED_MULTIPLE_CHOICE', KEPT.choices, '/body/choices'],
    ['RANKING', KEPT.choices, '/body/choices'],
    ['LINEAR_SCALE', KEPT.scale, '/body/scale'],
    ['RATING', KEPT.scale, '/body/scale'],
    ['UPLOAD_FILE', KEPT.uploadFile, '/body/uploadFile'],
    ['DATE', KEPT.date, '/body/date'],
    ['OAUTH_CONNECT', KEPT.oauthConnect, '/body/oauthConnect'],
    ['SHORT_TEXT', {}, undefined],
    ['LONG_TEXT', {}, undefined],
    ['HYPERLINK', {}, undefined],
  ])('and needs it: %s', (type, kept, missing) => {
    expect(build(type, EVERY_OPTION)).toStrictEqual({ ...BASE, type, ...kept });
    expect(pointers(type, {})).toEqual(missing === undefined ? [] : [missing]);
  });

  it('and drops a source sent with a type that takes none', () => {
    const sent = { choices: [{ name: 'Red' }], sourceId: A };
    expect(build('DETAILED_MULTIPLE_CHOICE', sent)).not.toHaveProperty('sourceId');
    expect(build('SHORT_TEXT', sent)).toStrictEqual({ ...BASE, type: 'SHORT_TEXT' });
  });

  it('and its description exactly as sent', () => {
    const description = { type: 'doc', content: [{ type: 'paragraph' }] };
    expect(build('SHORT_TEXT', { description }).description).toEqual(description);
  });
});

test('a linear scale may start at 0 and needs no icon; a rating starts at 1 and has an icon', () => {
  const scale = { minVal: 0, maxVal: 10, minValueLabel: 'never', icon: null };
  expect(build('LINEAR_SCALE', { scale }).scale).toStrictEqual({ minVal: 0, maxVal: 10, minValueLabel: 'never' });
  expect(pointers('RATING', { scale })).toEqual(['/body/scale/minVal', '/body/scale/icon']);
});

describe('choices', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `choice ${index}` }));

  it('are 1 to 500', () => {
    expect(pointers('RANKING', { choices: [] })).toEqual(['/body/choices']);
    expect(build('RANKING', { choices: names(500) }).choices).toHaveLength(500);
    const tooMany = { required: true, type: 'RANKING', title: 'Which?', description: null, order: 1 };
    const { error } = QuestionInput().safeParse({ ...tooMany, choices: names(501) });
    expect(error?.issues).toMatchObject([{ code: 'too_big', maximum: 500, path: ['choices'] }]);
  });

  it('have one other choice at most, whose name may be empty', () => {
    const choices = [
      { name: 'Red', isOther: false },
      { name: '', isOther: true },
    ];
    expect(build('DROPDOWN', { choices }).choices).toStrictEqual([
      { id: id(1_000), name: 'Red' },
      { id: id(1_001), name: '', isOther: true },
    ]);
    const three = [...choices, { name: 'x', isOther: true }, { name: 'y', isOther: true }];
    expect(pointers('DROPDOWN', { choices: three })).toEqual(['/body/choices/2/isOther', '/body/choices/3/isOther']);
  });

  it('never share an id, and everything that is wrong is reported at once', () => {
    const choices = [
      { id: A, name: 'Red', isOther: true },
      { id: A, name: 'Blue', isOther: true },
    ];
    expect(pointers('DROPDOWN', { choices })).toEqual(['/body/choices/1/id', '/body/choices/1/isOther']);
  });

  it('of one name are a fault of those that get it; a space does not make another name', () => {
    const choices = [{ name: 'Red' }, { name: 'Blue' }, { name: ' Red ' }, { name: 'red' }, { name: 'Red' }];
    expect(pointers('DROPDOWN', { choices })).toEqual(['/body/choices/2/name', '/body/choices/4/name']);
  });

  it('keep a description, even an empty one, and lose a null one', () => {
    const choices = [
      { name: 'a', description: 'd' },
      { name: 'b', description: '' },
      { name: 'c', description: null },
    ];
    expect(build('DETAILED_MULTIPLE_CHOICE', { choices }).choices).toStrictEqual([
      { id: id(1_000), name: 'a', description: 'd' },
      { id: id(1_001), name: 'b', description: '' },
      { id: id(1_002), name: 'c' },
    ]);
  });
});

describe('the identity of a choice', () => {
  const update = (choices: { id?: string; name: string; isOther?: boolean }[], before: Choice[]) => {
    const previous = stored(id(50), 'SINGLE_CHOICE', { choices: before });
    const structure = structureOf({ [HERE]: [previous] });
    return build('MULTIPLE_CHOICE', { choices }, { previous, structure }).choices?.map((choice) => choice.id);
  };
  const before: Choice[] = [
    { id: A, name: 'Red' },
    { id: B, name: 'Blue' },
    { id: C, name: 'Red' },
  ];

  it('stays with an id that is sent back, through a rename and a move', () => {
    expect(
      update(
        [
          { id: B, name: 'Navy' },
          { id: A, name: 'Red' },
        ],
        before,
      ),
    ).toEqual([B, A]);
  });

  it('stays with the name when no id is sent, each former choice claimed once', () => {
    const sent = [{ name: 'Blue' }, { name: 'Red' }, { name: 'Red' }, { name: 'New' }];
    expect(update(sent, before)).toEqual([B, A, C, id(1_000)]);
  });

  it('is matched by the id that is sent back before the name', () => {
    expect(update([{ name: 'Red' }, { id: A, name: 'Crimson' }], before)).toEqual([C, A]);
    expect(update([{ name: 'Blue' }, { id: B, name: 'Navy' }], before)).toEqual([id(1_000), B]);
  });

  it('returns with the name of a choice that was removed from the question, the latest first', () => {
    const previous = stored(id(50), 'SINGLE_CHOICE', { choices: [{ id: B, name: 'Blue' }] });
    const removedChoices = [
      { id: id(60), name: 'Red', of: shortName(id(50)) },
      { id: id(61), name: 'Red', of: shortName(id(50)) },
      { id: id(62), name: 'Green', of: shortName(id(51)) },
      { id: id(63), name: 'Pink' },
    ];
    const structure = { ...structureOf({ [HERE]: [previous] }), removedChoices };
    const choices = ['Red', 'Green', 'Pink', 'Blue'].map((name) => ({ name }));
    const built = build('SINGLE_CHOICE', { choices }, { previous, structure });
    expect(built.choices?.map((choice) => choice.id)).toEqual([id(61), id(1_000), id(1_001), B]);
  });

  it('is never taken from an id that the question does not have', () => {
    expect(
      update(
        [
          { id: id(77), name: 'Blue' },
          { id: id(78), name: 'New' },
        ],
        before,
      ),
    ).toEqual([B, id(1_000)]);
    const created = build('DROPDOWN', { choices: [{ id: id(77), name: 'Blue' }] });
    expect(created.choices).toStrictEqual([{ id: id(1_000), name: 'Blue' }]);
  });

  it('stays with the nameless other choice', () => {
    expect(update([{ name: '', isOther: true }], [...before, { id: id(14), name: '', isOther: true }])).toEqual([
      id(14),
    ]);
  });
});

describe('a source of choices', () => {
  const structure = structureOf({
    [EARLIER]: [stored(A, 'DETAILED_MULTIPLE_CHOICE', { choices: [] }), stored(id(20), 'LONG_TEXT')],
    [HERE]: [stored(B, 'RANKING', { sourceId: A }), stored(C, 'DROPDOWN', { sourceId: B })],
    [LATER]: [stored(id(30), 'SINGLE_CHOICE', { choices: [] })],
  });
  const of = (questionId: string): Partial<QuestionContext> => {
    const previous = structure.sections.flatMap(({ questions }) => questions).find((each) => each.id === questionId);
    return { structure, ...(previous && { previous }) };
  };

  it.each([
    ['an earlier section', A],
    ['the same section', C],
    ['a later section, which info reports unless it comes before on some path', id(30)],
  ])('may be in %s, and then no choices are kept', (_, sourceId) => {
    const draft = build('DROPDOWN', { sourceId, choices: [] }, { structure });
    expect(draft).toStrictEqual({ ...BASE, type: 'DROPDOWN', sourceId });
  });

  it.each([
    ['has no choices to select', id(20)],
    ['is no question of this form', id(404)],
  ])('is refused when it %s', (_, sourceId) => {
    expect(pointers('DROPDOWN', { sourceId }, { structure })).toEqual(['/body/sourceId']);
  });

  it('is refused together with choices', () => {
    const sent = { sourceId: A, choices: [{ name: 'Red' }] };
    expect(pointers('DROPDOWN', sent, { structure })).toEqual(['/body/sourceId']);
  });

  it('is refused for detailed choices, which need their own', () => {
    expect(pointers('DETAILED_MULTIPLE_CHOICE', { sourceId: A }, { structure })).toEqual(['/body/choices']);
  });

  it('is refused when it is the question itself, or takes its choices from it', () => {
    expect(pointers('RANKING', { sourceId: B }, of(B))).toEqual(['/body/sourceId']);
    expect(pointers('RANKING', { sourceId: C }, of(B))).toEqual(['/body/sourceId']);
    expect(build('RANKING', { sourceId: A }, of(C)).sourceId).toBe(A);
  });

  it('is always accepted as it was, though it was deleted or lost its choices meanwhile', () => {
    for (const sourceId of [id(404), id(20)]) {
      const previous = stored(id(50), 'RANKING', { sourceId });
      const change = { structure: structureOf({ [HERE]: [stored(id(20), 'DATE'), previous] }), previous };
      expect(build('DROPDOWN', { sourceId, choices: [] }, change).sourceId).toBe(sourceId);
    }
  });

  it("gives way to choices of the question's own", () => {
    expect(build('RANKING', { choices: [{ name: 'Red' }], sourceId: null }, of(B))).not.toHaveProperty('sourceId');
  });

  it('stays a question with choices while others take theirs from it', () => {
    expect(pointers('SHORT_TEXT', {}, of(B))).toEqual(['/body/type']);
    expect(pointers('DATE', {}, of(B))).toEqual(['/body/type', '/body/date']);
    expect(build('SHORT_TEXT', {}, of(C)).type).toBe('SHORT_TEXT');
  });
});

describe('the type of a question', () => {
  const previous = stored(A, 'DATE');
  const structure = structureOf({ [HERE]: [previous] });

  it('stays once it has answers, and is refused together with everything else that is wrong', () => {
    expect(pointers('SHORT_TEXT', {}, { structure, previous, isAnswered: false })).toEqual([]);
    expect(pointers('RATING', {}, { structure, previous, isAnswered: true })).toEqual(['/body/type', '/body/scale']);
    expect(pointers('DATE', EVERY_OPTION, { structure, previous, isAnswered: true })).toEqual([]);
  });
});

describe('a question is shown', () => {
  it('without choices where it takes them from another', () => {
    expect(presentQuestion(stored(A, 'RANKING', { sourceId: B }), HERE, 1)).toMatchObject({ sourceId: B, choices: [] });
  });

  it('with its place, its description as HTML and its option', () => {
    const description = { type: 'doc' as const, content: [] };
    const question = stored(A, 'DROPDOWN', { description, choices: [{ id: B, name: 'Red' }] });
    expect(presentQuestion(question, HERE, 3)).toStrictEqual({
      id: A,
      sectionId: HERE,
      required: false,
      type: 'DROPDOWN',
      title: `question ${A}`,
      description,
      descriptionHtml: '',
      order: 3,
      choices: [{ id: B, name: 'Red' }],
      createdAt: NOW,
      updatedAt: NOW,
    });
  });
});
