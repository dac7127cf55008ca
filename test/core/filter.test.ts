/** Which responses match a filter, and by which values the answers to a question are found. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '#core/responses/model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { buildFilter, distinctValues, listMatchValues } from '#core/table/filter.ts';
import { FilterInput } from '#core/table/model.ts';

const id = (number: number): string => `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const FORM = { formId: id(0), version: 1, nodes: [], sections: [], removed: [] };
const [RED, BLUE, OTHER] = [id(1), id(2), id(3)];
const answer = (content: AnswerContent): Answer => ({ ...content, createdAt: NOW, updatedAt: NOW });
const file = (number: number) => ({ fileId: id(number), originalFilename: 'a.pdf', contentType: 'x/y', size: 1 });

const account = {
  provider: 'PROVIDER_ONE',
  providerId: '7',
  username: 'octo',
  email: '',
  avatar_url: '',
  avatarUrl: '',
};

describe('an answer is found by', () => {
  test.each<[string, AnswerContent, [matchValue: string, displayValue: string][]]>([
    ['its exact text', { type: 'LONG_TEXT', value: ' A b ' }, [[' A b ', ' A b ']]],
    ['its address', { type: 'HYPERLINK', value: 'https://a.example/' }, [['https://a.example/', 'https://a.example/']]],
    ['its number', { type: 'RATING', value: 4, display: '4 (1-5)' }, [['4', '4 (1-5)']]],
    [
      'the requested parts of its date',
      { type: 'DATE', value: '2024-06-01T00:00:00Z', display: '2024-06' },
      [['2024-06', '2024-06']],
    ],
    [
      'each choice id',
      { type: 'MULTIPLE_CHOICE', value: [BLUE, RED], names: ['Blue', 'Red'] },
      [
        [BLUE, 'Blue'],
        [RED, 'Red'],
      ],
    ],
    ['each ranked choice id', { type: 'RANKING', value: [BLUE], names: ['Blue'] }, [[BLUE, 'Blue']]],
    [
      'the id of the other choice, whatever text was entered for it',
      { type: 'SINGLE_CHOICE', value: [OTHER], names: ['Green'], otherText: 'Green' },
      [[OTHER, 'Green']],
    ],
    [
      'the name of each file',
      { type: 'UPLOAD_FILE', value: [file(8), { ...file(9), originalFilename: 'b.pdf' }], display: '2 file(s)' },
      [
        ['a.pdf', 'a.pdf'],
        ['b.pdf', 'b.pdf'],
      ],
    ],
    ['the name of its account', { type: 'OAUTH_CONNECT', value: account, display: 'octo' }, [['octo', 'octo']]],
  ])('%s', (_, content, expected) => {
    expect(listMatchValues(answer(content), undefined).map((each) => [each.matchValue, each.displayValue])).toEqual(
      expected,
    );
  });
});

describe('distinct values', () => {
  const names = new Map([[RED, 'Crimson']]);
  const chosen = answer({ type: 'MULTIPLE_CHOICE', value: [RED, BLUE], names: ['Red', 'Blue'] });

  test('show a choice under its present name, and a removed one under the name it had', () => {
    expect(distinctValues(chosen, undefined, names)).toEqual([
      { matchValue: RED, displayValue: 'Crimson' },
      { matchValue: BLUE, displayValue: 'Blue' },
    ]);
  });

  test('show the other choice under its name and never under the text of a respondent', () => {
    const other = answer({ type: 'MULTIPLE_CHOICE', value: [RED], names: ['Tea'], otherText: 'Tea' });
    expect(distinctValues(other, undefined, names)).toEqual([{ matchValue: RED, displayValue: 'Crimson' }]);
    expect(distinctValues(other, undefined, new Map())).toEqual([{ matchValue: RED, displayValue: 'Other' }]);
  });

  test('of a removed question show the names that its answers keep', () => {
    expect(distinctValues(chosen, undefined, new Map()).map(({ displayValue }) => displayValue)).toEqual([
      'Red',
      'Blue',
    ]);
  });
});

describe('a filter', () => {
  const answers = new Map([['a', answer({ type: 'SHORT_TEXT', value: 'yes' })]]);
  const matches = (filters: FilterInput['filters']) =>
    buildFilter(FORM, filters).matches((questionId) => answers.get(questionId));

  test('without entries matches all, and an entry without answers matches all', () => {
    expect(matches([])).toBe(true);
    expect(matches([{ questionId: 'unanswered', answers: [] }])).toBe(true);
  });

  test('does not match a question without an answer, nor a part of a text, nor another case', () => {
    expect(matches([{ questionId: 'unanswered', answers: [{ option: '' }] }])).toBe(false);
    expect(matches([{ questionId: 'a', answers: [{ option: 'ye' }, { option: 'YES' }] }])).toBe(false);
  });

  test('is AND between entries and OR inside one', () => {
    const choices = fc.uniqueArray(fc.constantFrom('p', 'q', 'r'), { minLength: 1 });
    const anyEntries = fc.array(fc.record({ questionId: fc.constantFrom('x', 'y'), options: choices }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.option(choices), fc.option(choices), anyEntries, (x, y, entries) => {
        const selected: Record<string, string[] | null> = { x, y };
        const expected = entries.every(({ questionId, options }) =>
          options.some((option) => selected[questionId]?.includes(option)),
        );
        const filters = entries.map(({ questionId, options }) => ({
          questionId,
          answers: options.map((option) => ({ option })),
        }));
        const answerTo = (questionId: string): Answer | undefined => {
          const value = selected[questionId];
          return value ? answer({ type: 'MULTIPLE_CHOICE', value, names: value }) : undefined;
        };
        expect(buildFilter(FORM, filters).matches(answerTo)).toBe(expected);
      }),
    );
  });
});

test('the longest text that can be answered, of characters of two units each, can be sent back as an option', () => {
  const [longest] = listMatchValues(answer({ type: 'LONG_TEXT', value: '🐸'.repeat(10_000) }), undefined);
  const option = longest?.matchValue ?? '';
  const filters = [{ questionId: id(10), answers: [{ option }] }];
  expect(FilterInput().safeParse({ filters }).success).toBe(true);
  expect(
    FilterInput().safeParse({ filters: [{ questionId: id(10), answers: [{ option: `${option}!` }] }] }).success,
  ).toBe(false);
});
