/** Request bodies are read as JSON whatever their content type says, within limits. */
import { describe, expect, test } from 'vitest';
import { newCast, send } from '#test/support/fixtures.ts';

const MAX_BYTES = 4_500_000;

const cast = await newCast();

const organization = (more: object = {}) => ({
  name: 'Flüsse 水',
  description: '',
  metadata: {},
  slug: `s-${crypto.randomUUID()}`,
  ...more,
});

async function post(body: string | Buffer, contentType?: string, path = '/api/orgs') {
  const answer = await send('POST', path, {
    headers: {
      authorization: `Bearer ${cast.alice.token}`,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('a body', () => {
  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/vnd.api+json',
    'nonsense',
    undefined,
  ])('is read as JSON when its content type is %s', async (contentType) => {
    const body = organization();
    expect(await post(JSON.stringify(body), contentType)).toMatchObject({ status: 201, body });
  });

  test('may begin with a byte order mark', async () => {
    expect(
      (await post(Buffer.from(`\ufeff${JSON.stringify(organization())}`), 'application/octet-stream')).status,
    ).toBe(201);
  });

  test.for(['multipart/form-data; boundary=x', 'Multipart/Mixed'])('of %s is 415', async (contentType) => {
    expect(await post(JSON.stringify(organization()), contentType)).toMatchObject({
      status: 415,
      body: { title: 'Unsupported Media Type' },
    });
  });

  /** A valid body of a given size in bytes. */
  const bodyOf = (bytes: number): string => {
    const body = JSON.stringify(organization());
    return body + ' '.repeat(bytes - Buffer.byteLength(body));
  };

  test.for(['application/json', undefined])('of exactly 4.5 MB is read, sent as %s', async (contentType) => {
    expect((await post(bodyOf(MAX_BYTES), contentType)).status).toBe(201);
  });

  test.for(['application/json', undefined])('of one byte more is 413 and names the limit, sent as %s', async (type) => {
    expect(await post(bodyOf(MAX_BYTES + 1), type)).toMatchObject({
      status: 413,
      body: { title: 'Content Too Large', detail: expect.stringContaining('4500000') },
    });
  });

  test.for([6_000_000, 11_000_000])('of %i bytes is 413 as well', async (bytes) => {
    const answer = await post(Buffer.alloc(bytes, 'x'), 'application/octet-stream');
    expect(answer.status).toBe(413);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });

  test('that is not valid UTF-8 is 400', async () => {
    const bytes = Buffer.from(JSON.stringify(organization({ name: 'Fl?sse' })));
    bytes[bytes.indexOf('?')] = 0xfc;
    expect(await post(bytes, 'application/octet-stream')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body', detail: 'is not valid UTF-8' }] },
    });
  });

  test.for(['{', 'nonsense', '{"name": }', '{"a":1}{"b":2}', "{'a':1}", '[1,]'])('of %s is 400', async (body) => {
    expect(await post(body, 'application/json')).toMatchObject({
      status: 400,
      body: { title: 'Bad Request', errors: [{ pointer: '/body', detail: expect.stringContaining('not valid JSON') }] },
    });
  });

  test.for(['[]', '"text"', '7', 'null', 'true'])('of %s, which is no object, is 400', async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body' }] } });
  });

  test('that is missing is 400', async () => {
    expect(await post('')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body', detail: 'is required' }] },
    });
  });

  const badBody = (detail: string) => ({ status: 400, body: { errors: [{ pointer: '/body', detail }] } });

  test('that nests deeper than 128 levels is 400', async () => {
    const nested = (levels: number): string => {
      const metadata = `${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}`;
      return JSON.stringify(organization()).replace('"metadata":{}', `"metadata":${metadata}`);
    };
    expect((await post(nested(128))).status).toBe(201);
    for (const levels of [129, 10_000]) {
      expect(await post(nested(levels))).toMatchObject(badBody('must not be nested more than 128 levels deep'));
    }
  });

  test.for([
    '{"__proto__":{"name":"x"}}',
    '{"metadata":{"a":[{"\\u005f_proto__":1}]}}',
    '[{"constructor":{"prototype":{}}}]',
  ])('with a key that could change a prototype, as in %s, is 400', async (body) => {
    const detail = 'must not have the key "__proto__", or "prototype" in "constructor"';
    expect(await post(body)).toMatchObject(badBody(detail));
  });

  test('may have such words as values, and "constructor" as a key', async () => {
    const metadata = { constructor: '__proto__', text: '"__proto__":' };
    expect(await post(JSON.stringify(organization({ metadata })))).toMatchObject({ status: 201, body: { metadata } });
  });

  test('is ignored by an operation that takes none', async () => {
    const answer = await post('nonsense', 'multipart/form-data', '/api/auth/logout');
    expect(answer.status).toBe(200);
  });
});

describe('the order of checks', () => {
  test('a missing parent is 404 even when the body is bad or too large', async () => {
    for (const body of ['{', JSON.stringify({}), ' '.repeat(MAX_BYTES + 1)]) {
      expect((await post(body, 'application/json', '/api/orgs/nobody-uses-this/forms')).status).toBe(404);
    }
  });

  test('a missing credential is 401 before everything else', async () => {
    const answer = await send('POST', '/api/orgs/nobody-uses-this/forms', { body: '{' });
    expect(answer.status).toBe(401);
  });

  test('the role is 403 before the body is read', async () => {
    const headers = { authorization: `Bearer ${cast.chelsea.token}`, 'content-type': 'multipart/form-data' };
    expect((await send('POST', `/api/orgs/${cast.slug}/forms`, { headers, body: '{' })).status).toBe(403);
  });
});
