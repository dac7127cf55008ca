/** The conversions of API Gateway (HTTP API, payload format 2.0): request to event, and result to response. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HttpRequest, toEvent, toHttpResponse } from '#stacks/local/gateway/http-to-event.ts';

const AT = new Date('2026-03-05T09:08:07.123Z');
const REQUEST_ID = '01234567-89ab-4cde-8f01-23456789abcd';
const ROUTE = { routeKey: 'POST /api/echo/{name}', pathParameters: { name: 'a b/ü' } };

const request = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: '/api/echo/a%20b%2F%C3%BC',
  headers: [['Host', 'localhost:3000']],
  body: Buffer.alloc(0),
  remoteAddress: '127.0.0.1',
  httpVersion: '1.1',
  ...changes,
});

const eventOf = (changes: Partial<HttpRequest> = {}) => toEvent(request(changes), ROUTE, AT, REQUEST_ID);

describe('a request becomes an event', () => {
  test('with all fields of the format', () => {
    expect(
      eventOf({
        headers: [
          ['Host', 'localhost:3000'],
          ['User-Agent', 'test'],
        ],
      }),
    ).toEqual({
      version: '2.0',
      routeKey: 'POST /api/echo/{name}',
      rawPath: '/api/echo/a%20b%2F%C3%BC',
      rawQueryString: '',
      headers: {
        host: 'localhost:3000',
        'user-agent': 'test',
        'content-length': '0',
        'x-amzn-trace-id': 'Root=1-69a947f7-0123456789ab4cde8f012345',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
      },
      pathParameters: { name: 'a b/ü' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'localhost',
        domainPrefix: 'local',
        http: {
          method: 'POST',
          path: '/api/echo/a%20b%2F%C3%BC',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        requestId: REQUEST_ID,
        routeKey: 'POST /api/echo/{name}',
        stage: '$default',
        time: '05/Mar/2026:09:08:07 +0000',
        timeEpoch: AT.getTime(),
      },
      isBase64Encoded: false,
    });
  });

  test.each([
    ['x=1&x=2&y=3', { x: '1,2', y: '3' }],
    ['status=DRAFT&q=a%26b&status=PUBLISHED', { status: 'DRAFT,PUBLISHED', q: 'a&b' }],
    ['q=%C3%BCber+alles', { q: 'über alles' }],
    ['empty=&bare', { empty: '', bare: '' }],
    ['broken=%E0%A4%A', { broken: '\uFFFD%A' }],
    ['a?b=c?d', { 'a?b': 'c?d' }],
  ])('with the query %s', (query, parameters) => {
    const event = eventOf({ url: `/api/echo/x?${query}` });
    expect(event.rawPath).toBe('/api/echo/x');
    expect(event.rawQueryString).toBe(query);
    expect(event.queryStringParameters).toEqual(parameters);
  });

  test('without query parameters when there are none', () => {
    expect(eventOf({ url: '/api/echo/x?' })).not.toHaveProperty('queryStringParameters');
  });

  test('with names of Object.prototype as ordinary names', () => {
    const event = eventOf({ url: '/x?__proto__=1&constructor=2', headers: [['__proto__', 'x']] });
    expect(JSON.stringify(event.queryStringParameters)).toBe('{"__proto__":"1","constructor":"2"}');
    expect(Object.getOwnPropertyDescriptor(event.headers, '__proto__')?.value).toBe('x');
  });

  test('with cookies of all headers in one list, and not among the headers', () => {
    const headers: [string, string][] = [
      ['cookie', 'a=1; b=x=y;'],
      ['Cookie', ' c="3" '],
    ];
    const event = eventOf({ headers });
    expect(event.cookies).toEqual(['a=1', 'b=x=y', 'c="3"']);
    expect(event.headers).not.toHaveProperty('cookie');
    expect(eventOf()).not.toHaveProperty('cookies');
  });

  test('with header names in lower case, repeated ones joined, those of the connection left out', () => {
    const headers: [string, string][] = [
      ['X-Many', 'a'],
      ['Transfer-Encoding', 'chunked'],
      ['x-many', 'b,c'],
      ['Connection', 'keep-alive'],
    ];
    const { headers: seen } = eventOf({ headers });
    expect(seen['x-many']).toBe('a,b,c');
    expect(seen).not.toHaveProperty('connection');
    expect(seen).not.toHaveProperty('transfer-encoding');
  });

  test('with the address of the sender after those of proxies, and its own protocol and length', () => {
    const headers: [string, string][] = [
      ['x-forwarded-for', '10.1.2.3'],
      ['x-forwarded-proto', 'https'],
      ['content-length', '99'],
    ];
    const { headers: seen } = eventOf({ headers, body: Buffer.from('ü') });
    expect(seen['x-forwarded-for']).toBe('10.1.2.3, 127.0.0.1');
    expect(seen['x-forwarded-proto']).toBe('http');
    expect(seen['content-length']).toBe('2');
  });

  test.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['text/plain', true],
    ['text/csv; header=present', true],
    ['application/xml', true],
    ['application/javascript', true],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=text/plain', false],
    ['application/octet-stream', false],
    ['application/merge-patch+json', false],
    ['image/webp', false],
    ['', false],
    [undefined, false],
  ])('with a body of type %s as text: %s', (type, isText) => {
    const text = '{"größe":"✓"}';
    const event = eventOf({ headers: type === undefined ? [] : [['Content-Type', type]], body: Buffer.from(text) });
    expect(event.isBase64Encoded).toBe(!isText);
    expect(event.body).toBe(isText ? text : Buffer.from(text).toString('base64'));
  });

  test('without a body when none was sent, for any content type', () => {
    const event = eventOf({ headers: [['content-type', 'image/webp']] });
    expect(event).not.toHaveProperty('body');
    expect(event.isBase64Encoded).toBe(false);
  });
});

describe('the result of a handler becomes a response', () => {
  const text = (result: unknown) => toHttpResponse(result).body.toString();

  test.each([
    [{ id: 1 }, '{"id":1}'],
    ['hello', 'hello'],
    [[1, 2], '[1,2]'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'null'],
  ])('%j without a status is a 200 of JSON', (result, body) => {
    expect(toHttpResponse(result)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
    });
    expect(text(result)).toBe(body);
  });

  test('with each cookie as a header of its own', () => {
    const cookies = ['a=1; HttpOnly; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'];
    expect(toHttpResponse({ statusCode: 302, headers: { Location: '/x' }, cookies })).toEqual({
      status: 302,
      headers: { location: '/x' },
      cookies,
      body: Buffer.alloc(0),
    });
    expect(toHttpResponse({ statusCode: 200, headers: { 'Set-Cookie': 'z=0' }, cookies }).cookies).toEqual([
      'z=0',
      ...cookies,
    ]);
  });

  test('with numbers and booleans in headers as text, a default type, and no header of the connection', () => {
    const headers = { 'X-Count': 3, 'X-Flag': true, Connection: 'close', 'Content-Length': 999, 'Keep-Alive': 'x' };
    expect(toHttpResponse({ statusCode: '201', headers, body: 'ü' })).toEqual({
      status: 201,
      headers: { 'x-count': '3', 'x-flag': 'true', 'content-type': 'text/plain;charset=UTF-8' },
      cookies: [],
      body: Buffer.from('ü'),
    });
  });

  test.each([204, 304])('without a body when the status is %i', (statusCode) => {
    expect(toHttpResponse({ statusCode, body: 'x' }).body.length).toBe(0);
  });

  test.each([
    [{ statusCode: 99 }],
    [{ statusCode: 'abc' }],
    [{ statusCode: null }],
    [{ statusCode: 200.5 }],
    [{ statusCode: 200, body: { id: 1 } }],
    [{ statusCode: 200, headers: { 'x-bad': 'a\r\nSet-Cookie: stolen=1' } }],
    [{ statusCode: 200, headers: { 'x bad': 'a' } }],
    [{ statusCode: 200, headers: { 'x-bad': { a: 1 } } }],
    [{ statusCode: 200, cookies: ['a=1\r\nX-Injected: 1'] }],
  ])('%j is refused, as it cannot be sent', (result) => {
    expect(() => toHttpResponse(result)).toThrow(TypeError);
  });
});

test('any bytes pass unchanged through a function that returns its body', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom('image/png', 'multipart/form-data; boundary=x'), (bytes, type) => {
      const { body = '', isBase64Encoded } = eventOf({ headers: [['content-type', type]], body: Buffer.from(bytes) });
      const response = toHttpResponse({ statusCode: 200, headers: { 'content-type': type }, body, isBase64Encoded });
      expect(response.body.equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

test('any text passes unchanged through a function that returns its body', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { body } = eventOf({ headers: [['content-type', 'application/json']], body: Buffer.from(text) });
      expect(toHttpResponse({ statusCode: 200, body }).body.toString()).toBe(text);
    }),
  );
});
