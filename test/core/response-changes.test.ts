/** Saving, submitting, clearing and cancelling as pure functions; who may do so when: `response-rules.test.ts`. */
import { describe, expect, test } from 'vitest';
import { answerLookup, requireComplete } from '#core/responses/answers.ts';
import { cancel, clearAnswer, newResponse, saveAnswers, setAnswer, submit } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { condition, form, id, LATER, NOW, outcomeOf, question, section } from '#test/support/workflow.ts';
import { chosen, pointersOf, text } from './response-model.ts';

const empty = newResponse(id('r'), id('form'), id('user'), NOW);
/** a (qa, optional) → qa is yes? → b (qb) or c (qc) → end; all but qa required. */
const branching = form('a', [
  section('a', 'if', [question('qa', 'SHORT_TEXT', { required: false })]),
  condition('if', { asks: 'qa', pattern: '^yes$' }, 'b', 'c'),
  section('b', 'end', [question('qb')]),
  section('c', 'end', [question('qc')]),
]);

const save = (response: Response, inputs: AnswerInput[], structure: Structure = branching, now = NOW): Response =>
  saveAnswers({ response, structure }, inputs, now);
const complete = (response: Response, structure: Structure = branching): Response =>
  requireComplete({ response: submit(response, LATER), structure });

test('a new response is a draft without answers, and its first version', () => {
  expect(empty).toMatchObject({ progress: 'DRAFT', version: 1, answers: {}, submittedAt: null });
  expect([empty.createdAt, empty.updatedAt, empty.listedAt]).toEqual([NOW, NOW, NOW]);
});

describe('saving', () => {
  test('does not change the response that it was given', () => {
    const before = save(empty, [text('qa', 'yes')]);
    const copy = structuredClone(before);
    save(before, [text('qa', 'no'), text('qc', 'x')], branching, LATER);
    expect(before).toEqual(copy);
  });

  test('the same values returns the same response', () => {
    const before = save(empty, [text('qa', 'yes')]);
    expect(save(before, [text('qa', 'yes'), text('qb', '')], branching, LATER)).toBe(before);
    expect(save(before, [], branching, LATER)).toBe(before);
  });

  test('keeps when an answer was first given, and moves the time of the change only with its value', () => {
    const before = save(empty, [text('qa', 'yes'), text('qb', 'x')]);
    const after = save(before, [text('qa', 'yes'), text('qb', 'y')], branching, LATER);
    expect(after.answers[id('qa')]).toMatchObject({ createdAt: NOW, updatedAt: NOW });
    expect(after.answers[id('qb')]).toMatchObject({ createdAt: NOW, updatedAt: LATER });
    expect([after.createdAt, after.updatedAt, after.listedAt]).toEqual([NOW, LATER, NOW]);
  });

  test('an answer that was cleared and given again is a new one', () => {
    const cleared = save(save(empty, [text('qa', 'yes')]), [text('qa', '')], branching, LATER);
    expect(cleared.answers).toEqual({});
    const again = save(cleared, [text('qa', 'yes')], branching, LATER);
    expect(again.answers[id('qa')]).toMatchObject({ createdAt: LATER, updatedAt: LATER });
  });

  test('reports faults of every kind at once: unknown, twice, not valid and off the path', () => {
    const inputs = [
      text('qa', 'no'),
      text('x', 'y'),
      text('qb', 'off'),
      text('qa', 'yes'),
      text('qc', 'x'.repeat(501)),
    ];
    const pointers = pointersOf(() => save(empty, inputs));
    expect(pointers.sort()).toEqual([
      '/body/answers/1/questionId',
      '/body/answers/2',
      '/body/answers/3/questionId',
      '/body/answers/4/value',
    ]);
  });

  test('does not take an inherited member of an object for an answer', () => {
    expect(answerLookup({})('constructor')).toBeUndefined();
    expect(answerLookup({})('__proto__')).toBeUndefined();
  });
});

describe('choices that come from another question', () => {
  const sourced = (name: string, sourceId: string) => {
    const { choices: _, ...rest } = question(name, 'DROPDOWN', { sourceId: id(sourceId) });
    return rest;
  };
  /** a: source m, and d1 from m → d1 is m1? → b: source n → c: d2 from n, d3 from d1. */
  const structure = form('a', [
    section('a', 'if', [question('m', 'MULTIPLE_CHOICE'), sourced('d1', 'm')]),
    condition('if', { asks: 'd1', source: 'CHOICE', pattern: id('m1') }, 'b', 'c'),
    section('b', 'c', [question('n', 'MULTIPLE_CHOICE')]),
    section('c', 'end', [sourced('d2', 'n'), sourced('d3', 'd1')]),
  ]);
  const all = [
    chosen('m', 'MULTIPLE_CHOICE', 'm1', 'm2'),
    chosen('d1', 'DROPDOWN', 'm1'),
    chosen('n', 'MULTIPLE_CHOICE', 'n2'),
    chosen('d2', 'DROPDOWN', 'n2'),
    chosen('d3', 'DROPDOWN', 'm1'),
  ];

  test('are judged with all answers of the request applied, in whatever order they were sent', () => {
    const inOrder = save(empty, all, structure);
    expect(Object.keys(inOrder.answers)).toHaveLength(5);
    expect(save(empty, all.toReversed(), structure).answers).toEqual(inOrder.answers);
  });

  test('are none while the source is off the path', () => {
    const before = save(empty, all, structure);
    const away = chosen('d1', 'DROPDOWN', 'm2');
    const pointers = pointersOf(() => save(before, [away, chosen('d2', 'DROPDOWN', 'n2')], structure));
    expect(pointers).toEqual(['/body/answers/1/value/0']);
  });

  test('that are not selected any more leave the answers that named them as they are', () => {
    const before = save(empty, all, structure);
    const after = save(before, [chosen('m', 'MULTIPLE_CHOICE', 'm2')], structure, LATER);
    expect(after.answers[id('d1')]).toEqual(before.answers[id('d1')]);
    expect(pointersOf(() => save(after, [chosen('d1', 'DROPDOWN', 'm1')], structure))).toEqual([
      '/body/answers/0/value/0',
    ]);
  });
});

describe('submitting', () => {
  test('needs every required question of the path, and names each that is missing', () => {
    expect(pointersOf(() => complete(save(empty, [text('qa', 'yes')])))).toEqual([`/answers/${id('qb')}`]);
  });

  test('stores when and on which path it was submitted', () => {
    const submitted = complete(save(empty, [text('qa', 'no'), text('qc', 'x')]));
    expect(submitted).toMatchObject({ progress: 'SUBMITTED', submittedAt: LATER, listedAt: LATER, updatedAt: LATER });
    expect(submitted.path).toEqual([id('a'), id('c')]);
  });

  test('needs the end of the path: a required question that decides it is reported once, an optional one decides empty', () => {
    expect(pointersOf(() => complete(empty))).toEqual([`/answers/${id('qc')}`]);
    const allRequired = branching.sections.map((each) => ({
      ...each,
      questions: each.questions.map((one) => ({ ...one, required: true })),
    }));
    expect(pointersOf(() => complete(empty, { ...branching, sections: allRequired }))).toEqual([
      `/answers/${id('qa')}`,
    ]);
  });

  test.each<[string, Structure]>([
    ['a missing link', form('a', [section('a')])],
    ['a rule without its question', form('if', [condition('if', { asks: null, pattern: 'x' }, 'end', 'end')])],
    ['a cycle', form('a', [section('a', 'b'), section('b', 'a')])],
  ])('cannot go past %s, which its editors must repair', (_, structure) => {
    expect(pointersOf(() => complete(empty, structure))).toEqual(['/workflow']);
  });

  test('reports each stored answer on the path that its question no longer accepts', () => {
    const asking = (maxVal: number, choices?: { id: string; name: string }[]) =>
      form('a', [
        section('a', 'end', [
          question('n', 'RATING', { scale: { minVal: 1, maxVal } }),
          question('d', 'DROPDOWN', choices ? { choices } : {}),
        ]),
      ]);
    const rating: AnswerInput = { questionId: id('n'), questionType: 'RATING', value: 9 };
    const saved = save(empty, [rating, chosen('d', 'DROPDOWN', 'd1')], asking(10));
    expect(complete(saved, asking(10)).progress).toBe('SUBMITTED');
    expect(pointersOf(() => complete(saved, asking(5, [{ id: id('d2'), name: 'd2' }])))).toEqual([
      `/answers/${id('n')}`,
      `/answers/${id('d')}`,
    ]);
  });

  test('does not judge answers off the path', () => {
    const kept = save(save(empty, [text('qa', 'yes'), text('qb', 'x')]), [text('qa', 'no'), text('qc', 'x')]);
    const [a, b, c] = branching.sections;
    if (!a || !b || !c) throw new Error('the form has three sections');
    const otherType = { ...b, questions: [question('qb', 'RATING', { scale: { minVal: 1, maxVal: 5 } })] };
    expect(complete(kept, { ...branching, sections: [a, otherType, c] }).progress).toBe('SUBMITTED');
  });
});

describe('a required question that takes its choices from another one', () => {
  const sourced = (name: string, sourceId: string) => {
    const { choices: _, ...rest } = question(name, 'DROPDOWN', { sourceId: id(sourceId) });
    return rest;
  };
  /** a (qa) → qa is yes? → b (qs) or straight on → c (mid of qs, best of mid or of qs) → end. */
  const formWith = (last: Question[], source = [question('qs', 'MULTIPLE_CHOICE', { required: false })]) =>
    form('a', [
      section('a', 'if', [question('qa')]),
      condition('if', { asks: 'qa', pattern: '^yes$' }, 'b', 'c'),
      section('b', 'c', source),
      section('c', 'end', last),
    ]);
  const one = formWith([sourced('best', 'qs')]);
  const chain = formWith([sourced('mid', 'qs'), sourced('best', 'mid')]);
  const [off, on] = [[text('qa', 'no')], [text('qa', 'yes')]];
  const selected = [...on, chosen('qs', 'MULTIPLE_CHOICE', 'qs1')];
  const further = [...selected, chosen('mid', 'DROPDOWN', 'qs1')];

  test.each<[string, Structure, AnswerInput[], missing: string | undefined]>([
    ['its source is off the path, so that it offers nothing', one, off, undefined],
    ['its optional source is not answered', one, on, undefined],
    ['its source is answered', one, selected, 'best'],
    ['its source was deleted', formWith([sourced('best', 'qs')], []), on, undefined],
    ['the source of its source is off the path', chain, off, undefined],
    [
      'the source of its source was deleted',
      formWith([sourced('mid', 'qs'), sourced('best', 'mid')], []),
      on,
      undefined,
    ],
    ['the source of its source is answered', chain, selected, 'mid'],
    ['its source is answered too', chain, further, 'best'],
    ['it is answered itself', chain, [...further, chosen('best', 'DROPDOWN', 'qs1')], undefined],
  ])('when %s', (_, structure, inputs, missing) => {
    const submitting = () => complete(save(empty, inputs, structure), structure);
    if (missing === undefined) expect(submitting().progress).toBe('SUBMITTED');
    else expect(pointersOf(submitting)).toEqual([`/answers/${id(missing)}`]);
  });

  test('is no longer asked for when its source is cleared, but its old answer must be cleared too', () => {
    const clear = (response: Response, name: string) => clearAnswer({ response, structure: one }, id(name), LATER);
    const without = clear(save(empty, [...selected, chosen('best', 'DROPDOWN', 'qs1')], one), 'qs');
    expect(pointersOf(() => complete(without, one))).toEqual([`/answers/${id('best')}`]);
    expect(complete(clear(without, 'best'), one).progress).toBe('SUBMITTED');
  });
});

describe('clearing and removing', () => {
  test('removes one answer, on the path or off it; without one it returns the same response', () => {
    const full = save(save(empty, [text('qa', 'yes'), text('qb', 'x')]), [text('qa', 'no')]);
    expect(Object.keys(clearAnswer({ response: full, structure: branching }, id('qb'), LATER).answers)).toEqual([
      id('qa'),
    ]);
    expect(clearAnswer({ response: full, structure: branching }, id('qc'), LATER)).toBe(full);
  });

  test('a draft that was submitted keeps its answers and loses its path', () => {
    const draft = save(empty, [text('qa', 'no'), text('qc', 'x')]);
    expect(cancel(complete(draft), LATER)).toEqual({ ...draft, listedAt: LATER, updatedAt: LATER });
    expect(outcomeOf(() => cancel(draft, LATER))).toMatchObject({ status: 400 });
  });
});

test('an answer that the service makes is refused off the path', () => {
  const connected: AnswerContent = { type: 'SHORT_TEXT', value: 'x' };
  const current = { response: save(empty, [text('qa', 'no')]), structure: branching };
  expect(pointersOf(() => setAnswer(current, id('qb'), connected, LATER))).toEqual(['/path/questionId']);
  expect(setAnswer(current, id('qc'), connected, LATER).answers[id('qc')]).toMatchObject({ value: 'x' });
});
