/**
 * Workbooks of many rows (contract section 9): they go on on the next sheet, are written no faster than they are read,
 * and fail as a whole. What one sheet shows is in `xlsx.test.ts`.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { writeXlsx } from '#core/review/xlsx.ts';
import type { Cell } from '#core/review/xlsx-model.ts';
import { zip } from '#core/review/xlsx-zip.ts';
import { bytesOf, columnsOf, createdAt, open, table, valuesOf, write } from '#test/support/xlsx.ts';

describe('a full sheet', () => {
  const rows = Array.from({ length: 10 }, (_, i): Cell[] => [`row ${i}`, i]);

  test.each([
    [11, [10]],
    [5, [4, 4, 2]],
    [6, [5, 5]],
    [2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('of %i rows goes on on the next one and loses nothing', async (maxRowsPerSheet, expected) => {
    const workbook = await open(await write(table(rows, { maxRowsPerSheet })));
    expect(workbook.worksheets.map((sheet) => sheet.rowCount - 1)).toEqual(expected);
    expect(workbook.worksheets.flatMap((sheet) => valuesOf(sheet, 2))).toEqual(rows);
  });

  test('is also one whose XML has become too large', async () => {
    const long = Array.from({ length: 40 }, (_, i): Cell[] => [`${i} ${'y'.repeat(20_000)}`]);
    const workbook = await open(await write(table(long, { maxBytesPerSheet: 100_000 })));
    expect(workbook.worksheets.length).toBeGreaterThan(3);
    expect(workbook.worksheets.flatMap((sheet) => valuesOf(sheet, 1))).toEqual(long);
  });

  test.each([
    { maxRowsPerSheet: 1 },
    { maxRowsPerSheet: 1_048_577 },
    { maxBytesPerSheet: 0 },
  ])('has limits that the format allows, not %j', async (limits) => {
    await expect(write(table(rows, limits))).rejects.toThrow(RangeError);
  });
});

describe('writing', () => {
  /** A text that cannot be compressed much, so that rows in are bytes out. */
  const kilobyte = (seed: number): string =>
    Array.from({ length: 12 }, (_, i) => createHash('sha512').update(`${seed} ${i}`).digest('base64')).join('');

  const endless = (log: { pulled: number; closed: boolean }) =>
    (function* () {
      try {
        for (;;) {
          log.pulled += 1;
          yield [kilobyte(log.pulled)];
        }
      } finally {
        log.closed = true;
      }
    })();

  test('does not run ahead of a slow reader', async () => {
    const log = { pulled: 0, closed: false };
    const reader = writeXlsx(table([], { rows: endless(log) }))[Symbol.asyncIterator]();
    for (let i = 0; i < 20; i += 1) await reader.next();
    for (let i = 0; i < 300; i += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(log.pulled).toBeLessThan(3_000);
    await reader.return?.();
  });

  test('stops asking for rows when the reader stops', async () => {
    const log = { pulled: 0, closed: false };
    let read = 0;
    for await (const chunk of writeXlsx(table([], { rows: endless(log) }))) {
      read += chunk.length;
      if (read > 10_000) break;
    }
    expect(log.closed).toBe(true);
  });

  test('fails as the rows fail, and never ends as if it were whole', async () => {
    async function* rows(): AsyncGenerator<Cell[]> {
      for (let i = 0; i < 5_000; i += 1) yield [`row ${i}`];
      throw new Error('the table is away');
    }
    await expect(write(table([], { rows: rows() }))).rejects.toThrow('the table is away');
  });

  test('refuses a row with more cells than columns, and more columns than a sheet has', async () => {
    await expect(write(table([['a', 'b']], { columns: columnsOf(1) }))).rejects.toThrow(/2 cells for 1 columns/);
    await expect(write(table([], { columns: columnsOf(16_385) }))).rejects.toThrow(RangeError);
  });

  test('refuses a file that is too large for its own addresses', async () => {
    async function* parts() {
      yield { path: 'a.xml', content: 'x'.repeat(1_000) };
      yield { path: 'b.xml', content: 'y'.repeat(1_000) };
    }
    await expect(bytesOf(zip(parts(), createdAt, 100))).rejects.toThrow(/larger than 100 bytes/);
    await expect(bytesOf(zip(parts(), new Date(0), 1_000))).resolves.toBeInstanceOf(Buffer);
  });
});
