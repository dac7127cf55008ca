/**
 * One cell as XML: every text becomes an inline string that no spreadsheet program can take for a formula, numbers and
 * dates become numbers (contract section 9). What a number cannot be is text. Characters that XML cannot hold:
 * `xlsx-text.ts`; the rows: `xlsx-sheets.ts`.
 */
import type { Cell, DateCell } from '#core/review/xlsx-model.ts';
import { STYLE } from '#core/review/xlsx-shell.ts';
import { cellText, cut, MAX_CELL_LENGTH } from '#core/review/xlsx-text.ts';

/** Told when a text was cut: the cell's reference, and how long the text was. */
export type OnCut = (reference: string, length: number) => void;

/** The two formats a text can have: as it is, and marked as text when it could be read as a formula. */
export type TextStyles = { plain: number; quoted: number };

const CELL_TEXT: TextStyles = { plain: STYLE.plain, quoted: STYLE.quoted };
/** The formats of a header cell. */
export const HEADER_TEXT: TextStyles = { plain: STYLE.header, quoted: STYLE.quotedHeader };

/**
 * One cell of a sheet.
 * @param reference where it stands, such as `C7`
 * @returns its XML, or the empty text for an empty cell. Numbers that are not finite and dates that a spreadsheet
 *   cannot count (before 1900-03-01, after 9999) become text; links are text.
 */
export function cellXml(reference: string, cell: Cell, onCut: OnCut): string {
  if (typeof cell === 'string') return textXml(reference, cell, CELL_TEXT, onCut);
  if (cell === null) return '';
  if (typeof cell === 'number') {
    if (Number.isFinite(cell)) return `<c r="${reference}"><v>${cell}</v></c>`;
    return textXml(reference, String(cell), CELL_TEXT, onCut);
  }
  if ('link' in cell) return textXml(reference, cell.link, CELL_TEXT, onCut);
  return dateXml(reference, cell, onCut);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const UNUSUAL = /[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_x| {2}/;
const SPACE = 0x20;

/** A text cell. Most texts need nothing done; one scan finds out. */
export function textXml(reference: string, text: string, styles: TextStyles, onCut: OnCut): string {
  if (text === '') return '';
  const first = text.charCodeAt(0);
  const simple =
    !startsFormula(first) &&
    first !== SPACE &&
    text.charCodeAt(text.length - 1) !== SPACE &&
    text.length <= MAX_CELL_LENGTH &&
    !UNUSUAL.test(text);
  if (simple) return inlineString(reference, styles.plain, text);
  return unusualTextXml(reference, text, styles, onCut);
}

const inlineString = (reference: string, style: number, xml: string, attribute = ''): string =>
  style === STYLE.plain
    ? `<c r="${reference}" t="inlineStr"><is><t${attribute}>${xml}</t></is></c>`
    : `<c r="${reference}" s="${style}" t="inlineStr"><is><t${attribute}>${xml}</t></is></c>`;

/** Whether a text that begins with this character would be a formula when it is typed: = + - @ TAB LF CR. */
const startsFormula = (code: number): boolean =>
  code === 0x3d || code === 0x2b || code === 0x2d || code === 0x40 || code === 0x09 || code === 0x0a || code === 0x0d;

function unusualTextXml(reference: string, text: string, styles: TextStyles, onCut: OnCut): string {
  let kept = text.replace(/\r\n?/g, '\n').toWellFormed();
  if (kept.length > MAX_CELL_LENGTH) {
    onCut(reference, kept.length);
    kept = cut(kept);
  }
  const style = startsFormula(kept.charCodeAt(0)) ? styles.quoted : styles.plain;
  const attribute = /^ | $|[\t\n]| {2}/.test(kept) ? ' xml:space="preserve"' : '';
  return inlineString(reference, style, cellText(kept), attribute);
}

const MS_PER_DAY = 86_400_000;
/** The day number of 1970-01-01 in the 1900 date system. */
const EPOCH_DAY = 25_569;
/** Day numbers before this one are off by one (the system has a 29 February 1900), and negative ones are errors. */
const FIRST_MS = Date.UTC(1900, 2, 1);
const END_MS = Date.UTC(10_000, 0, 1);

function dateXml(reference: string, cell: DateCell, onCut: OnCut): string {
  const ms = milliseconds(cell.date);
  if (Number.isNaN(ms)) return textXml(reference, typeof cell.date === 'string' ? cell.date : '', CELL_TEXT, onCut);
  if (ms < FIRST_MS || ms >= END_MS) return textXml(reference, dateText(ms, cell.format), CELL_TEXT, onCut);
  const days = cell.format === 'date' ? Math.floor(ms / MS_PER_DAY) : ms / MS_PER_DAY;
  return `<c r="${reference}" s="${STYLE[cell.format]}"><v>${EPOCH_DAY + days}</v></c>`;
}

const ISO = /^\d{4}-\d{2}-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** The moment of a date cell; NaN when its text is not ISO 8601 or names no real day (30 February). */
function milliseconds(date: Date | string): number {
  if (typeof date !== 'string') return date.getTime();
  const parts = ISO.exec(date);
  if (!parts) return Number.NaN;
  // Without an offset the platform would read a time in the zone of the machine.
  const ms = Date.parse(date.length > 10 && parts[2] === undefined ? `${date}Z` : date);
  const real = Number(parts[1]) <= 28 || new Date(date.slice(0, 10)).getUTCDate() === Number(parts[1]);
  return real ? ms : Number.NaN;
}

const dateText = (ms: number, format: DateCell['format']): string => {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T');
  return format === 'date' ? day : `${day} ${time.slice(0, 8)}`;
};
