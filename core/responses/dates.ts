/**
 * Reading the answer to a DATE question (contract section 7, row DATE): which texts are dates, which parts of them
 * count, and how they are stored and shown. Plain arithmetic on the calendar, because `Date` moves a date into
 * another zone or month without a word. Used by `answers.ts`.
 */
import type { DateOptions } from '#core/structure/question-model.ts';

type CalendarDate = { year: number; month: number; day: number };
type Part = keyof CalendarDate;

/** A text read as an answer to a DATE question: what is stored and shown, or what is wrong with it. */
export type DateReading = { kind: 'date'; value: string; display: string } | { kind: 'fault'; detail: string };

/** What stands in a stored date for a part that the question does not ask for. */
const UNASKED: CalendarDate = { year: 1970, month: 1, day: 1 };
/** 1970 had no 29 February; a question without a year stores that day in the next year that had one. */
const LEAP_YEAR = 1972;

const MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
const PATTERNS: Record<Part, string> = { year: 'YYYY', month: 'MM', day: 'DD' };
const WRITTEN: Record<Part, RegExp> = { year: /^\d{4}$/, month: /^\d{1,2}$/, day: /^\d{1,2}$/ };
const ALL_PARTS: readonly Part[] = ['year', 'month', 'day'];

/**
 * Reads a text as the answer to a DATE question.
 *
 * Accepted are a full date (`2026-06-05`, `2026-6-5`), an RFC 3339 date-time, of which the calendar date in the
 * offset it is written in counts, and only the asked parts joined by `-` (`2026-06`, `06-15`, `15`). The stored value is
 * `YYYY-MM-DDT00:00:00Z` with 1970, 01 and 01 for what is not asked (29 February without a year: 1972), so a stored
 * value that is sent back gives itself. `minDate` and `maxDate` are inclusive and compared on the asked parts alone.
 */
export function readDate(text: string, options: DateOptions): DateReading {
  const asked = askedParts(options);
  const written = readFull(text) ?? readParts(text, asked);
  if (!written) return { kind: 'fault', detail: `must be ${expected(asked)}` };
  const date = stored(written, asked);
  if (!isReal({ ...date, ...written })) return { kind: 'fault', detail: 'is not a real date' };
  if (!inRange(date, asked, options)) return { kind: 'fault', detail: rangeDetail(asked, options) };
  return { kind: 'date', value: `${show(date, ALL_PARTS)}T00:00:00Z`, display: show(date, asked) };
}

const askedParts = (options: DateOptions): Part[] =>
  ALL_PARTS.filter((part) => ({ year: options.hasYear, month: options.hasMonth, day: options.hasDay })[part]);

function expected(asked: readonly Part[]): string {
  const short = asked.map((part) => PATTERNS[part]).join('-');
  return `a date as ${asked.length === ALL_PARTS.length ? '' : `${short}, `}YYYY-MM-DD or an RFC 3339 date-time`;
}

/** A whole date, alone or as the first half of an RFC 3339 date-time; undefined when the text is neither. */
function readFull(text: string): Partial<CalendarDate> | undefined {
  const moment = MOMENT.exec(text);
  if (!moment) return readParts(text, ALL_PARTS);
  const [, date = '', hour, minute, second, offsetHour = 0, offsetMinute = 0] = moment;
  // RFC 3339 knows the leap second, so 60 is a second.
  const isTime = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60;
  const isOffset = Number(offsetHour) <= 23 && Number(offsetMinute) <= 59;
  return isTime && isOffset ? readParts(date, ALL_PARTS) : undefined;
}

function readParts(text: string, parts: readonly Part[]): Partial<CalendarDate> | undefined {
  const pieces = text.split('-');
  if (pieces.length !== parts.length) return undefined;
  const date: Partial<CalendarDate> = {};
  for (const [index, part] of parts.entries()) {
    const piece = pieces[index] ?? '';
    if (!WRITTEN[part].test(piece)) return undefined;
    date[part] = Number(piece);
  }
  return date;
}

/** The date that is stored for the asked parts of a date. */
function stored(date: Partial<CalendarDate>, asked: readonly Part[]): CalendarDate {
  const kept = { ...UNASKED };
  for (const part of asked) kept[part] = date[part] ?? UNASKED[part];
  if (!asked.includes('year') && kept.month === 2 && kept.day === 29) kept.year = LEAP_YEAR;
  return kept;
}

function isReal({ year, month, day }: CalendarDate): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Whether the asked parts lie within the bounds. Cut down to the asked parts the bounds can change places
 * (November to February without a year); then the range runs on over the turn of the year.
 */
function inRange(date: CalendarDate, asked: readonly Part[], options: DateOptions): boolean {
  const at = rank(date, asked);
  const from = limit(options.minDate, asked) ?? Number.NEGATIVE_INFINITY;
  const to = limit(options.maxDate, asked) ?? Number.POSITIVE_INFINITY;
  if (from <= to) return from <= at && at <= to;
  return Math.trunc(at / 10_000) === Math.trunc(from / 10_000) && (at >= from || at <= to);
}

/** The asked parts as one number that sorts as they do. */
function rank(date: Partial<CalendarDate>, asked: readonly Part[]): number {
  const of = (part: Part): number => (asked.includes(part) ? (date[part] ?? 0) : 0);
  return of('year') * 10_000 + of('month') * 100 + of('day');
}

function limit(text: string | null | undefined, asked: readonly Part[]): number | undefined {
  const date = text ? readFull(text) : undefined;
  return date && rank(date, asked);
}

function rangeDetail(asked: readonly Part[], options: DateOptions): string {
  const bound = (text: string | null | undefined): string | undefined => {
    const date = text ? readFull(text) : undefined;
    return date && show({ ...UNASKED, ...date }, asked);
  };
  const from = bound(options.minDate);
  const to = bound(options.maxDate);
  if (from && to) return `must be from ${from} to ${to}`;
  return from ? `must be ${from} or later` : `must be ${to} or earlier`;
}

const show = (date: CalendarDate, parts: readonly Part[]): string =>
  parts.map((part) => String(date[part]).padStart(PATTERNS[part].length, '0')).join('-');
