/** Rules that are made with one press each: a second press changes nothing, and the other rules stay. */
import { describe, expect, test } from 'vitest';
import { readOutline } from '#core/structure/gates.ts';
import { dropRule, goElse, goIf, showAlways, showIf } from '#core/structure/rule-steps.ts';
import { readRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { form, id, NOW, question, section } from '#test/support/workflow.ts';

let count = 0;
const ids = {
  now: NOW,
  newId: () => {
    count += 1;
    return id(`n${count}`);
  },
};

const LAKES = [
  { id: id('ness'), name: 'Ness' },
  { id: id('erie'), name: 'Erie' },
];

/** Three sections: a choice and a scale, a text, and nothing. */
const lakes = (): Structure =>
  form('s0', [
    section('s0', 's1', [
      question('lake', 'SINGLE_CHOICE', { choices: LAKES, required: true }),
      question('depth', 'LINEAR_SCALE', { scale: { minVal: 1, maxVal: 3 } }),
    ]),
    section('s1', 's2', [question('why', 'SHORT_TEXT')]),
    section('s2', 'end', []),
  ]);

const gateOf = (structure: Structure, name: string) => readOutline(structure).gates.get(id(name));
const rulesOf = (structure: Structure, name: string) => {
  const { rules, otherwise } = readRules(structure, id(name)) ?? { rules: [], otherwise: undefined };
  return [...rules.map(({ questionId, test: asked, target }) => [questionId, asked, target]), otherwise];
};
const when = (name: string, value: string) => ({ questionId: id(name), value });

describe('a section is shown only if', () => {
  test('a choice is selected, or another one of the same question, and a scale has a value', () => {
    const one = showIf(lakes(), id('s2'), when('lake', id('ness')), ids);
    expect(gateOf(one, 's2')).toMatchObject({
      needs: 'all',
      comparisons: [{ questionId: id('lake'), test: { kind: 'choices', ids: [id('ness')] }, isNot: false }],
    });
    const two = showIf(one, id('s2'), when('lake', id('erie')), ids);
    expect(gateOf(two, 's2')?.comparisons.map((each) => each.test)).toEqual([
      { kind: 'choices', ids: [id('ness'), id('erie')] },
    ]);
    const three = showIf(showIf(two, id('s2'), when('depth', '3'), ids), id('s2'), when('why', ''), ids);
    expect(gateOf(three, 's2')?.comparisons.map((each) => each.test)).toEqual([
      { kind: 'choices', ids: [id('ness'), id('erie')] },
      { kind: 'values', values: ['3'] },
      { kind: 'answered' },
    ]);
    expect(showIf(three, id('s2'), when('lake', id('erie')), ids)).toBe(three);
    expect(gateOf(showAlways(three, id('s2'), ids), 's2')).toBeUndefined();
  });

  test.for([
    ['a question that was deleted', when('gone', '')],
    ['a question behind it', when('why', '')],
    ['a choice that was deleted', when('lake', id('gone'))],
    ['a number outside of the scale', when('depth', '4')],
  ] as const)('not by %s', ([, asked]) => {
    expect(() => showIf(lakes(), id('s1'), asked, ids)).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('a path goes to a section', () => {
  test('if an answer is given, behind the other rules, and elsewhere otherwise', () => {
    const one = goIf(lakes(), id('s0'), { ...when('lake', id('ness')), target: id('s2') }, ids);
    expect(rulesOf(one, 's0')).toEqual([[id('lake'), { kind: 'choices', ids: [id('ness')] }, id('s2')], id('s1')]);
    const two = goIf(one, id('s0'), { ...when('depth', '2'), target: id('end') }, ids);
    const three = goIf(two, id('s0'), { ...when('depth', '3'), target: id('end') }, ids);
    expect(rulesOf(three, 's0')).toEqual([
      [id('lake'), { kind: 'choices', ids: [id('ness')] }, id('s2')],
      [id('depth'), { kind: 'values', values: ['2', '3'] }, id('end')],
      id('s1'),
    ]);
    expect(goIf(three, id('s0'), { ...when('lake', id('ness')), target: id('s2') }, ids)).toBe(three);
    const fourth = goElse(three, id('s0'), id('end'), ids);
    expect(rulesOf(fourth, 's0').at(-1)).toBe(id('end'));
    const [first] = readRules(fourth, id('s0'))?.rules ?? [];
    expect(rulesOf(dropRule(fourth, id('s0'), first?.nodeId ?? '', ids), 's0')).toEqual([
      [id('depth'), { kind: 'values', values: ['2', '3'] }, id('end')],
      id('end'),
    ]);
    expect(dropRule(fourth, id('s0'), id('gone'), ids)).toBe(fourth);
  });
});
