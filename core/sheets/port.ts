/**
 * The port to spreadsheets: a table with one column per question and one row per response. Rows and columns are found
 * by what is attached to them, never by their position, so people may move, sort and delete them.
 */
import type { Ports } from '#core/db/ports.ts';

export type SheetCell = string | number | null;

/** `key`: identifies the column in the spreadsheet; at most 8 characters. */
export type SheetColumn = { key: string; title: string };

export type SheetRow = {
  /** Identifies the row in the spreadsheet: an integer from 1,073,741,824 to 2,147,483,647. */
  id: number;
  /** The row may be added. Otherwise a row that is not there was deleted by hand, and stays deleted. */
  mayAdd: boolean;
  /** The cells in the order of the columns; null clears the row. */
  cells: readonly SheetCell[] | null;
};

/** What `write` writes; all rows have the same columns. */
export type SheetTable = { columns: readonly SheetColumn[]; rows: readonly SheetRow[] };

export type SheetPort = {
  /** The address with which people share their spreadsheets. Throws 503 where spreadsheets are not set up. */
  email(): Promise<string>;
  /** Whether a spreadsheet can be reached and changed now. Throws SheetFailure when that cannot be found out. */
  canWrite(spreadsheetId: string): Promise<boolean>;
  /**
   * Adds the columns and rows that are not there and replaces the cells of the others. Adding a row and its cells is one
   * step, and an id is added at most once, so writing can be repeated after any failure. Throws SheetFailure.
   */
  write(spreadsheetId: string, table: SheetTable): Promise<void>;
};

/** Why a spreadsheet could not be written. */
export type SheetFailureReason = 'unavailable' | 'rate_limited' | 'no_access' | 'not_found' | 'refused' | 'not_set_up';

const PERMANENT: ReadonlySet<SheetFailureReason> = new Set(['no_access', 'not_found', 'refused', 'not_set_up']);

/** A failure of the port. `isPermanent`: repeating does not help until somebody changes the spreadsheet. */
export class SheetFailure extends Error {
  readonly reason: SheetFailureReason;
  readonly isPermanent: boolean;

  constructor(reason: SheetFailureReason, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'SheetFailure';
    this.reason = reason;
    this.isPermanent = PERMANENT.has(reason);
  }
}

/** The ids of rows begin here; those of other metadata are below, so that they never meet. */
export const MIN_ROW_ID = 2 ** 30;

/** The ports of the domain, and the spreadsheets. */
export type SheetPorts = Ports & { sheets: SheetPort };
