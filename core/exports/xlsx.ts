/**
 * The rows of a workbook as sheets: each with a header row, a further sheet when one is full, and a last sheet with
 * notes on truncated texts. Rows are read one at a time and written in chunks, so that only one chunk is in memory.
 */

import { MAX_SHEET_COLUMNS } from '#core/schema/limits.ts';
import { type Cell, cellXml, headerCellXml, isLink, MAX_CELL_LENGTH, type OnTruncated } from './xlsx-cells.ts';
import {
  type Column,
  contentTypesXml,
  PATHS,
  propertiesXml,
  relationsXml,
  type SheetLink,
  sheetEnd,
  sheetRelationsXml,
  sheetStart,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from './xlsx-parts.ts';
import { writeZip } from './zip.ts';

/** A small table in a sheet of its own. */
export type FurtherSheet = { name: string; columns: readonly Column[]; rows: readonly (readonly Cell[])[] };

/** The rows of a table, synchronous or asynchronous. */
export type Rows = AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;

/** `links`: its cells that lead to web addresses, once it is read. */
type NamedSheet = { name: string; content: AsyncIterable<Uint8Array>; links: readonly SheetLink[] };

/** The largest number of rows in a sheet, including the header. */
export const MAX_ROWS_PER_SHEET = 1_048_576;
const MAX_NOTES = 1_000;
const NOTE_COLUMNS: readonly Column[] = [{ title: 'Sheet' }, { title: 'Cell' }, { title: 'Note', width: 70 }];

/**
 * Writes the sheets of a table in order: `Responses`, `Responses 2`, …, further ones, and `Notes` if a text was truncated. Each
 * must be read to its end before the next one is requested, because they share the rows. Stopping early closes the rows.
 * @throws RangeError for a row with more cells than there are columns, and for more than 16,384 columns.
 */
export async function* writeSheets(
  columns: readonly Column[],
  rows: Rows,
  maxRowsPerSheet: number,
  further: readonly FurtherSheet[] = [],
): AsyncGenerator<NamedSheet, void, undefined> {
  const source = await openRows(rows);
  try {
    const notes = openNotes();
    for (let index = 1; index === 1 || source.current; index += 1) {
      const name = index === 1 ? 'Responses' : `Responses ${index}`;
      const onTruncated: OnTruncated = (reference, length) => notes.add(name, reference, length);
      const links = collectLinks();
      const sheet = { columns, selected: index === 1, onTruncated, links };
      yield { name, content: sheetChunks(sheet, source, maxRowsPerSheet), links: links.links };
      notes.addUnlinked(name, links.omitted());
    }
    for (const { name, columns: itsColumns, rows: itsRows } of further) {
      const onTruncated: OnTruncated = (reference, length) => notes.add(name, reference, length);
      const sheet = { columns: itsColumns, selected: false, onTruncated, links: collectLinks() };
      yield { name, content: sheetChunks(sheet, await openRows(itsRows), MAX_ROWS_PER_SHEET), links: [] };
    }
    const table = notes.table();
    if (table.length === 0) return;
    const sheet = { columns: NOTE_COLUMNS, selected: false, onTruncated: () => {}, links: collectLinks() };
    yield { name: 'Notes', content: sheetChunks(sheet, await openRows(table), MAX_ROWS_PER_SHEET), links: [] };
  } finally {
    await source.close();
  }
}

/** The remaining rows; `current` is undefined at the end. */
type RowSource = {
  current: readonly Cell[] | undefined;
  advance: () => Promise<void>;
  close: () => Promise<void>;
};

/** Opens the rows and reads the first one. */
async function openRows(rows: Rows): Promise<RowSource> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const source: RowSource = {
    current: undefined,
    advance: async () => {
      const next = await iterator.next();
      source.current = next.done ? undefined : next.value;
    },
    close: async () => {
      await iterator.return?.();
    },
  };
  await source.advance();
  return source;
}

/** What spreadsheet programs read: more links of a sheet, or longer ones, make them repair the file. */
const MAX_LINKS = 65_530;
const MAX_ADDRESS = 2_079;
/** The links of a sheet are in memory until it ends. */
const MAX_LINK_CHARACTERS = 8_000_000;

type Links = { links: SheetLink[]; add: (reference: string, link: string) => void; omitted: () => number };

/** Collects the links of a sheet, up to its limits; what is beyond them stays a text and is counted. */
function collectLinks(): Links {
  const links: SheetLink[] = [];
  let [characters, omitted] = [0, 0];
  const add = (reference: string, link: string): void => {
    const address = URL.canParse(link) ? new URL(link).href : '';
    const isFull = links.length === MAX_LINKS || characters + address.length > MAX_LINK_CHARACTERS;
    if (address === '' || address.length > MAX_ADDRESS || isFull) {
      omitted += 1;
      return;
    }
    characters += address.length;
    links.push({ reference, address });
  };
  return { links, add, omitted: () => omitted };
}

type Sheet = { columns: readonly Column[]; selected: boolean; onTruncated: OnTruncated; links: Links };

/** One sheet in chunks of about 256 KB: the header, then rows until there are no more or the sheet is full. */
async function* sheetChunks(
  { columns, selected, onTruncated, links }: Sheet,
  source: RowSource,
  maxRows: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const letters = columnLetters(columns.length);
  const isWrapped = columns.map(({ kind }) => kind === 'longText');
  const output = openOutput();
  const header = columns.map(({ title }, i) => headerCellXml(`${letters[i]}1`, title, onTruncated));
  yield* output.add(`${sheetStart(columns, selected)}<row r="1">${header.join('')}</row>`);
  let row = 2;
  for (; source.current && row <= maxRows; row += 1) {
    const full = output.add(rowXml({ letters, isWrapped, links }, row, source.current, onTruncated));
    yield* full;
    await source.advance();
  }
  const last = letters.at(-1);
  yield* output.add(sheetEnd(last === undefined ? undefined : `A1:${last}${row - 1}`, links.links));
  yield output.rest();
}

type Row = { letters: readonly string[]; isWrapped: readonly boolean[]; links: Links };

function rowXml(
  { letters, isWrapped, links }: Row,
  row: number,
  cells: readonly Cell[],
  onTruncated: OnTruncated,
): string {
  if (cells.length > letters.length) {
    throw new RangeError(`A row has ${cells.length} cells for ${letters.length} columns.`);
  }
  const number = String(row);
  let xml = `<row r="${number}">`;
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i];
    if (cell === null || cell === undefined) continue;
    const reference = letters[i] + number;
    xml += cellXml(reference, cell, onTruncated, isWrapped[i]);
    if (isLink(cell)) links.add(reference, cell.link);
  }
  return `${xml}</row>`;
}

/** Lists the letters of the columns: A … Z, AA … XFD. Throws a RangeError for more than 16,384 columns. */
export function columnLetters(count: number): string[] {
  if (count > MAX_SHEET_COLUMNS)
    throw new RangeError(`A sheet has at most ${MAX_SHEET_COLUMNS} columns, not ${count}.`);
  return Array.from({ length: count }, (_, index) => {
    let letters = '';
    for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
    }
    return letters;
  });
}

/** Each chunk passes through five streams and a thread: 64 KB take 15 % more CPU time, 1 MB no less than 256 KB. */
const CHUNK_BYTES = 262_144;
const MAX_UTF8_PER_UNIT = 3;
const NOTHING: Uint8Array[] = [];

/**
 * Collects text as UTF-8 chunks; `add` returns the previous chunk when it is full. Writing row by row into a buffer
 * takes half the time of joining the rows and encoding the result.
 */
function openOutput(): { add: (xml: string) => Uint8Array[]; rest: () => Uint8Array } {
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  const rest = () => buffer.subarray(0, used);
  const add = (xml: string): Uint8Array[] => {
    if (used + xml.length * MAX_UTF8_PER_UNIT <= buffer.length) {
      used += buffer.write(xml, used);
      return NOTHING;
    }
    const full = used === 0 ? NOTHING : [rest()];
    buffer = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, Buffer.byteLength(xml)));
    used = buffer.write(xml);
    return full;
  };
  return { add, rest };
}

/** Collects the truncated texts of an export: the cells of the first 1,000, and the number of the others; and links that are none. */
export function openNotes(): {
  add: (sheet: string, reference: string, length: number) => void;
  addUnlinked: (sheet: string, count: number) => void;
  table: () => Cell[][];
} {
  const listed: Cell[][] = [];
  const unlinked: Cell[][] = [];
  let unlisted = 0;
  const addUnlinked = (sheet: string, count: number): void => {
    if (count > 0) unlinked.push([sheet, null, `${count} cells are no links, because the sheet would have too many.`]);
  };
  const add = (sheet: string, reference: string, length: number): void => {
    if (listed.length === MAX_NOTES) unlisted += 1;
    else listed.push([sheet, reference, `Cut to ${MAX_CELL_LENGTH} characters; the full text has ${length}.`]);
  };
  const table = (): Cell[][] => [
    ...listed,
    ...(unlisted === 0 ? [] : [[null, null, `${unlisted} more cells were cut to ${MAX_CELL_LENGTH} characters.`]]),
    ...unlinked,
  ];
  return { add, addUnlinked, table };
}

// Writes a table as an XLSX workbook in a stream: rows are read one by one, the file is returned in chunks on demand,
// and memory does not grow with the number of rows. Import it with `await import()`, because few functions need it.

/** Higher levels take more time without much smaller files for rows of text. */
const COMPRESSION_LEVEL = 3;

export type XlsxOptions = {
  columns: readonly Column[];
  rows: Rows;
  /** The document's title in its properties. */
  title: string;
  /** The document's creation time. */
  createdAt: Date;
  /** Sheets after those of the rows. */
  further?: readonly FurtherSheet[];
  /** Rows of a sheet, its header included, before the next sheet begins: 2 or more, 1,048,576 unless given. */
  maxRowsPerSheet?: number;
};

/**
 * Writes a table as an XLSX file: sheets `Responses`, `Responses 2`, … each with the bold frozen header and a filter, further sheets, and a last
 * sheet `Notes` if a text was truncated. Large files use zip64.
 * @returns the file in chunks; stopping early closes the rows.
 * @throws while it is read: errors of the rows; RangeError for a row longer than the columns and for more than
 *   16,384 columns.
 */
export function writeXlsx(options: XlsxOptions): AsyncGenerator<Uint8Array, void, undefined> {
  return writeZip(
    { mtime: options.createdAt, compressionLevel: COMPRESSION_LEVEL },
    async ({ add, stream, isClosed }) => {
      add(PATHS.relations, relationsXml());
      add(PATHS.properties, propertiesXml(options.title, options.createdAt));
      add(PATHS.styles, stylesXml());
      const names: string[] = [];
      for await (const { name, content, links } of writeSheets(
        options.columns,
        options.rows,
        options.maxRowsPerSheet ?? MAX_ROWS_PER_SHEET,
        options.further,
      )) {
        if (isClosed()) return;
        // Only when this sheet has read its rows is it known whether another one follows.
        await stream(PATHS.sheet(names.push(name)), content);
        if (links.length > 0) add(PATHS.sheetRelations(names.length), sheetRelationsXml(links));
      }
      add(PATHS.workbook, workbookXml(names));
      add(PATHS.workbookRelations, workbookRelationsXml(names.length));
      add(PATHS.contentTypes, contentTypesXml(names.length));
    },
  );
}
