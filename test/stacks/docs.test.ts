/**
 * The documentation page as it is served: what it is made of, and what it leaves to the API. How it looks and works in
 * a browser is in `test/browser/docs.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { openApiDocument } from '#stacks/build/openapi/document.ts';
import { docsPage } from '#stacks/local/gateway/docs.ts';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';

let server: RunningServer;
const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(server.url + path, init);

beforeAll(async () => {
  const people = [{ name: 'Zoë <b>', id: '00000000-0000-4000-8000-0000000000a1' }];
  server = await startServer({ routes: [], port: 0, log: () => {}, pages: docsPage(people) });
});
afterAll(() => server.stop());

test('a slash at the end leads to the docs', async () => {
  const response = await get('/docs/', { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
});

test('/docs/openapi.json is generated from the declarations', async () => {
  const response = await get('/docs/openapi.json');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(operations))));
});

test('the page has no inline code and no other hosts, and its policy allows neither', async () => {
  const response = await get('/docs');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
});

test('every file that the page links to is served with its content type', async () => {
  const html = await (await get('/docs')).text();
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toContain('/docs/swagger-ui-bundle.js');
  for (const link of links) {
    const response = await get(link);
    expect([link, response.status]).toEqual([link, 200]);
    expect((await response.bytes()).length).toBeGreaterThan(0);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const type = /\.js$/.test(link) ? /javascript/ : /\.css$/.test(link) ? /css/ : /json|png/;
    expect(response.headers.get('content-type'), link).toMatch(type);
  }
});

test('the names of demo people are escaped', async () => {
  const html = await (await get('/docs')).text();
  expect(html).toContain('data-uid="00000000-0000-4000-8000-0000000000a1">Zoë &lt;b&gt;</button>');
});

test('writes and unknown paths are left to the API', async () => {
  const requests = [
    get('/docs', { method: 'POST' }),
    get('/docs/package.json'),
    get('/docs/..%2fpackage.json'),
    get('/x'),
  ];
  for (const response of await Promise.all(requests)) {
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  }
});

test('HEAD has the headers of the page and no body', async () => {
  const response = await get('/docs', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(500);
});
