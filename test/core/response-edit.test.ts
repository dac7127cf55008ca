/** What saving, submitting, clearing and cancelling make of a response, as pure functions (contract section 7). */
import { describe, expect, test } from 'vitest';
import {
  answersBy,
  cancelResponse,
  clearAnswer,
  clearInPlace,
  newResponse,
  onPath,
  requireComplete,
  saveAnswers,
  saveInPlace,
  submitResponse,
} from '#core/responses/edit.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { outcomeOf } from '#test/support/response-model.ts';
import { condition, form, id, LATER, NOW, question, section } from '#test/support/workflow.ts';

const FILE = { fileId: id('file'), originalFilename: 'a.pdf', contentType: 'application/pdf', size: 10 };
const empty = newResponse(id('r'), id('form'), id('user'), NOW);
const text = (name: string, value: string): AnswerInput => ({
  questionId: id(name),
  questionType: 'SHORT_TEXT',
  value,
});
const chosen = (name: string, type: AnswerInput['questionType'], ...choices: string[]): AnswerInput => ({
  questionId: id(name),
  questionType: type,
  value: choices.map(id),
});

/** a (qa, optional) → qa is yes? → b (qb) or c (qc) → end; all but qa required. */
const branching = form('a', [
  section('a', 'if', [question('qa', 'SHORT_TEXT', { required: false })]),
  condition('if', { asks: 'qa', pattern: '^yes$' }, 'b', 'c'),
  section('b', 'end', [question('qb')]),
  section('c', 'end', [question('qc')]),
]);

const save = (response: Response, inputs: AnswerInput[], structure: Structure = branching, now = NOW): Response =>
  saveAnswers({ response, structure, inputs, filesMayBeNamed: false, now });
const pointersOf = (rule: () => unknown): string[] => {
  const outcome = outcomeOf(rule);
  if ('value' in outcome) throw new Error(`nothing was refused: ${JSON.stringify(outcome.value)}`);
  return outcome.errors.map(({ pointer }) => pointer);
};

test('a new response is a draft without answers, and its first version', () => {
  expect(empty).toMatchObject({ progress: 'DRAFT', version: 1, answers: {}, submittedAt: null });
  expect([empty.createdAt, empty.updatedAt]).toEqual([NOW, NOW]);
});

describe('saving', () => {
  test('leaves the response that it was given as it was', () => {
    const before = save(empty, [text('qa', 'yes')]);
    const copy = structuredClone(before);
    save(before, [text('qa', 'no'), text('qc', 'x')], branching, LATER);
    expect(before).toEqual(copy);
  });

  test('of what says the same answers the very same response', () => {
    const before = save(empty, [text('qa', 'yes')]);
    expect(save(before, [text('qa', 'yes'), text('qb', '')], branching, LATER)).toBe(before);
    expect(save(before, [], branching, LATER)).toBe(before);
  });

  test('keeps when an answer was first given, and notes when it last changed', () => {
    const before = save(empty, [text('qa', 'yes'), text('qb', 'x')]);
    const after = save(before, [text('qa', 'yes'), text('qb', 'y')], branching, LATER);
    expect(after.answers[id('qa')]).toMatchObject({ createdAt: NOW, updatedAt: NOW });
    expect(after.answers[id('qb')]).toMatchObject({ createdAt: NOW, updatedAt: LATER });
    expect([after.createdAt, after.updatedAt]).toEqual([NOW, LATER]);
  });

  test('an answer that was cleared and given again is a new one', () => {
    const cleared = save(save(empty, [text('qa', 'yes')]), [text('qa', '')], branching, LATER);
    expect(cleared.answers).toEqual({});
    const again = save(cleared, [text('qa', 'yes')], branching, LATER);
    expect(again.answers[id('qa')]).toMatchObject({ createdAt: LATER, updatedAt: LATER });
  });

  test('tells faults of every kind at once: unknown, twice, unsuitable and off the path', () => {
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

  test('does not take a name that objects have by nature for an answer', () => {
    expect(answersBy({})('constructor')).toBeUndefined();
    expect(answersBy({})('__proto__')).toBeUndefined();
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
    const forth = save(empty, all, structure);
    expect(Object.keys(forth.answers)).toHaveLength(5);
    expect(save(empty, all.toReversed(), structure).answers).toEqual(forth.answers);
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

describe('files', () => {
  const structure = form('a', [section('a', 'end', [question('f', 'UPLOAD_FILE'), question('t')])]);
  const attached: Response = {
    ...empty,
    answers: { [id('f')]: { type: 'UPLOAD_FILE', value: [FILE], display: 'x', createdAt: NOW, updatedAt: NOW } },
  };
  const named = (value: AnswerInput['value']): AnswerInput => ({
    questionId: id('f'),
    questionType: 'UPLOAD_FILE',
    value,
  });
  const submitted = (input: AnswerInput) =>
    saveAnswers({ response: attached, structure, inputs: [input], filesMayBeNamed: true, now: LATER });

  test('attached before may be named by a submit, which changes nothing', () => {
    expect(submitted(named({ files: [FILE] }))).toBe(attached);
    expect(submitted(named([FILE.fileId]))).toBe(attached);
  });

  test('are never changed by a submit, nor named by a save', () => {
    expect(pointersOf(() => submitted(named([id('else')])))).toEqual(['/body/answers/0/value']);
    expect(pointersOf(() => submitted(named([])))).toEqual(['/body/answers/0/value']);
    expect(pointersOf(() => save(attached, [named([FILE.fileId])], structure))).toEqual(['/body/answers/0/value']);
  });
});

describe('submitting', () => {
  test('needs every required question of the path, and names each that is missing', () => {
    expect(pointersOf(() => submitResponse(save(empty, [text('qa', 'yes')]), branching, NOW))).toEqual([
      `/answers/${id('qb')}`,
    ]);
    const done = submitResponse(save(empty, [text('qa', 'no'), text('qc', 'x')]), branching, LATER);
    expect(done).toMatchObject({ progress: 'SUBMITTED', submittedAt: LATER, updatedAt: LATER });
  });

  test('needs the end of the path: the question that decides the way is asked for once', () => {
    expect(pointersOf(() => submitResponse(empty, branching, NOW))).toEqual([`/answers/${id('qa')}`]);
    const { nodes, sections, ...rest } = branching;
    const demanding = sections.map((each) => ({
      ...each,
      questions: each.questions.map((one) => ({ ...one, required: true })),
    }));
    const structure = { ...rest, nodes, sections: demanding };
    expect(pointersOf(() => submitResponse(empty, structure, NOW))).toEqual([`/answers/${id('qa')}`]);
  });

  test.each<[string, Structure]>([
    ['a missing link', form('a', [section('a')])],
    ['a rule without its question', form('if', [condition('if', { asks: null, pattern: 'x' }, 'end', 'end')])],
    ['a cycle', form('a', [section('a', 'b'), section('b', 'a')])],
  ])('cannot go past %s, which its editors must mend', (_, structure) => {
    expect(pointersOf(() => submitResponse(empty, structure, NOW))).toEqual(['/workflow']);
  });

  test('does not ask for what is off the path', () => {
    expect(outcomeOf(() => requireComplete(save(empty, [text('qa', 'no'), text('qc', 'x')]), branching))).toEqual({
      value: undefined,
    });
  });
});

describe('a required question that takes its choices from another one', () => {
  const { choices: _, ...best } = question('best', 'DROPDOWN', { sourceId: id('qs') });
  const source = question('qs', 'MULTIPLE_CHOICE', { required: false });
  /** a (qa) → qa is yes? → b (qs) or straight on → c (best of qs) → end. */
  const structure = form('a', [
    section('a', 'if', [question('qa')]),
    condition('if', { asks: 'qa', pattern: '^yes$' }, 'b', 'c'),
    section('b', 'c', [source]),
    section('c', 'end', [best]),
  ]);
  const submitted = (inputs: AnswerInput[], given = structure) =>
    submitResponse(save(empty, inputs, given), given, NOW);

  test('blocks no submit when its source is off the path, so that it offers nothing', () => {
    expect(submitted([text('qa', 'no')]).progress).toBe('SUBMITTED');
  });

  test('blocks a submit when its source is on the path, answered or not', () => {
    const missing = [`/answers/${id('best')}`];
    expect(pointersOf(() => submitted([text('qa', 'yes')]))).toEqual(missing);
    expect(pointersOf(() => submitted([text('qa', 'yes'), chosen('qs', 'MULTIPLE_CHOICE', 'qs1')]))).toEqual(missing);
  });

  test('blocks no submit when its source was deleted and it has no choices of its own yet', () => {
    const orphaned = form('c', [section('c', 'end', [question('best', 'DROPDOWN', { choices: [] })])]);
    expect(submitted([], orphaned).progress).toBe('SUBMITTED');
  });
});

describe('a submitted response', () => {
  const submitted = submitResponse(save(empty, [text('qa', 'no'), text('qc', 'x')]), branching, NOW);
  const edit = (inputs: AnswerInput[], requireEditable = () => {}) =>
    saveInPlace(
      { response: submitted, structure: branching, inputs, filesMayBeNamed: false, now: LATER },
      requireEditable,
    );
  const forbid = () => {
    throw new Error('asked');
  };

  test('is edited in place and stays submitted, when it was', () => {
    const after = edit([text('qc', 'y')]);
    expect(after).toMatchObject({ progress: 'SUBMITTED', submittedAt: NOW, updatedAt: LATER });
  });

  test('must stay complete', () => {
    expect(pointersOf(() => edit([text('qa', 'yes')]))).toEqual([`/answers/${id('qb')}`]);
    expect(pointersOf(() => clearInPlace(submitted, branching, id('qc'), LATER, () => {}))).toEqual([
      `/answers/${id('qc')}`,
    ]);
  });

  test('asks whether it may be edited only when something would change, and after judging what was sent', () => {
    expect(edit([text('qc', 'x')], forbid)).toBe(submitted);
    expect(clearInPlace(submitted, branching, id('qb'), LATER, forbid)).toBe(submitted);
    expect(pointersOf(() => edit([text('qb', 'off the path')], forbid))).toEqual(['/body/answers/0']);
    expect(() => edit([text('qc', 'y')], forbid)).toThrow('asked');
    expect(() => clearInPlace(submitted, branching, id('qc'), LATER, forbid)).toThrow('asked');
  });

  test('is a draft again when it is cancelled, with its answers; a draft cannot be cancelled', () => {
    const draft = cancelResponse(submitted, LATER);
    expect(draft).toEqual({ ...submitted, progress: 'DRAFT', submittedAt: null, updatedAt: LATER });
    expect(outcomeOf(() => cancelResponse(draft, LATER))).toMatchObject({ status: 400 });
  });
});

describe('clearing', () => {
  test('takes one answer away, on the path or off it; without one the very same response is answered', () => {
    const full = save(save(empty, [text('qa', 'yes'), text('qb', 'x')]), [text('qa', 'no')]);
    expect(Object.keys(clearAnswer(full, id('qb'), LATER).answers)).toEqual([id('qa')]);
    expect(clearAnswer(full, id('qc'), LATER)).toBe(full);
  });

  test('what fell off the path is kept, and does not count', () => {
    const { answers } = save(save(empty, [text('qa', 'yes'), text('qb', 'x')]), [text('qa', 'no')]);
    expect(answersBy(answers)(id('qb'))?.value).toBe('x');
    expect(onPath(branching, answers)(id('qb'))).toBeUndefined();
    expect(onPath(branching, answers)(id('qa'))?.value).toBe('no');
  });
});
