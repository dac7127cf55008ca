/**
 * The pages of the local service beside the product: `/docs`, `/inbox` and `/sheet`. How they look and work in a browser
 * is in `test/browser`.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { parseConfig } from '#core/aws/config.ts';
import { lazySheets } from '#core/google/lazy.ts';
import { openApiDocument } from '#stacks/build/openapi/document.ts';
import { docsPage } from '#stacks/local/gateway/docs.ts';
import { combinePages, type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { PROVIDER_PEOPLE } from '#stacks/local/identity/people.ts';
import { picturePages } from '#stacks/local/identity/pictures.ts';
import { inboxPages } from '#stacks/local/mail/inbox-page.ts';
import { openMailbox } from '#stacks/local/mail/mailbox.ts';
import { sheetPage } from '#stacks/local/sheets/page.ts';
import { listRows, type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';

const id = '00000000-0000-4000-8000-000000000001';
const HOSTILE = '<script>alert(1)</script>';
const directory = mkdtempSync(join(tmpdir(), 'pages-'));
const file = join(directory, 'sheets.json');
const mailbox = openMailbox(null);
let sheets: RunningSheets;
let server: RunningServer;

beforeAll(async () => {
  sheets = await startSheets({ file });
  const people = [{ name: HOSTILE, id }];
  const pages = combinePages(docsPage(people), inboxPages(mailbox), sheetPage(sheets), picturePages(PROVIDER_PEOPLE));
  server = await startServer({ routes: [], port: 0, log: () => {}, pages });
  const common = { from: 'forms@example.org', to: ['dave@example.com'], replyTo: [], tags: {}, headers: {} };
  const first = { ...common, id, subject: HOSTILE, sentAt: '2026-05-01T12:00:00.000Z' };
  mailbox.add({ ...first, text: 'Hi & bye', html: `<p>Hi</p>${HOSTILE}` }, 'Subject: Hi\r\n\r\nHi');
  const second = { ...first, id: id.replace('1', '2'), subject: 'Second', sentAt: '2026-05-01T13:00:00.000Z' };
  const ends = { 'List-Unsubscribe': '<https://forms.example.org/u>' };
  mailbox.add({ ...second, text: 'Plain', html: '', headers: ends }, '');
  const { sheets: settings } = parseConfig({ ...process.env, ...sheets.settings });
  const columns = [HOSTILE, 'B'].map((title) => ({ key: title.slice(-2), title }));
  const rows = [{ id: 2 ** 30, mayAdd: true, cells: ['=1+1', HOSTILE] }];
  await lazySheets(() => settings).write('local-demo', { columns, rows });
});
afterAll(async () => {
  await Promise.all([server.stop(), sheets.stop()]);
  rmSync(directory, { recursive: true });
});

async function get(path: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, init);
  const { status, headers } = response;
  return { status, headers, type: headers.get('content-type'), text: await response.text() };
}

test.for([
  '/docs',
  '/inbox',
  `/inbox/${id}`,
  '/sheet',
])('%s escapes what it shows, runs no inline code', async (path) => {
  const { status, text, headers } = await get(path);
  expect(status).toBe(200);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|(?:href|src)="https?:/);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  // Pages without scripts have a style of their own.
  expect(policy.replace("style-src 'unsafe-inline'", '')).not.toMatch(/unsafe|https?:|\*/);
  if (path === '/docs') expect(policy + text).not.toMatch(/unsafe-inline|<style|\sstyle=/);
});

test('the inbox lists the newest mail first, with its time', async () => {
  const { text } = await get('/inbox');
  expect(text.match(/<td>2026-[^<]*<\/td>/g)).toEqual(['<td>2026-05-01 13:00:00</td>', '<td>2026-05-01 12:00:00</td>']);
});

test('a mail of plain text is shown as it is, with the headers that end such mails', async () => {
  const { text } = await get(`/inbox/${id.replace('1', '2')}`);
  expect(text).toContain('<dt>List-Unsubscribe</dt><dd>&lt;https://forms.example.org/u&gt;</dd>');
  expect(text).toContain('<pre>Plain</pre>');
  expect(text).not.toContain('<iframe');
});

test('the HTML of a mail runs in a sandbox without script or other hosts', async () => {
  const { text, headers } = await get(`/inbox/${id}/html`);
  expect(text).toContain('<p>Hi</p>');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'.*sandbox/);
  expect(policy).not.toContain('allow-scripts');
});

test.for([
  ['127.0.0.1:3000', 200],
  ['localhost', 200],
  ['[::1]:3000', 200],
  ['192.168.1.2:3000', 200],
  ['rebound.example.com:3000', 421],
  ['localhost.example.com', 421],
  ['127.0.0.1.example.com', 421],
] as const)('a request to the host %j is %i', async ([host, status]) => {
  for (const path of ['/inbox', '/inbox.json', `/inbox/${id}/source`]) {
    const sent = request(server.url + path, { headers: { host } }).end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    response?.resume();
    expect([path, response?.statusCode]).toEqual([path, status]);
  }
});

test('scripts read the mails, newest first, and the rows, header first', async () => {
  expect(JSON.parse((await get('/inbox.json')).text).messages).toMatchObject([
    { subject: 'Second' },
    { id, to: ['dave@example.com'], subject: HOSTILE, sentAt: '2026-05-01T12:00:00.000Z' },
  ]);
  expect((await get(`/inbox/${id}/text`)).text).toBe('Hi & bye');
  expect((await get(`/inbox/${id}/source`)).text).toBe('Subject: Hi\r\n\r\nHi');
  const rows = [
    [HOSTILE, 'B'],
    ['=1+1', HOSTILE],
  ];
  expect(JSON.parse((await get('/sheet.json')).text)).toEqual({ rows });
});

test('the spreadsheet survives a restart', async () => {
  const restarted = await startSheets({ file });
  expect(listRows(restarted)).toEqual(listRows(sheets));
  await restarted.stop();
});

test('/docs has the document that the declarations make, and every file that it links to', async () => {
  const { type, text } = await get('/docs/openapi.json');
  expect(type).toBe('application/json');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument(operations))));
  const links = [...(await get('/docs')).text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toContain('/docs/swagger-ui-bundle.js');
  for (const link of links) {
    const linked = await get(link);
    const expected = /\.js$/.test(link) ? /javascript/ : /\.css$/.test(link) ? /css/ : /json|png/;
    expect([link, linked.status, linked.text.length > 0]).toEqual([link, 200, true]);
    expect(linked.type, link).toMatch(expected);
    expect(linked.headers.get('x-content-type-options')).toBe('nosniff');
  }
  const slash = await get('/docs/', { redirect: 'manual' });
  expect([slash.status, slash.headers.get('location')]).toEqual([302, '/docs']);
  const head = await get('/docs', { method: 'HEAD' });
  expect([head.status, head.text, Number(head.headers.get('content-length')) > 500]).toEqual([200, '', true]);
});

test.for([
  ['a write', '/docs', 'POST'],
  ['a path within', '/docs/package.json', 'GET'],
  ['a path that leads out', '/docs/..%2fpackage.json', 'GET'],
  ['a longer name', '/inboxes', 'GET'],
  ['a longer name', '/sheets', 'GET'],
])('%s, %s, is left to the API', async ([, path = '', method = '']) => {
  expect(await get(path, { method })).toMatchObject({ status: 404, type: 'application/problem+json' });
});

test.for(['x', `${id}/other`, '00000000-0000-4000-8000-00000000000f'])('the mail %s is not there', async (mail) => {
  expect((await get(`/inbox/${mail}`)).status).toBe(404);
});

test('each person of the provider has a picture, and nobody else', async () => {
  const { type, text } = await get('/pictures/alice.svg');
  expect(type).toBe('image/svg+xml');
  expect(text).toContain('aria-label="Alice Adams"');
  expect(text).toContain('>AA</text>');
  expect(text).not.toMatch(/href|https?:\/\/(?!www\.w3\.org\/2000\/svg")/);
  expect((await get('/pictures/nobody.svg')).status).toBe(404);
});
