/**
 * A spreadsheet in memory with the semantics of the Google Sheets API: a grid of cells whose rows and columns can be
 * inserted and deleted, and developer metadata that moves with them. Every change is applied whole or not at all.
 */
import * as z from 'zod';

/** A formula is kept apart from text, so that tests see whether a text became one. */
export type Cell = string | number | null | { formula: string };
type Dimension = 'ROWS' | 'COLUMNS';
type Metadata = { id: number; key: string; value: string; place: { dimension: Dimension; index: number } };

/** One spreadsheet with one sheet, whose id is 0. */
export type Spreadsheet = { rows: Cell[][]; rowCount: number; columnCount: number; metadata: Metadata[] };

/** A request that the API refuses with 400. */
export class BadRequest extends Error {}

/** The size of a new sheet. */
export const newSpreadsheet = (): Spreadsheet => ({ rows: [], rowCount: 1_000, columnCount: 26, metadata: [] });

/** The number of characters in keys and values of metadata that a sheet may have. */
const MAX_METADATA_CHARACTERS = 30_000;

const DimensionRange = z.object({
  sheetId: z.literal(0).default(0),
  dimension: z.enum(['ROWS', 'COLUMNS']),
  startIndex: z.int().min(0).default(0),
  endIndex: z.int().min(1),
});
const Lookup = z.object({ metadataKey: z.string().optional(), metadataId: z.int().optional() });
type Lookup = z.output<typeof Lookup>;
const Filter = z.object({ developerMetadataLookup: Lookup });
const CellData = z.object({
  userEnteredValue: z
    .object({
      stringValue: z.string().optional(),
      numberValue: z.number().optional(),
      formulaValue: z.string().optional(),
    })
    .optional(),
});

/** The requests of a `batchUpdate`; those that only format are accepted without effect. */
const Change = z.union([
  z.object({ insertDimension: z.object({ range: DimensionRange, inheritFromBefore: z.boolean().default(false) }) }),
  z.object({ deleteDimension: z.object({ range: DimensionRange }) }),
  z.object({
    createDeveloperMetadata: z.object({
      developerMetadata: z.object({
        metadataId: z.int().min(1).max(2_147_483_647).optional(),
        metadataKey: z.string().min(1),
        metadataValue: z.string().default(''),
        location: z.object({ dimensionRange: DimensionRange }),
        visibility: z.literal('DOCUMENT'),
      }),
    }),
  }),
  z.object({
    updateCells: z.object({
      start: z.object({ sheetId: z.literal(0).default(0), rowIndex: z.int(), columnIndex: z.int() }),
      rows: z.array(z.object({ values: z.array(CellData) })),
      fields: z.literal('userEnteredValue'),
    }),
  }),
  z.object({ repeatCell: z.object({}) }),
  z.object({ updateSheetProperties: z.object({}) }),
]);
type Change = z.output<typeof Change>;

export const BatchUpdate = z.object({ requests: z.array(Change).min(1) });
export const Search = z.object({ dataFilters: z.array(Filter).min(1) });
export const ValuesUpdate = z.object({
  valueInputOption: z.enum(['RAW', 'USER_ENTERED']),
  data: z.array(
    z.object({
      dataFilter: Filter,
      majorDimension: z.literal('ROWS'),
      values: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).length(1),
    }),
  ),
});

/** The spreadsheet after a `batchUpdate`. Throws BadRequest, and then nothing has changed. */
export function applyBatch(spreadsheet: Spreadsheet, { requests }: z.output<typeof BatchUpdate>): Spreadsheet {
  const next = structuredClone(spreadsheet);
  for (const request of requests) apply(next, request);
  const characters = next.metadata.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  if (characters > MAX_METADATA_CHARACTERS) throw new BadRequest('The metadata of the sheet exceeds its quota.');
  return next;
}

function apply(sheet: Spreadsheet, change: Change): void {
  if ('insertDimension' in change) insert(sheet, change.insertDimension);
  else if ('deleteDimension' in change) remove(sheet, change.deleteDimension.range);
  else if ('createDeveloperMetadata' in change) addMetadata(sheet, change.createDeveloperMetadata.developerMetadata);
  else if ('updateCells' in change) {
    const { start, rows } = change.updateCells;
    for (const [index, row] of rows.entries()) {
      setCells(sheet, start.rowIndex + index, start.columnIndex, row.values.map(toCell));
    }
  }
}

const getSize = (sheet: Spreadsheet, dimension: Dimension): number =>
  dimension === 'ROWS' ? sheet.rowCount : sheet.columnCount;

type Range = z.output<typeof DimensionRange>;

function insert(sheet: Spreadsheet, { range, inheritFromBefore }: { range: Range; inheritFromBefore: boolean }): void {
  const { dimension, startIndex, endIndex } = range;
  const count = endIndex - startIndex;
  const size = getSize(sheet, dimension);
  if (count < 1) throw new BadRequest('The range is empty.');
  if (inheritFromBefore ? startIndex === 0 || startIndex > size : startIndex >= size) {
    throw new BadRequest(`range.startIndex ${startIndex} does not fit the grid size ${size}.`);
  }
  if (dimension === 'ROWS') {
    if (startIndex < sheet.rows.length) sheet.rows.splice(startIndex, 0, ...Array.from({ length: count }, () => []));
    sheet.rowCount += count;
  } else {
    for (const row of sheet.rows) {
      if (startIndex < row.length) row.splice(startIndex, 0, ...Array.from({ length: count }, () => null));
    }
    sheet.columnCount += count;
  }
  for (const { place } of sheet.metadata) {
    if (place.dimension === dimension && place.index >= startIndex) place.index += count;
  }
}

function remove(sheet: Spreadsheet, { dimension, startIndex, endIndex }: Range): void {
  const count = endIndex - startIndex;
  if (count < 1 || endIndex > getSize(sheet, dimension)) throw new BadRequest('The range is not in the grid.');
  if (dimension === 'ROWS') {
    sheet.rows.splice(startIndex, count);
    sheet.rowCount -= count;
  } else {
    for (const row of sheet.rows) row.splice(startIndex, count);
    sheet.columnCount -= count;
  }
  sheet.metadata = sheet.metadata.filter(
    ({ place }) => place.dimension !== dimension || place.index < startIndex || place.index >= endIndex,
  );
  for (const { place } of sheet.metadata) {
    if (place.dimension === dimension && place.index >= endIndex) place.index -= count;
  }
}

type NewMetadata = Extract<Change, { createDeveloperMetadata: object }>['createDeveloperMetadata']['developerMetadata'];

function addMetadata(sheet: Spreadsheet, { metadataId, metadataKey, metadataValue, location }: NewMetadata): void {
  const id = metadataId ?? Math.floor(Math.random() * 2_147_483_646) + 1;
  if (sheet.metadata.some((each) => each.id === id)) throw new BadRequest(`The metadata id ${id} is in use.`);
  const { dimension, startIndex, endIndex } = location.dimensionRange;
  if (endIndex - startIndex !== 1 || endIndex > getSize(sheet, dimension)) {
    throw new BadRequest('The location is not one row or column of the grid.');
  }
  const place = { dimension, index: startIndex };
  sheet.metadata.push({ id, key: metadataKey, value: metadataValue, place });
}

function toCell({ userEnteredValue: value }: z.output<typeof CellData>): Cell {
  if (value?.formulaValue !== undefined) return { formula: value.formulaValue };
  return value?.stringValue ?? value?.numberValue ?? null;
}

function setCells(sheet: Spreadsheet, rowIndex: number, columnIndex: number, cells: readonly Cell[]): void {
  if (rowIndex >= sheet.rowCount || columnIndex + cells.length > sheet.columnCount) {
    throw new BadRequest('The cells are not in the grid.');
  }
  while (sheet.rows.length <= rowIndex) sheet.rows.push([]);
  const row = sheet.rows[rowIndex] ?? [];
  while (row.length < columnIndex) row.push(null);
  row.splice(columnIndex, cells.length, ...cells);
}

const lookUp = ({ metadata }: Spreadsheet, { metadataKey, metadataId }: Lookup): Metadata[] =>
  metadata.filter(
    ({ id, key }) =>
      (metadataId === undefined || id === metadataId) && (metadataKey === undefined || key === metadataKey),
  );

/** The result of a `developerMetadata:search`. As the API does, it leaves out members that are zero. */
export const search = (sheet: Spreadsheet, { dataFilters }: z.output<typeof Search>): object => {
  const matched = new Set(dataFilters.flatMap(({ developerMetadataLookup }) => lookUp(sheet, developerMetadataLookup)));
  return { matchedDeveloperMetadata: [...matched].map((each) => ({ developerMetadata: shown(each) })) };
};

const shown = ({ id, key, value, place }: Metadata): object => ({
  metadataId: id,
  metadataKey: key,
  ...(value === '' ? {} : { metadataValue: value }),
  location: {
    locationType: place.dimension === 'ROWS' ? 'ROW' : 'COLUMN',
    dimensionRange: {
      dimension: place.dimension,
      ...(place.index === 0 ? {} : { startIndex: place.index }),
      endIndex: place.index + 1,
    },
  },
  visibility: 'DOCUMENT',
});

/** The spreadsheet after a `values:batchUpdateByDataFilter`. Throws BadRequest, and then nothing has changed. */
export function applyValues(
  spreadsheet: Spreadsheet,
  { valueInputOption, data }: z.output<typeof ValuesUpdate>,
): Spreadsheet {
  const next = structuredClone(spreadsheet);
  for (const { dataFilter, values } of data) {
    for (const { place } of lookUp(next, dataFilter.developerMetadataLookup)) {
      if (place.dimension !== 'ROWS') throw new BadRequest('The filter does not match a row.');
      for (const [column, value] of (values[0] ?? []).entries()) {
        if (value === null) continue;
        const isFormula = valueInputOption === 'USER_ENTERED' && typeof value === 'string' && value.startsWith('=');
        setCells(next, place.index, column, [isFormula ? { formula: value } : value === '' ? null : value]);
      }
    }
  }
  return next;
}

/** The properties that a GET of the spreadsheet returns. */
export const describeSpreadsheet = ({ rowCount, columnCount }: Spreadsheet): object => ({
  sheets: [{ properties: { title: 'Sheet1', gridProperties: { rowCount, columnCount } } }],
});

/** The rows that have cells, each as wide as the widest; empty cells are empty texts. */
export function filledRows({ rows }: Spreadsheet): Exclude<Cell, null>[][] {
  const filled = rows.filter((row) => row.some((cell) => cell !== null));
  const width = Math.max(0, ...filled.map((row) => row.findLastIndex((cell) => cell !== null) + 1));
  return filled.map((row) => Array.from({ length: width }, (_, index) => row[index] ?? ''));
}
