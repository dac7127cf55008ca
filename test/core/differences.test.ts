/** What publishing changes makes different, and what people who have begun a response may meet then. */
import { describe, expect, test } from 'vitest';
import { listDifferences } from '#core/structure/differences.ts';
import type { Structure } from '#core/structure/structure.ts';
import { condition, form, id, type Part, question, section } from '#test/support/workflow.ts';

const answered = { ids: new Set<string>(), revision: 0 };
const differences = (before: Structure, after: Structure) =>
  listDifferences({ structure: before, answered }, after).map(({ kind, title }) => [kind, title]);

const parts: Part[] = [section('a', 'b', [question('p')]), section('b', 'end', [question('q')])];
const asks = (name: string, yes: string, no: string) => condition(name, { asks: 'p', pattern: 'x' }, yes, no);

describe('what follows is different', () => {
  test.each([
    ['another section comes first', form('a', parts), form('b', parts), ['startChanged', '開始表單']],
    [
      'a condition that follows the start asks for something else',
      form('if', [asks('if', 'a', 'b'), ...parts]),
      form('if', [condition('if', { asks: 'p', pattern: 'y' }, 'a', 'b'), ...parts]),
      ['startChanged', '開始表單'],
    ],
    [
      'a condition behind the true branch of another one leads elsewhere',
      form('a', [
        section('a', 'if', [question('p')]),
        asks('if', 'or', 'b'),
        asks('or', 'b', 'end'),
        ...parts.slice(1),
      ]),
      form('a', [
        section('a', 'if', [question('p')]),
        asks('if', 'or', 'b'),
        asks('or', 'end', 'b'),
        ...parts.slice(1),
      ]),
      ['rulesChanged', 'a'],
    ],
    [
      'a condition to which nothing leads is new',
      form('a', parts),
      form('a', [...parts, asks('if', 'a', 'b')]),
      ['rulesChanged', 'if'],
    ],
    [
      'a condition to which nothing leads is gone',
      form('a', [...parts, asks('if', 'a', 'b')]),
      form('a', parts),
      ['rulesChanged', 'if'],
    ],
    [
      'a section leads elsewhere',
      form('a', parts),
      form('a', [section('a', 'end', [question('p')]), ...parts.slice(1)]),
      ['rulesChanged', 'a'],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(differences(before, after)).toEqual([expected]);
    expect(differences(before, before)).toEqual([]);
  });

  test('of one section only, whatever is between others', () => {
    const tangled = (pattern: string) =>
      form('a', [
        section('a', 'if', [question('p')]),
        asks('if', 'or', 'b'),
        condition('or', { asks: 'p', pattern }, 'b', 'end'),
        ...parts.slice(1),
      ]);
    expect(differences(tangled('x'), tangled('y'))).toEqual([['rulesChanged', 'a']]);
  });
});

test('a difference names the question or the node that it is about', () => {
  const after = form('b', [section('a', 'b', []), section('b', 'end', [question('q', 'LONG_TEXT'), question('r')])]);
  const named = listDifferences({ structure: form('a', parts), answered }, after);
  expect(named.map(({ kind, questionId, nodeId }) => [kind, questionId ?? nodeId])).toEqual([
    ['startChanged', id('start')],
    ['questionChanged', id('q')],
    ['nowRequired', id('r')],
    ['questionRemoved', id('p')],
  ]);
});
