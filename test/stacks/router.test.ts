/**
 * The local API Gateway: route matching, limits, timeouts, failures and CORS around one-line handlers. Its behaviour on
 * a socket is in `server.test.ts`.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '#stacks/local/gateway/http-to-event.ts';
import { createRouter, type LogEntry, type Route } from '#stacks/local/gateway/router.ts';

const MEGABYTE = 1024 * 1024;
const ORIGIN = 'http://localhost:5173';
const CORS = {
  origins: [ORIGIN],
  methods: ['GET', 'POST'],
  headers: ['content-type', 'if-match'],
  exposeHeaders: ['etag', 'x-request-id'],
  maxAgeSeconds: 600,
};

const route = (key: string, handler: (event: APIGatewayProxyEventV2) => unknown, more: Partial<Route> = {}): Route => {
  const [method = '', path = ''] = key.split(' ');
  return { method, path, handler: async (event) => handler(event), ...more };
};

const named = (key: string): Route => route(key, (event) => ({ key, parameters: event.pathParameters ?? {} }));

const request = (key: string, changes: Partial<HttpRequest> = {}): HttpRequest => {
  const [method = '', url = ''] = key.split(' ');
  return {
    method,
    url,
    headers: [],
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
    ...changes,
  };
};

const quiet = { log: () => {} };

describe('a request finds its route', () => {
  const router = createRouter([
    named('GET /api/forms/{formId}'),
    named('GET /api/forms/me'),
    named('GET /api/{noun}/fonts'),
    named('DELETE /api/forms/{formId}'),
    named('GET /api/forms/{formId}/sections/{sectionId}'),
    named('GET /'),
  ]);
  const found = async (key: string) => {
    const response = await router.dispatch(request(key));
    return response.status === 200 ? JSON.parse(response.body.toString()) : response.status;
  };

  test.each([
    ['GET /api/forms/me', 'GET /api/forms/me', {}],
    ['GET /api/f%6Frms/me?x=1', 'GET /api/forms/me', {}],
    ['GET /api/forms/fonts', 'GET /api/forms/{formId}', { formId: 'fonts' }],
    ['GET /api/users/fonts', 'GET /api/{noun}/fonts', { noun: 'users' }],
    ['DELETE /api/forms/me', 'DELETE /api/forms/{formId}', { formId: 'me' }],
    [
      'GET /api/forms/a%20b%2Fc/sections/%C3%BC',
      'GET /api/forms/{formId}/sections/{sectionId}',
      { formId: 'a b/c', sectionId: 'ü' },
    ],
    ['GET /', 'GET /', {}],
  ])('%s → %s: a literal segment wins over a parameter', async (key, routeKey, parameters) => {
    expect(await found(key)).toEqual({ key: routeKey, parameters });
  });

  test.each([
    'GET /api/forms//sections/s',
    'GET /api/forms/me/',
    'GET /api/forms/',
    'GET /api//forms/me',
    'GET /api/forms',
    'POST /api/forms/me',
    'HEAD /api/forms/me',
    'OPTIONS /api/forms/me',
    'GET /API/forms/me',
    'GET //',
  ])('%s finds none', async (key) => {
    expect(await found(key)).toBe(404);
  });

  test.each(['GET /api/forms/%E0%A4%A', 'GET /nowhere/%', 'GET /api/forms/%ff'])('%s is malformed', async (key) => {
    expect(await found(key)).toBe(400);
  });

  test('a request that matches none goes to the route $default, if there is one', async () => {
    const other = createRouter([named('GET /forms/{formId}'), named('ANY $default')]);
    for (const key of ['GET /', 'GET /forms/', 'POST /forms/me', 'HEAD /forms/me']) {
      const { status, body } = await other.dispatch(request(key));
      expect([key, status, JSON.parse(body.toString())]).toEqual([key, 200, { key: 'ANY $default', parameters: {} }]);
    }
  });

  test('two routes that match the same requests cannot be registered', () => {
    expect(() => createRouter([named('GET /a/{x}'), named('GET /a/{y}')])).toThrow('already declared');
    expect(() => createRouter([named('GET /a/{proxy+}')])).toThrow('{proxy+}');
  });
});

describe('errors of the platform are problems', () => {
  const problemOf = async (routes: Route[], sent: HttpRequest, options: Parameters<typeof createRouter>[1] = quiet) => {
    const response = await createRouter(routes, options).dispatch(sent);
    expect(response.headers['content-type']).toBe('application/problem+json');
    const problem = JSON.parse(response.body.toString());
    expect(problem).toMatchObject({ type: 'about:blank', status: response.status, instance: sent.url.split('?')[0] });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    return problem;
  };
  const binary = (megabytes: number) =>
    request('POST /', { body: Buffer.alloc(megabytes * MEGABYTE), headers: [['content-type', 'image/png']] });

  test('404 for an unknown route', async () => {
    expect(await problemOf([], request('GET /x?y'))).toMatchObject({ status: 404, title: 'Not Found' });
  });

  test('413 for a body of more than 10 MB, and for an event of more than 6 MB with base64 counted', async () => {
    const routes = [route('POST /', ({ body }) => body?.length)];
    expect(await problemOf(routes, binary(11))).toMatchObject({ status: 413, title: 'Content Too Large' });
    expect(await problemOf(routes, binary(4.6))).toMatchObject({ status: 413 });
    expect(await createRouter(routes).dispatch(binary(4.4))).toMatchObject({ status: 200 });
    const text = request('POST /', {
      body: Buffer.alloc(5 * MEGABYTE, 'x'),
      headers: [['content-type', 'text/plain']],
    });
    expect(await createRouter(routes).dispatch(text)).toMatchObject({ status: 200 });
    expect(await problemOf(routes, request('POST /'), { maxPayloadBytes: 100 })).toMatchObject({ status: 413 });
  });

  test('413 names the other way to send files, for any size', async () => {
    const routes = [route('POST /', ({ body }) => body?.length)];
    for (const megabytes of [4.6, 11]) {
      expect(await problemOf(routes, binary(megabytes))).toMatchObject({ detail: expect.stringContaining('…/files') });
    }
  });

  test('500 for a response of more than 6 MB, and for one that cannot be sent', async () => {
    const big = [route('GET /', () => ({ statusCode: 200, body: 'x'.repeat(6 * MEGABYTE) }))];
    expect(await problemOf(big, request('GET /'))).toMatchObject({ status: 500, title: 'Internal Server Error' });
    const split = [route('GET /', () => ({ statusCode: 200, headers: { 'x-a': 'b\r\nc: d' } }))];
    expect(await problemOf(split, request('GET /'))).toMatchObject({ status: 500 });
  });

  test('503 for a handler that takes too long, by its own limit or the API’s', async () => {
    const never = () => new Promise(() => {});
    const slow = [route('GET /own', never, { timeoutMs: 20 }), route('GET /api', never, { timeoutMs: 60_000 })];
    const logged: unknown[] = [];
    const options = { timeoutMs: 40, log: ({ error }: LogEntry) => logged.push(error) };
    expect(await problemOf(slow, request('GET /own'), options)).toMatchObject({ status: 503 });
    expect(await problemOf(slow, request('GET /api'), options)).toMatchObject({ title: 'Service Unavailable' });
    expect(logged.map(String)).toEqual([
      'Error: GET /own did not return within 20 ms',
      'Error: GET /api did not return within 40 ms',
    ]);
  });

  test('500 for a handler that throws; the error is logged and not sent', async () => {
    const logged: LogEntry[] = [];
    const boom = new Error('the secret is violet');
    const throwing = [
      route('GET /{id}', () => {
        throw boom;
      }),
    ];
    const problem = await problemOf(throwing, request('GET /7'), { log: (entry) => logged.push(entry) });
    expect(JSON.stringify(problem)).not.toContain('violet');
    expect(logged).toMatchObject([{ method: 'GET', path: '/7', routeKey: 'GET /{id}', status: 500, error: boom }]);
    expect(problem.detail).toContain(logged[0]?.requestId);
  });
});

test('event and result of a handler pass through JSON', async () => {
  const seen: APIGatewayProxyEventV2[] = [];
  const routes = [
    route('GET /', (event) => {
      seen.push(event);
      return { at: new Date(0), gone: undefined, kept: null };
    }),
  ];
  const router = createRouter(routes);
  const response = await router.dispatch(request('GET /'));
  await router.dispatch(request('GET /'));
  expect(response.body.toString()).toBe('{"at":"1970-01-01T00:00:00.000Z","kept":null}');
  const dated = createRouter([route('GET /', () => ({ statusCode: 200, headers: { 'x-at': new Date(0) } }))]);
  expect((await dated.dispatch(request('GET /'))).headers['x-at']).toBe('1970-01-01T00:00:00.000Z');
  expect(seen[0]).toEqual(JSON.parse(JSON.stringify(seen[0])));
  expect(seen[0]?.requestContext.requestId).not.toBe(seen[1]?.requestContext.requestId);
});

describe('a browser on another origin', () => {
  const routes = [
    route('GET /x', () => ({
      statusCode: 200,
      headers: { 'access-control-allow-origin': '*', vary: 'Accept' },
      body: 'x',
    })),
  ];
  const router = createRouter(routes, { cors: CORS });
  const preflight = (origin: string, key = 'OPTIONS /x') =>
    router.dispatch(
      request(key, {
        headers: [
          ['Origin', origin],
          ['Access-Control-Request-Method', 'GET'],
        ],
      }),
    );

  test('gets the preflight response if it is allowed, for any path', async () => {
    for (const response of [await preflight(ORIGIN), await preflight(ORIGIN, 'OPTIONS /not/there')]) {
      expect(response.status).toBe(204);
      expect(response.headers).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'content-type,if-match',
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
    const refused = await preflight(origin);
    expect(refused).toMatchObject({ status: 204, headers: { vary: 'Origin' } });
    const sent = await router.dispatch(request('GET /x', { headers: [['Origin', origin]] }));
    for (const { headers } of [refused, sent]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test.each(['GET /x', 'GET /not/there'])('reads the response to %s when it is allowed', async (key) => {
    const { headers } = await router.dispatch(request(key, { headers: [['Origin', ORIGIN]] }));
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers['access-control-expose-headers']).toBe('etag,x-request-id');
    expect(headers.vary).toMatch(/^(Accept, )?Origin$/);
  });

  test('is never allowed by *', () => {
    expect(() => createRouter(routes, { cors: { ...CORS, origins: ['*'] } })).toThrow('must list each origin');
  });

  test('gets no headers when nothing is configured', async () => {
    const { headers } = await createRouter(routes).dispatch(request('GET /x', { headers: [['Origin', ORIGIN]] }));
    expect(headers.vary).toBe('Accept');
  });
});
