/** The page of the local spreadsheet: a table at `/sheet`, and its rows as JSON at `/sheet.json`. */
import { html } from 'hono/html';
import { splitUrl } from './http-to-event.ts';
import type { PageHandler } from './server.ts';
import { DEMO_SPREADSHEET, type RunningSheets, rowsOf } from './sheets.ts';

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `/sheet` and `/sheet.json`. */
export function sheetPage(sheets: RunningSheets): PageHandler {
  return (request, response) => {
    const [path] = splitUrl(request.url ?? '/');
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    if (path !== '/sheet' && path !== '/sheet.json') return false;
    const rows = rowsOf(sheets);
    const isPage = path === '/sheet';
    const body = isPage ? String(pageHtml(rows)) : JSON.stringify({ rows });
    response.writeHead(200, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
      'content-length': Buffer.byteLength(body),
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    response.end(body);
    return true;
  };
}

type Rows = ReturnType<typeof rowsOf>;
const textOf = (cell: Rows[number][number]): string =>
  typeof cell === 'object' ? `formula ${cell.formula}` : `${cell}`;

function pageHtml([header = [], ...rows]: Rows) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Form service: spreadsheet</title>
<style>
body { margin: 1rem; font: 14px/1.4 sans-serif; color-scheme: light dark; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8888; padding: .25rem .5rem; text-align: left; vertical-align: top; white-space: pre-wrap; }
</style>
</head>
<body>
<h1>The local spreadsheet</h1>
<p>It stands for <code>${DEMO_SPREADSHEET}</code>. Forms with this <code>spreadsheetUrl</code> write their submissions here. <a href="/sheet.json">As JSON</a></p>
${
  header.length === 0
    ? html`<p>It is empty.</p>`
    : html`<div tabindex="0" role="region" aria-label="Rows"><table>
<thead><tr>${header.map((cell) => html`<th scope="col">${textOf(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${textOf(cell)}</td>`)}</tr>`)}</tbody>
</table></div>`
}
</body>
</html>
`;
}
