/**
 * The local API Gateway around one-line handlers: route matching, limits, timeouts, failures and CORS without a socket,
 * then bodies, kept connections and the stop on one. The conversions are in `http-to-event.test.ts`.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpRequest } from '#stacks/local/gateway/http-to-event.ts';
import { loadHandler } from '#stacks/local/gateway/lambda.ts';
import { createRouter, type LogEntry, type Route, type RouterOptions } from '#stacks/local/gateway/router.ts';
import { startServer } from '#stacks/local/gateway/server.ts';

const MEGABYTE = 1024 * 1024;
type Handler = (event: APIGatewayProxyEventV2, context: Parameters<Route['handler']>[1]) => unknown;

const route = (key: string, handler: Handler, more: Partial<Route> = {}): Route => {
  const [method = '', path = ''] = key.split(' ');
  return { method, path, handler: async (event, context) => handler(event, context), ...more };
};
const named = (key: string): Route => route(key, (event) => ({ key, parameters: event.pathParameters ?? {} }));

/** Sends a request to routes, without a socket. */
const dispatch = (routes: Route[], key: string, changes: Partial<HttpRequest> = {}, options: RouterOptions = {}) => {
  const [method = '', url = ''] = key.split(' ');
  const request = { method, url, headers: [], body: Buffer.alloc(0), remoteAddress: '127.0.0.1', httpVersion: '1.1' };
  return createRouter(routes, { log: () => {}, ...options }).dispatch({ ...request, ...changes });
};

describe('a request finds its route', () => {
  const routes = [
    'GET /api/forms/{formId}',
    'GET /api/forms/me',
    'GET /api/{noun}/fonts',
    'DELETE /api/forms/{formId}',
    'GET /api/forms/{formId}/sections/{sectionId}',
    'GET /',
  ].map(named);
  const found = async (key: string, among = routes) => {
    const response = await dispatch(among, key);
    return response.status === 200 ? JSON.parse(response.body.toString()) : response.status;
  };
  const SECTIONS = 'GET /api/forms/{formId}/sections/{sectionId}';

  test.each([
    ['GET /api/forms/me', 'GET /api/forms/me', {}],
    ['GET /api/f%6Frms/me?x=1', 'GET /api/forms/me', {}],
    ['GET /api/forms/fonts', 'GET /api/forms/{formId}', { formId: 'fonts' }],
    ['GET /api/users/fonts', 'GET /api/{noun}/fonts', { noun: 'users' }],
    ['DELETE /api/forms/me', 'DELETE /api/forms/{formId}', { formId: 'me' }],
    ['GET /api/forms/a%20b%2Fc/sections/%C3%BC', SECTIONS, { formId: 'a b/c', sectionId: 'ü' }],
    ['GET /', 'GET /', {}],
  ])('%s → %s: a literal segment wins over a parameter', async (key, routeKey, parameters) => {
    expect(await found(key)).toEqual({ key: routeKey, parameters });
  });

  test.each([
    ['GET /api/forms//sections/s', 404],
    ['GET /api/forms/me/', 404],
    ['GET /api//forms/me', 404],
    ['GET /api/forms', 404],
    ['POST /api/forms/me', 404],
    ['HEAD /api/forms/me', 404],
    ['OPTIONS /api/forms/me', 404],
    ['GET /API/forms/me', 404],
    ['GET //', 404],
    ['GET /api/forms/%E0%A4%A', 400],
    ['GET /nowhere/%', 400],
  ])('%s finds none: %i', async (key, status) => {
    expect(await found(key)).toBe(status);
  });

  test('what matches none goes to the route $default, if there is one', async () => {
    const among = [named('GET /forms/{formId}'), named('ANY $default')];
    for (const key of ['GET /', 'GET /forms/', 'POST /forms/me', 'HEAD /forms/me']) {
      expect(await found(key, among), key).toEqual({ key: 'ANY $default', parameters: {} });
    }
  });

  test('ANY takes the methods that have no route of their own', async () => {
    const among = [named('GET /forms/{formId}'), named('ANY /forms/{formId}'), named('ANY /'), named('ANY $default')];
    const parameters = { formId: 'x' };
    expect(await found('GET /forms/x', among)).toEqual({ key: 'GET /forms/{formId}', parameters });
    for (const method of ['HEAD', 'POST', 'OPTIONS', 'PATCH']) {
      expect(await found(`${method} /forms/x`, among)).toEqual({ key: 'ANY /forms/{formId}', parameters });
      expect(await found(`${method} /`, among)).toEqual({ key: 'ANY /', parameters: {} });
      expect(await found(`${method} /forms//`, among)).toEqual({ key: 'ANY $default', parameters: {} });
    }
  });

  test('two routes that match the same requests cannot be registered', () => {
    expect(() => createRouter([named('GET /a/{x}'), named('GET /a/{y}')])).toThrow('already declared');
    expect(() => createRouter([named('GET /a/{proxy+}')])).toThrow('{proxy+}');
  });
});

describe('errors of the platform are problems', () => {
  const size = route('POST /', ({ body }) => body?.length);
  const of = (bytes: number, type: string) => ({
    body: Buffer.alloc(bytes, 'x'),
    headers: [['content-type', type]] as const,
  });
  const never = () => new Promise(() => {});
  const boom = new Error('the secret is violet');
  const throwing = route('GET /{id}', () => {
    throw boom;
  });
  const returning = (result: object) => route('GET /', () => ({ statusCode: 200, ...result }));

  test.for<[what: string, routes: Route[], key: string, sent: Partial<HttpRequest>, status: number]>([
    ['an unknown route', [], 'GET /x?y', {}, 404],
    ['a body of more than 10 MB', [size], 'POST /', of(11 * MEGABYTE, 'text/plain'), 413],
    ['an event of more than 6 MB with base64 counted', [size], 'POST /', of(4.6 * MEGABYTE, 'image/png'), 413],
    ['a response of more than 6 MB', [returning({ body: 'x'.repeat(6 * MEGABYTE) })], 'GET /', {}, 500],
    ['a response that cannot be sent', [returning({ headers: { 'x-a': 'b\r\nc: d' } })], 'GET /', {}, 500],
    ['a handler that takes longer than its limit', [route('GET /', never, { timeoutMs: 20 })], 'GET /', {}, 503],
    ['a handler that takes longer than the API’s limit', [route('GET /', never)], 'GET /', {}, 503],
    ['a handler that throws', [throwing], 'GET /7', {}, 500],
  ])('%s', async ([, routes, key, sent, status]) => {
    const logged: LogEntry[] = [];
    const options = { timeoutMs: 40, log: (entry: LogEntry) => logged.push(entry) };
    const response = await dispatch(routes, key, sent, options);
    const problem = JSON.parse(response.body.toString());
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(problem).toMatchObject({ type: 'about:blank', status, instance: key.split(/[ ?]/)[1] });
    expect(response.headers['x-request-id']).toBe(logged[0]?.requestId);
    expect(logged[0]?.error !== undefined).toBe(status >= 500);
    expect(JSON.stringify(problem)).not.toContain('violet');
    if (status === 413) expect(problem.detail).toContain('…/files');
    if (routes[0] === throwing) {
      expect(logged).toMatchObject([{ method: 'GET', path: '/7', routeKey: 'GET /{id}', status: 500, error: boom }]);
      expect(problem.detail).toContain(logged[0]?.requestId);
    }
  });

  test('but what is just within the limits is handled', async () => {
    for (const sent of [of(4.4 * MEGABYTE, 'image/png'), of(5 * MEGABYTE, 'text/plain')]) {
      expect(await dispatch([size], 'POST /', sent)).toMatchObject({ status: 200 });
    }
  });
});

test('a handler gets event and context as on Lambda; event and result pass through JSON', async () => {
  const handler: Handler = (event, { functionName, memoryLimitInMB, getRemainingTimeInMillis }) => {
    const left = getRemainingTimeInMillis();
    expect(event).toEqual(JSON.parse(JSON.stringify(event)));
    expect([functionName, memoryLimitInMB, left > 0 && left <= 5_000]).toEqual(['GET /', '256', true]);
    return { at: new Date(0), gone: undefined, kept: null };
  };
  const response = await dispatch([route('GET /', handler, { timeoutMs: 5_000, memoryMb: 256 })], 'GET /');
  expect(response.body.toString()).toBe('{"at":"1970-01-01T00:00:00.000Z","kept":null}');
  const call = loadHandler('core/db/keys.ts')({}, Object.create(null));
  await expect(call).rejects.toThrow('core/db/keys.ts exports no handler');
});

describe('a browser on another origin', () => {
  const ORIGIN = 'http://localhost:5173';
  const methods = ['GET', 'POST'];
  const cors = { origins: [ORIGIN], methods, headers: ['content-type'], exposeHeaders: ['etag'], maxAgeSeconds: 600 };
  const result = { statusCode: 200, headers: { 'access-control-allow-origin': '*', vary: 'Accept' }, body: 'x' };
  const from = async (origin: string, key: string, options: RouterOptions = { cors }) => {
    const headers: [string, string][] = [['Origin', origin]];
    if (key.startsWith('OPTIONS')) headers.push(['Access-Control-Request-Method', 'GET']);
    return dispatch([route('GET /x', () => result)], key, { headers }, options);
  };

  test('gets the preflight response if it is allowed, for any path', async () => {
    for (const path of ['/x', '/not/there']) {
      expect(await from(ORIGIN, `OPTIONS ${path}`)).toMatchObject({ status: 204 });
      expect((await from(ORIGIN, `OPTIONS ${path}`)).headers).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    }
  });

  test.each([
    'http://evil.example',
    'null',
    `${ORIGIN}.evil.example`,
    '',
  ])('gets no CORS headers as %j', async (origin) => {
    for (const key of ['OPTIONS /x', 'GET /x']) {
      const { headers } = await from(origin, key);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.vary).toContain('Origin');
    }
  });

  test.each(['GET /x', 'GET /not/there'])('reads the response to %s when it is allowed', async (key) => {
    const { headers } = await from(ORIGIN, key);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'etag',
    });
    expect(headers.vary).toMatch(/^(Accept, )?Origin$/);
  });

  test('is never allowed by *, and gets no headers when nothing is configured', async () => {
    expect(() => createRouter([], { cors: { ...cors, origins: ['*'] } })).toThrow('must list each origin');
    expect((await from(ORIGIN, 'GET /x', {})).headers.vary).toBe('Accept');
  });
});

describe('on a socket', () => {
  const bytes = route('POST /bytes', ({ body }) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/octet-stream' },
    isBase64Encoded: true,
    body,
  }));
  const serve = async (routes: Route[], more: Partial<Parameters<typeof startServer>[0]> = {}) => {
    const server = await startServer({ routes, port: 0, log: () => {}, ...more });
    onTestFinished(server.stop);
    return server;
  };

  test('bytes arrive and are returned unchanged', async () => {
    const { url } = await serve([bytes]);
    const body = Uint8Array.from({ length: 3 * MEGABYTE }, (_, index) => (index * 7_919) % 256);
    const response = await fetch(`${url}/bytes`, { method: 'POST', body });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
  });

  test('a refused upload is read to its end, so that the same connection serves the next request', async () => {
    const { port } = await serve([bytes]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const post = async (body: Buffer): Promise<[status: number | undefined, wasReused: boolean]> => {
      const sent = httpRequest({ port, path: '/bytes', method: 'POST', agent }).end(body);
      const [response]: IncomingMessage[] = await once(sent, 'response');
      await response?.toArray();
      return [response?.statusCode, sent.reusedSocket];
    };
    expect(await post(Buffer.alloc(12 * MEGABYTE))).toEqual([413, false]);
    expect(await post(Buffer.from('next'))).toEqual([200, true]);
  });

  test('pages come before the API; one that fails ends its own request only, and is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const pages: Parameters<typeof startServer>[0]['pages'] = ({ url: path }, response) => {
      if (path === '/broken') throw new Error('this page is broken');
      if (path === '/docs') response.end('the docs');
      return path === '/docs';
    };
    const { url } = await serve([named('GET /{page}')], { pages });
    expect(await (await fetch(`${url}/docs`)).text()).toBe('the docs');
    await expect(fetch(`${url}/broken`)).rejects.toThrow();
    const error = expect.objectContaining({ message: 'this page is broken' });
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('/broken'), error);
    expect((await fetch(`${url}/other`)).status).toBe(200);
  });

  test('HEAD gets the headers of its own route without the body, and a 204 has no length', async () => {
    const handler = () => ({ statusCode: 200, headers: { 'x-a': 'b' }, body: 'hello' });
    const { url } = await serve([route('HEAD /', handler), route('DELETE /', () => ({ statusCode: 204 }))]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('x-a'), head.headers.get('content-length')]).toEqual([200, 'b', '5']);
    expect(await head.text()).toBe('');
    expect((await fetch(url, { method: 'DELETE' })).headers.get('content-length')).toBeNull();
  });

  test('a stop lets a running request finish and then frees the port, which is named while it is in use', async () => {
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const waiting = route('GET /', () => {
      arrived.resolve();
      return release.promise;
    });
    const { url, port, stop } = await serve([waiting]);
    await expect(startServer({ routes: [], port })).rejects.toThrow(`port ${port} is in use`);
    const pending = fetch(url);
    await arrived.promise;
    const stopped = stop();
    release.resolve('finished');
    const response = await pending;
    expect([await response.text(), response.headers.get('connection')]).toEqual(['finished', 'close']);
    await stopped;
    await serve([], { port });
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
    await vi.waitUntil(() => held.length === 16, { timeout: 20_000 });
    for (let served = 0; served < 40; served += 1) {
      await vi.waitUntil(() => held.length > 0, { timeout: 20_000 });
      held.shift()?.();
    }
    expect((await statuses).toSorted()).toEqual([...Array.from({ length: 39 }, () => 200), 500]);
    expect(most).toBe(16);
  });
});
