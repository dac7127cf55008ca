/**
 * The platform around the handlers: which route answers, what is refused before and after a handler ran, who may call
 * from a browser. Handlers here are one-liners; the router is real. How it behaves on a socket is in `server.test.ts`.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '#stacks/local/http-to-event.ts';
import { createRouter, type LogEntry, type Route } from '#stacks/local/router.ts';

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
    const answer = await router.dispatch(request(key));
    return answer.status === 200 ? JSON.parse(answer.body.toString()) : answer.status;
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

  test('and two routes for the same requests are refused at the start', () => {
    expect(() => createRouter([named('GET /a/{x}'), named('GET /a/{y}')])).toThrow('GET /a/{x} and GET /a/{y}');
    expect(() => createRouter([named('GET /a/{proxy+}')])).toThrow('{proxy+}');
  });
});

describe('what the platform refuses is a problem', () => {
  const problemOf = async (
    routes: Route[],
    asked: HttpRequest,
    options: Parameters<typeof createRouter>[1] = quiet,
  ) => {
    const answer = await createRouter(routes, options).dispatch(asked);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    const problem = JSON.parse(answer.body.toString());
    expect(problem).toMatchObject({ type: 'about:blank', status: answer.status, instance: asked.url.split('?')[0] });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    return problem;
  };
  const binary = (megabytes: number) =>
    request('POST /', { body: Buffer.alloc(megabytes * MEGABYTE), headers: [['content-type', 'image/png']] });

  test('404 for a route that is not there', async () => {
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

  test('413 in words of what to do instead, however much too large the body is', async () => {
    const routes = [route('POST /', ({ body }) => body?.length)];
    for (const megabytes of [4.6, 11]) {
      expect(await problemOf(routes, binary(megabytes))).toMatchObject({ detail: expect.stringContaining('…/files') });
    }
  });

  test('500 for an answer of more than 6 MB, and for one that cannot be sent', async () => {
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
      'Error: GET /own did not answer within 20 ms',
      'Error: GET /api did not answer within 40 ms',
    ]);
  });

  test('500 for a handler that throws; the reason is logged and not told', async () => {
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

test('a handler gets nothing but JSON, and its result is nothing but JSON', async () => {
  const seen: APIGatewayProxyEventV2[] = [];
  const routes = [
    route('GET /', (event) => {
      seen.push(event);
      return { at: new Date(0), gone: undefined, kept: null };
    }),
  ];
  const router = createRouter(routes);
  const answer = await router.dispatch(request('GET /'));
  await router.dispatch(request('GET /'));
  expect(answer.body.toString()).toBe('{"at":"1970-01-01T00:00:00.000Z","kept":null}');
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

  test('may ask first when it is allowed, for any path', async () => {
    for (const answer of [await preflight(ORIGIN), await preflight(ORIGIN, 'OPTIONS /not/there')]) {
      expect(answer.status).toBe(204);
      expect(answer.headers).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'content-type,if-match',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    }
  });

  test.each(['http://evil.example', 'null', `${ORIGIN}.evil.example`, ''])('learns nothing as %j', async (origin) => {
    const asked = await preflight(origin);
    expect(asked).toMatchObject({ status: 204, headers: { vary: 'Origin' } });
    const answered = await router.dispatch(request('GET /x', { headers: [['Origin', origin]] }));
    for (const { headers } of [asked, answered]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test.each(['GET /x', 'GET /not/there'])('reads the answer to %s when it is allowed', async (key) => {
    const { headers } = await router.dispatch(request(key, { headers: [['Origin', ORIGIN]] }));
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers['access-control-expose-headers']).toBe('etag,x-request-id');
    expect(headers.vary).toMatch(/^(Accept, )?Origin$/);
  });

  test('is never any origin', () => {
    expect(() => createRouter(routes, { cors: { ...CORS, origins: ['*'] } })).toThrow('must name each origin');
  });

  test('gets no headers when nothing is configured', async () => {
    const { headers } = await createRouter(routes).dispatch(request('GET /x', { headers: [['Origin', ORIGIN]] }));
    expect(headers.vary).toBe('Accept');
  });
});
