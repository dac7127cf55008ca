/**
 * The XLSX writer, read back by exceljs (contract section 9): what was written is what a spreadsheet shows.
 * exceljs leaves the `_xHHHH_` escapes of inline strings as they stand, so `shown` reads them as the format says.
 * The names of the files are tested in `disposition.test.ts`; speed and memory in `test/bench/xlsx.bench.ts`.
 */
import { createHash } from 'node:crypto';
import excel, { type Workbook, type Worksheet } from 'exceljs';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { Cell, Column } from '#core/exports/model.ts';
import { writeXlsx, type XlsxOptions } from '#core/exports/xlsx.ts';
import { columnLetters, openNotes } from '#core/exports/xlsx-sheets.ts';
import { zip } from '#core/exports/xlsx-zip.ts';

const createdAt = new Date('2026-05-01T12:34:56Z');
const DAY_MS = 86_400_000;

const bytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

const columnsOf = (count: number): Column[] => Array.from({ length: count }, (_, i) => ({ title: `Q${i + 1}` }));

const table = (rows: Cell[][], more: Partial<XlsxOptions> = {}): XlsxOptions => ({
  columns: columnsOf(Math.max(1, ...rows.map((row) => row.length))),
  rows,
  title: 'Survey',
  createdAt,
  ...more,
});

const write = (options: XlsxOptions): Promise<Buffer> => bytesOf(writeXlsx(options));

async function open(file: Buffer): Promise<Workbook> {
  const workbook = new excel.Workbook();
  await workbook.xlsx.load(new Uint8Array(file).buffer);
  return workbook;
}

/** A value as a spreadsheet shows it. */
const shown = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;

const sheetOf = (workbook: Workbook, name = 'Responses'): Worksheet => {
  const sheet = workbook.getWorksheet(name);
  if (!sheet) throw new Error(`There is no sheet ${name}.`);
  return sheet;
};

/** The rows of a sheet without its header, each with as many cells as there are columns. */
const valuesOf = (sheet: Worksheet, columns: number): unknown[][] =>
  Array.from({ length: Math.max(0, sheet.rowCount - 1) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => shown(sheet.getCell(row + 2, column + 1).value)),
  );

const readBack = async (rows: Cell[][]): Promise<unknown[][]> =>
  valuesOf(sheetOf(await open(await write(table(rows)))), Math.max(1, ...rows.map((row) => row.length)));

const partOf = (file: Buffer, path: string): string => strFromU8(unzipSync(file)[path] ?? new Uint8Array(0));
const namesOf = (workbook: Workbook): string[] => workbook.worksheets.map((sheet) => sheet.name);

describe('a workbook', () => {
  test('holds texts, numbers, days, moments, links and empty cells as what they are', async () => {
    const moment = new Date('2026-05-01T12:34:56.789Z');
    const row: Cell[] = [
      'text',
      -12.5,
      { date: '2026-05-01', format: 'date' },
      { date: moment, format: 'datetime' },
      { link: 'https://example.org/?a=1&b=2' },
      null,
      '',
      0,
    ];
    const expected = ['text', -12.5, new Date('2026-05-01'), moment, 'https://example.org/?a=1&b=2', null, null, 0];
    expect(await readBack([row])).toEqual([expected]);
  });

  test('has a bold header that stays in view on every sheet, and columns wide enough to read', async () => {
    const columns: Column[] = [
      { title: 'Name', width: 33 },
      { title: 'When', kind: 'datetime' },
    ];
    const workbook = await open(await write(table([['a'], ['b'], ['c']], { columns, maxRowsPerSheet: 3 })));
    expect(namesOf(workbook)).toEqual(['Responses', 'Responses 2']);
    for (const sheet of workbook.worksheets) {
      expect([sheet.getCell('A1').value, sheet.getCell('B1').value]).toEqual(['Name', 'When']);
      expect(sheet.getCell('A1').font.bold).toBe(true);
      expect(sheet.getCell('A2').font?.bold ?? false).toBe(false);
      expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
      expect(sheet.getColumn(1).width).toBe(33);
      expect(sheet.getColumn(2).width).toBeGreaterThanOrEqual(19);
    }
  });

  test('keeps columns with equal titles apart', async () => {
    const columns = [{ title: 'Why?' }, { title: 'Why?' }, { title: 'Why?' }];
    const sheet = sheetOf(await open(await write(table([['a', 'b', 'c']], { columns }))));
    expect(sheet.getRow(1).values).toEqual([undefined, 'Why?', 'Why?', 'Why?']);
    expect(valuesOf(sheet, 3)).toEqual([['a', 'b', 'c']]);
  });

  test('carries the title and the creation time in its properties', async () => {
    const workbook = await open(await write(table([], { title: 'A & <B> \u0001 "表單"' })));
    expect(workbook.title).toBe('A & <B>  "表單"');
    expect(workbook.created).toEqual(createdAt);
  });

  test('without rows is one sheet with the header', async () => {
    const workbook = await open(await write(table([], { columns: columnsOf(2) })));
    expect(namesOf(workbook)).toEqual(['Responses']);
    expect(sheetOf(workbook).rowCount).toBe(1);
  });

  test('is the same bytes for the same table', async () => {
    expect(await write(table([['a', 1]]))).toEqual(await write(table([['a', 1]])));
  });

  test('takes rows that come from elsewhere, one by one', async () => {
    async function* rows(): AsyncGenerator<Cell[]> {
      for (let i = 0; i < 3; i += 1) yield [await Promise.resolve(`row ${i}`)];
    }
    const sheet = sheetOf(await open(await write(table([], { rows: rows() }))));
    expect(valuesOf(sheet, 1)).toEqual([['row 0'], ['row 1'], ['row 2']]);
  });

  test('names the columns as spreadsheets do', () => {
    const letters = columnLetters(16_384);
    expect([0, 25, 26, 51, 52, 701, 702, 16_383].map((i) => letters[i])).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
      'XFD',
    ]);
  });
});

describe('text', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=HYPERLINK("http://x","y")',
    "=cmd|' /C calc'!A0",
  ])('that begins like a formula stays text, also after editing: %j', async (text) => {
    const file = await write(table([[text]], { columns: [{ title: text }] }));
    const sheet = partOf(file, 'xl/worksheets/sheet1.xml');
    expect(sheet).not.toMatch(/<f[ >]/);
    const styles = [...partOf(file, 'xl/styles.xml').matchAll(/<cellXfs.*<\/cellXfs>/g)].join('').match(/<xf [^>]*>/g);
    for (const place of ['A1', 'A2']) {
      const style = new RegExp(`<c r="${place}" s="(\\d)" t="inlineStr">`).exec(sheet)?.[1];
      expect(styles?.[Number(style)]).toContain('quotePrefix="1"');
      expect(shown(sheetOf(await open(file)).getCell(place).value)).toBe(text.replace('\r', '\n'));
    }
  });

  test.each([
    ['emoji', '👩‍👩‍👧 🇹🇼 é 表單'],
    ['right to left', '\u202eשלום\u202c مرحبا'],
    ['markup', `<b>&amp; ]]> "x" 'y'</b>`],
    ['a literal escape', '_x0000_ _x005F_ _x000d_ _x0041_x0042_'],
    ['an escape ended by a control character', '_x0041\u0001 \u0001x0041_'],
    ['control characters', '\u0000\u0001\u0008\u000b\u000c\u000e\u001b\u001f\u007f\u0085\u2028'],
    ['characters that XML has not', '\ufffe\uffff'],
    ['spaces that matter', '  a  b  '],
    ['tabs and lines', 'a\tb\nc\n'],
  ])('comes back as it was: %s', async (_, text) => {
    expect(await readBack([[text]])).toEqual([[text]]);
  });

  test('has one kind of line end', async () => {
    expect(await readBack([['a\r\nb\rc\n\r\nd']])).toEqual([['a\nb\nc\n\nd']]);
  });

  test('has no halves of surrogate pairs', async () => {
    expect(await readBack([['a\ud83d', '\ude00b', '\ude00\ud83d', '\ud83d\ude00']])).toEqual([
      ['a\ufffd', '\ufffdb', '\ufffd\ufffd', '😀'],
    ]);
  });

  test('of 40,000 characters is cut at 32,767, and the last sheet says where', async () => {
    const file = await write(table([['short'], ['short', 'x'.repeat(40_000)]], { maxRowsPerSheet: 2 }));
    const workbook = await open(file);
    expect(namesOf(workbook)).toEqual(['Responses', 'Responses 2', 'Notes']);
    expect(sheetOf(workbook, 'Responses 2').getCell('B2').value).toBe('x'.repeat(32_767));
    const notes = valuesOf(sheetOf(workbook, 'Notes'), 3);
    expect(notes).toEqual([['Responses 2', 'B2', expect.stringMatching(/32767.*40000/)]]);
  });

  test('of exactly 32,767 characters is whole and needs no note', async () => {
    const workbook = await open(await write(table([[`${'x'.repeat(32_766)}é`]])));
    expect(namesOf(workbook)).toEqual(['Responses']);
    expect(sheetOf(workbook).getCell('A2').value).toBe(`${'x'.repeat(32_766)}é`);
  });

  test('is not cut through a surrogate pair', async () => {
    const text = `${'x'.repeat(32_766)}😀 and more`;
    const workbook = await open(await write(table([[text]])));
    expect(sheetOf(workbook).getCell('A2').value).toBe('x'.repeat(32_766));
  });

  test('that was cut is listed a thousand times, and counted from there', () => {
    const notes = openNotes();
    for (let row = 2; row < 1_014; row += 1) notes.add('Responses', `A${row}`, 40_000);
    const rows = notes.table();
    expect(rows).toHaveLength(1_001);
    expect(rows[999]).toEqual(['Responses', 'A1001', expect.any(String)]);
    expect(rows[1_000]?.join()).toContain('12 more');
  });

  test('is never a hyperlink, of which a sheet can hold only so many', async () => {
    const file = await write(table([[{ link: 'https://example.org' }]]));
    expect(partOf(file, 'xl/worksheets/sheet1.xml')).not.toContain('hyperlink');
  });
});

describe('numbers and dates', () => {
  test('that are no numbers are written as text', async () => {
    const row = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 5e-7, -0];
    expect(await readBack([row])).toEqual([['NaN', 'Infinity', '-Infinity', 1e21, 5e-7, 0]]);
  });

  test('before March 1900, which spreadsheets count wrongly or not at all, are written as text', async () => {
    const day = (date: string): Cell => ({ date, format: 'date' });
    const row = [day('1900-02-28'), day('1900-03-01'), day('0044-03-15'), day('9999-12-31')];
    expect(await readBack([row])).toEqual([
      ['1900-02-28', new Date('1900-03-01'), '0044-03-15', new Date('9999-12-31')],
    ]);
    const moment: Cell = { date: '1899-12-31T23:59:58Z', format: 'datetime' };
    expect(await readBack([[moment]])).toEqual([['1899-12-31 23:59:58']]);
  });

  test('that do not exist are written as they came', async () => {
    const cells: Cell[] = ['2026-02-30', 'soon', '2026-13-01', '=1'].map((date) => ({ date, format: 'date' }));
    const none: Cell = { date: new Date(Number.NaN), format: 'date' };
    expect(await readBack([[...cells, none]])).toEqual([['2026-02-30', 'soon', '2026-13-01', '=1', null]]);
  });

  test('are in UTC, whatever the zone of the machine, and a day has no time', async () => {
    const row: Cell[] = [
      { date: '2026-05-01T08:00:00', format: 'datetime' },
      { date: '2026-05-01T08:00:00+08:00', format: 'datetime' },
      { date: '2026-05-01T23:59:59Z', format: 'date' },
    ];
    const expected = ['2026-05-01T08:00:00Z', '2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z'].map((at) => new Date(at));
    expect(await readBack([row])).toEqual([expected]);
  });

  test('show the day, or the day and the time', async () => {
    const date = new Date('2026-05-01T08:00:00Z');
    const row: Cell[] = [
      { date, format: 'date' },
      { date, format: 'datetime' },
    ];
    const sheet = sheetOf(await open(await write(table([row]))));
    expect(sheet.getCell('A2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd');
    expect(sheet.getCell('B2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd hh:mm:ss');
  });
});

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

  /** What the documented changes make of a cell. */
  function expected(one: Cell): unknown {
    if (typeof one === 'number') return one === 0 ? 0 : one;
    if (one === null || typeof one !== 'string') return dayOrMoment(one);
    const whole = one.replace(/\r\n?/g, '\n').toWellFormed();
    if (whole === '') return null;
    const kept = whole.slice(0, 32_767);
    return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
  }

  function dayOrMoment(one: Exclude<Cell, string | number>): unknown {
    if (one === null || 'link' in one) return null;
    const ms = new Date(one.date).getTime();
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
