/** What the changes of a form may do to those who answer it: only what may stop somebody is listed. */
import { describe, expect, test } from 'vitest';
import { listEffects } from '#core/structure/effects.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { condition, form, id, question, section } from '#test/support/workflow.ts';

describe('of the edits of a form only what may stop somebody is listed:', () => {
  const effects = (before: Structure, after: Structure, ids: string[] = []) =>
    listEffects({ structure: before, answered: { ids: new Set(ids.map(id)), revision: 1 } }, after).map(
      ({ kind, title }) => [kind, title],
    );
  const optional = (name: string) => question(name, 'SHORT_TEXT', { required: false });
  const [a, b, c] = [[question('p'), optional('o')], [question('q'), optional('r')], [question('s')]];
  const line = [section('a', 'b', a), section('b', 'c', b), section('c', 'end', c)];
  const ruled = (asks: string, yes = 'c', no = 'b', pattern = 'x') => [
    section('a', 'if', a),
    condition('if', { asks, pattern }, yes, no),
    ...line.slice(1),
  ];
  const choices = (name: string, rest: Partial<Question> = {}) => question(name, 'MULTIPLE_CHOICE', rest);
  const chosen = (count: number) =>
    form('a', [
      section('a', 'if', [choices('m', { choices: (choices('m').choices ?? []).slice(0, count) })]),
      condition('if', { asks: 'm', source: 'CHOICE', pattern: id('m1') }, 'c', 'b'),
      ...line.slice(1),
    ]);
  const { choices: _own, ...taking } = choices('t');
  const sourced = (source: Question, ...more: Question[]) =>
    form('a', [section('a', 'b', [source]), section('b', 'end', [{ ...taking, sourceId: id('m') }, ...more])]);
  const further = { ...taking, id: id('u'), title: 'u', sourceId: id('t') };

  test.each([
    [
      'a section between two others',
      form('a', line),
      form('a', [section('a', 'n', a), section('n', 'b', []), ...line.slice(1)]),
      [],
    ],
    ['a section less', form('a', line), form('a', [section('a', 'c', a), ...line.slice(2)]), []],
    ['an earlier start', form('b', line), form('a', line), [['mayBeAsked', 'p']]],
    ['a later start', form('a', line), form('b', line), [['mayBeSkipped', 'a']]],
    ['a rule on a required question', form('a', line), form('a', ruled('p')), [['mayBeSkipped', 'b']]],
    [
      'a rule on an optional question',
      form('a', line),
      form('a', ruled('o')),
      [
        ['mayBeAsked', 'o'],
        ['mayBeSkipped', 'b'],
      ],
    ],
    ['a rule less', form('a', ruled('o')), form('a', line), [['mayBeAsked', 'q']]],
    [
      'the other way round',
      form('a', ruled('p')),
      form('a', ruled('p', 'b', 'c')),
      [
        ['mayBeAsked', 'q'],
        ['mayBeSkipped', 'b'],
      ],
    ],
    [
      'a title',
      form('a', line),
      form('a', [section('a', 'b', [{ ...question('p'), title: 'P?' }, optional('o')]), ...line.slice(1)]),
      [],
    ],
    [
      'another test of a rule',
      form('a', ruled('p')),
      form('a', ruled('p', 'c', 'b', 'y')),
      [
        ['mayBeAsked', 'q'],
        ['mayBeSkipped', 'b'],
      ],
    ],
    [
      'a choice less on which a rule depends',
      chosen(2),
      chosen(1),
      [
        ['mayBeAsked', 'q'],
        ['mayBeSkipped', 'b'],
      ],
    ],
    [
      'a source that loses a choice',
      sourced(choices('m'), further),
      sourced(choices('m', { choices: [{ id: id('m1'), name: 'm1' }] }), further),
      [
        ['sourceChanged', 't'],
        ['sourceChanged', 'u'],
      ],
    ],
    ['a source with another title', sourced(choices('m')), sourced(choices('m', { title: 'M?' })), []],
    [
      'a source that must be answered now',
      sourced(choices('m', { required: false })),
      sourced(choices('m')),
      [['sourceChanged', 't']],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(effects(before, after)).toEqual(expected);
  });

  test('an answer that somebody kept off the path may not be valid any more', () => {
    expect(effects(form('b', line), form('a', line), ['o'])).toEqual([
      ['mayBeAsked', 'p'],
      ['mayBeAsked', 'o'],
    ]);
  });
});
