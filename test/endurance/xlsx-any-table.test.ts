/**
 * Any table that is written as XLSX and read back by exceljs is the same table, except for documented changes: line
 * ends, halves of surrogate pairs, over-long texts, the time of a day.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '#core/exports/xlsx-cells.ts';
import { columnsOf, open, shown, table, write } from '#test/support/xlsx.ts';

const DAY_MS = 86_400_000;

describe('any table', () => {
  const hostile = fc.constantFrom('_x0041_', '_', 'x0041', '_x', '\r\n', '\r', '\n', '\t', ' ', '\u0001', '\u001f');
  const pieces = fc.oneof(
    hostile,
    fc.constantFrom('\ud83d', '\ude00', '\ufffe', '\uffff', '=', '&lt;', '<', '>', '"', ']]>', '0041_'),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    fc.array(pieces, { minLength: 1, maxLength: 3 }).map((all) => all.join('').repeat(12_000)),
  );
  const date = fc.record({
    date: fc.date({ min: new Date('1900-03-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
    format: fc.constantFrom('date' as const, 'datetime' as const),
  });
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 2, arbitrary: date },
    { weight: 1, arbitrary: fc.constant(null) },
  );

  /** A cell after the documented changes. */
  function expected(one: Cell): unknown {
    if (typeof one === 'number') return one === 0 ? 0 : one;
    if (one === null || typeof one !== 'string') return dayOrMoment(one);
    const whole = one.replace(/\r\n?/g, '\n').toWellFormed();
    if (whole === '') return null;
    const kept = whole.slice(0, 32_767);
    return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
  }

  function dayOrMoment(one: Exclude<Cell, string | number>): unknown {
    if (one === null) return null;
    if ('link' in one) return { text: one.text, hyperlink: one.link };
    const ms = one.date.getTime();
    return new Date(one.format === 'date' ? Math.floor(ms / DAY_MS) * DAY_MS : ms);
  }

  test('read back by exceljs equals what was written', async () => {
    const tables = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(tables, fc.integer({ min: 2, max: 8 }), async (rows, maxRowsPerSheet) => {
        const file = await write(table(rows, { columns: columnsOf(4), maxRowsPerSheet }));
        const sheets = (await open(file)).worksheets.filter((sheet) => sheet.name !== 'Notes');
        const perSheet = maxRowsPerSheet - 1;
        const read = sheets.flatMap((sheet, i) => {
          const count = Math.min(perSheet, rows.length - i * perSheet);
          return Array.from({ length: count }, (_, row) =>
            Array.from({ length: 4 }, (_, column) => shown(sheet.getCell(row + 2, column + 1).value)),
          );
        });
        expect(read).toEqual(rows.map((row) => row.map(expected)));
      }),
      { numRuns: 150 },
    );
  });
});
