/**
 * Cells as XML. Texts become inline strings that spreadsheet programs do not treat as formulas; numbers and dates
 * become numbers, or text if a spreadsheet cannot represent them.
 */

/** A date or a time, in UTC; the format `date` drops the time of day. */
type DateCell = { date: Date; format: 'date' | 'datetime' };

/** A text that leads to a web address. */
export type LinkCell = { text: string; link: string };

/** One cell; null and the empty text are empty cells. */
export type Cell = string | number | DateCell | LinkCell | null;

export const isLink = (cell: Cell | undefined): cell is LinkCell =>
  typeof cell === 'object' && cell !== null && 'link' in cell;

/** Called when a text is truncated, with the cell reference and the full length of the text. */
export type OnTruncated = (reference: string, length: number) => void;

/**
 * The cell formats of a workbook: their indexes in its styles. Quoted formats mark text that must not become a formula;
 * wrapped ones show a long text in several lines.
 */
export const STYLE = {
  plain: 0,
  header: 1,
  date: 2,
  datetime: 3,
  quoted: 4,
  quotedHeader: 5,
  wrapped: 6,
  quotedWrapped: 7,
  link: 8,
} as const;

/** The longest text of a cell, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;

/**
 * One cell of a sheet.
 * @param reference its position, such as `C7`
 * @param isWrapped whether a text of any length is wrapped, not only one with line breaks
 * @returns its XML, or the empty text for an empty cell. Numbers that are not finite and dates outside the range of
 *   spreadsheets (before 1900-03-01, after 9999) become text.
 */
export function cellXml(reference: string, cell: Cell, onTruncated: OnTruncated, isWrapped = false): string {
  if (typeof cell === 'string') {
    return isWrapped
      ? textXml(reference, cell, onTruncated, STYLE.wrapped, STYLE.quotedWrapped)
      : textXml(reference, cell, onTruncated);
  }
  if (cell === null) return '';
  if (isLink(cell)) return textXml(reference, cell.text, onTruncated, STYLE.link, STYLE.link);
  if (typeof cell !== 'number') return dateXml(reference, cell, onTruncated);
  return Number.isFinite(cell)
    ? `<c r="${reference}"><v>${cell}</v></c>`
    : textXml(reference, String(cell), onTruncated);
}

/** Renders a cell of the header. */
export const headerCellXml = (reference: string, title: string, onTruncated: OnTruncated): string =>
  textXml(reference, title, onTruncated, STYLE.header, STYLE.quotedHeader);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const UNUSUAL = /[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_x| {2}/;
const UNUSUAL_START = new Set([...'=+-@ '].map((character) => character.charCodeAt(0)));
const QUOTED_START = new Set([...'=+-@\t\n'].map((character) => character.charCodeAt(0)));

function textXml(
  reference: string,
  text: string,
  onTruncated: OnTruncated,
  plain: number = STYLE.plain,
  quoted: number = STYLE.quoted,
): string {
  if (text === '') return '';
  // Most texts need no change, which one scan detects.
  const usual =
    text.length <= MAX_CELL_LENGTH &&
    !UNUSUAL_START.has(text.charCodeAt(0)) &&
    !text.endsWith(' ') &&
    !UNUSUAL.test(text);
  if (usual) return inlineString(reference, plain, text);
  // Searching for a text is faster than a regular expression, and most of these are in no text.
  let cleaned = (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).toWellFormed();
  if (cleaned.length > MAX_CELL_LENGTH) {
    onTruncated(reference, cleaned.length);
    cleaned = truncate(cleaned);
  }
  const isWrapped = plain === STYLE.plain && cleaned.includes('\n');
  const [unquotedStyle, quotedStyle] = isWrapped ? [STYLE.wrapped, STYLE.quotedWrapped] : [plain, quoted];
  const style = QUOTED_START.has(cleaned.charCodeAt(0)) ? quotedStyle : unquotedStyle;
  const attribute = hasSpaceToPreserve(cleaned) ? ' xml:space="preserve"' : '';
  return inlineString(reference, style, escapeElement(escapeControls(cleaned)), attribute);
}

const hasSpaceToPreserve = (text: string): boolean =>
  text.startsWith(' ') || text.endsWith(' ') || ['\n', '\t', '  '].some((space) => text.includes(space));

const inlineString = (reference: string, style: number, xml: string, attribute = ''): string =>
  style === STYLE.plain
    ? `<c r="${reference}" t="inlineStr"><is><t${attribute}>${xml}</t></is></c>`
    : `<c r="${reference}" s="${style}" t="inlineStr"><is><t${attribute}>${xml}</t></is></c>`;

/** The first 32,767 units of a well-formed text, one less if they would end inside a surrogate pair. */
function truncate(text: string): string {
  const last = text.charCodeAt(MAX_CELL_LENGTH - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CELL_LENGTH - 1 : MAX_CELL_LENGTH);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const CONTROL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
// An underscore that would look like the start of an escape once control characters are escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const LOOKS_ESCAPED = /_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000b-\u001f\ufffe\uffff])/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const CONTROL_OR_ESCAPE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x/;

/** Escapes characters that XML does not allow, and literal `_xHHHH_`, as `_xHHHH_` (ECMA-376 ST_Xstring). */
const escapeControls = (text: string): string =>
  CONTROL_OR_ESCAPE.test(text)
    ? text
        .replace(LOOKS_ESCAPED, '_x005F_')
        .replace(CONTROL, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    : text;

/** Escapes a text for an XML element. */
const escapeElement = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes a text for an XML element or attribute. */
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Escapes a text outside of cells, where control characters cannot be represented and are left out. */
export const xmlText = (text: string): string => escapeXml(text.toWellFormed().replace(CONTROL, ''));

const MS_PER_DAY = 86_400_000;
/** The day number of 1970-01-01 in the 1900 date system. */
const EPOCH_DAY = 25_569;
/** Earlier day numbers are off by one (the system has a 29 February 1900), and negative ones are errors. */
const FIRST_MS = Date.UTC(1900, 2, 1);
const END_MS = Date.UTC(10_000, 0, 1);

function dateXml(reference: string, { date, format }: DateCell, onTruncated: OnTruncated): string {
  const ms = date.getTime();
  if (Number.isNaN(ms)) return '';
  if (ms < FIRST_MS || ms >= END_MS) return textXml(reference, dateText(date, format), onTruncated);
  const days = format === 'date' ? Math.floor(ms / MS_PER_DAY) : ms / MS_PER_DAY;
  return `<c r="${reference}" s="${STYLE[format]}"><v>${EPOCH_DAY + days}</v></c>`;
}

const dateText = (date: Date, format: DateCell['format']): string => {
  const [day = '', time = ''] = date.toISOString().split('T');
  return format === 'date' ? day : `${day} ${time.slice(0, 8)}`;
};
