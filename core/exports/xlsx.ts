/**
 * Writes a table as an XLSX workbook in a stream: rows are read one by one, the file is returned in chunks on demand,
 * and memory does not grow with the number of rows. Import it with `await import()`, because few functions need it.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import {
  type Column,
  contentTypesXml,
  PATHS,
  propertiesXml,
  relationsXml,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from './xlsx-parts.ts';
import { MAX_ROWS_PER_SHEET, type Rows, writeSheets } from './xlsx-sheets.ts';

/** The media type of the file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Higher levels take more time without much smaller files for rows of text. */
const COMPRESSION_LEVEL = 3;

export type XlsxOptions = {
  columns: readonly Column[];
  rows: Rows;
  /** The document's title in its properties. */
  title: string;
  /** The document's creation time. */
  createdAt: Date;
  /** Rows of a sheet, its header included, before the next sheet begins: 2 or more, 1,048,576 unless given. */
  maxRowsPerSheet?: number;
};

/**
 * Writes a table as an XLSX file: sheets `Responses`, `Responses 2`, … each with the bold frozen header, and a last sheet
 * `Notes` if a text was truncated. Large files use zip64.
 * @returns the file in chunks; stopping early closes the rows.
 * @throws while it is read: errors of the rows; RangeError for a row longer than the columns and for more than
 *   16,384 columns.
 */
export async function* writeXlsx(options: XlsxOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const file = new ZipFile();
  const output = file.outputStream;
  if (!(output instanceof Readable)) throw new TypeError('yazl has no readable output');
  const entry = { mtime: options.createdAt, compressionLevel: COMPRESSION_LEVEL };
  const add = (path: string, xml: string): void => file.addBuffer(Buffer.from(xml), path, entry);
  let sheet: Readable | undefined;

  const addParts = async (): Promise<void> => {
    add(PATHS.relations, relationsXml());
    add(PATHS.properties, propertiesXml(options.title, options.createdAt));
    add(PATHS.styles, stylesXml());
    const names: string[] = [];
    for await (const { name, content } of writeSheets(
      options.columns,
      options.rows,
      options.maxRowsPerSheet ?? MAX_ROWS_PER_SHEET,
    )) {
      if (output.destroyed) return;
      sheet = Readable.from(content, { objectMode: false });
      file.addReadStream(sheet, PATHS.sheet(names.push(name)), entry);
      // Only when this sheet has read its rows is it known whether another one follows.
      await finished(sheet);
    }
    add(PATHS.workbook, workbookXml(names));
    add(PATHS.workbookRelations, workbookRelationsXml(names.length));
    add(PATHS.contentTypes, contentTypesXml(names.length));
    file.end();
  };

  const added = addParts().catch((error: Error) => output.destroy(error));
  try {
    yield* output;
  } finally {
    sheet?.destroy();
    await added;
  }
}
