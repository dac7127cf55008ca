/** Dates, numbers and lists in the language of the reader. */
import { type Html, html } from './html.ts';
import type { View } from './view.ts';

/** The locale of a language: English dates and lists as they are written in most of the world. */
const localeOf = ({ language }: Pick<View, 'language'>): string => (language === 'en' ? 'en-GB' : language);

type Place = Pick<View, 'language' | 'timeZone'>;

/** Date and time in the configured zone: "1 May 2026, 14:30". With `zone`, its name follows: "1 May 2026, 14:30 UTC". */
export const dateTime = ({ language, timeZone }: Place, iso: string, zone?: 'zone'): string =>
  new Intl.DateTimeFormat(localeOf({ language }), {
    year: 'numeric',
    month: language === 'en' ? 'short' : 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    ...(zone && { timeZoneName: 'short' }),
  }).format(new Date(iso));

/** A calendar date without a time: "1 May 2026". `date` is `YYYY-MM-DD`. */
export const calendarDate = (view: Pick<View, 'language'>, date: string): string =>
  new Intl.DateTimeFormat(localeOf(view), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));

/**
 * A time element: the configured zone, which the scripts of the page replace by the zone of the reader. The zone is named
 * where a reader must not be late.
 */
export const time = (view: Place, iso: string, zone?: 'zone'): Html =>
  html`<time datetime="${iso}" data-local-time="${zone ?? ''}">${dateTime(view, iso, zone)}</time>`;

/** A whole number with the grouping of the language. */
export const number = ({ language }: Pick<View, 'language'>, value: number): string =>
  new Intl.NumberFormat(language).format(value);

/** A list: "a, b and c". */
export const list = (view: Pick<View, 'language'>, items: readonly string[]): string =>
  new Intl.ListFormat(localeOf(view), { type: 'conjunction' }).format(items);

/** A list of alternatives: "a, b or c". */
export const alternatives = (view: Pick<View, 'language'>, items: readonly string[]): string =>
  new Intl.ListFormat(localeOf(view), { type: 'disjunction' }).format(items);

/** A size of a file, in the unit that suits it: "2.4 MB". */
export function fileSize({ language }: Pick<View, 'language'>, bytes: number): string {
  const [value, unit] =
    bytes >= 1_048_576
      ? [bytes / 1_048_576, 'megabyte']
      : bytes >= 1_024
        ? [bytes / 1_024, 'kilobyte']
        : [bytes, 'byte'];
  const format = {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(language, format).format(value);
}
