/**
 * Where the header, the columns and the rows of a table are in a Google spreadsheet. Each has developer metadata, which
 * stays with it when people insert, move or sort. Google limits the keys and values of the metadata of a sheet to 30,000
 * characters together: a row costs one, because it is identified by the id of its metadata, and a column nine. So a sheet
 * of 100 questions holds about 29,000 rows.
 */
import * as z from 'zod';
import { sha256 } from '#core/schema/hash.ts';
import { MIN_ROW_ID, SheetFailure } from '#core/sheets/port.ts';

/** The keys of metadata. `end`: the row below the last row; new rows are inserted above it. */
export const METADATA = { header: 'h', column: 'c', row: 'r', end: 'e' } as const;

/**
 * Returns the id of the metadata of the header or the end. Google refuses to add an id twice, so a request that was believed
 * lost and arrives late adds no second header.
 */
export const metadataId = (key: typeof METADATA.header | typeof METADATA.end): number =>
  key === METADATA.header ? MIN_ROW_ID - 1 : MIN_ROW_ID - 2;

/** The ids of columns begin here and end below those of the header and the end. */
const MIN_COLUMN_ID = MIN_ROW_ID / 2;
const COLUMN_IDS = MIN_ROW_ID / 2 - 2;

/**
 * Returns the id of the metadata of a column: a hash of its key, or the next unused id. A repeated request has
 * the same ids, so it adds no second column.
 */
export function columnId(key: string, usedIds: ReadonlySet<number>): number {
  let offset = Number.parseInt(sha256(key, 'hex').slice(0, 8), 16) % COLUMN_IDS;
  while (usedIds.has(MIN_COLUMN_ID + offset)) offset = (offset + 1) % COLUMN_IDS;
  return MIN_COLUMN_ID + offset;
}

/** Positions count from 0. */
export type Layout = {
  sheetId: number;
  header: number | undefined;
  end: number | undefined;
  /** The position of each column by its key. */
  columns: ReadonlyMap<string, number>;
  /** The ids of all columns in the spreadsheet, on other sheets too. */
  columnIds: ReadonlySet<number>;
  /** The ids of the rows that are there. */
  rows: ReadonlySet<number>;
};

const Range = z.object({ sheetId: z.int().default(0), startIndex: z.int().default(0) });
const Metadata = z.object({
  metadataId: z.int(),
  metadataKey: z.string(),
  metadataValue: z.string().default(''),
  location: z.object({ dimensionRange: Range.optional() }),
});
type Metadata = z.output<typeof Metadata>;
const SearchResult = z.object({
  matchedDeveloperMetadata: z.array(z.object({ developerMetadata: Metadata })).default([]),
});

/** Builds the body of the search for a table with some rows. */
export const buildSearch = (rowIds: readonly number[]): object => ({
  dataFilters: [
    ...[METADATA.header, METADATA.end, METADATA.column].map((metadataKey) => ({
      developerMetadataLookup: { metadataKey },
    })),
    ...rowIds.map((metadataId) => ({ developerMetadataLookup: { metadataId } })),
  ],
});

/** Parses the layout in the result of a search; undefined when there is no table yet. */
export function parseLayout(result: unknown): Layout | undefined {
  const metadata = parseGoogleResponse(SearchResult, result).matchedDeveloperMetadata.map(
    ({ developerMetadata }) => developerMetadata,
  );
  const firstColumn = metadata.find(isColumn);
  if (!firstColumn) return undefined;
  const { sheetId } = getRange(firstColumn);
  const onSheet = metadata.filter((entry) => getRange(entry).sheetId === sheetId);
  const withKey = (key: string) => onSheet.filter(({ metadataKey }) => metadataKey === key);
  const findPosition = (key: string): number | undefined => withKey(key).map((entry) => getRange(entry).startIndex)[0];
  return {
    sheetId,
    header: findPosition(METADATA.header),
    end: findPosition(METADATA.end),
    columns: new Map(withKey(METADATA.column).map((entry) => [entry.metadataValue, getRange(entry).startIndex])),
    columnIds: new Set(metadata.filter(isColumn).map(({ metadataId }) => metadataId)),
    rows: new Set(withKey(METADATA.row).map(({ metadataId }) => metadataId)),
  };
}

const isColumn = ({ metadataKey }: Metadata): boolean => metadataKey === METADATA.column;

const getRange = ({ location }: Metadata) => location.dimensionRange ?? { sheetId: -1, startIndex: 0 };

/** The query that reads the sizes of the sheets. */
export const SHEETS_QUERY = 'fields=sheets(properties(sheetId,gridProperties(rowCount)))';

const Properties = z.object({
  sheetId: z.int().default(0),
  gridProperties: z.object({ rowCount: z.int() }).optional(),
});
const Spreadsheet = z.object({ sheets: z.array(z.object({ properties: Properties })).default([]) });

/** Parses the sheets of a spreadsheet that hold cells, in order, with their number of rows. */
export const parseSheets = (result: unknown): { sheetId: number; rowCount: number }[] =>
  parseGoogleResponse(Spreadsheet, result).sheets.flatMap(({ properties: { sheetId, gridProperties } }) =>
    gridProperties ? [{ sheetId, rowCount: gridProperties.rowCount }] : [],
  );

/** Parses a response of the spreadsheet service. Throws SheetFailure when it has another shape than the schema. */
export function parseGoogleResponse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SheetFailure('unavailable', 'the response of the spreadsheet service has an unknown shape', result.error);
}
