/**
 * The path of a response through forms drawn by `test/support/workflow.ts`. The laws that hold
 * for random forms, and the order of sections, are in `workflow-order.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { walk } from '#core/structure/path.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { answers, condition, content, form, id, question, section } from '#test/support/workflow.ts';

const nothing = answers({});
const names = (ids: readonly string[]): string[] =>
  ids.map((each) => Buffer.from(each.slice(-12), 'hex').toString().replaceAll('\0', ''));

/** a(colour) → colour? → b or c → end */
const branching = (type: QuestionType, pattern: string): Structure =>
  form('a', [
    section('a', 'if', [question('colour', type)]),
    condition('if', { asks: 'colour', pattern, source: type.endsWith('CHOICE') ? 'CHOICE' : 'NON_CHOICE' }, 'b', 'c'),
    section('b', 'end'),
    section('c', 'end'),
  ]);

describe('a walk', () => {
  test('goes from START through linked sections to END', () => {
    const path = walk(form('a', [section('b', 'end'), section('a', 'b')]), nothing);
    expect(path).toEqual({ sections: [id('a'), id('b')], complete: true });
  });

  test('takes the true branch when the pattern is found and the false branch when not', () => {
    const structure = branching('SHORT_TEXT', 're');
    expect(names(walk(structure, answers({ colour: 'green' })).sections)).toEqual(['a', 'b']);
    expect(names(walk(structure, answers({ colour: 'blue' })).sections)).toEqual(['a', 'c']);
  });

  test('stops at a condition on an unanswered question and returns that question', () => {
    expect(walk(branching('SHORT_TEXT', 're'), nothing)).toEqual({
      sections: [id('a')],
      complete: false,
      stoppedAt: id('if'),
      reason: 'unanswered',
      waitsFor: id('colour'),
    });
  });

  test('treats an empty answer as none', () => {
    const structure = branching('UPLOAD_FILE', '');
    expect(walk(branching('SHORT_TEXT', '.*'), answers({ colour: '' })).reason).toBe('unanswered');
    expect(walk(structure, answers({ colour: content([], 'UPLOAD_FILE') })).complete).toBe(false);
  });

  test('stops where a link is missing or leads nowhere', () => {
    expect(walk(form(undefined, []), nothing)).toMatchObject({ complete: false, stoppedAt: id('start') });
    expect(walk(form('a', [section('a')]), nothing)).toEqual({
      sections: [id('a')],
      complete: false,
      stoppedAt: id('a'),
      reason: 'unlinked',
    });
    expect(walk(form('a', [section('a', 'none')]), nothing)).toMatchObject({ stoppedAt: id('a'), reason: 'unlinked' });
    expect(walk({ ...form('end', []), nodes: [] }, nothing)).toMatchObject({ sections: [], complete: false });
  });

  test('stops when it comes back to a node', () => {
    const path = walk(form('a', [section('a', 'b'), section('b', 'a')]), nothing);
    expect(path).toEqual({ sections: [id('a'), id('b')], complete: false, stoppedAt: id('a'), reason: 'cycle' });
  });

  test.each([
    ['no rule', undefined],
    ['no question', { asks: null, pattern: 'x' }],
    ['no pattern', { asks: 'q', pattern: '' }],
    ['no source', { asks: 'q', pattern: 'x', source: null }],
    ['a question that does not exist', { asks: 'none', pattern: 'x' }],
    ['a pattern that does not compile', { asks: 'q', pattern: '(' }],
    ['a pattern that would be slow', { asks: 'q', pattern: 'a.{900}b' }],
  ] as [string, Parameters<typeof condition>[1]][])('stops at a condition with %s', (_, rule) => {
    const broken = condition('if', rule, 'end', 'end').node;
    const node =
      rule?.source === null ? { ...broken, conditionRule: { ...broken.conditionRule, source: null } } : broken;
    const structure = form('a', [section('a', 'if', [question('q')]), { node }]);
    expect(walk(structure, answers({ q: 'x' }))).toMatchObject({ stoppedAt: id('if'), reason: 'faulty_rule' });
  });

  test('stops at a condition whose source contradicts the type of its question', () => {
    const rule = { asks: 'q', pattern: 'x', source: 'CHOICE' as const };
    const structure = form('a', [section('a', 'if', [question('q')]), condition('if', rule, 'end', 'end')]);
    expect(walk(structure, answers({ q: 'x' }))).toMatchObject({ stoppedAt: id('if'), reason: 'faulty_rule' });
  });
});

describe('a question that may be left empty', () => {
  const optional = (type: QuestionType, pattern: string): Structure => {
    const structure = branching(type, pattern);
    const [asking, ...others] = structure.sections;
    const questions = asking?.questions.map((one) => ({ ...one, required: false })) ?? [];
    return { ...structure, sections: asking ? [{ ...asking, questions }, ...others] : others };
  };
  const leads = (structure: Structure, given: Parameters<typeof answers>[0]) => {
    const { sections, complete } = walk(structure, answers(given));
    return complete ? names(sections).at(-1) : 'stopped';
  };

  test.each<[QuestionType, string, 'b' | 'c']>([
    ['SHORT_TEXT', '^$', 'b'],
    ['SHORT_TEXT', '.*', 'b'],
    ['SHORT_TEXT', '.', 'c'],
    ['SHORT_TEXT', 'red', 'c'],
    ['SINGLE_CHOICE', '^$', 'b'],
    ['SINGLE_CHOICE', `^${id('colour1')}$`, 'c'],
    ['RANKING', '.', 'c'],
    ['LINEAR_SCALE', '^[0-9]*$', 'b'],
    ['DATE', '^2026', 'c'],
    ['UPLOAD_FILE', '^$', 'b'],
    ['OAUTH_CONNECT', '.', 'c'],
  ])('counts as an empty text (%s, %s)', (type, pattern, expected) => {
    const source = isChoiceType(type) ? 'CHOICE' : 'NON_CHOICE';
    const structure = optional(type, pattern);
    const nodes = structure.nodes.map((node) =>
      node.conditionRule ? { ...node, conditionRule: { ...node.conditionRule, source } as const } : node,
    );
    expect(leads({ ...structure, nodes }, {})).toBe(expected);
  });

  test('decides by its answer once it has one', () => {
    expect(leads(optional('SHORT_TEXT', '^$'), { colour: 'red' })).toBe('c');
    expect(leads(optional('SHORT_TEXT', '.'), { colour: 'red' })).toBe('b');
    expect(leads(optional('UPLOAD_FILE', '^$'), { colour: content([], 'UPLOAD_FILE') })).toBe('b');
  });

  test('stops a walk that is to show only what answers have decided', () => {
    expect(walk(optional('SHORT_TEXT', '^$'), nothing, () => true)).toMatchObject({
      sections: [id('a')],
      reason: 'unanswered',
      waitsFor: id('colour'),
    });
  });
});

describe('a condition looks', () => {
  const file = (originalFilename: string) => ({ fileId: id('f'), originalFilename, contentType: 'a/b', size: 10 });
  const account = {
    provider: 'PROVIDER_ONE',
    providerId: '77',
    username: 'ada',
    email: 'x@y.z',
    avatar_url: '',
    avatarUrl: '',
  };
  const cases: [string, QuestionType, string, AnswerContent, boolean][] = [
    [
      'in every selected choice id',
      'MULTIPLE_CHOICE',
      id('c2'),
      content([id('c1'), id('c2')], 'MULTIPLE_CHOICE'),
      true,
    ],
    ['at selected choices only', 'SINGLE_CHOICE', id('c2'), content([id('c1')], 'SINGLE_CHOICE'), false],
    [
      'at choice ids, not at their names',
      'SINGLE_CHOICE',
      'red',
      { ...content([id('c1')], 'SINGLE_CHOICE'), names: ['red'] },
      false,
    ],
    [
      'at each choice id by itself',
      'MULTIPLE_CHOICE',
      `^${id('c2')}$`,
      content([id('c1'), id('c2')], 'MULTIPLE_CHOICE'),
      true,
    ],
    ['at text as it was typed', 'LONG_TEXT', '^ Hello\\nthere$', content(' Hello\nthere', 'LONG_TEXT'), true],
    ['at a number as digits', 'LINEAR_SCALE', '^8$', content(8, 'LINEAR_SCALE', '8 (1-10)'), true],
    ['at the number alone', 'LINEAR_SCALE', '10', content(8, 'LINEAR_SCALE', '8 (1-10)'), false],
    ['at a zero', 'LINEAR_SCALE', '^0$', content(0, 'LINEAR_SCALE', '0 (0-10)'), true],
    ['at a date in its display form', 'DATE', '^2026-06$', content('2026-06-01T00:00:00Z', 'DATE', '2026-06'), true],
    ['at a date only in its display form', 'DATE', 'T00', content('2026-06-01T00:00:00Z', 'DATE', '2026-06'), false],
    ['at each file name', 'UPLOAD_FILE', '^b\\.pdf$', content([file('a.txt'), file('b.pdf')], 'UPLOAD_FILE'), true],
    ['at file names, not at sizes', 'UPLOAD_FILE', '10', content([file('a.txt')], 'UPLOAD_FILE'), false],
    ['at the connected username', 'OAUTH_CONNECT', '^ada$', content(account, 'OAUTH_CONNECT', 'ada'), true],
    ['at the username alone', 'OAUTH_CONNECT', '77|x@y', content(account, 'OAUTH_CONNECT', 'ada'), false],
    ['at an address', 'HYPERLINK', 'example', content('https://example.org/', 'HYPERLINK'), true],
  ];
  test.each(cases)('%s (%s)', (_, type, pattern, answer, found) => {
    const path = walk(branching(type, pattern), answers({ colour: answer }));
    expect(names(path.sections)).toEqual(['a', found ? 'b' : 'c']);
  });
});

describe('a kept answer off the path', () => {
  /** a(q1) → yes? b(q2) : on; → q2 is yes? → c : end */
  const skipping = form('a', [
    section('a', 'if1', [question('q1')]),
    condition('if1', { asks: 'q1', pattern: 'yes' }, 'b', 'if2'),
    section('b', 'if2', [question('q2')]),
    condition('if2', { asks: 'q2', pattern: 'yes' }, 'c', 'end'),
    section('c', 'end'),
  ]);

  test('decides no condition', () => {
    expect(names(walk(skipping, answers({ q1: 'yes', q2: 'yes' })).sections)).toEqual(['a', 'b', 'c']);
    expect(walk(skipping, answers({ q1: 'no', q2: 'yes' }))).toEqual(walk(skipping, answers({ q1: 'no' })));
  });

  test('sends a condition on a skipped question to its false branch, so that the form can be finished', () => {
    expect(walk(skipping, answers({ q1: 'no' }))).toEqual({ sections: [id('a')], complete: true });
  });

  test('is waited for only once its section is reached', () => {
    expect(walk(skipping, answers({ q1: 'yes' }))).toMatchObject({ waitsFor: id('q2'), sections: [id('a'), id('b')] });
  });
});

describe('a condition on a question that takes its choices from another one', () => {
  const sourced = (name: string, sourceId: string): Question => {
    const { choices: _, ...rest } = question(name, 'DROPDOWN', { sourceId: id(sourceId) });
    return rest;
  };
  /** a(q1, s) → yes? b(m) : c; → c(d of m, e of d) → e is m1? → y : n */
  const parts = [
    section('a', 'if1', [question('q1')]),
    condition('if1', { asks: 'q1', pattern: 'yes' }, 'b', 'c'),
    section('b', 'c', [question('m', 'MULTIPLE_CHOICE')]),
    section('c', 'if2', [sourced('d', 'm'), sourced('e', 'd')]),
    condition('if2', { asks: 'e', pattern: id('m1'), source: 'CHOICE' }, 'y', 'n'),
    section('y', 'end'),
    section('n', 'end'),
  ];
  const structure = form('a', parts);
  const m = content([id('m1')], 'MULTIPLE_CHOICE');
  const chosen = content([id('m1')], 'DROPDOWN');

  test.each([
    ['the source of its source is off the path', structure, { q1: 'no', m, d: chosen, e: chosen }],
    ['the source of its source is not answered', structure, { q1: 'yes' }],
    ['its source is not answered', structure, { q1: 'yes', m }],
    ['its source no longer offers what was selected', structure, { q1: 'yes', m: content([id('m2')]), d: chosen }],
    ['the source of its source was deleted', form('a', parts.with(2, section('b', 'c'))), { q1: 'yes', d: chosen }],
    [
      'its source was deleted',
      form('a', parts.with(3, section('c', 'if2', [sourced('e', 'd')]))),
      { q1: 'yes', m, e: chosen },
    ],
  ])('is false while %s', (_, drawn, given) => {
    const path = walk(drawn, answers(given));
    expect(path.complete).toBe(true);
    expect(names(path.sections).at(-1)).toBe('n');
  });

  test('waits for an answer once there are choices, and follows it', () => {
    const waiting = { q1: 'yes', m, d: chosen };
    expect(walk(structure, answers(waiting))).toMatchObject({ complete: false, waitsFor: id('e') });
    expect(names(walk(structure, answers({ ...waiting, e: chosen })).sections)).toEqual(['a', 'b', 'c', 'y']);
  });
});
