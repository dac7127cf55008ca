/**
 * Writes a table as an XLSX workbook, streaming: the rows are pulled one by one and the file comes out in chunks, as
 * fast as it is read and in memory that does not grow with the rows (contract section 9, performance section 5).
 * Import it with `await import()`. Cells: `xlsx-cells.ts`; sheets: `xlsx-sheets.ts`; file name: `disposition.ts`.
 */
import type { Sheet } from '#core/review/xlsx-model.ts';
import {
  columnLetters,
  NOTE_COLUMNS,
  NOTES_NAME,
  openNotes,
  openRows,
  type RowSource,
  type SheetLimits,
  sheetChunks,
  sheetName,
} from '#core/review/xlsx-sheets.ts';
import {
  contentTypesXml,
  PATHS,
  propertiesXml,
  relationsXml,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from '#core/review/xlsx-shell.ts';
import { type Part, zip } from '#core/review/xlsx-zip.ts';

/** The media type of the file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const MAX_ROWS_PER_SHEET = 1_048_576;
/** A sheet's XML must stay below 4 GiB; what is left above this is far more than one row can be. */
const MAX_BYTES_PER_SHEET = 3 * 1024 ** 3;

/** A table, and where its sheets are full: rows include the header; bytes are of the sheet's XML, not compressed. */
export type XlsxOptions = Sheet & { maxRowsPerSheet?: number; maxBytesPerSheet?: number };

/**
 * The table as an XLSX file (contract section 9): sheets `Responses`, `Responses 2`, … each with the bold frozen
 * header, and a last sheet `Notes` when a text had to be cut.
 * @returns the file in chunks; read it to the end, or stop and the rows are closed.
 * @throws while it is read: whatever the rows throw; RangeError for a row longer than the columns, for more than
 *   16,384 columns, for limits that leave no room for a row, and for a file over 4 GiB.
 */
export function writeXlsx(options: XlsxOptions): AsyncIterable<Uint8Array> {
  return zip(parts(options), options.createdAt);
}

/** The files of the package. The list of sheets stands at the end, when their number is known. */
async function* parts(options: XlsxOptions): AsyncGenerator<Part, void, undefined> {
  const source = await openRows(options.rows);
  try {
    yield { path: PATHS.relations, content: relationsXml() };
    yield { path: PATHS.properties, content: propertiesXml(options.title, options.createdAt) };
    yield { path: PATHS.styles, content: stylesXml() };
    const names: string[] = [];
    for await (const { name, content } of sheets(options, source)) {
      names.push(name);
      yield { path: PATHS.sheet(names.length), content };
    }
    yield { path: PATHS.workbook, content: workbookXml(names) };
    yield { path: PATHS.workbookRelations, content: workbookRelationsXml(names.length) };
    yield { path: PATHS.contentTypes, content: contentTypesXml(names.length) };
  } finally {
    await source.close();
  }
}

type NamedSheet = { name: string; content: AsyncIterable<Uint8Array> };

/** The sheets in order; each must be read before the next one is asked for, since they share the rows. */
async function* sheets(options: XlsxOptions, source: RowSource): AsyncGenerator<NamedSheet, void, undefined> {
  const limits = limitsOf(options);
  const { columns } = options;
  const letters = columnLetters(columns.length);
  const notes = openNotes();
  for (let index = 1; index === 1 || source.current; index += 1) {
    const name = sheetName(index);
    const onCut = (reference: string, length: number) => notes.add(name, reference, length);
    yield { name, content: sheetChunks({ columns, letters, first: index === 1, onCut }, source, limits) };
  }
  const table = notes.table();
  if (table.length === 0) return;
  const plan = { columns: NOTE_COLUMNS, letters: columnLetters(NOTE_COLUMNS.length), first: false, onCut: () => {} };
  yield { name: NOTES_NAME, content: sheetChunks(plan, await openRows(table), limitsOf({})) };
}

function limitsOf(options: { maxRowsPerSheet?: number; maxBytesPerSheet?: number }): SheetLimits {
  const rows = options.maxRowsPerSheet ?? MAX_ROWS_PER_SHEET;
  const bytes = options.maxBytesPerSheet ?? MAX_BYTES_PER_SHEET;
  if (rows < 2 || rows > MAX_ROWS_PER_SHEET) throw new RangeError('A sheet holds 2 to 1,048,576 rows with its header.');
  if (bytes < 1 || bytes > MAX_BYTES_PER_SHEET) throw new RangeError('A sheet holds 1 byte to 3 GiB of XML.');
  return { rows, bytes };
}
