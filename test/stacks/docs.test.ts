/**
 * The documentation page as it is served: what it is made of, and what it leaves to the API. How it looks and works in
 * a browser is in `test/browser/docs.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { docsPage } from '#stacks/local/docs.ts';
import { type RunningServer, startServer } from '#stacks/local/server.ts';
import { openApiDocument } from '#stacks/openapi/document.ts';

let server: RunningServer;
const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(server.url + path, init);

beforeAll(async () => {
  const people = [{ name: 'Zoë <b>', id: '00000000-0000-4000-8000-0000000000a1' }];
  server = await startServer({ routes: [], port: 0, log: () => {}, pages: docsPage(people) });
});
afterAll(() => server.stop());

test('the top of the address leads to the docs', async () => {
  const answer = await get('/', { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
});

test('/docs/openapi.json is the document of the declarations as they are', async () => {
  const answer = await get('/docs/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(operations))));
});

test('the page holds no inline code and names no other host, and its policy allows neither', async () => {
  const answer = await get('/docs');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const html = await answer.text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
});

test('everything that the page links to is served beside it, under a type that says what it is', async () => {
  const html = await (await get('/docs')).text();
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toContain('/docs/swagger-ui-bundle.js');
  for (const link of links) {
    const answer = await get(link);
    expect([link, answer.status]).toEqual([link, 200]);
    expect((await answer.bytes()).length).toBeGreaterThan(0);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const type = /\.js$/.test(link) ? /javascript/ : /\.css$/.test(link) ? /css/ : /json|png/;
    expect(answer.headers.get('content-type'), link).toMatch(type);
  }
});

test('the names of demo people are text, whatever they are', async () => {
  const html = await (await get('/docs')).text();
  expect(html).toContain('data-uid="00000000-0000-4000-8000-0000000000a1">Zoë &lt;b&gt;</button>');
});

test('writes and unknown paths are left to the API', async () => {
  const asked = [
    get('/docs', { method: 'POST' }),
    get('/docs/package.json'),
    get('/docs/..%2fpackage.json'),
    get('/x'),
  ];
  for (const answer of await Promise.all(asked)) {
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  }
});

test('HEAD has the headers of the page and no body', async () => {
  const answer = await get('/docs', { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(500);
});
