/** Spreadsheets through the client of the Google API, against the local API: what is where after writes and accidents. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { inRequestContext, remainingMs } from '#core/db/request-context.ts';
import { columnId } from '#core/google/layout.ts';
import { googleSheets } from '#core/google/sheets.ts';
import { SheetFailure, type SheetPort, type SheetRow } from '#core/sheets/port.ts';
import { type Interference, listRows, type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';

const ID = 'local-demo';
let api: RunningSheets;
let sheets: SheetPort;
let now = new Date();
/** What happens to the next calls. */
let interferences: (Interference | undefined)[] = [];

beforeEach(async () => {
  interferences = [];
  now = new Date();
  api = await startSheets({ file: null, interfere: () => interferences.shift() });
  const { sheets: settings } = parseConfig({ ...process.env, ...api.settings });
  if (settings) sheets = googleSheets({ ...settings, now: () => now });
});
afterEach(() => api.stop());

const COLUMNS = [
  { key: 'id', title: 'Response ID' },
  { key: 'q1', title: 'Name' },
  { key: 'q2', title: '=1+1' },
];
const row = (id: number, ...cells: (string | number | null)[]): SheetRow => ({ id, mayAdd: true, cells });
const write = (...rows: SheetRow[]) => sheets.write(ID, { columns: COLUMNS, rows });
const HEADER = ['Response ID', 'Name', '=1+1'];

const rowAt = (index: number, count = 1) => ({
  sheetId: 0,
  dimension: 'ROWS' as const,
  startIndex: index,
  endIndex: index + count,
});
const columnAt = (index: number) => ({ ...rowAt(index), dimension: 'COLUMNS' as const });

describe('a table', () => {
  test('gets its header once, and rows in order below it', async () => {
    await write(row(1, 'a', 'Ann', 1), row(2, 'b', 'Ben', null));
    await write(row(3, 'c', null, 3));
    expect(listRows(api)).toEqual([HEADER, ['a', 'Ann', 1], ['b', 'Ben', ''], ['c', '', 3]]);
  });

  test('is not made to clear rows that never were', async () => {
    await write({ id: 1, mayAdd: false, cells: null });
    expect(listRows(api)).toEqual([]);
  });

  test('takes two calls to add rows, two to change rows', async () => {
    await write(row(1, 'a', 'Ann', 1));
    api.calls.length = 0;
    await write(row(2, 'b', 'Ben', 2), row(3, 'c', 'Cem', 3));
    expect(api.calls).toEqual(['/developerMetadata:search', ':batchUpdate']);
    api.calls.length = 0;
    await write(row(2, 'b', 'Bea', 2), row(3, 'c', 'Cis', 3));
    expect(api.calls).toEqual(['/developerMetadata:search', '/values:batchUpdateByDataFilter']);
  });

  test('replaces the cells of rows that are there, and adds others', async () => {
    await write(row(1, 'a', 'Ann', 1));
    await write(row(1, 'a', null, 2), row(2, 'b', 'Ben', 2));
    expect(listRows(api)).toEqual([HEADER, ['a', '', 2], ['b', 'Ben', 2]]);
  });

  test('keeps texts that look like formulas as texts', async () => {
    await write(row(1, '=1+1', '+1', 1));
    expect(listRows(api)[1]).toEqual(['=1+1', '+1', 1]);
    await write(row(1, '=2+2', '@x', 1));
    expect(listRows(api)).toEqual([HEADER, ['=2+2', '@x', 1]]);
  });

  test('clears a row without moving others, and fills it again', async () => {
    await write(row(1, 'a', 'Ann', 1), row(2, 'b', 'Ben', 2));
    await write({ id: 1, mayAdd: false, cells: null });
    expect(api.spreadsheet().rows.slice(0, 3)).toEqual([HEADER, [null, null, null], ['b', 'Ben', 2]]);
    await write({ id: 1, mayAdd: false, cells: ['a', 'Ann', 1] });
    expect(listRows(api)).toEqual([HEADER, ['a', 'Ann', 1], ['b', 'Ben', 2]]);
  });

  test('appends the columns of new questions', async () => {
    await write(row(1, 'a', 'Ann', 1));
    const columns = [COLUMNS[0], { key: 'q3', title: 'Age' }, ...COLUMNS.slice(1)].filter((each) => each !== undefined);
    await sheets.write(ID, { columns, rows: [row(1, 'a', 33, 'Ann', 1), row(2, 'b', 44, 'Ben', 2)] });
    expect(listRows(api)).toEqual([
      [...HEADER, 'Age'],
      ['a', 'Ann', 1, 33],
      ['b', 'Ben', 2, 44],
    ]);
  });

  test('holds the columns of two forms', async () => {
    await write(row(1, 'a', 'Ann', 1));
    await sheets.write(ID, {
      columns: [
        { key: 'id', title: 'x' },
        { key: 'q9', title: 'Colour' },
      ],
      rows: [row(2, 'z', 'red')],
    });
    expect(listRows(api)).toEqual([
      [...HEADER, 'Colour'],
      ['a', 'Ann', 1, ''],
      ['z', '', '', 'red'],
    ]);
  });

  test('has a column for each key, also when the hashes of two are the same', async () => {
    // Hashes of 29 bits: two of some ten thousand keys are the same.
    const seen = new Map<number, string>();
    let pair: [string, string] | undefined;
    for (let count = 0; pair === undefined; count += 1) {
      const id = columnId(`k${count}`, new Set());
      const same = seen.get(id);
      if (same !== undefined) pair = [same, `k${count}`];
      seen.set(id, `k${count}`);
    }
    const [first, second] = pair.map((key) => ({ key, title: key }));
    if (!first || !second) throw new Error('two keys were expected');
    await sheets.write(ID, { columns: [first, second], rows: [row(1, 'a', 'b')] });
    await api.change([{ deleteDimension: { range: columnAt(1) } }]);
    await sheets.write(ID, { columns: [first, second], rows: [row(2, 'c', 'd')] });
    expect(listRows(api)).toEqual([
      [first.title, second.title],
      ['a', ''],
      ['c', 'd'],
    ]);
  });

  test('is made once, also by two requests at once', async () => {
    await Promise.all([write(row(1, 'a', 'Ann', 1)), write(row(2, 'b', 'Ben', 2))]);
    const [header, ...rows] = listRows(api);
    expect(header).toEqual(HEADER);
    expect(rows.map(([id]) => id).toSorted()).toEqual(['a', 'b']);
  });

  test('leaves out what no cell can hold', async () => {
    await write(row(1, 'a\0b\u001bc\td\ne', `${'x'.repeat(49_999)}🍜`, '\ud83c'));
    expect(listRows(api)[1]).toEqual(['abc\td\ne', `${'x'.repeat(49_999)}\ufffd`, '\ufffd']);
  });

  test('cuts a text that is too long for a cell', async () => {
    await write(row(1, 'x'.repeat(60_000), null, null));
    expect(listRows(api)[1]?.[0]).toHaveLength(50_000);
  });
});

describe('people may', () => {
  const fill = () => write(row(1, 'a', 'Ann', 1), row(2, 'b', 'Ben', 2), row(3, 'c', 'Cem', 3));

  test('delete a row: it stays deleted', async () => {
    await fill();
    api.change([{ deleteDimension: { range: rowAt(2) } }]);
    await write({ id: 2, mayAdd: false, cells: ['b', 'Bea', 2] }, { id: 3, mayAdd: false, cells: ['c', 'Cis', 3] });
    expect(listRows(api)).toEqual([HEADER, ['a', 'Ann', 1], ['c', 'Cis', 3]]);
  });

  test('insert rows and columns of their own, which are kept', async () => {
    await fill();
    api.change([
      { insertDimension: { range: rowAt(0, 2), inheritFromBefore: false } },
      { insertDimension: { range: columnAt(1), inheritFromBefore: false } },
      {
        updateCells: {
          start: { sheetId: 0, rowIndex: 3, columnIndex: 1 },
          rows: [{ values: [{ userEnteredValue: { stringValue: 'a note' } }] }],
          fields: 'userEnteredValue',
        },
      },
    ]);
    await write({ id: 1, mayAdd: false, cells: ['a', 'Ada', 1] }, row(4, 'd', 'Dan', 4));
    expect(filledRows(api.spreadsheet())).toEqual([
      ['Response ID', '', 'Name', '=1+1'],
      ['a', 'a note', 'Ada', 1],
      ['b', '', 'Ben', 2],
      ['c', '', 'Cem', 3],
      ['d', '', 'Dan', 4],
    ]);
  });

  test('delete the row below the table: rows are added at the end of the sheet', async () => {
    await fill();
    api.change([{ deleteDimension: { range: rowAt(4, 500) } }]);
    await write(row(4, 'd', 'Dan', 4));
    await write(row(5, 'e', 'Eve', 5));
    expect(listRows(api).slice(4)).toEqual([
      ['d', 'Dan', 4],
      ['e', 'Eve', 5],
    ]);
  });

  test('delete the header: it is not written again', async () => {
    await fill();
    api.change([{ deleteDimension: { range: rowAt(0) } }]);
    await write(row(4, 'd', 'Dan', 4));
    expect(listRows(api).map(([id]) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a write that fails', () => {
  test.for<[name: string, at: number, what: Interference]>([
    ['before the search', 0, 'lose-request'],
    ['after the search', 0, 'lose-response'],
    ['before rows are added', 2, 'lose-request'],
    ['after rows were added', 2, 'lose-response'],
  ])('%s can be repeated', async ([, at, what]) => {
    interferences = [...Array.from({ length: at }, () => undefined), what];
    const rows = [row(1, 'a', 'Ann', 1), row(2, 'b', 'Ben', 2)];
    await expect(write(...rows)).rejects.toMatchObject({ reason: 'unavailable', isPermanent: false });
    await write(...rows);
    expect(listRows(api)).toEqual([HEADER, ['a', 'Ann', 1], ['b', 'Ben', 2]]);
  });

  test.for<[status: number, reason: string, isPermanent: boolean]>([
    [429, 'rate_limited', false],
    [500, 'unavailable', false],
    [503, 'unavailable', false],
    [403, 'no_access', true],
    [404, 'not_found', true],
  ])('with status %i is %s', async ([status, reason, isPermanent]) => {
    interferences = [{ status }];
    const failure = await write(row(1, 'a', 'Ann', 1)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SheetFailure);
    expect(failure).toMatchObject({ reason, isPermanent });
  });

  test('because it is refused is repeated once with a new search', async () => {
    interferences = [undefined, undefined, { status: 400 }];
    await write(row(1, 'a', 'Ann', 1));
    expect(listRows(api)).toHaveLength(2);
    interferences = [undefined, { status: 400 }, undefined, { status: 400 }];
    await expect(write(row(2, 'b', 'Ben', 2))).rejects.toMatchObject({ reason: 'refused', isPermanent: true });
  });

  test('because the sheet is full is permanent', async () => {
    const rows = Array.from({ length: 29_989 }, (_, index) => row(index + 1, 'x', null, null));
    await write(...rows);
    await expect(write(row(30_001, 'y', null, null))).rejects.toMatchObject({ reason: 'refused' });
  });
});

describe('whether a spreadsheet can be changed', () => {
  test('is read, from another API than rows are written with', async () => {
    expect(await sheets.canWrite(ID)).toBe(true);
    expect(await sheets.canWrite('not-shared')).toBe(false);
    expect(api.calls).toEqual(['drive:files.get', 'drive:files.get']);
  });

  test('is remembered for a minute if it can, and read again if it cannot', async () => {
    for (const expected of [true, true]) expect(await sheets.canWrite(ID)).toBe(expected);
    expect(api.calls).toHaveLength(1);
    now = new Date(now.getTime() + 60_000);
    interferences = [{ status: 404 }, { status: 403 }];
    for (const expected of [false, false, true]) expect(await sheets.canWrite(ID)).toBe(expected);
    expect(api.calls).toHaveLength(4);
  });

  test.for<[status: number, code: string | undefined, reason: string]>([
    [429, undefined, 'rate_limited'],
    [403, 'rateLimitExceeded', 'rate_limited'],
    [403, 'userRateLimitExceeded', 'rate_limited'],
    [403, 'accessNotConfigured', 'not_set_up'],
    [503, undefined, 'unavailable'],
  ])('is not known after status %i %s: %s', async ([status, code, reason]) => {
    interferences = [{ status, ...(code === undefined ? {} : { reason: code }) }];
    await expect(sheets.canWrite(ID)).rejects.toMatchObject({ reason });
  });
});

describe('an access token', () => {
  test('is used until shortly before it expires', async () => {
    const first = await sheets.canWrite(ID);
    now = new Date(now.getTime() + 50 * 60_000);
    expect([first, await sheets.canWrite(ID)]).toEqual([true, true]);
    now = new Date(now.getTime() + 10 * 60_000);
    expect(await sheets.canWrite(ID)).toBe(true);
  });

  test('that is refused is replaced', async () => {
    await write(row(1, 'a', 'Ann', 1));
    interferences = [{ status: 401 }];
    await expect(sheets.canWrite(ID)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await sheets.canWrite(ID)).toBe(true);
  });
});

test('a call without a response ends before the time of the worker does', async () => {
  await write(row(1, 'a', 'Ann', 1));
  interferences = ['hang'];
  const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 8_500 };
  await inRequestContext(context, async () => {
    await expect(write(row(2, 'b', 'Ben', 2))).rejects.toMatchObject({ reason: 'unavailable' });
    expect(remainingMs()).toBeGreaterThan(0);
  });
});
