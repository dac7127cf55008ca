/** Workbooks of many rows: they continue on the next sheet, are written as fast as they are read, and never end early. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { writeXlsx } from '#core/exports/xlsx.ts';
import type { Cell } from '#core/exports/xlsx-cells.ts';
import { columnsOf, open, partOf, table, valuesOf, write } from '#test/support/xlsx.ts';

describe('a full sheet', () => {
  const rows = Array.from({ length: 10 }, (_, i): Cell[] => [`row ${i}`, i]);

  test.each([
    [11, [10]],
    [5, [4, 4, 2]],
    [6, [5, 5]],
    [2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('of %i rows continues on the next one and loses nothing', async (maxRowsPerSheet, expected) => {
    const workbook = await open(await write(table(rows, { maxRowsPerSheet })));
    expect(workbook.worksheets.map((sheet) => sheet.rowCount - 1)).toEqual(expected);
    expect(workbook.worksheets.flatMap((sheet) => valuesOf(sheet, 2))).toEqual(rows);
  });
});

describe('links', () => {
  test('beyond what a sheet may have are texts, of which the last sheet has the number', async () => {
    const link = (n: number) => ({ text: `${n}`, link: `https://example.org/${n}` });
    const rows = Array.from({ length: 65_533 }, (_, n): Cell[] => [link(n)]);
    const file = await write(table([...rows, [{ text: 'x', link: `https://example.org/${'x'.repeat(2_079)}` }]]));
    expect(partOf(file, 'xl/worksheets/sheet1.xml').split('<hyperlink ').length - 1).toBe(65_530);
    expect(partOf(file, 'xl/worksheets/_rels/sheet1.xml.rels').split('<Relationship ').length - 1).toBe(65_530);
    expect(partOf(file, 'xl/worksheets/sheet2.xml')).toContain(
      '4 cells are no links, because the sheet would have too many.',
    );
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

  test('stops reading rows when the reader stops', async () => {
    const log = { pulled: 0, closed: false };
    let read = 0;
    for await (const chunk of writeXlsx(table([], { rows: endless(log) }))) {
      read += chunk.length;
      if (read > 10_000) break;
    }
    expect(log.closed).toBe(true);
  });

  test('closes the rows when the reader stops before the first sheet', async () => {
    const log = { pulled: 0, closed: false };
    for await (const _ of writeXlsx(table([], { rows: endless(log) }))) break;
    expect(log.closed).toBe(true);
    expect(log.pulled).toBeLessThan(3_000);
  });

  test('fails when the rows fail, and does not end as if it were complete', async () => {
    async function* rows(): AsyncGenerator<Cell[]> {
      for (let i = 0; i < 5_000; i += 1) yield [`row ${i}`];
      throw new Error('the table is gone');
    }
    await expect(write(table([], { rows: rows() }))).rejects.toThrow('the table is gone');
  });

  test('refuses a row with more cells than columns, and more columns than a sheet has', async () => {
    await expect(write(table([['a', 'b']], { columns: columnsOf(1) }))).rejects.toThrow(/2 cells for 1 columns/);
    await expect(write(table([], { columns: columnsOf(16_385) }))).rejects.toThrow(RangeError);
  });
});
