/** Times of day as people type them. Shared with the scripts of the pages. */

/** `9:30`, `9.30`, `9點30分`, `8pm`, `下午8:30`: a half of the day before or after, hours, minutes. */
const TYPED = /^(上午|下午)? ?(\d{1,2})(?:[:.,點時](\d{2})分?|[點時])? ?(am|pm|a\.m\.|p\.m\.)?$/;
/** `930` and `0930pm`: hours and minutes without a sign between them. */
const UNSEPARATED = /^((?:上午|下午)? ?\d{1,2})(\d{2})(?= ?(?:[ap]|$))/;

/**
 * Writes an unambiguous time of day as `HH:MM`. Other texts stay as they were typed: hours alone, such as `9`, and times that
 * there are not, such as `24:00` and `13:30 pm`.
 */
export function completeTimeOfDay(text: string): string {
  const typed = text.normalize('NFKC').trim().toLowerCase().replace(UNSEPARATED, '$1:$2');
  const [, before, hours = '', minutes, after] = TYPED.exec(typed) ?? [];
  const half = before ?? after;
  const isHourOnly = minutes === undefined && half === undefined && !/[點時]$/.test(typed);
  if (hours === '' || isHourOnly || (before && after) || Number(minutes ?? 0) > 59) return text;
  const hour = Number(hours);
  if (half ? hour < 1 || hour > 12 : hour > 23) return text;
  const isAfternoon = half === '下午' || half?.startsWith('p');
  const ofDay = half ? (hour % 12) + (isAfternoon ? 12 : 0) : hour;
  return `${String(ofDay).padStart(2, '0')}:${minutes ?? '00'}`;
}
