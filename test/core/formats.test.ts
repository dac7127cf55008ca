/** What the formats of texts accept, how numbers are compared, and how many choices an answer selects. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkWholePattern, matchesWhole } from '#core/structure/pattern.ts';
import { judgeText, parseNumber, type TextRules } from '#core/structure/types/formats.ts';
import { answerCell, answerSubjects, judgeAnswer } from '#core/structure/types/types.ts';

const codes = (rules: TextRules, value: string): string[] => judgeText(rules, value).map(({ code }) => code);

describe('a format accepts', () => {
  test.for<[TextRules, string[], string[]]>([
    [
      { format: 'EMAIL' },
      ['ann@example.org', ' ann.b+c@mail.example.co ', "o'neil@example.org"],
      ['ann', 'ann@example', '@example.org', 'ann@@example.org', 'ann b@example.org', `${'a'.repeat(250)}@b.org`],
    ],
    [
      { format: 'PHONE' },
      ['123456', '+886 2 2345-6789', '(02) 2345.6789', '123/456', '123456789012345'],
      ['12345', '1234567890123456', '+1 555 CALL-NOW', '12 34 5', '123456x'],
    ],
    [{ format: 'TIME' }, ['00:00', '09:30', '23:59', ' 12:00 '], ['24:00', '9:30', '12:60', '12.30', '12:00:00', '']],
    [
      { format: 'NUMBER' },
      ['0', '-1', '+7', '3.5', '3,5', '007', ' 12 ', '123456789.123456', '999999999999999'],
      ['', '.', '1.', '.5', '1 000', '1.000,5', '1e3', '0x1', '--1', '1.1234567', '1234567890123456', 'twelve', '１'],
    ],
    [
      { format: 'PATTERN', pattern: '[A-Z]{2}\\d+|none', hint: 'two letters and digits' },
      ['AB1', ' AB12 ', 'none'],
      ['xAB1', 'AB', 'nonesuch', 'AB1 AB2'],
    ],
    [{ minLength: 2, maxLength: 3 }, ['ab', 'abc', ' ab  ', '😀😀'], ['a', 'abcd', '  a  ', '😀']],
  ])('%j', ([rules, accepted, refused]) => {
    expect(accepted.filter((value) => codes(rules, value).length > 0)).toEqual([]);
    expect(refused.filter((value) => codes(rules, value).length === 0)).toEqual([]);
  });

  test.for<[TextRules, string, string, string]>([
    [{ format: 'EMAIL' }, 'ann', 'not_email', 'must be an e-mail address such as name@example.org'],
    [{ format: 'NUMBER' }, 'a', 'not_number', 'must be a number of at most 15 digits, such as 12 or 3.5'],
    [{ format: 'NUMBER', min: 1, max: 9 }, '9.5', 'number_range', 'must be a number from 1 to 9'],
    [{ format: 'NUMBER', min: 1 }, '0', 'number_range', 'must be at least 1'],
    [{ format: 'NUMBER', max: -1 }, '0', 'number_range', 'must be at most -1'],
    [{ format: 'NUMBER', decimals: 0 }, '1.0', 'decimals', 'must be a whole number'],
    [{ format: 'NUMBER', decimals: 2 }, '1.234', 'decimals', 'must have at most 2 digits after the decimal point'],
    [{ format: 'TIME' }, '9', 'not_time', 'must be a time of day as HH:MM, from 00:00 to 23:59'],
    [{ minLength: 2, maxLength: 3 }, 'a', 'length', 'must have 2 to 3 characters'],
    [{ minLength: 2 }, 'a', 'length', 'must have at least 2 characters'],
    [{ maxLength: 2 }, 'abc', 'length', 'must have at most 2 characters'],
    [
      { format: 'PATTERN', pattern: 'x', hint: 'the letter x' },
      'y',
      'pattern',
      'is not what the question asks for: the letter x',
    ],
  ])('or says what it expects: %j, %s', ([rules, value, code, detail]) => {
    expect(judgeText(rules, value).map((found) => [found.code, found.detail])).toEqual([[code, detail]]);
  });
});

describe('a number', () => {
  test.for([
    ['12', '12'],
    ['+12', '12'],
    ['012,50', '12.5'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['-00.10', '-0.1'],
    ['1.000000', '1'],
  ])('%s is compared as %s', ([typed = '', canonical]) => expect(parseNumber(typed)?.canonical).toBe(canonical));

  test('is equal to another one exactly if their texts for comparison are', () => {
    const digits = fc.stringMatching(/^[+-]?\d{1,6}([.,]\d{1,3})?$/);
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        const value = (text: string) => Number(text.replace(',', '.')) + 0;
        expect(parseNumber(one)?.canonical === parseNumber(other)?.canonical).toBe(value(one) === value(other));
      }),
    );
  });

  test('is found and written as a number only where its question asks for one', () => {
    const answer = { type: 'SHORT_TEXT', value: ' 007,50' } as const;
    const number = { text: { format: 'NUMBER' } } as const;
    expect(answerSubjects(answer, number)).toEqual(['7.5']);
    expect(answerCell(answer, number)).toBe(7.5);
    expect(answerSubjects(answer, undefined)).toEqual([' 007,50']);
    expect(answerCell(answer, undefined)).toBe(' 007,50');
    expect(answerCell({ ...answer, value: 'seven' }, number)).toBe('seven');
    expect(answerSubjects({ ...answer, value: 'seven' }, number)).toEqual(['seven']);
  });
});

describe('a pattern for a whole text', () => {
  test('is one alone: what stands around it closes nothing', () => {
    expect(checkWholePattern('a)(b')).toMatch(/does not compile/);
    expect(matchesWhole('a)(b', 'ab')).toBe(false);
    expect(checkWholePattern('a'.repeat(500))).toBeNull();
    expect(checkWholePattern('a'.repeat(501))).toMatch(/longer than 500/);
    // Each alternative matches the whole.
    expect(['a', 'b', 'ax', 'xb'].filter((text) => matchesWhole('a|b', text))).toEqual(['a', 'b']);
  });
});

test.for<[{ min?: number; max?: number }, string[], number, string | undefined]>([
  [{ min: 2 }, ['a'], 3, 'must select at least 2'],
  [{ min: 2 }, ['a', 'b'], 3, undefined],
  [{ max: 1 }, ['a', 'b'], 3, 'must select at most 1'],
  [{ min: 2, max: 2 }, ['a'], 3, 'must select exactly 2'],
  [{ min: 1, max: 2 }, ['a', 'b', 'c'], 3, 'must select 1 to 2'],
  // Fewer choices are offered than have to be selected.
  [{ min: 5 }, ['a', 'b'], 2, undefined],
  [{ min: 5 }, ['a'], 2, 'must select at least 2'],
])('of a selection %j, the answer %j to %i choices is judged', ([selection, value, count, expected]) => {
  const question = { id: '', type: 'MULTIPLE_CHOICE', title: '', required: false, description: null } as const;
  const times = { createdAt: '', updatedAt: '' };
  const offered = Array.from({ length: count }, (_, index) => ({ id: 'abc'[index] ?? '', name: '' }));
  const faults = judgeAnswer({ ...question, ...times, selection }, { type: 'MULTIPLE_CHOICE', value }, offered);
  expect(faults[0]?.detail).toBe(expected);
});
