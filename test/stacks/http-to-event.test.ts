/** The conversions of API Gateway (HTTP API, payload format 2.0): request to event, and result to response. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HttpRequest, toEvent, toHttpResponse } from '#stacks/local/gateway/http-to-event.ts';

const AT = new Date('2026-03-05T09:08:07.123Z');
const REQUEST_ID = '01234567-89ab-4cde-8f01-23456789abcd';
const ROUTE = { routeKey: 'POST /api/echo/{name}', pathParameters: { name: 'a b/ü' } };

const eventOf = (changes: Partial<HttpRequest> = {}) => {
  const request = {
    method: 'POST',
    url: '/api/echo/x',
    headers: [],
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
  };
  return toEvent({ ...request, httpVersion: '1.1', ...changes }, ROUTE, AT, REQUEST_ID);
};

describe('a request becomes an event', () => {
  test('with all fields of the format: repeated headers joined, cookies apart, those of the connection left out', () => {
    const headers: [string, string][] = [
      ['Host', 'localhost:3000'],
      ['User-Agent', 'test'],
      ['cookie', 'a=1; b=x=y;'],
      ['Cookie', ' c="3" '],
      ['X-Many', 'a'],
      ['x-many', 'b,c'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'keep-alive'],
      ['content-length', '99'],
      ['content-type', 'text/plain'],
      ['x-forwarded-for', '10.1.2.3'],
      ['x-forwarded-proto', 'https'],
    ];
    expect(eventOf({ url: '/api/echo/a%20b%2F%C3%BC?x=1', headers, body: Buffer.from('ü') })).toEqual({
      version: '2.0',
      routeKey: 'POST /api/echo/{name}',
      rawPath: '/api/echo/a%20b%2F%C3%BC',
      rawQueryString: 'x=1',
      queryStringParameters: { x: '1' },
      cookies: ['a=1', 'b=x=y', 'c="3"'],
      headers: {
        host: 'localhost:3000',
        'user-agent': 'test',
        'x-many': 'a,b,c',
        'content-length': '2',
        'content-type': 'text/plain',
        'x-amzn-trace-id': 'Root=1-69a947f7-0123456789ab4cde8f012345',
        'x-forwarded-for': '10.1.2.3, 127.0.0.1',
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
      body: 'ü',
      isBase64Encoded: false,
    });
  });

  test('without the members for which it has nothing', () => {
    const event = eventOf({ url: '/api/echo/x?', headers: [['content-type', 'image/webp']] });
    for (const member of ['queryStringParameters', 'cookies', 'body']) expect(event).not.toHaveProperty(member);
    expect(event.isBase64Encoded).toBe(false);
  });

  test.each([
    ['x=1&x=2&y=3', { x: '1,2', y: '3' }],
    ['q=%C3%BCber+alles&r=a%26b', { q: 'über alles', r: 'a&b' }],
    ['empty=&bare', { empty: '', bare: '' }],
    ['broken=%E0%A4%A', { broken: '\uFFFD%A' }],
    ['a?b=c?d', { 'a?b': 'c?d' }],
    ['__proto__=1&constructor=2', JSON.parse('{"__proto__":"1","constructor":"2"}')],
  ])('with the query %s', (query, parameters) => {
    const { rawPath, rawQueryString, queryStringParameters } = eventOf({ url: `/api/echo/x?${query}` });
    expect([rawPath, rawQueryString]).toEqual(['/api/echo/x', query]);
    expect(JSON.stringify(queryStringParameters)).toBe(JSON.stringify(parameters));
  });

  test.each([
    ['Application/JSON; charset=utf-8', true],
    ['text/csv; header=present', true],
    ['application/xml', true],
    ['application/javascript', true],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=text/plain', false],
    ['application/octet-stream', false],
    ['application/merge-patch+json', false],
    ['', false],
    [undefined, false],
  ])('with a body of type %s as text: %s', (type, isText) => {
    const text = '{"größe":"✓"}';
    const event = eventOf({ headers: type === undefined ? [] : [['Content-Type', type]], body: Buffer.from(text) });
    expect(event.isBase64Encoded).toBe(!isText);
    expect(event.body).toBe(isText ? text : Buffer.from(text).toString('base64'));
  });
});

describe('the result of a handler becomes a response', () => {
  const bodyOf = (result: unknown) => toHttpResponse(result).body.toString();

  test.each([
    [{ id: 1 }, '{"id":1}'],
    ['hello', 'hello'],
    [[1, 2], '[1,2]'],
    [null, 'null'],
    [undefined, 'null'],
  ])('%j without a status is a 200 of JSON', (result, body) => {
    const headers = { 'content-type': 'application/json' };
    expect(toHttpResponse(result)).toEqual({ status: 200, headers, cookies: [], body: Buffer.from(body) });
  });

  test('with each cookie by itself, other values of headers as text, a default type and no header of the connection', () => {
    const headers = { 'X-Count': 3, 'X-Flag': true, 'Set-Cookie': 'z=0', Connection: 'close', 'Content-Length': 999 };
    const cookies = ['a=1; HttpOnly; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'];
    expect(toHttpResponse({ statusCode: '201', headers, cookies, body: 'ü' })).toEqual({
      status: 201,
      headers: { 'x-count': '3', 'x-flag': 'true', 'content-type': 'text/plain;charset=UTF-8' },
      cookies: ['z=0', ...cookies],
      body: Buffer.from('ü'),
    });
    for (const statusCode of [204, 304]) expect(bodyOf({ statusCode, body: 'x' })).toBe('');
  });

  test.each([
    { statusCode: 99 },
    { statusCode: 'abc' },
    { statusCode: null },
    { statusCode: 200.5 },
    { statusCode: 200, body: { id: 1 } },
    { statusCode: 200, headers: { 'x-bad': 'a\r\nSet-Cookie: stolen=1' } },
    { statusCode: 200, headers: { 'x bad': 'a' } },
    { statusCode: 200, headers: { 'x-bad': { a: 1 } } },
    { statusCode: 200, cookies: ['a=1\r\nX-Injected: 1'] },
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
