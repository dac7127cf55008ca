/** Times as fields of a form: the local time of a zone, without seconds. */

/** A local time as `datetime-local` fields write it, to the minute. */
const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::00(?:\.0+)?)?$/;

/** Formats the local time of a moment in a zone: `2026-05-01T14:30`. */
export function toLocalTime(iso: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(iso));
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** Why a text is no moment: it is no local time, or the clocks of the zone skip it or show it twice. */
export type LocalTimeFault = 'invalid' | 'skipped' | 'twice';

/** Parses a local time in a zone to its moment, as ISO text in UTC; or says why it is none. */
export function parseLocalTime(text: string, timeZone: string): { iso: string } | { fault: LocalTimeFault } {
  const [, ...numbers] = LOCAL_TIME.exec(text) ?? [];
  if (numbers.length === 0) return { fault: 'invalid' };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbers.map(Number);
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  // `Date.UTC` carries what is too large on to the next day or month.
  if (new Date(asUtc).toISOString().slice(0, 16) !== text.slice(0, 16)) return { fault: 'invalid' };
  const offsetAt = (time: number): number =>
    Date.parse(`${toLocalTime(new Date(time).toISOString(), timeZone)}Z`) - Math.floor(time / 60_000) * 60_000;
  // The offsets before and after a change of the clocks that may be near.
  const offsets = new Set([offsetAt(asUtc - 86_400_000), offsetAt(asUtc + 86_400_000)]);
  const [moment, second] = [...offsets]
    .map((offset) => asUtc - offset)
    .filter((time) => offsetAt(time) === asUtc - time);
  if (moment === undefined) return { fault: 'skipped' };
  return second === undefined ? { iso: new Date(moment).toISOString() } : { fault: 'twice' };
}

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/**
 * Finds when a day, as `2026-05-01`, begins in a zone, as ISO text in UTC: the first moment that the clocks show as that day,
 * also where they are changed at midnight.
 */
export function startOfDay(day: string, timeZone: string): string {
  const localTime = (time: number): string => toLocalTime(new Date(time).toISOString(), timeZone);
  const asUtc = Date.parse(day);
  const offset = Date.parse(`${localTime(asUtc)}Z`) - asUtc;
  // Clocks are changed by two hours at most, at full quarters of an hour.
  let time = asUtc - offset - 2 * HOUR_MS;
  while (localTime(time) < day) time += QUARTER_MS;
  return new Date(time).toISOString();
}
