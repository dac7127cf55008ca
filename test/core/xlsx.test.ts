/** Workbooks read back by exceljs: every kind of cell, hostile texts, dates. */
import type { Workbook } from 'exceljs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { columnLetters, openNotes } from '#core/exports/xlsx.ts';
import type { Cell } from '#core/exports/xlsx-cells.ts';
import type { Column } from '#core/exports/xlsx-parts.ts';
import { columnsOf, createdAt, open, partOf, sheetOf, shown, table, valuesOf, write } from '#test/support/xlsx.ts';

/** The rows of the first sheet after these rows were written. */
const readBack = async (rows: Cell[][]): Promise<unknown[][]> =>
  valuesOf(sheetOf(await open(await write(table(rows)))), Math.max(1, ...rows.map((row) => row.length)));

/** The names of the sheets in order. */
const namesOf = (workbook: Workbook): string[] => workbook.worksheets.map((sheet) => sheet.name);

describe('a workbook', () => {
  test('has texts, numbers, days, moments and empty cells by their types', async () => {
    const moment = new Date('2026-05-01T12:34:56.789Z');
    const row: Cell[] = [
      'text',
      -12.5,
      { date: new Date('2026-05-01'), format: 'date' },
      { date: moment, format: 'datetime' },
      'https://example.org/?a=1&b=2',
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
      // A filter of the header and all rows: two of them on the first sheet, one on the second.
      expect(sheet.autoFilter).toBe(sheet.name === 'Responses' ? 'A1:B3' : 'A1:B2');
      expect(sheet.getColumn(1).width).toBe(33);
      expect(sheet.getColumn(2).width).toBeGreaterThanOrEqual(19);
    }
  });

  test('has links on the cells that lead somewhere, and long texts in several lines', async () => {
    const columns: Column[] = [{ title: 'Where' }, { title: 'Why', kind: 'longText' }];
    const link = { text: 'https://example.org/<ä> b?a=1&b="2"', link: 'https://example.org/<ä> b?a=1&b="2"' };
    const rows: Cell[][] = [
      [link, 'short'],
      ['https://example.org/plain', '=long'],
      [{ ...link, text: '2 file(s): a' }, null],
    ];
    const file = await write(table(rows, { columns, maxRowsPerSheet: 3 }));
    const workbook = await open(file);
    expect(namesOf(workbook)).toEqual(['Responses', 'Responses 2']);
    const [first, second] = workbook.worksheets;
    const hyperlink = 'https://example.org/%3C%C3%A4%3E%20b?a=1&b=%222%22';
    expect(first?.getCell('A2').value).toEqual({ text: link.text, hyperlink });
    expect(first?.getCell('A3').value).toBe('https://example.org/plain');
    expect(second?.getCell('A2').value).toEqual({ text: '2 file(s): a', hyperlink });
    expect(first?.getCell('A2').font.underline).toBe(true);
    expect(['B2', 'B3'].map((place) => first?.getCell(place).alignment?.wrapText)).toEqual([true, true]);
    expect(first?.getColumn(2).width).toBe(60);
    expect(partOf(file, 'xl/worksheets/sheet1.xml')).not.toContain('<f>');
    // In the order of the schema, without which Excel repairs the file.
    expect(partOf(file, 'xl/worksheets/sheet1.xml')).toContain('</sheetData><autoFilter ref="A1:B3"/><hyperlinks>');
  });

  test('keeps columns with equal titles apart', async () => {
    const columns = [{ title: 'Why?' }, { title: 'Why?' }, { title: 'Why?' }];
    const sheet = sheetOf(await open(await write(table([['a', 'b', 'c']], { columns }))));
    expect(sheet.getRow(1).values).toEqual([undefined, 'Why?', 'Why?', 'Why?']);
    expect(valuesOf(sheet, 3)).toEqual([['a', 'b', 'c']]);
  });

  test('has the title and the creation time in its properties', async () => {
    const workbook = await open(await write(table([], { title: 'A & <B> \u0001 "表單"' })));
    expect(workbook.title).toBe('A & <B>  "表單"');
    expect(workbook.created).toEqual(createdAt);
  });

  test('without rows is one sheet with the header', async () => {
    const workbook = await open(await write(table([], { columns: columnsOf(2) })));
    expect(namesOf(workbook)).toEqual(['Responses']);
    expect(sheetOf(workbook).rowCount).toBe(1);
    expect(sheetOf(workbook).autoFilter).toBe('A1:B1');
  });

  test('is the same bytes for the same table', async () => {
    expect(await write(table([['a', 1]]))).toEqual(await write(table([['a', 1]])));
  });

  test('takes rows from an asynchronous source', async () => {
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
    '=1\n=2',
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
    ['characters that XML does not allow', '\ufffe\uffff'],
    ['spaces that matter', '  a  b  '],
    ['tabs and lines', 'a\tb\nc\n'],
  ])('comes back as it was: %s', async (_, text) => {
    expect(await readBack([[text]])).toEqual([[text]]);
  });

  test('with lines shows them, also where it begins like a formula', async () => {
    const sheet = sheetOf(await open(await write(table([['a\nb', '=a\nb', 'a b']]))));
    const wraps = ['A2', 'B2', 'C2'].map((place) => sheet.getCell(place).alignment?.wrapText ?? false);
    expect(wraps).toEqual([true, true, false]);
  });

  test('has one kind of line end', async () => {
    expect(await readBack([['a\r\nb\rc\n\r\nd']])).toEqual([['a\nb\nc\n\nd']]);
  });

  test('has no halves of surrogate pairs', async () => {
    expect(await readBack([['a\ud83d', '\ude00b', '\ude00\ud83d', '\ud83d\ude00']])).toEqual([
      ['a\ufffd', '\ufffdb', '\ufffd\ufffd', '😀'],
    ]);
  });

  test('of 40,000 characters is cut at 32,767, and the last sheet lists where', async () => {
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
});

describe('numbers and dates', () => {
  test('that are no numbers are written as text', async () => {
    const row = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 5e-7, -0];
    expect(await readBack([row])).toEqual([['NaN', 'Infinity', '-Infinity', 1e21, 5e-7, 0]]);
  });

  test('before March 1900, which spreadsheets count wrongly or not at all, are written as text', async () => {
    const day = (date: string): Cell => ({ date: new Date(date), format: 'date' });
    const row = [day('1900-02-28'), day('1900-03-01'), day('0044-03-15'), day('9999-12-31')];
    expect(await readBack([row])).toEqual([
      ['1900-02-28', new Date('1900-03-01'), '0044-03-15', new Date('9999-12-31')],
    ]);
    const moment: Cell = { date: new Date('1899-12-31T23:59:58Z'), format: 'datetime' };
    expect(await readBack([[moment]])).toEqual([['1899-12-31 23:59:58']]);
  });

  test('that are no date are empty cells', async () => {
    expect(await readBack([[{ date: new Date(Number.NaN), format: 'date' }, 'next']])).toEqual([[null, 'next']]);
  });

  test('are in UTC, whatever the zone of the machine, and a day has no time', async () => {
    vi.stubEnv('TZ', 'Asia/Taipei');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const row: Cell[] = [
      { date: new Date('2026-05-01T08:00:00+08:00'), format: 'datetime' },
      { date: new Date('2026-05-01T23:59:59Z'), format: 'date' },
    ];
    const day = new Date('2026-05-01T00:00:00Z');
    expect(await readBack([row])).toEqual([[day, day]]);
  });

  test('show the day, or the day and the time', async () => {
    const date = new Date('2026-05-01T08:00:00Z');
    const row: Cell[] = [
      { date, format: 'date' },
      { date, format: 'datetime' },
    ];
    const sheet = sheetOf(await open(await write(table([row]))));
    expect(sheet.getCell('A2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd');
    expect(sheet.getCell('B2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd hh:mm:ss "UTC"');
  });
});
