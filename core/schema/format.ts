/** Formats dates, numbers, sizes and lists in the language of the reader, in the same way for pages and mails. */

type Reader = { language: Language };
/** `timeZone`: the name of a zone, such as `UTC`. */
type Place = Reader & { timeZone: string };

/** The locale of a language: English dates and lists as they are written in most of the world. */
const toLocale = ({ language }: Reader): string => (language === 'en' ? 'en-GB' : language);

/**
 * Parses the name of a zone of the IANA database. Returns it in its usual spelling; undefined for any other text, such as
 * an offset.
 */
export function parseTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const formats = new Map<string, unknown>();

/**
 * Returns a format that is kept, because making one takes far longer than using it, and a table has a date in every row;
 * languages, configured zones and options are few.
 */
function keepFormat<F, O>(Format: new (locale: string, options?: O) => F, locale: string, options?: O): F {
  const key = JSON.stringify([Format.name, locale, options]);
  const format = (formats.get(key) as F | undefined) ?? new Format(locale, options);
  formats.set(key, format);
  return format;
}

/** Formats date and time in the configured zone: "1 May 2026, 14:30"; with `zone`, "1 May 2026, 14:30 UTC". */
export const formatDateTime = ({ language, timeZone }: Place, iso: string, zone?: 'zone'): string =>
  keepFormat(Intl.DateTimeFormat, toLocale({ language }), {
    year: 'numeric',
    month: language === 'en' ? 'short' : 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    ...(zone && { timeZoneName: 'short' }),
  }).format(new Date(iso));

/** Formats the day of a time in the configured zone: "Tuesday 5 May". */
export const formatDay = ({ language, timeZone }: Place, iso: string): string =>
  keepFormat(Intl.DateTimeFormat, toLocale({ language }), {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone,
  }).format(new Date(iso));

/**
 * Returns the function from a moment, as ISO text, to its day in a zone: `2026-05-01`. Moments that follow each other are often of one
 * quarter of an hour, which is of one day in every zone.
 */
export function dayFormat(timeZone: string): (iso: string) => string {
  const format = keepFormat(Intl.DateTimeFormat, 'en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  let [known, day] = ['', ''];
  return (iso) => {
    if (timeZone === 'UTC') return iso.slice(0, 10);
    const quarter = `${iso.slice(0, 14)}${Math.floor(Number(iso.slice(14, 16)) / 15)}`;
    if (quarter !== known) {
      const parts = new Map(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
      [known, day] = [quarter, `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`];
    }
    return day;
  };
}

/** Formats a calendar date, or some parts of one: "1 May 2026", "May 2026". `date` is `YYYY-MM-DD`. */
export const formatCalendarDate = (
  reader: Reader,
  date: string,
  { hasYear, hasMonth, hasDay } = { hasYear: true, hasMonth: true, hasDay: true },
): string =>
  keepFormat(Intl.DateTimeFormat, toLocale(reader), {
    ...(hasYear && { year: 'numeric' }),
    ...(hasMonth && { month: 'long' }),
    ...(hasDay && { day: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(date));

/** Formats a number with the grouping of the language. */
export const formatNumber = ({ language }: Reader, value: number, options?: Intl.NumberFormatOptions): string =>
  keepFormat(Intl.NumberFormat, language, options).format(value);

/** Formats a list: "a, b and c". */
export const formatList = (reader: Reader, items: readonly string[]): string =>
  keepFormat(Intl.ListFormat, toLocale(reader), { type: 'conjunction' }).format(items);

/** Formats a list of alternatives: "a, b or c". */
export const formatAlternatives = (reader: Reader, items: readonly string[]): string =>
  keepFormat(Intl.ListFormat, toLocale(reader), { type: 'disjunction' }).format(items);

/** Formats a point on a scale: "3 of 5". */
export const formatScalePoint = ({ language }: Reader, value: number, max: number): string =>
  language === 'en' ? `${value} of ${max}` : `${value} / ${max}`;

/** Formats the size of a file in a suitable unit: "2.4 MB". */
export function formatFileSize({ language }: Reader, bytes: number): string {
  // The formats of browsers and servers leave this unit untranslated.
  if (language === 'zh-TW' && bytes < 1_024) return `${bytes} 位元組`;
  const [value, unit] =
    bytes >= 1_048_576
      ? [bytes / 1_048_576, 'megabyte']
      : bytes >= 1_024
        ? [bytes / 1_024, 'kilobyte']
        : [bytes, 'byte'];
  return formatNumber({ language }, value, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
}

// The languages of texts that the service writes: pages and mails.

export const LANGUAGES = ['en', 'zh-TW'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Finds the best match of an `Accept-Language` header; undefined when it names neither English nor Chinese. Every kind of
 * Chinese becomes Traditional Chinese, the only one supported.
 */
export function acceptedLanguage(header: string): Language | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const quality = parameters.map((text) => /^\s*q=([\d.]+)/.exec(text)?.[1]).find((value) => value !== undefined);
    return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) };
  });
  const known = ranges.filter(({ tag, quality }) => quality > 0 && /^(?:en|zh)(?:-|$)/.test(tag));
  const [best] = known.toSorted((a, b) => b.quality - a.quality);
  return best && (best.tag.startsWith('zh') ? 'zh-TW' : 'en');
}

// Times in the two forms that the service stores: ISO texts, and whole seconds for TTLs and JWTs.

/** Converts a time to whole seconds since 1970. */
export const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** Returns the time some seconds after another, as ISO text in UTC. */
export const timeAfter = (time: Date, seconds: number): string =>
  new Date(time.getTime() + seconds * 1_000).toISOString();

/** The digits of codes that people read and type: without I, L, O and U. */
export const CODE_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Reads the digits of a code as people type it: in any case, with or without hyphens and spaces, O for 0, and I or L for 1. */
export const readCodeDigits = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
