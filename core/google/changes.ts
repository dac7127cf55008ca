/**
 * The requests that bring a Google spreadsheet up to date: one atomic `batchUpdate` that adds what is missing, and one
 * `values:batchUpdateByDataFilter` that replaces the cells of rows that are there. Cells are only ever added in rows and
 * columns that the same request inserts, so nothing that people entered is overwritten, wherever they moved things.
 * Texts are written as texts (`stringValue`, `RAW`) and never interpreted as formulas.
 */

import type { SheetCell, SheetColumn, SheetRow, SheetTable } from '#core/sheets/port.ts';
import { columnId, type Layout, METADATA, metadataId } from './layout.ts';

/** The largest number of characters in a cell. */
const MAX_CELL_CHARACTERS = 50_000;
/** Control characters other than tabs and line breaks. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/** Creates the layout of a sheet without a table of this service. */
export const emptyLayout = (sheetId: number): Layout => ({
  sheetId,
  header: undefined,
  end: undefined,
  columns: new Map(),
  columnIds: new Set(),
  rows: new Set(),
});

type Additions = {
  /** The requests of the `batchUpdate`; empty when nothing is missing. */
  requests: object[];
  /** The layout after it. */
  layout: Layout;
};

/**
 * Builds the requests that add the table, the columns and the rows that are missing. `rowCount`: the number of rows of the
 * sheet, where rows are added if the row below the table was deleted.
 */
export function buildAdditions(layout: Layout, { columns, rows }: SheetTable, rowCount: number): Additions {
  const isNew = layout.columns.size === 0;
  const missing = columns.filter(({ key }) => !layout.columns.has(key));
  const added = addColumns(layout, missing);
  const header = isNew ? addHeader(added.layout) : { requests: [], layout: added.layout };
  const titles = titleCells(header.layout, missing);
  const newRows = rows.filter((row) => row.mayAdd && row.cells !== null && !layout.rows.has(row.id));
  const body =
    newRows.length > 0 ? addRows(header.layout, columns, newRows, rowCount) : { requests: [], layout: header.layout };
  return { requests: [...added.requests, ...header.requests, ...titles, ...body.requests], layout: body.layout };
}

const insertRequest = (
  sheetId: number,
  dimension: 'ROWS' | 'COLUMNS',
  at: number,
  count: number,
  inherit: boolean,
): object => ({
  insertDimension: {
    range: { sheetId, dimension, startIndex: at, endIndex: at + count },
    inheritFromBefore: inherit,
  },
});

type Tag = { key: string; value?: string; id: number };

const tagRequest = (sheetId: number, dimension: 'ROWS' | 'COLUMNS', at: number, { key, value, id }: Tag): object => ({
  createDeveloperMetadata: {
    developerMetadata: {
      metadataId: id,
      metadataKey: key,
      ...(value === undefined ? {} : { metadataValue: value }),
      location: { dimensionRange: { sheetId, dimension, startIndex: at, endIndex: at + 1 } },
      visibility: 'DOCUMENT',
    },
  },
});

/** Inserts columns after the last column of the table; those of a new table before everything else. */
function addColumns(layout: Layout, missing: readonly SheetColumn[]): Additions {
  if (missing.length === 0) return { requests: [], layout };
  const at = Math.max(-1, ...layout.columns.values()) + 1;
  const columnIds = new Set(layout.columnIds);
  const requests = [
    insertRequest(layout.sheetId, 'COLUMNS', at, missing.length, at > 0),
    ...missing.map(({ key }, index) => {
      const id = columnId(key, columnIds);
      columnIds.add(id);
      return tagRequest(layout.sheetId, 'COLUMNS', at + index, { key: METADATA.column, value: key, id });
    }),
  ];
  const columns = new Map([...layout.columns, ...missing.map(({ key }, index) => [key, at + index] as const)]);
  return { requests, layout: { ...layout, columns, columnIds } };
}

/** Inserts the header above everything else, frozen and bold; the row below becomes the end of the table. */
function addHeader(layout: Layout): Additions {
  const { sheetId } = layout;
  const range = { sheetId, startRowIndex: 0, endRowIndex: 1 };
  const requests = [
    insertRequest(sheetId, 'ROWS', 0, 1, false),
    tagRequest(sheetId, 'ROWS', 0, { key: METADATA.header, id: metadataId(METADATA.header) }),
    tagRequest(sheetId, 'ROWS', 1, { key: METADATA.end, id: metadataId(METADATA.end) }),
    {
      repeatCell: {
        range,
        cell: { userEnteredFormat: { textFormat: { bold: true } } },
        fields: 'userEnteredFormat.textFormat.bold',
      },
    },
    {
      updateSheetProperties: {
        properties: { sheetId, gridProperties: { frozenRowCount: 1 } },
        fields: 'gridProperties.frozenRowCount',
      },
    },
  ];
  return { requests, layout: { ...layout, header: 0, end: 1 } };
}

/** The titles of columns, in the header; nothing when the header was deleted. */
function titleCells({ sheetId, header, columns }: Layout, added: readonly SheetColumn[]): object[] {
  const [first] = added;
  if (!first || header === undefined) return [];
  const start = { sheetId, rowIndex: header, columnIndex: columns.get(first.key) ?? 0 };
  return [updateCells(start, [added.map(({ title }) => title)])];
}

const updateCells = (start: object, rows: readonly (readonly SheetCell[])[]): object => ({
  updateCells: {
    start,
    rows: rows.map((cells) => ({ values: cells.map(cellData) })),
    fields: 'userEnteredValue',
  },
});

function cellData(cell: SheetCell): object {
  if (cell === null || cell === '') return {};
  const value = typeof cell === 'number' ? { numberValue: cell } : { stringValue: cleanCellText(cell) };
  return { userEnteredValue: value };
}

/** Inserts rows above the end of the table; below everything else when the end was deleted, with a new end. */
function addRows(
  layout: Layout,
  columns: readonly SheetColumn[],
  rows: readonly SheetRow[],
  rowCount: number,
): Additions {
  const { sheetId } = layout;
  const at = layout.end ?? rowCount;
  const isEndMissing = layout.end === undefined;
  const first = Math.min(...layout.columns.values());
  const requests = [
    insertRequest(sheetId, 'ROWS', at, rows.length + (isEndMissing ? 1 : 0), isEndMissing),
    ...(isEndMissing
      ? [tagRequest(sheetId, 'ROWS', at + rows.length, { key: METADATA.end, id: metadataId(METADATA.end) })]
      : []),
    ...rows.map(({ id }, index) => tagRequest(sheetId, 'ROWS', at + index, { key: METADATA.row, id })),
    updateCells(
      { sheetId, rowIndex: at, columnIndex: first },
      rows.map((row) => arrangeCells(layout, columns, row.cells ?? [], null).slice(first)),
    ),
  ];
  const ids = new Set([...layout.rows, ...rows.map(({ id }) => id)]);
  return { requests, layout: { ...layout, end: at + rows.length, rows: ids } };
}

/** Cells at the positions of their columns, with a filler between them. */
function arrangeCells<T>(layout: Layout, columns: readonly SheetColumn[], cells: readonly SheetCell[], filler: T) {
  const width = Math.max(...layout.columns.values()) + 1;
  const row = Array.from<unknown, SheetCell | T>({ length: width }, () => filler);
  for (const [index, { key }] of columns.entries()) {
    const at = layout.columns.get(key);
    if (at !== undefined) row[at] = cells[index] ?? null;
  }
  return row;
}

/** Builds the body that replaces the cells of rows that existed before; undefined when there are none. */
export function buildReplacements(before: Layout, after: Layout, { columns, rows }: SheetTable): object | undefined {
  const existing = rows.filter(({ id }) => before.rows.has(id));
  if (existing.length === 0) return undefined;
  const allColumns = [...after.columns.keys()].map((key): SheetColumn => ({ key, title: '' }));
  const data = existing.map(({ id, cells }) => ({
    dataFilter: { developerMetadataLookup: { metadataId: id } },
    majorDimension: 'ROWS',
    values: [
      (cells === null ? arrangeCells(after, allColumns, [], null) : arrangeCells(after, columns, cells, undefined)).map(
        rawValue,
      ),
    ],
  }));
  return { valueInputOption: 'RAW', data };
}

/** A value as it is sent: undefined leaves a cell as it is (null), null clears it (an empty text). */
function rawValue(cell: SheetCell | undefined): SheetCell {
  if (cell === undefined) return null;
  if (cell === null) return '';
  return typeof cell === 'number' ? cell : cleanCellText(cell);
}

/**
 * Returns a text that a cell can hold: truncated, without control characters and halves of surrogate pairs, for which
 * Google would refuse the whole request.
 */
const cleanCellText = (cell: string): string =>
  cell.slice(0, MAX_CELL_CHARACTERS).replaceAll(CONTROLS, '').toWellFormed();
