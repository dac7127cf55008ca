/**
 * What a rule tests an answer for, and the pattern that a condition keeps of it. Patterns decide: a test is read from one only
 * if it would be written so again. Pure.
 */
import { isId } from '#core/schema/schema.ts';
import type { Question } from './question-model.ts';
import { datePattern, numberPattern, type Range } from './range-pattern.ts';
import { type DateOptions, parseDate } from './types/date.ts';
import { asksForNumber, parseNumber } from './types/formats.ts';
import { getTraits, isChoiceType } from './types/traits.ts';
import { MAX_PATTERN_CHARACTERS } from './workflow-model.ts';

/** What an answer is tested for. */
export type Test =
  /** One of the choices is selected. */
  | { kind: 'choices'; ids: readonly string[] }
  /** A number is in a list. */
  | { kind: 'values'; values: readonly string[] }
  | { kind: TextTest; text: string }
  /** A number is within bounds, or a date is. */
  | ({ kind: RangeTest } & Range)
  /** There is an answer, or there is none. */
  | { kind: 'answered' | 'empty' }
  /** A pattern that was written by hand. */
  | { kind: 'pattern'; pattern: string };

/** What a test needs to know of a question. */
type Tested = Pick<Question, 'type' | 'date' | 'text'>;

/** How a question is tested: by choices, by the values of a scale, by number, by date or by text. */
type TestedBy = 'choices' | 'values' | 'number' | 'date' | 'text';

/** Finds how a question is tested. */
export function testedBy({ type, date, text }: Tested): TestedBy {
  if (isChoiceType(type)) return 'choices';
  if (getTraits(type).isNumber) return 'values';
  return asksForNumber({ text }) ? 'number' : date ? 'date' : 'text';
}

const TEXT_TESTS = ['is', 'exactly', 'contains', 'begins', 'ends'] as const;
const DATE_TESTS = ['on', 'year', 'month'] as const;
const NUMBER_TESTS = ['equals'] as const;
const NUMBER_RANGES = ['atLeast', 'atMost', 'between'] as const;
const DATE_RANGES = ['before', 'after', 'during'] as const;
const PRESENCE_TESTS = ['answered', 'empty'] as const;

export type DateTest = (typeof DATE_TESTS)[number];
/** `is` ignores case and outer spaces. The text of `month` is `06` for every year, or `2026-06` for one. */
export type TextTest = (typeof TEXT_TESTS)[number] | (typeof NUMBER_TESTS)[number] | DateTest;
export type RangeTest = (typeof NUMBER_RANGES)[number] | (typeof DATE_RANGES)[number];
export type TestKind = Test['kind'];

/** Lists the tests for a question, the usual one first; those of a date need the parts for which it asks. */
export function listTestKinds(question: Tested): readonly TestKind[] {
  const { date } = question;
  const isAsked = (test: DateTest): boolean =>
    test === 'on' || (test === 'year' ? date?.hasYear === true : date?.hasMonth === true);
  return {
    choices: ['choices' as const, ...PRESENCE_TESTS],
    values: ['values' as const, ...NUMBER_RANGES, ...PRESENCE_TESTS],
    number: [...NUMBER_TESTS, ...NUMBER_RANGES, ...PRESENCE_TESTS],
    date: [...DATE_TESTS.filter(isAsked), ...DATE_RANGES, ...PRESENCE_TESTS],
    text: [...TEXT_TESTS, ...PRESENCE_TESTS],
  }[testedBy(question)];
}

const includes = <T extends string>(list: readonly T[], kind: string): kind is T => list.some((each) => each === kind);

/** Whether a test is one of a date that is compared with one text. */
export const isDateTest = (kind: string): kind is DateTest => includes(DATE_TESTS, kind);

/** Whether a test is one of bounds. */
export const isRangeTest = (kind: string): kind is RangeTest => isNumberRange(kind) || includes(DATE_RANGES, kind);

/** Whether a test is one of the bounds of numbers. */
export const isNumberRange = (kind: string): kind is (typeof NUMBER_RANGES)[number] => includes(NUMBER_RANGES, kind);

/** The bounds that a test of a range has, in their order. */
export const BOUNDS: Readonly<Record<RangeTest, readonly ('from' | 'to')[]>> = {
  atLeast: ['from'],
  atMost: ['to'],
  between: ['from', 'to'],
  before: ['to'],
  after: ['from'],
  during: ['from', 'to'],
};

/**
 * Builds the test of a date from what is typed: a year, a month with or without its year, or a date of the parts that the
 * question asks for. Returns undefined if the text is none.
 */
export function toDateTest(date: DateOptions, kind: DateTest, typed: string): Test | undefined {
  const { hasYear, hasMonth, hasDay } = date;
  const none = { hasYear: false, hasMonth: false, hasDay: false };
  const forms = {
    on: [{ hasYear, hasMonth, hasDay }],
    year: hasYear ? [{ ...none, hasYear }] : [],
    month: hasMonth
      ? [
          { ...none, hasYear, hasMonth },
          { ...none, hasMonth },
        ]
      : [],
  }[kind];
  for (const form of forms) {
    const text = toDateText(form, typed);
    if (text !== undefined) return { kind, text };
  }
  return undefined;
}

const countParts = (date: string): number => date.split('-').length;

/** Returns a typed date as it is displayed; undefined if it has not exactly the requested parts. */
function toDateText({ hasYear, hasMonth, hasDay }: DateOptions, typed: string): string | undefined {
  const parsed = parseDate(typed.trim(), { hasYear, hasMonth, hasDay });
  // Parts of a full date are not left out without a word.
  return parsed.kind === 'date' && countParts(parsed.display) === countParts(typed) ? parsed.display : undefined;
}

/** Returns a typed number in the form in which numbers are compared; undefined if the text is none. */
const toNumberText = (typed: string): string | undefined => parseNumber(typed)?.canonical;

/** Builds the test for a number from what is typed; undefined if the text is none. */
export function toNumberTest(typed: string): Test | undefined {
  const text = toNumberText(typed);
  return text === undefined ? undefined : { kind: 'equals', text };
}

/**
 * Builds the test of a range from what is typed. Returns undefined if a bound is no number, or no date of the parts that the
 * question asks for, or if the first one comes after the second one.
 */
export function toRangeTest(
  { date }: Pick<Question, 'date'>,
  kind: RangeTest,
  typed: { from: string; to: string },
): Test | undefined {
  const read = (text: string): string | undefined =>
    isNumberRange(kind) ? toNumberText(text) : date && toDateText(date, text);
  const bounds = BOUNDS[kind].map((bound) => [bound, read(typed[bound])] as const);
  if (bounds.some(([, text]) => text === undefined)) return undefined;
  const range: Range = Object.fromEntries(bounds);
  return isEmptyRange(kind, range) ? undefined : { kind, ...range };
}

/** Whether nothing lies between two bounds; dates are as long as one another. */
const isEmptyRange = (kind: RangeTest, { from, to }: Range): boolean =>
  from !== undefined && to !== undefined && (isNumberRange(kind) ? Number(from) > Number(to) : from > to);

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const unescapePattern = (pattern: string): string => pattern.replaceAll(/\\([\\^$.*+?()[\]{}|])/g, '$1');

/** RE2's `\s` has only the spaces of ASCII. */
const SPACES = String.raw`[\s\p{Z}]*`;
const IS_BEFORE = `(?i)^${SPACES}`;
const IS_AFTER = `${SPACES}$`;

/** Writes a test as the pattern of a condition. */
export function toPattern(test: Test): string {
  switch (test.kind) {
    case 'choices':
      return writeAlternatives(test.ids);
    case 'values':
      return writeAlternatives(test.values);
    case 'is':
      return `${IS_BEFORE}${escapePattern(test.text)}${IS_AFTER}`;
    case 'exactly':
    case 'equals':
    case 'on':
      return `^${escapePattern(test.text)}$`;
    case 'contains':
      return escapePattern(test.text);
    case 'begins':
      return `^${escapePattern(test.text)}`;
    case 'ends':
      return `${escapePattern(test.text)}$`;
    case 'year':
      return `^${escapePattern(test.text)}\\b`;
    case 'month':
      return `^${test.text.length === 2 ? ANY_YEAR : ''}${escapePattern(test.text)}\\b`;
    case 'answered':
      return ANSWERED;
    case 'empty':
      return EMPTY;
    case 'pattern':
      return test.pattern;
    default:
      return isNumberRange(test.kind) ? numberPattern(test) : datePattern(test, test.kind !== 'during');
  }
}

/** A question without an answer counts as an empty text; no answer is one. */
const ANSWERED = '.';
const EMPTY = '^$';

/** A date is compared as it is displayed: the parts that are asked for, as `2026-06-15` or `06-15`. */
const ANY_YEAR = String.raw`(?:\d{4}-)?`;

const writeAlternatives = (texts: readonly string[]): string =>
  texts.length === 1 ? `^${texts[0]}$` : `^(?:${texts.join('|')})$`;

/** Counts the characters that the text of a test may have in its pattern. */
export const longestText = (test: { kind: TextTest }): number =>
  MAX_PATTERN_CHARACTERS.NON_CHOICE - toPattern({ ...test, text: '' }).length;
/** The most choices of a rule: their ids fit into its pattern. */
export const MAX_RULE_CHOICES = 40;

/** A test of bounds. */
type RangeOf = { kind: RangeTest } & Range;

/** Whether a test is one of bounds: from its pattern alone they cannot be read, so a condition keeps them beside it. */
export const isRange = (test: Test): test is RangeOf => isRangeTest(test.kind);

/** Reads the bounds that a condition keeps; undefined for anything that is none for a question. */
function readRange(stored: unknown, kinds: readonly TestKind[]): RangeOf | undefined {
  const { kind, from, to }: { kind?: unknown; from?: unknown; to?: unknown } = Object(stored);
  if (typeof kind !== 'string' || !isRangeTest(kind) || !kinds.includes(kind)) return undefined;
  const isBound = (text: unknown): text is string =>
    typeof text === 'string' && (isNumberRange(kind) ? toNumberText(text) === text : DATE_TEXT.test(text));
  const given = { from, to };
  const bounds = BOUNDS[kind].map((bound) => given[bound]);
  if (!bounds.every(isBound) || (!isNumberRange(kind) && new Set(bounds.map(({ length }) => length)).size > 1))
    return undefined;
  const range: Range = Object.fromEntries(BOUNDS[kind].map((bound) => [bound, given[bound]]));
  return isEmptyRange(kind, range) ? undefined : { kind, ...range };
}

const DATE_TEXT = /^(?:\d{4}|\d{2})(?:-\d{2}){0,2}$/;

/**
 * Reads the test of a pattern; one that would be written otherwise stays a pattern. `stored`: the bounds that a condition keeps
 * beside its pattern, which count only as long as they give that pattern.
 */
export function parseTest(question: Tested | undefined, pattern: string, stored?: unknown): Test {
  const kinds = question ? listTestKinds(question) : TEXT_TESTS;
  const range = readRange(stored, kinds);
  const candidates: Test[] = [
    ...(range ? [range] : []),
    ...PRESENCE_TESTS.map((kind) => ({ kind })),
    ...listCandidates(question, pattern),
  ];
  return candidates.find((test) => pattern !== '' && toPattern(test) === pattern) ?? { kind: 'pattern', pattern };
}

/** Lists what a pattern may have been written for. */
function listCandidates(question: Tested | undefined, pattern: string): Test[] {
  const by = question ? testedBy(question) : 'text';
  const listed = /^\^(?:\(\?:([^()]*)\)|([^()|]*))\$$/.exec(pattern);
  const texts = (listed?.[1] ?? listed?.[2] ?? '').split('|');
  if (by === 'choices') return texts.every(isId) ? [{ kind: 'choices', ids: texts }] : [];
  if (by === 'values') return texts.every((text) => /^\d+$/.test(text)) ? [{ kind: 'values', values: texts }] : [];
  if (by === 'number') return [toNumberTest(unescapePattern(pattern.slice(1, -1))) ?? []].flat();
  return [
    ...(question?.date ? listDateCandidates(question.date, pattern) : listWholeTexts(pattern)),
    { kind: 'begins', text: unescapePattern(pattern.replace(/^\^/, '')) },
    { kind: 'ends', text: unescapePattern(pattern.replace(/\$$/, '')) },
    { kind: 'contains', text: unescapePattern(pattern) },
  ];
}

/** A text without its outer spaces is what the pages write; any other stays a pattern. */
function listWholeTexts(pattern: string): Test[] {
  const text = unescapePattern(pattern.slice(IS_BEFORE.length, -IS_AFTER.length));
  return [
    ...(text !== '' && text.trim() === text ? [{ kind: 'is' as const, text }] : []),
    { kind: 'exactly', text: unescapePattern(pattern.replace(/^\^/, '').replace(/\$$/, '')) },
  ];
}

/** A text that is no date is not compared with one. */
function listDateCandidates(date: DateOptions, pattern: string): Test[] {
  const text = unescapePattern(pattern.replace(/^\^/, '').replace(/\$$/, ''));
  const part = pattern.replace(`^${ANY_YEAR}`, '').replace(/^\^/, '').replace(/\\b$/, '');
  return listTestKinds({ type: 'DATE', date })
    .filter(isDateTest)
    .flatMap((kind) => toDateTest(date, kind, kind === 'on' ? text : part) ?? []);
}
