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
 * The id of the metadata of the header or the end. Google refuses to add an id twice, so a request that was believed
 * lost and arrives late adds no second header.
 */
export const metadataId = (key: typeof METADATA.header | typeof METADATA.end): number =>
  key === METADATA.header ? MIN_ROW_ID - 1 : MIN_ROW_ID - 2;

/** The ids of columns begin here and end below those of the header and the end. */
const MIN_COLUMN_ID = MIN_ROW_ID / 2;
const COLUMN_IDS = MIN_ROW_ID / 2 - 2;

/**
 * The id of the metadata of a column: a hash of its key, or the next id that no other column has. A repeated request has
 * the same ids, so it adds no second column.
 */
export function columnId(key: string, taken: ReadonlySet<number>): number {
  let offset = Number.parseInt(sha256(key, 'hex').slice(0, 8), 16) % COLUMN_IDS;
  while (taken.has(MIN_COLUMN_ID + offset)) offset = (offset + 1) % COLUMN_IDS;
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

/** The body of the search for a table with some rows. */
export const searchFor = (rowIds: readonly number[]): object => ({
  dataFilters: [
    ...[METADATA.header, METADATA.end, METADATA.column].map((metadataKey) => ({
      developerMetadataLookup: { metadataKey },
    })),
    ...rowIds.map((metadataId) => ({ developerMetadataLookup: { metadataId } })),
  ],
});

/** The layout in the result of a search; undefined when there is no table yet. */
export function layoutOf(result: unknown): Layout | undefined {
  const found = parsed(SearchResult, result).matchedDeveloperMetadata.map(({ developerMetadata }) => developerMetadata);
  const first = found.find(isColumn);
  if (!first) return undefined;
  const { sheetId } = rangeOf(first);
  const here = found.filter((each) => rangeOf(each).sheetId === sheetId);
  const ofKey = (key: string) => here.filter(({ metadataKey }) => metadataKey === key);
  const positionOf = (key: string): number | undefined => ofKey(key).map((each) => rangeOf(each).startIndex)[0];
  return {
    sheetId,
    header: positionOf(METADATA.header),
    end: positionOf(METADATA.end),
    columns: new Map(ofKey(METADATA.column).map((each) => [each.metadataValue, rangeOf(each).startIndex])),
    columnIds: new Set(found.filter(isColumn).map(({ metadataId }) => metadataId)),
    rows: new Set(ofKey(METADATA.row).map(({ metadataId }) => metadataId)),
  };
}

const isColumn = ({ metadataKey }: Metadata): boolean => metadataKey === METADATA.column;

const rangeOf = ({ location }: Metadata) => location.dimensionRange ?? { sheetId: -1, startIndex: 0 };

/** The query that reads the sizes of the sheets. */
export const SHEETS_QUERY = 'fields=sheets(properties(sheetId,gridProperties(rowCount)))';

const Properties = z.object({
  sheetId: z.int().default(0),
  gridProperties: z.object({ rowCount: z.int() }).optional(),
});
const Spreadsheet = z.object({ sheets: z.array(z.object({ properties: Properties })).default([]) });

/** The sheets of a spreadsheet that hold cells, in order, with their number of rows. */
export const sheetsOf = (result: unknown): { sheetId: number; rowCount: number }[] =>
  parsed(Spreadsheet, result).sheets.flatMap(({ properties: { sheetId, gridProperties } }) =>
    gridProperties ? [{ sheetId, rowCount: gridProperties.rowCount }] : [],
  );

/** A response of the spreadsheet service. Throws SheetFailure when it has another shape than the schema. */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SheetFailure('unavailable', 'the response of the spreadsheet service has an unknown shape', result.error);
}
