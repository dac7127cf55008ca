/**
 * The rows of a workbook as sheets: a header row on each, on to the next sheet where one is full, and at the end the
 * notes about texts that were cut (contract section 9). Rows are asked for one at a time and given on in chunks, so
 * that memory holds one chunk whatever their number. One cell: `xlsx-cells.ts`; around the rows: `xlsx-shell.ts`.
 */

import { cellXml, HEADER_TEXT, type OnCut, textXml } from '#core/review/xlsx-cells.ts';
import type { Cell, Column, Sheet } from '#core/review/xlsx-model.ts';
import { SHEET_END, sheetStart } from '#core/review/xlsx-shell.ts';
import { MAX_CELL_LENGTH } from '#core/review/xlsx-text.ts';

/** The most columns that a sheet can have. */
const MAX_COLUMNS = 16_384;
const CHUNK_BYTES = 65_536;
const MAX_NOTES = 1_000;

/** Where a sheet is full: `rows` includes the header; `bytes` is looked at after each chunk, so a little more is written. */
export type SheetLimits = { rows: number; bytes: number };

/** The rows still to be written; `current` is undefined at the end. */
export type RowSource = {
  current: readonly Cell[] | undefined;
  advance: () => Promise<void>;
  close: () => Promise<void>;
};

/** Opens the rows and reads the first one. */
export async function openRows(rows: Sheet['rows']): Promise<RowSource> {
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

/** The letters of the columns: A … Z, AA … XFD. Throws a RangeError beyond what a sheet can have. */
export function columnLetters(count: number): string[] {
  if (count > MAX_COLUMNS) throw new RangeError(`A sheet has at most ${MAX_COLUMNS} columns, not ${count}.`);
  return Array.from({ length: count }, (_, index) => {
    let letters = '';
    for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
    }
    return letters;
  });
}

/** One sheet to be written: its columns with their letters, whether it is the first, and who is told of cut texts. */
export type SheetPlan = { columns: readonly Column[]; letters: readonly string[]; first: boolean; onCut: OnCut };

/**
 * One sheet in chunks of about 64 KB: the header, then rows until the source ends or a limit is reached.
 * Throws a RangeError for a row with more cells than there are columns.
 */
export async function* sheetChunks(
  plan: SheetPlan,
  source: RowSource,
  limits: SheetLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = openOutput();
  yield* output.add(sheetStart(plan.columns, plan.first) + headerXml(plan));
  let bytes = 0;
  for (let row = 2; source.current && row <= limits.rows && bytes < limits.bytes; row += 1) {
    const full = output.add(rowXml(plan, row, source.current));
    for (const chunk of full) {
      bytes += chunk.length;
      yield chunk;
    }
    await source.advance();
  }
  yield* output.add(SHEET_END);
  yield output.rest();
}

type Output = { add: (xml: string) => Uint8Array[]; rest: () => Uint8Array };

const MAX_UTF8_PER_UNIT = 3;
const NOTHING: Uint8Array[] = [];

/**
 * Gathers text as UTF-8; `add` gives back the chunk that had no room for it. Writing row by row into a buffer takes
 * half the time of joining the rows to one long text and encoding that.
 */
function openOutput(): Output {
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

const headerXml = (plan: SheetPlan): string => {
  const cells = plan.columns.map((one, i) => textXml(`${plan.letters[i]}1`, one.title, HEADER_TEXT, plan.onCut));
  return `<row r="1">${cells.join('')}</row>`;
};

function rowXml(plan: SheetPlan, row: number, cells: readonly Cell[]): string {
  if (cells.length > plan.letters.length) {
    throw new RangeError(`A row has ${cells.length} cells for ${plan.letters.length} columns.`);
  }
  const number = String(row);
  let xml = `<row r="${number}">`;
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i];
    if (cell !== null && cell !== undefined) xml += cellXml(plan.letters[i] + number, cell, plan.onCut);
  }
  return `${xml}</row>`;
}

/** The name of the sheet that continues the rows for the nth time, from 1. */
export const sheetName = (index: number): string => (index === 1 ? 'Responses' : `Responses ${index}`);

/** The name of the last sheet, which exists when there is something to say. */
export const NOTES_NAME = 'Notes';

/** The notes of one export: the first 1,000 cut texts by their place, and the number of the others. */
export type Notes = { add: (sheet: string, reference: string, length: number) => void; table: () => Cell[][] };

/** The columns of the notes. */
export const NOTE_COLUMNS: readonly Column[] = [{ title: 'Sheet' }, { title: 'Cell' }, { title: 'Note', width: 70 }];

/** Collects what has to be told; its table is empty when nothing was cut. */
export function openNotes(): Notes {
  const listed: Cell[][] = [];
  let unlisted = 0;
  const add = (sheet: string, reference: string, length: number): void => {
    if (listed.length === MAX_NOTES) unlisted += 1;
    else listed.push([sheet, reference, `Cut to ${MAX_CELL_LENGTH} characters; the full text has ${length}.`]);
  };
  const table = (): Cell[][] =>
    unlisted === 0
      ? listed
      : [...listed, [null, null, `${unlisted} more cells were cut to ${MAX_CELL_LENGTH} characters.`]];
  return { add, table };
}
