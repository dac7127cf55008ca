/** What holds of the members of questions whatever people type: formats, orders, names in texts, and hidden questions in circles. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withShuffledChoices } from '#core/pages/respondent/navigation.ts';
import { newResponse } from '#core/responses/edits.ts';
import { recallFrom } from '#core/responses/recall.ts';
import { walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { listTextWarnings } from '#core/structure/text-warnings.ts';
import { judgeText, type TextRules } from '#core/structure/types/formats.ts';
import { answers, condition, content, form, id, NOW, question, section } from '#test/support/workflow.ts';

describe('a format accepts exactly what its definition says', () => {
  const isAccepted = (rules: TextRules, typed: string): boolean => judgeText(rules, typed).length === 0;
  /** Texts of a few signs: those that the format has, and some that it has not. */
  const textOf = (signs: string): fc.Arbitrary<string> =>
    fc.array(fc.constantFrom(...signs, ' ', 'x', '٣', '\n'), { maxLength: 20 }).map((parts) => parts.join(''));
  const count = (text: string, digit: RegExp): number => [...text].filter((sign) => digit.test(sign)).length;

  test('PHONE: 6 to 15 digits, and + - ( ) / . and spaces', () => {
    const candidates = fc.oneof(textOf('0123456789+-()/.'), fc.stringMatching(/^[+(]?[\d /.-]{4,20}\)?$/));
    fc.assert(
      fc.property(candidates, (typed) => {
        const text = typed.trim();
        const [digits, signs] = [count(text, /[0-9]/), count(text, /[0-9+\-()/. ]/)];
        expect(isAccepted({ format: 'PHONE' }, typed)).toBe(signs === [...text].length && digits >= 6 && digits <= 15);
      }),
    );
  });

  test('TIME: hours and minutes of a day', () => {
    const times = Array.from({ length: 1_440 }, (_, minute) =>
      [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
    );
    expect(times.filter((time) => !isAccepted({ format: 'TIME' }, time))).toEqual([]);
    const known = new Set(times);
    const candidates = fc.oneof(textOf('0123456789:'), fc.stringMatching(/^\d{1,2}[:.]\d{1,2}$/));
    fc.assert(
      fc.property(candidates, (typed) => {
        expect(isAccepted({ format: 'TIME' }, typed)).toBe(known.has(typed.trim()));
      }),
    );
  });

  test('NUMBER: at most 15 digits, of which as many as asked for are decimals, within its bounds', () => {
    const candidates = fc.oneof(textOf('0123456789.,+-'), fc.stringMatching(/^ ?[+-]?\d{1,17}([.,]\d{1,7})? ?$/));
    const bound = fc.option(fc.integer({ min: -1_000, max: 1_000 }), { nil: undefined });
    const rulesOf = fc.record({ min: bound, max: bound, decimals: fc.constantFrom(undefined, 0, 2, 6) });
    fc.assert(
      fc.property(candidates, rulesOf, (typed, { min, max, decimals = 6 }) => {
        const text = typed.trim().replace(/^[+-]/, '');
        const [whole = '', fraction, ...others] = text.split(/[.,]/);
        const isNumber =
          others.length === 0 && [whole, fraction ?? '0'].every((digits) => digits !== '' && !/[^0-9]/.test(digits));
        const places = fraction?.length ?? 0;
        const value = Number(typed.trim().replace(',', '.'));
        const expected =
          isNumber &&
          whole.length + places <= 15 &&
          places <= decimals &&
          (min === undefined || value >= min) &&
          (max === undefined || value <= max);
        const rules = {
          format: 'NUMBER' as const,
          decimals,
          ...(min !== undefined && { min }),
          ...(max !== undefined && { max }),
        };
        expect(isAccepted(rules, typed)).toBe(expected);
      }),
    );
  });
});

test('a shuffled order has each choice once, the other choice last, and is the same for the same response', () => {
  const orders = new Set<string>();
  fc.assert(
    fc.property(fc.uuid({ version: 4 }), fc.integer({ min: 0, max: 7 }), (responseId, otherAt) => {
      const choices = Array.from({ length: 8 }, (_, index) => ({
        id: id(`c${index}`),
        name: `${index}`,
        isOther: index === otherAt,
      }));
      const shuffled = { ...question('q', 'SINGLE_CHOICE'), shuffle: true, choices };
      const orderOf = () =>
        (withShuffledChoices(shuffled as never, { id: responseId, formId: id('form') }).choices ?? []).map(
          ({ name }) => name,
        );
      const order = orderOf();
      expect(order.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
      expect(order.at(-1)).toBe(String(otherAt));
      expect(orderOf()).toEqual(order);
      orders.add(order.join(''));
    }),
  );
  expect(orders.size).toBeGreaterThan(50);
});

test('a walk ends where conditions on hidden questions lead back, whatever they hold', () => {
  const hidden = { ...question('h'), hidden: true };
  const source = { ...question('s'), hidden: true, required: false };
  const structure = form('a', [
    section('a', 'c', [hidden, source]),
    condition('c', { asks: 'h', pattern: '^$' }, 'b', 'a'),
    section('b', 'd', [question('q', 'SHORT_TEXT', { required: false })]),
    condition('d', { asks: 's', pattern: '^$' }, 'c', 'end'),
  ]);
  const visited = (given: Record<string, string>): [string[], boolean] => {
    const { sections, complete } = walk(structure, answers(given));
    return [sections, complete];
  };
  // Nobody is asked for them: without an answer each decides as an empty text, and a circle stops the walk.
  expect(visited({})).toEqual([[id('a'), id('b')], false]);
  expect(visited({ h: 'poster' })).toEqual([[id('a')], false]);
  expect(visited({ s: 'poster' })).toEqual([[id('a'), id('b')], true]);
});

describe('300 questions with names', () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  const asked = numbers.map((index) => ({ ...question(`q${index}`), name: `name_${index}` }));
  const title = numbers.map((index) => `{{NAME_${index}}}`).join(' ');
  const structure: Structure = form('a', [
    section('a', 'b', asked),
    section('b', 'end', [question('z', 'SHORT_TEXT', { title })]),
  ]);

  test('are recalled, each by its own name, and none is odd', () => {
    const given = numbers.map((index) => [
      id(`q${index}`),
      { ...content(`<${index}>`), createdAt: NOW, updatedAt: NOW },
    ]);
    const response = { ...newResponse(id('resp'), id('form'), id('user'), NOW), answers: Object.fromEntries(given) };
    const recall = recallFrom({ structure, response }, [id('a')]);
    expect(recall(title)).toBe(numbers.map((index) => `<${index}>`).join(' '));
    expect(listTextWarnings(structure)).toEqual([]);
  });
});
