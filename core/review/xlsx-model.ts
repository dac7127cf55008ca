/**
 * What a table is made of before it becomes a file: typed columns, and cells that say what they mean.
 * The export's rows produce these; `xlsx.ts` writes them as a workbook. Types only.
 */

/** What a column mostly holds; it chooses the default width and the number format of the whole column. */
export type ColumnKind = 'text' | 'number' | 'date' | 'datetime';

/** A column: its title (need not be unique), its kind, and its width in characters when the default does not suit. */
export type Column = { title: string; kind?: ColumnKind; width?: number };

/**
 * A day or a moment. A text is ISO 8601: `2026-05-01`, or with a time and an offset (without one it is UTC).
 * It is shown in UTC; `date` shows the day and drops the time.
 */
export type DateCell = { date: Date | string; format: 'date' | 'datetime' };

/** An address that is shown as text. */
export type LinkCell = { link: string };

/** One cell; null is an empty one, and so is the empty text. */
export type Cell = string | number | DateCell | LinkCell | null;

/** A table as a writer takes it: rows may come from a database page by page, and are asked for one at a time. */
export type Sheet = {
  columns: readonly Column[];
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  /** The document's title in its properties. */
  title: string;
  /** The document's creation time; a writer never reads the clock. */
  createdAt: Date;
};
