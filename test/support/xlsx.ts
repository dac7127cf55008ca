/**
 * Writes tables as workbooks and reads them back with exceljs, for the tests of the XLSX writer and of exports.
 */
import { buffer } from 'node:stream/consumers';
import excel, { type Workbook, type Worksheet } from 'exceljs';
import { strFromU8, unzipSync } from 'fflate';
import { writeXlsx, type XlsxOptions } from '#core/exports/xlsx.ts';
import type { Cell } from '#core/exports/xlsx-cells.ts';
import type { Column } from '#core/exports/xlsx-parts.ts';

export const createdAt = new Date('2026-05-01T12:34:56Z');

/** The file that an export returned directly. */
export function fileOf({ body }: { body: unknown }): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new Error(`the export returned no file: ${JSON.stringify(body)}`);
}

/** Columns with the titles Q1, Q2, … */
export const columnsOf = (count: number): Column[] => Array.from({ length: count }, (_, i) => ({ title: `Q${i + 1}` }));

/** A table of the given rows, as wide as the widest of them. */
export const table = (rows: Cell[][], more: Partial<XlsxOptions> = {}): XlsxOptions => ({
  columns: columnsOf(Math.max(1, ...rows.map((row) => row.length))),
  rows,
  title: 'Survey',
  createdAt,
  ...more,
});

/** The file of a table. */
export const write = (options: XlsxOptions): Promise<Buffer> => buffer(writeXlsx(options));

/** The file as exceljs reads it; exceljs does not decode the `_xHHHH_` escapes of inline strings, see `shown`. */
export async function open(file: Buffer): Promise<Workbook> {
  const workbook = new excel.Workbook();
  await workbook.xlsx.load(new Uint8Array(file).buffer);
  return workbook;
}

/** Whether a value is a text that is a link. */
const isLinkValue = (value: unknown): value is { text: string; hyperlink: string } =>
  typeof value === 'object' && value !== null && 'hyperlink' in value;

/** A value as a spreadsheet shows it; of a link its text. */
export function shown(value: unknown): unknown {
  if (isLinkValue(value)) return shown(value.text);
  return typeof value === 'string'
    ? value.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;
}

/** A sheet by its name; throws when there is none. */
export const sheetOf = (workbook: Workbook, name = 'Responses'): Worksheet => {
  const sheet = workbook.getWorksheet(name);
  if (!sheet) throw new Error(`There is no sheet ${name}.`);
  return sheet;
};

/** The rows of a sheet without its header, each with as many cells as there are columns. */
export const valuesOf = (sheet: Worksheet, columns: number): unknown[][] =>
  Array.from({ length: Math.max(0, sheet.rowCount - 1) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => shown(sheet.getCell(row + 2, column + 1).value)),
  );

/** One part of the package as text. */
export const partOf = (file: Buffer, path: string): string => strFromU8(unzipSync(file)[path] ?? new Uint8Array(0));
