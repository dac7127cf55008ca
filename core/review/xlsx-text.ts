/**
 * Text inside the parts of a workbook: markup escaped, and what XML cannot hold written in the way of the format or
 * left out. Cells call `cellText`, properties and names call `xmlText`. The cells: `xlsx-cells.ts`.
 */

/** The longest text that a cell can hold, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;

/** The first 32,767 units of a well-formed text, one less where they would end inside a surrogate pair. */
export function cut(text: string): string {
  const last = text.charCodeAt(MAX_CELL_LENGTH - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CELL_LENGTH - 1 : MAX_CELL_LENGTH);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const CONTROL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
// An underscore that the text, once its control characters are escaped, would show as the start of an escape.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML cannot hold are the point
const LOOKS_ESCAPED = /_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000b-\u001f\ufffe\uffff])/g;

/** A text of a cell as ST_Xstring (ECMA-376 part 1, 22.9.2.19): `_xHHHH_` for what XML cannot hold, and for a literal one. */
export const cellText = (text: string): string =>
  markup(
    text
      .replace(LOOKS_ESCAPED, '_x005F_')
      .replace(CONTROL, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
  );

const markup = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => {
    if (one === '&') return '&amp;';
    if (one === '<') return '&lt;';
    return one === '>' ? '&gt;' : '&quot;';
  });

/** A text for an XML element or attribute outside of cells, where control characters have no form and are left out. */
export const xmlText = (text: string): string => markup(text.toWellFormed().replace(CONTROL, ''));
