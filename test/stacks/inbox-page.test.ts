/** The mailbox page of the local service. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { inboxPages } from '#stacks/local/mail/inbox-page.ts';
import { openMailbox } from '#stacks/local/mail/mailbox.ts';

const mailbox = openMailbox(null);
let server: RunningServer;
const get = async (path: string) => {
  const response = await fetch(server.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const id = '00000000-0000-4000-8000-000000000001';
const HOSTILE = '<script>alert(1)</script>';

beforeAll(async () => {
  server = await startServer({ routes: [], port: 0, pages: inboxPages(mailbox) });
  const common = { from: 'forms@example.org', replyTo: [], tags: {} };
  const first = { id, to: ['dave@example.com'], subject: HOSTILE, sentAt: '2026-05-01T12:00:00.000Z', ...common };
  mailbox.add({ ...first, text: 'Hi & bye', html: `<p>Hi</p>${HOSTILE}` }, 'Subject: Hi\r\n\r\nHi');
  const second = { ...first, id: id.replace('1', '2'), subject: 'Second', sentAt: '2026-05-01T13:00:00.000Z' };
  mailbox.add({ ...second, text: '', html: '' }, '');
});
afterAll(() => server.stop());

test('lists the mails for scripts, newest first', async () => {
  const { messages } = JSON.parse((await get('/inbox.json')).text);
  expect(messages).toMatchObject([
    { subject: 'Second' },
    { id, to: ['dave@example.com'], subject: HOSTILE, sentAt: '2026-05-01T12:00:00.000Z' },
  ]);
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

test('shows the list and each mail with its contents escaped', async () => {
  for (const path of ['/inbox', `/inbox/${id}`]) {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>');
  }
  expect((await get(`/inbox/${id}/text`)).text).toBe('Hi & bye');
  expect((await get(`/inbox/${id}/source`)).text).toBe('Subject: Hi\r\n\r\nHi');
});

test('runs the HTML of a mail in a sandbox without script or other hosts', async () => {
  const { text, headers } = await get(`/inbox/${id}/html`);
  expect(text).toContain('<p>Hi</p>');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox');
  expect(policy).not.toContain('allow-scripts');
});

test.for([
  '/inbox/x',
  `/inbox/${id}/other`,
  '/inbox/00000000-0000-4000-8000-00000000000f',
])('%s is not there', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('leaves other paths to the API', async () => {
  expect((await get('/inboxes')).headers.get('content-security-policy')).toBeNull();
});
