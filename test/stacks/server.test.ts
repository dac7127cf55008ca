/** The local API on a real socket: bodies, cookies, kept connections and the stop. Routing is in `router.test.ts`. */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import type { Route } from '#stacks/local/gateway/router.ts';
import { startServer } from '#stacks/local/gateway/server.ts';

const MEGABYTE = 1024 * 1024;

const route = (key: string, handler: (event: APIGatewayProxyEventV2) => unknown): Route => {
  const [method = '', path = ''] = key.split(' ');
  return { method, path, handler: async (event) => handler(event) };
};

const echo: Route = route('POST /echo/{name}', ({ pathParameters, queryStringParameters, cookies, body, headers }) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  cookies: ['a=1; HttpOnly', 'b=2; Secure'],
  body: JSON.stringify({ pathParameters, queryStringParameters, cookies, body, type: headers['content-type'] }),
}));
const bytes: Route = route('POST /bytes', ({ body }) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/octet-stream' },
  isBase64Encoded: true,
  body,
}));
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
const serve = async (routes: Route[], more: Partial<Parameters<typeof startServer>[0]> = {}) => {
  const server = await startServer({ routes, port: 0, log: () => {}, ...more });
  cleanUps.push(server.stop);
  return server;
};

test('text, cookies and parameters arrive, and two cookies are returned', async () => {
  const { url } = await serve([echo]);
  const response = await fetch(`${url}/echo/a%20%C3%BC?x=1&x=2`, {
    method: 'POST',
    headers: { cookie: 's=1; t=2', 'content-type': 'application/json' },
    body: '{"größe":1}',
  });
  expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2; Secure']);
  expect(await response.json()).toEqual({
    pathParameters: { name: 'a ü' },
    queryStringParameters: { x: '1,2' },
    cookies: ['s=1', 't=2'],
    body: '{"größe":1}',
    type: 'application/json',
  });
});

test('bytes arrive and are returned unchanged', async () => {
  const { url } = await serve([bytes]);
  const body = Uint8Array.from({ length: 3 * MEGABYTE }, (_, index) => (index * 7_919) % 256);
  const response = await fetch(`${url}/bytes`, { method: 'POST', body });
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
});

test('a refused upload is read to its end, so that the same connection serves the next request', async () => {
  const { port } = await serve([bytes]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanUps.push(() => agent.destroy());
  const post = async (body: Buffer): Promise<[status: number | undefined, wasReused: boolean]> => {
    const sent = httpRequest({ port, path: '/bytes', method: 'POST', agent }).end(body);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    await response?.toArray();
    return [response?.statusCode, sent.reusedSocket];
  };
  expect(await post(Buffer.alloc(12 * MEGABYTE))).toEqual([413, false]);
  expect(await post(Buffer.from('next'))).toEqual([200, true]);
});

test('pages come first and leave the rest to the API', async () => {
  const { url } = await serve([echo], {
    pages: ({ url: path }, response) => {
      if (path !== '/docs') return false;
      response.end('the docs');
      return true;
    },
  });
  expect(await (await fetch(`${url}/docs`)).text()).toBe('the docs');
  expect((await fetch(`${url}/echo/x`, { method: 'POST' })).status).toBe(200);
});

test('a page that fails ends its own request only, and is logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  cleanUps.push(() => logged.mockRestore());
  const pages = ({ url: path }: IncomingMessage): boolean => {
    if (path === '/docs') throw new Error('this page is broken');
    return false;
  };
  const { url } = await serve([echo], { pages });
  await expect(fetch(`${url}/docs`)).rejects.toThrow();
  expect(logged).toHaveBeenCalledWith(
    expect.stringContaining('/docs'),
    expect.objectContaining({ message: 'this page is broken' }),
  );
  expect((await fetch(`${url}/echo/x`, { method: 'POST' })).status).toBe(200);
});

test('HEAD gets the headers of its own route without the body', async () => {
  const handler = () => ({ statusCode: 200, headers: { 'x-a': 'b' }, body: 'hello' });
  const { url } = await serve([route('GET /', handler), route('HEAD /', handler), route('GET /get-only', handler)]);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('x-a'), head.headers.get('content-length')]).toEqual([200, 'b', '5']);
  expect(await head.text()).toBe('');
  expect((await fetch(`${url}/get-only`, { method: 'HEAD' })).status).toBe(404);
});

test('a 204 has no length', async () => {
  const { url } = await serve([route('DELETE /', () => ({ statusCode: 204 }))]);
  expect((await fetch(url, { method: 'DELETE' })).headers.get('content-length')).toBeNull();
});

test('a stop lets a running request finish and then frees the port', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const waiting = route('GET /', () => {
    arrived.resolve();
    return release.promise;
  });
  const { url, port, stop } = await serve([waiting]);
  const pending = fetch(url);
  await arrived.promise;
  const stopped = stop();
  release.resolve('finished');
  const response = await pending;
  expect(await response.text()).toBe('finished');
  expect(response.headers.get('connection')).toBe('close');
  await stopped;
  await serve([], { port });
});

test('a port in use is an error that names it', async () => {
  const { port } = await serve([]);
  await expect(startServer({ routes: [], port })).rejects.toThrow(`port ${port} is in use`);
});

test('16 requests run at once; the others wait, and all are served, also after one that fails', async () => {
  const held: (() => void)[] = [];
  let most = 0;
  const hold = route('GET /hold/{n}', async ({ pathParameters }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    most = Math.max(most, held.length);
    await promise;
    if (pathParameters?.n === '3') throw new Error('this one fails');
    return { statusCode: 200, body: pathParameters?.n };
  });
  const { url } = await serve([hold]);
  const statuses = Promise.all(Array.from({ length: 40 }, async (_, n) => (await fetch(`${url}/hold/${n}`)).status));
  await vi.waitUntil(() => held.length === 16);
  for (let served = 0; served < 40; served += 1) {
    await vi.waitUntil(() => held.length > 0);
    held.shift()?.();
  }
  expect((await statuses).toSorted()).toEqual([...Array.from({ length: 39 }, () => 200), 500]);
  expect(most).toBe(16);
});
