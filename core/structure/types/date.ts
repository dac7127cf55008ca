/**
 * DATE: which texts are valid dates, which of their parts are used, and how they are stored and displayed. Uses calendar
 * arithmetic, because `Date` silently converts to another time zone or month.
 */
import * as z from 'zod';
import { type AnswerFault, fault, refuse } from '#core/problems/answer-faults.ts';
import { because } from '#core/schema/check-faults.ts';
import { formatCalendarDate, type Language } from '#core/schema/format.ts';
import { type Infer, schema } from '#core/schema/schema.ts';
import type { AnswerContent } from './content.ts';
import type { QuestionTypeRules } from './type.ts';

/** A bound of a date, stored as it was sent; only its calendar date is used, not its offset. */
const DateLimit = schema(() =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a real date as YYYY-MM-DD, or an RFC 3339 date-time',
    })
    .meta({ id: 'DateLimit' }),
);

/** The requested parts of a DATE question, and its bounds. */
export const DateOptions = schema(() =>
  z
    .object({
      hasYear: z.boolean(),
      hasMonth: z.boolean(),
      hasDay: z.boolean(),
      minDate: DateLimit().nullish(),
      maxDate: DateLimit().nullish(),
    })
    .refine(
      (date) => date.hasYear || date.hasMonth || date.hasDay,
      because('must request at least one of year, month and day', 'no_date_part'),
    )
    .refine((date) => !date.minDate || !date.maxDate || date.minDate.slice(0, 10) <= date.maxDate.slice(0, 10), {
      path: ['minDate'],
      ...because('must not be after maxDate', 'after_last_date'),
    })
    .meta({ id: 'DateOptions' }),
);
export type DateOptions = Infer<typeof DateOptions>;

/** Returns the option as it is stored, without nulls. */
const buildDate = ({ hasYear, hasMonth, hasDay, minDate, maxDate }: DateOptions): DateOptions => ({
  hasYear,
  hasMonth,
  hasDay,
  ...(minDate && { minDate }),
  ...(maxDate && { maxDate }),
});

export const date: QuestionTypeRules<{ date?: DateOptions | undefined }> = {
  build: ({ date: options }) => (options ? { date: buildDate(options) } : {}),
  check: ({ type, date: options }, value) => {
    if (!options) return refuse('', 'no_options', 'date options');
    if (typeof value !== 'string') return refuse('/value', 'not_text');
    const parsed = parseDate(value, options);
    if (parsed.kind === 'fault') return { kind: 'faults', faults: [parsed.fault] };
    return { kind: 'answer', content: { type, value: parsed.value, display: parsed.display } };
  },
  repeats: (value, stored) => value === stored.value || (typeof value === 'string' && repeatsDate(value, stored)),
  display: ({ display, value }) => display ?? String(value),
  format: (reader, { displayValue }, { date: options }) => dateText(reader, displayValue, options),
  maxCharacters: '2026-06-15'.length,
  column: (question) => (question?.date && isFullDate(question.date) ? 'date' : 'text'),
  cell: (_answer, displayValue) =>
    /^\d{4}-\d{2}-\d{2}$/.test(displayValue) ? new Date(`${displayValue}T00:00:00Z`) : displayValue,
};

/** Whether a text is the stored date for the parts that the question requested when it was stored. */
const repeatsDate = (text: string, stored: AnswerContent): boolean =>
  PART_SETS.some((parts) => {
    const parsed = parseDate(text, parts);
    return parsed.kind === 'date' && parsed.value === stored.value && parsed.display === stored.display;
  });

/** All combinations of parts that a DATE question can request. */
const PART_SETS = [1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  hasYear: (bits & 1) > 0,
  hasMonth: (bits & 2) > 0,
  hasDay: (bits & 4) > 0,
}));

/** Whether a question asks for all parts of a date. */
export const isFullDate = ({ hasYear, hasMonth, hasDay }: DateOptions): boolean => hasYear && hasMonth && hasDay;

type CalendarDate = { year: number; month: number; day: number };
type Part = keyof CalendarDate;

/** A parsed date with its stored and displayed form, or why the text is rejected. */
type ParsedDate = { kind: 'date'; value: string; display: string } | { kind: 'fault'; fault: AnswerFault };

/** The stored values of the parts that a question does not request. */
const DEFAULTS: CalendarDate = { year: 1970, month: 1, day: 1 };
/** The stored year of a 29 February when the year is not requested: 1970 is not a leap year. */
const LEAP_YEAR = 1972;

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
const FORMATS: Record<Part, string> = { year: 'YYYY', month: 'MM', day: 'DD' };
const PART_PATTERNS: Record<Part, RegExp> = { year: /^\d{4}$/, month: /^\d{1,2}$/, day: /^\d{1,2}$/ };
const ALL_PARTS: readonly Part[] = ['year', 'month', 'day'];

/**
 * Parses a text as the answer to a DATE question. Never throws.
 *
 * Accepts a full date (`2026-06-05`, `2026-6-5`), an RFC 3339 date-time, of which the calendar date in its own offset
 * is used, or the requested parts joined by `-` (`2026-06`, `06-15`, `15`). The stored value is `YYYY-MM-DDT00:00:00Z`,
 * with 1970, 01 and 01 for parts that are not requested (1972 for a 29 February without a year); it is itself a valid
 * input with the same result. `minDate` and `maxDate` are inclusive; `inRange` says how they apply without a
 * year, month or day.
 */
export function parseDate(text: string, options: DateOptions): ParsedDate {
  const parts = requestedParts(options);
  const parsed = parseFullDate(text) ?? parseParts(text, parts);
  if (!parsed) return { kind: 'fault', fault: fault('/value', 'not_date', describeFormats(parts)) };
  const date = withDefaults(parsed, parts);
  if (!isReal({ ...date, ...parsed })) return { kind: 'fault', fault: fault('/value', 'no_such_date') };
  if (!inRange(date, parts, options)) return { kind: 'fault', fault: rangeFault(parts, options) };
  return { kind: 'date', value: `${format(date, ALL_PARTS)}T00:00:00Z`, display: format(date, parts) };
}

const requestedParts = (options: DateOptions): Part[] =>
  ALL_PARTS.filter((part) => ({ year: options.hasYear, month: options.hasMonth, day: options.hasDay })[part]);

function describeFormats(parts: readonly Part[]): string {
  const short = parts.map((part) => FORMATS[part]).join('-');
  return `${parts.length === ALL_PARTS.length ? '' : `${short}, `}YYYY-MM-DD or an RFC 3339 date-time`;
}

/** Parses a full date or the date of an RFC 3339 date-time; undefined when the text is neither. */
function parseFullDate(text: string): Partial<CalendarDate> | undefined {
  const dateTime = DATE_TIME.exec(text);
  if (!dateTime) return parseParts(text, ALL_PARTS);
  const [, date = '', hour, minute, second, offsetHour = 0, offsetMinute = 0] = dateTime;
  // RFC 3339 allows leap seconds, so 60 is valid.
  const isTime = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60;
  const isOffset = Number(offsetHour) <= 23 && Number(offsetMinute) <= 59;
  return isTime && isOffset ? parseParts(date, ALL_PARTS) : undefined;
}

function parseParts(text: string, parts: readonly Part[]): Partial<CalendarDate> | undefined {
  const pieces = text.split('-');
  if (pieces.length !== parts.length) return undefined;
  const date: Partial<CalendarDate> = {};
  for (const [index, part] of parts.entries()) {
    const piece = pieces[index] ?? '';
    if (!PART_PATTERNS[part].test(piece)) return undefined;
    date[part] = Number(piece);
  }
  return date;
}

/** Completes a date for storing: the requested parts of it, and defaults for the others. */
function withDefaults(date: Partial<CalendarDate>, parts: readonly Part[]): CalendarDate {
  const complete = { ...DEFAULTS };
  for (const part of parts) complete[part] = date[part] ?? DEFAULTS[part];
  if (!parts.includes('year') && complete.month === 2 && complete.day === 29) complete.year = LEAP_YEAR;
  return complete;
}

function isReal({ year, month, day }: CalendarDate): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Whether a date is within the bounds. Without a year and between two bounds, it is if some day from the lower to the
 * upper one has its requested parts: 15 February lies between March 2024 and February 2026. Otherwise the requested
 * parts are compared; days of a year without months, whose upper bound can come before the lower one, wrap around the
 * end of the month.
 */
function inRange(date: CalendarDate, parts: readonly Part[], options: DateOptions): boolean {
  const [lower, upper] = [parseBound(options.minDate), parseBound(options.maxDate)];
  if (lower && upper && !parts.includes('year')) return hasDayBetween(date, parts, lower, upper);
  const at = rank(date, parts);
  const from = lower ? rank(lower, parts) : Number.NEGATIVE_INFINITY;
  const to = upper ? rank(upper, parts) : Number.POSITIVE_INFINITY;
  if (from <= to) return from <= at && at <= to;
  return Math.trunc(at / 10_000) === Math.trunc(from / 10_000) && (at >= from || at <= to);
}

/** Within nine years each month and day occurs, 29 February too; 1900 was no leap year. */
const YEARS_WITH_EVERY_DAY = 9;

/** Whether some real day between two others, both included, has the requested parts of a date. */
function hasDayBetween(date: CalendarDate, parts: readonly Part[], from: CalendarDate, to: CalendarDate): boolean {
  const years = range(from.year, Math.min(to.year, from.year + YEARS_WITH_EVERY_DAY));
  const candidates = { month: range(1, 12), day: range(1, 31) };
  const candidateValues = (part: 'month' | 'day') => (parts.includes(part) ? [date[part]] : candidates[part]);
  return years.some((year) =>
    candidateValues('month').some((month) =>
      candidateValues('day').some((day) => {
        const at = rank({ year, month, day }, ALL_PARTS);
        return isReal({ year, month, day }) && rank(from, ALL_PARTS) <= at && at <= rank(to, ALL_PARTS);
      }),
    ),
  );
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Converts the requested parts to a number with the same order. */
function rank(date: CalendarDate, parts: readonly Part[]): number {
  const partValue = (part: Part): number => (parts.includes(part) ? date[part] : 0);
  return partValue('year') * 10_000 + partValue('month') * 100 + partValue('day');
}

/** Parses the calendar date of a bound; undefined when there is none. */
function parseBound(text: string | null | undefined): CalendarDate | undefined {
  const date = text ? parseFullDate(text) : undefined;
  return date && { ...DEFAULTS, ...date };
}

function rangeFault(parts: readonly Part[], options: DateOptions): AnswerFault {
  const [first, last] = [options.minDate, options.maxDate].map((limit) => {
    const bound = parseBound(limit);
    return bound && format(bound, parts);
  });
  return fault('/value', 'date_out_of_range', first, last);
}

const format = (date: CalendarDate, parts: readonly Part[]): string =>
  parts.map((part) => String(date[part]).padStart(FORMATS[part].length, '0')).join('-');

// Formats calendar dates in words: answers, and the dates that a question allows.

type Reader = { language: Language };
type Parts = Pick<DateOptions, 'hasYear' | 'hasMonth' | 'hasDay'>;

const FULL: Parts = { hasYear: true, hasMonth: true, hasDay: true };

/**
 * Formats the answer to a date question in words: "1 May 2026", "May 2026". `text` is its display value, which has the parts
 * that the question asks for: `2026-05-01`, `2026-05`, `05-01`. Other texts are returned as they are.
 */
export function dateText(reader: Reader, text: string, { hasYear, hasMonth, hasDay }: Parts = FULL): string {
  const numbers = text.split('-');
  const hasAllParts = numbers.length === [hasYear, hasMonth, hasDay].filter(Boolean).length;
  if (!hasAllParts || !numbers.every((number) => /^\d{2,4}$/.test(number)) || (hasYear && hasDay && !hasMonth))
    return text;
  // A leap year, for the 29th of February without a year.
  const year = hasYear ? numbers.shift() : '2000';
  const month = hasMonth ? numbers.shift() : '01';
  const day = hasDay ? numbers.shift() : '01';
  return formatCalendarDate(reader, `${year}-${month}-${day}`, { hasYear, hasMonth, hasDay });
}

type Limits = Partial<Parts> & Pick<DateOptions, 'minDate' | 'maxDate'>;

/** Formats the first and the last date that a question allows; undefined where there is no limit. */
export function dateLimits(
  reader: Reader,
  { minDate, maxDate, ...requestedParts }: Limits,
): [first: string | undefined, last: string | undefined] {
  const parts = { ...FULL, ...requestedParts };
  const formatLimit = (limit: string | null | undefined): string | undefined =>
    limit ? formatCalendarDate(reader, limit.slice(0, 10), parts) : undefined;
  return [formatLimit(minDate), formatLimit(maxDate)];
}
