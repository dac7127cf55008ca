/** Formats calendar dates in words: answers, and the dates that a question allows. */

import type { Language } from '#core/schema/format.ts';
import { formatCalendarDate } from '#core/schema/format.ts';
import type { DateOptions } from './question-model.ts';

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
