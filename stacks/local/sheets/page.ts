/** The page of the local spreadsheet: a table at `/sheet`, and its rows as JSON at `/sheet.json`. */
import { html } from 'hono/html';
import { htmlPage, type PlainPage, plainPages } from '../gateway/plain-pages.ts';
import type { PageHandler } from '../gateway/server.ts';
import { DEMO_SPREADSHEET, listRows, type RunningSheets } from './sheets.ts';

/** Serves `/sheet` and `/sheet.json`. */
export const sheetPage = (sheets: RunningSheets): PageHandler =>
  plainPages((path) => {
    if (path === '/sheet') return tablePage(listRows(sheets));
    if (path !== '/sheet.json') return undefined;
    return { type: 'application/json', body: JSON.stringify({ rows: listRows(sheets) }) };
  });

type Rows = ReturnType<typeof listRows>;
const renderCell = (cell: Rows[number][number]): string =>
  typeof cell === 'object' ? `formula ${cell.formula}` : `${cell}`;

const tablePage = ([header = [], ...rows]: Rows): PlainPage =>
  htmlPage(
    'Form service: spreadsheet',
    html`<h1>The local spreadsheet</h1>
<p>It stands for <code>${DEMO_SPREADSHEET}</code>. Forms with this <code>spreadsheetUrl</code> write their submissions here. <a href="/sheet.json">As JSON</a></p>
${
  header.length === 0
    ? html`<p>It is empty.</p>`
    : html`<div tabindex="0" role="region" aria-label="Rows"><table>
<thead><tr>${header.map((cell) => html`<th scope="col">${renderCell(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${renderCell(cell)}</td>`)}</tr>`)}</tbody>
</table></div>`
}`,
  );
