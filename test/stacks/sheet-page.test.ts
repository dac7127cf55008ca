/** The page of the local spreadsheet, and the file that keeps it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { lazySheets } from '#core/google/lazy.ts';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { sheetPage } from '#stacks/local/sheets/page.ts';
import { listRows, type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';

const HOSTILE = '<script>alert(1)</script>';
const directory = mkdtempSync(join(tmpdir(), 'sheets-'));
const file = join(directory, 'sheets.json');
let sheets: RunningSheets;
let server: RunningServer;

const write = (cells: string[]) => {
  const { sheets: settings } = parseConfig({ ...process.env, ...sheets.settings });
  const columns = [
    { key: 'a', title: 'A' },
    { key: 'b', title: HOSTILE },
  ];
  return lazySheets(() => settings).write('local-demo', { columns, rows: [{ id: 2 ** 30, mayAdd: true, cells }] });
};

beforeAll(async () => {
  sheets = await startSheets({ file });
  server = await startServer({ routes: [], port: 0, pages: sheetPage(sheets) });
});
afterAll(async () => {
  await Promise.all([server.stop(), sheets.stop()]);
  rmSync(directory, { recursive: true });
});

test('is empty at first', async () => {
  expect(await (await fetch(`${server.url}/sheet`)).text()).toContain('It is empty.');
  expect(await (await fetch(`${server.url}/sheet.json`)).json()).toEqual({ rows: [] });
});

test('shows the rows, header first, with their contents escaped', async () => {
  await write(['=1+1', HOSTILE]);
  expect(await (await fetch(`${server.url}/sheet.json`)).json()).toEqual({
    rows: [
      ['A', HOSTILE],
      ['=1+1', HOSTILE],
    ],
  });
  const response = await fetch(`${server.url}/sheet`);
  const html = await response.text();
  expect(html).toContain('<td>=1+1</td>');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toContain('<script>');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('survives a restart', async () => {
  const restarted = await startSheets({ file });
  expect(listRows(restarted)).toEqual(listRows(sheets));
  await restarted.stop();
});

test('leaves other paths to the API', async () => {
  expect((await fetch(`${server.url}/sheets`)).headers.get('content-security-policy')).toBeNull();
});
