/** Writes a table as CSV (RFC 4180): UTF-8 with a byte order mark, so that spreadsheet programs read it as such. */
import type { ExportColumn } from './columns.ts';
import type { ExportRow } from './rows.ts';
import { type Cell, isLink } from './xlsx-cells.ts';

const CHUNK_CHARACTERS = 65_536;
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Writes the rows in chunks, a header first: the name of a question where it has one, its title otherwise. `raw`: a text that
 * begins like a formula is not marked as a text.
 */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<ExportRow>,
  raw = false,
): AsyncGenerator<Uint8Array, void, undefined> {
  const line = (cells: readonly Cell[]): string => `${cells.map((cell) => csvCell(cell, raw)).join(',')}\r\n`;
  let text = BYTE_ORDER_MARK + line(columns.map(({ name, title }) => name ?? title));
  for await (const row of rows) {
    text += line(columns.map(({ cell }) => cell(row)));
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** Writes a cell: a date as `2026-05-01`, a time as ISO 8601 in UTC, a text in quotation marks where it needs them. */
export function csvCell(cell: Cell, raw: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (isLink(cell)) return csvCell(cell.text, raw);
  if (typeof cell !== 'string') {
    const iso = cell.date.toISOString();
    return cell.format === 'date' ? iso.slice(0, 10) : iso;
  }
  const text = !raw && FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
