/**
 * Formats dates, numbers, sizes and lists in the language of the reader, in the same way for pages and mails. What needs no time zone
 * is formatted without `Intl`, whose first use takes a process 12 ms: a tenth of what the start of a function takes.
 */

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

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a format that is kept, because making one takes far longer than using it, and a table has a date in every row;
 * languages, configured zones and options are few.
 */
function keepFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Formats date and time in the configured zone: "1 May 2026, 14:30"; with `zone`, "1 May 2026, 14:30 UTC". */
export function formatDateTime({ language, timeZone }: Place, iso: string, zone?: 'zone'): string {
  if (timeZone === 'UTC') return formatUtc({ language }, new Date(iso), zone);
  return keepFormat(toLocale({ language }), {
    year: 'numeric',
    month: language === 'en' ? 'short' : 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    ...(zone && { timeZoneName: 'short' }),
  }).format(new Date(iso));
}

/** Formats date and time in the zone that is configured by default. */
function formatUtc({ language }: Reader, time: Date, zone?: 'zone'): string {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const clock = time.toISOString().slice(11, 16);
  if (language !== 'en') return `${year}/${month + 1}/${day}\u2009${clock}${zone ? ' [UTC]' : ''}`;
  const name = MONTHS[month] === 'September' ? 'Sept' : MONTHS[month]?.slice(0, 3);
  return `${day} ${name} ${year}, ${clock}${zone ? ' UTC' : ''}`;
}

/** Formats the day of a time in the configured zone: "Tuesday 5 May". */
export const formatDay = ({ language, timeZone }: Place, iso: string): string =>
  keepFormat(toLocale({ language }), {
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
  if (timeZone === 'UTC') return (iso) => iso.slice(0, 10);
  const format = keepFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  let [known, day] = ['', ''];
  return (iso) => {
    const quarter = `${iso.slice(0, 14)}${Math.floor(Number(iso.slice(14, 16)) / 15)}`;
    if (quarter !== known) {
      const parts = new Map(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
      [known, day] = [quarter, `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`];
    }
    return day;
  };
}

/** Names the months of a year. */
export const monthNames = ({ language }: Reader): readonly string[] =>
  language === 'en' ? MONTHS : MONTHS.map((_, index) => `${index + 1}月`);

/** Formats a calendar date, or some parts of one: "1 May 2026", "May 2026". `date` is `YYYY-MM-DD`. */
export function formatCalendarDate(
  reader: Reader,
  date: string,
  { hasYear, hasMonth, hasDay } = { hasYear: true, hasMonth: true, hasDay: true },
): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const name = hasMonth && monthNames(reader)[month - 1];
  if (reader.language !== 'en') return [hasYear && `${year}年`, name, hasDay && `${day}日`].filter(Boolean).join('');
  if (hasYear && hasDay && !hasMonth) return `${year} (day: ${day})`;
  return [hasDay && day, name, hasYear && year].filter(Boolean).join(' ');
}

/** Formats a number with at most some decimals; both languages group thousands by commas. */
export function formatNumber(value: number, decimals = 0): string {
  const factor = 10 ** decimals;
  const [size, isWhole] = [Math.abs(value), Number.isInteger(value)];
  // Half of the last decimal is rounded away from zero, as the number is written and not as a double stores it: 1.005 is 1.01.
  const rounded = isWhole ? size : Math.round(Number((size * factor).toPrecision(15))) / factor;
  const [whole = '', fraction] = String(rounded).split('.');
  let grouped = whole.slice(-3);
  for (let end = whole.length - 3; end > 0; end -= 3) grouped = `${whole.slice(Math.max(end - 3, 0), end)},${grouped}`;
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Formats a list: "a, b and c". */
export const formatList = (reader: Reader, items: readonly string[]): string => joinList(reader, items, ' and ', '和');

/** Formats a list of alternatives: "a, b or c". */
export const formatAlternatives = (reader: Reader, items: readonly string[]): string =>
  joinList(reader, items, ' or ', '或');

const joinList = ({ language }: Reader, items: readonly string[], english: string, chinese: string): string =>
  [items.slice(0, -1).join(language === 'en' ? ', ' : '、'), ...items.slice(-1)]
    .filter((_, index) => index > 0 || items.length > 1)
    .join(language === 'en' ? english : chinese);

/** Formats a point on a scale: "3 of 5". */
export const formatScalePoint = ({ language }: Reader, value: number, max: number): string =>
  language === 'en' ? `${value} of ${max}` : `${value} / ${max}`;

/** Formats the size of a file in a suitable unit: "2.4 MB". */
export function formatFileSize({ language }: Reader, bytes: number): string {
  if (bytes >= 1_048_576) return `${formatNumber(bytes / 1_048_576, 1)} MB`;
  if (bytes >= 1_024) return `${formatNumber(bytes / 1_024, 1)} kB`;
  return `${formatNumber(bytes)} ${language === 'zh-TW' ? '位元組' : bytes === 1 ? 'byte' : 'bytes'}`;
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
