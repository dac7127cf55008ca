/**
 * The formats of texts: what an answer to a SHORT_TEXT question may be, the lengths of both text types, and how a number is
 * compared. A draft keeps what was typed; these rules are judged when the response is submitted.
 */
import * as z from 'zod';
import { type AnswerFault, fault } from '#core/problems/answer-faults.ts';
import { because } from '#core/schema/check-faults.ts';
import { countCharacters, type Infer, schema, text } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { checkWholePattern, matchesWhole } from '../pattern.ts';
import { MAX_PATTERN_CHARACTERS } from '../workflow-model.ts';
import { getTraits, type QuestionType } from './traits.ts';
import type { Report } from './type.ts';

export const TEXT_FORMATS = ['EMAIL', 'PHONE', 'NUMBER', 'TIME', 'PATTERN'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** The longest texts in Unicode characters. */
export const MAX_SHORT_TEXT = 500;
export const MAX_LONG_TEXT = 10_000;
/** The longest answer to a text type. */
export const maxTextLength = (type: QuestionType): number => (type === 'LONG_TEXT' ? MAX_LONG_TEXT : MAX_SHORT_TEXT);

/** The most digits of a number, and how many of them may be decimals: a double holds each such number exactly enough. */
export const MAX_DIGITS = 15;
export const MAX_DECIMALS = 6;
/** The longest unit of a number, and the longest text that says what a pattern asks for, in characters. */
export const MAX_UNIT = 40;
export const MAX_HINT = 200;

const Length = schema(() => z.int().min(1).max(MAX_LONG_TEXT));
const Bound = schema(() =>
  z
    .number()
    .refine(
      (value) => parseNumber(String(value)) !== undefined,
      because(
        `must be a number with at most ${MAX_DIGITS} digits, ${MAX_DECIMALS} of them after the point`,
        'number_too_long',
        MAX_DIGITS,
        MAX_DECIMALS,
      ),
    ),
);

/** What a text has to be. Null means absent in requests; stored and returned rules have no nulls. */
export const TextRules = schema(() =>
  z
    .object({
      format: z
        .enum(TEXT_FORMATS)
        .nullish()
        .describe(
          `SHORT_TEXT only. PHONE: 6 to 15 digits. NUMBER: at most ${MAX_DIGITS} digits, ${MAX_DECIMALS} of them decimals, after a point or a comma. TIME: HH:MM. PATTERN: \`pattern\` matches the whole text.`,
        ),
      minLength: Length().nullish().describe('In characters, without white space around the text.'),
      maxLength: Length().nullish(),
      min: Bound().nullish().describe('Of a NUMBER.'),
      max: Bound().nullish(),
      decimals: z.int().min(0).max(MAX_DECIMALS).nullish().describe('The most decimals of a NUMBER.'),
      unit: line(0, MAX_UNIT).nullish().describe('Of a NUMBER; shown beside the field.'),
      pattern: text(0, MAX_PATTERN_CHARACTERS.NON_CHOICE).nullish().describe('RE2. Needs `hint`.'),
      hint: line(0, MAX_HINT).nullish().describe('What a PATTERN asks for: shown with the field, and as its message.'),
      sendCopy: z
        .boolean()
        .nullish()
        .describe('Of an EMAIL: respondents without an account get a confirmation at this address.'),
    })
    .meta({ id: 'TextRules' }),
);
export type TextRules = Infer<typeof TextRules>;

/** The members of each format, besides the lengths. */
const MEMBERS: Readonly<Record<TextFormat, readonly (keyof TextRules)[]>> = {
  EMAIL: ['sendCopy'],
  PHONE: [],
  NUMBER: ['min', 'max', 'decimals', 'unit'],
  TIME: [],
  PATTERN: ['pattern', 'hint'],
};

/**
 * Returns the rules of a text as they are stored: those that the type and the format have. Undefined if nothing is left of
 * them. Reports bounds in the wrong order, lengths that the type does not allow, and a pattern that is faulty or has no hint.
 */
export function buildTextRules(type: QuestionType, sent: TextRules, report: Report): TextRules | undefined {
  const format = type === 'SHORT_TEXT' ? (sent.format ?? undefined) : undefined;
  const names: readonly (keyof TextRules)[] = ['minLength', 'maxLength', ...(format ? MEMBERS[format] : [])];
  const kept = names.flatMap((name) => {
    const value = sent[name];
    return value === undefined || value === null || value === '' || value === false ? [] : [[name, value] as const];
  });
  const rules: TextRules = { ...(format && { format }), ...Object.fromEntries(kept) };
  reportRules(type, rules, report);
  return Object.keys(rules).length > 0 ? rules : undefined;
}

function reportRules(type: QuestionType, rules: TextRules, report: Report): void {
  const { format, minLength, maxLength, min, max, pattern, hint } = rules;
  const longest = maxTextLength(type);
  for (const [name, length] of Object.entries({ minLength, maxLength })) {
    if (length && length > longest) report(`text/${name}`, 'length_over_max', longest);
  }
  if (minLength && maxLength && minLength > maxLength) report('text/minLength', 'reversed_range', 'maxLength');
  if (typeof min === 'number' && typeof max === 'number' && min > max) report('text/min', 'reversed_range', 'max');
  if (format !== 'PATTERN') return;
  if (!pattern) report('text/pattern', 'needs_member', 'pattern', format);
  if (!hint) report('text/hint', 'needs_member', 'hint', format);
  const fault = pattern ? checkWholePattern(pattern) : null;
  if (fault !== null) report('text/pattern', 'pattern_faulty', fault);
}

/** Whether a question asks for numbers: its answers are then compared, counted and written as such. */
export const asksForNumber = (question: { text?: TextRules | undefined } | undefined): boolean =>
  question?.text?.format === 'NUMBER';

/** Whether a table can be sorted by the answers to a question, which is undefined if it was removed: they are numbers, or have an order. */
export const isSortable = ({
  type,
  question,
}: {
  type: QuestionType;
  question: Parameters<typeof asksForNumber>[0];
}): boolean => getTraits(type).isSortable === true || asksForNumber(question);

// What answers are.

const NUMBER = /^[+-]?(\d+)(?:[.,](\d+))?$/;

/** A number as it was typed: its canonical text, and how many decimals were typed. */
type ParsedNumber = { canonical: string; decimals: number };

/**
 * Parses a number with a point or a comma; undefined for other texts, and for numbers with too many digits. The canonical text
 * has a point, no plus, no zeros in front or at the end of the decimals, and no minus before zero: numbers are equal exactly if
 * their canonical texts are.
 */
export function parseNumber(typed: string): ParsedNumber | undefined {
  const trimmed = typed.trim();
  const [, whole = '', decimals = ''] = NUMBER.exec(trimmed) ?? [];
  if (whole === '' || whole.length + decimals.length > MAX_DIGITS || decimals.length > MAX_DECIMALS) return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '');
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  const fraction = decimals.slice(0, end);
  const positive = fraction === '' ? digits : `${digits}.${fraction}`;
  const isNegative = trimmed.startsWith('-') && positive !== '0';
  return { canonical: isNegative ? `-${positive}` : positive, decimals: decimals.length };
}

/** Returns the number that a text is, or undefined. */
export function toNumber(typed: string): number | undefined {
  const parsed = parseNumber(typed);
  return parsed && Number(parsed.canonical);
}

/** An address as mails are sent to it. */
const Email = schema(() => z.email().max(254));
export const isEmail = (text: string): boolean => Email().safeParse(text).success;
const isPhone = (text: string): boolean => /^[\d+\-()/. ]*$/.test(text) && /^\d{6,15}$/.test(text.replace(/\D/g, ''));
const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Finds why a text is not what its question asks for. White space around it does not count. */
export function judgeText(rules: TextRules | undefined, value: string): AnswerFault[] {
  if (!rules) return [];
  const typed = value.trim();
  const minLength = rules.minLength ?? undefined;
  const maxLength = rules.maxLength ?? undefined;
  const length = countCharacters(typed);
  const formatFault = judgeFormat(rules, typed);
  if (formatFault) return [formatFault];
  const isInRange = length >= (minLength ?? 0) && length <= (maxLength ?? Number.POSITIVE_INFINITY);
  return isInRange ? [] : [fault('/value', 'length', minLength, maxLength)];
}

function judgeFormat(rules: TextRules, typed: string): AnswerFault | undefined {
  const { format, pattern, hint } = rules;
  if (format === 'EMAIL') return isEmail(typed) ? undefined : fault('/value', 'not_email');
  if (format === 'PHONE') return isPhone(typed) ? undefined : fault('/value', 'not_phone');
  if (format === 'TIME') return isTime(typed) ? undefined : fault('/value', 'not_time');
  if (format === 'NUMBER') return judgeNumber(rules, typed);
  if (!pattern) return undefined;
  return matchesWhole(pattern, typed) ? undefined : fault('/value', 'pattern', hint ?? '');
}

function judgeNumber(rules: TextRules, typed: string): AnswerFault | undefined {
  const parsed = parseNumber(typed);
  if (!parsed) return fault('/value', 'not_number', MAX_DIGITS);
  const decimals = rules.decimals ?? MAX_DECIMALS;
  if (parsed.decimals > decimals) return fault('/value', 'decimals', decimals);
  const [min, max] = [rules.min ?? undefined, rules.max ?? undefined];
  const number = Number(parsed.canonical);
  const isInRange = number >= (min ?? Number.NEGATIVE_INFINITY) && number <= (max ?? Number.POSITIVE_INFINITY);
  return isInRange ? undefined : fault('/value', 'number_range', min, max);
}
