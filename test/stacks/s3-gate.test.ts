/**
 * What the local S3 does for browsers with good URLs: objects are read and written as S3 does it, and pages are let in
 * by the CORS rule.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { BUCKET_CORS } from '#stacks/cors-rules.ts';
import { Bucket, CONTENT, codeOf, type Gated, PAGE, startGated } from './s3-gated.ts';

let s3: Gated;
beforeAll(async () => {
  s3 = await startGated();
});
afterAll(() => s3.stop());

describe('reading', () => {
  test('gives the object as it was stored', async () => {
    const response = await fetch(await s3.toGet());
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    const { LastModified, ETag } = await s3.inside.send(new HeadObjectCommand({ Bucket, Key: 'digits' }));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'last-modified': LastModified?.toUTCString(),
      etag: ETag,
    });
    // S3 does not say it either: pages must not come to rely on it here.
    expect(response.headers.has('x-content-type-options')).toBe(false);
  });

  test('HEAD gives the same without the bytes, and no text of an error', async () => {
    const url = await getSignedUrl(s3.signer, new HeadObjectCommand({ Bucket, Key: 'digits' }));
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '10', '']);
    const missing = await getSignedUrl(s3.signer, new HeadObjectCommand({ Bucket, Key: 'none' }));
    const nothing = await fetch(missing, { method: 'HEAD' });
    expect([nothing.status, await nothing.text()]).toEqual([404, '']);
  });

  test('every header that S3 lets a URL override is overridden', async () => {
    const response = await fetch(
      await s3.toGet({
        ResponseContentType: 'application/pdf',
        ResponseContentDisposition: `attachment; filename*=UTF-8''Bericht%20%C3%BC.pdf`,
        ResponseCacheControl: 'no-store',
        ResponseContentLanguage: 'de',
        ResponseExpires: new Date('2026-05-01T12:00:00Z'),
      }),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''Bericht%20%C3%BC.pdf`,
      'cache-control': 'no-store',
      'content-language': 'de',
      expires: 'Fri, 01 May 2026 12:00:00 GMT',
    });
  });

  test('a header that cannot be written is refused, not half written', async () => {
    const url = await s3.toGet({ ResponseContentDisposition: 'attachment; filename="grüße 🐸.pdf"' });
    expect(await codeOf(await fetch(url))).toEqual([400, 'InvalidArgument']);
    const split = await s3.toGet({ ResponseContentDisposition: 'attachment\r\nset-cookie: a=b' });
    expect(await codeOf(await fetch(split))).toEqual([400, 'InvalidArgument']);
  });

  test.for([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-50', 206, CONTENT, 'bytes 0-9/10'],
    ['bytes=8-50', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-2', 200, CONTENT, null],
    ['bytes=0-1,4-5', 200, CONTENT, null],
    ['lines=1-2', 200, CONTENT, null],
    ['bytes=10-', 416, 'InvalidRange', 'bytes */10'],
    ['bytes=-0', 416, 'InvalidRange', 'bytes */10'],
  ] as const)('the range %s gets %i', async ([range, status, text, contentRange]) => {
    const response = await fetch(await s3.toGet(), { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await response.text()).toContain(text);
    if (status !== 416) expect(response.headers.get('content-length')).toBe(String(text.length));
  });

  test('a download is resumed only of the same object', async () => {
    const { ETag = '' } = await s3.inside.send(new HeadObjectCommand({ Bucket, Key: 'digits' }));
    const url = await s3.toGet();
    expect((await fetch(url, { headers: { range: 'bytes=5-', 'if-range': ETag } })).status).toBe(206);
    expect((await fetch(url, { headers: { range: 'bytes=5-', 'if-range': '"other"' } })).status).toBe(200);
  });

  test('what the browser has already is not sent again', async () => {
    const { ETag = '' } = await s3.inside.send(new HeadObjectCommand({ Bucket, Key: 'digits' }));
    const url = await s3.toGet();
    const same = await fetch(url, { headers: { 'if-none-match': ETag } });
    expect([same.status, await same.text()]).toEqual([304, '']);
    const other = await fetch(url, { headers: { 'if-match': '"other"' } });
    expect(await codeOf(other)).toEqual([412, 'PreconditionFailed']);
  });

  test('a missing object is 404 in XML', async () => {
    const response = await fetch(await s3.toGet({ Key: 'a&b<c>' }));
    expect(response.headers.get('content-type')).toBe('application/xml');
    const text = await response.text();
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>NoSuchKey<\/Code><Message>/);
    expect(text).toContain('<Key>a&amp;b&lt;c&gt;</Key>');
    expect(await codeOf(await fetch(await s3.toGet({ Bucket: 'elsewhere' })))).toEqual([404, 'NoSuchBucket']);
  });

  test.for([
    'a b+c&d=e?.pdf',
    'ü😀.txt',
    "it's (1)!*.txt",
    'a%2Fb',
    'trail/',
  ])('the key %s is the same for both sides', async (Key) => {
    const written = await fetch(await s3.toPut(Key), { method: 'PUT', body: 'outside' });
    expect(written.status).toBe(200);
    expect(await (await fetch(await s3.toGet({ Key }))).text()).toBe('outside');
    const { Body } = await s3.inside.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe('outside');
  });
});

describe('writing', () => {
  test('stores the body with what its headers say of it', async () => {
    const headers = { 'content-type': 'text/css', 'cache-control': 'max-age=5', 'content-disposition': 'attachment' };
    const response = await fetch(await s3.toPut('sheet'), { method: 'PUT', body: 'a{}', headers });
    expect(response.status).toBe(200);
    const head = await s3.inside.send(new HeadObjectCommand({ Bucket, Key: 'sheet' }));
    const expected = { ContentType: 'text/css', CacheControl: 'max-age=5', ContentDisposition: 'attachment' };
    expect(head).toMatchObject({ ...expected, ContentLength: 3, ETag: response.headers.get('etag') });
  });

  test('replaces an object', async () => {
    for (const body of ['first', 'second']) await fetch(await s3.toPut('replaced'), { method: 'PUT', body });
    expect(await (await fetch(await s3.toGet({ Key: 'replaced' }))).text()).toBe('second');
  });

  test('takes what an SDK signs that is left to itself', async () => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const usual = new S3Client({ endpoint: s3.url, region: 'us-east-1', forcePathStyle: true, credentials });
    const url = await s3.toPut('usual', usual);
    expect(url).toContain('x-amz-checksum-crc32');
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200);
    expect((await fetch(await s3.toGet({ Key: 'usual' }, 60, usual))).status).toBe(200);
  });

  test('refuses a checksum that is none', async () => {
    const url = await getSignedUrl(s3.signer, new PutObjectCommand({ Bucket, Key: 'odd', ChecksumSHA256: 'short' }), {
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    });
    const response = await fetch(url, { method: 'PUT', body: 'x', headers: { 'x-amz-checksum-sha256': 'short' } });
    expect(await codeOf(response)).toEqual([400, 'InvalidRequest']);
    expect(await s3.isStored('odd')).toBe(false);
  });

  test('refuses a body that does not say its length', async () => {
    const body = new Blob(['x']).stream();
    const response = await fetch(await s3.toPut('chunked'), { method: 'PUT', body, duplex: 'half' });
    expect(await codeOf(response)).toEqual([411, 'MissingContentLength']);
    expect(await s3.isStored('chunked')).toBe(false);
  });

  test('refuses more than the store takes', async () => {
    const body = Buffer.alloc(11 * 1_048_576 + 1);
    expect(await codeOf(await fetch(await s3.toPut('huge'), { method: 'PUT', body }))).toEqual([400, 'EntityTooLarge']);
  });

  test('refuses a large body of the wrong length, and serves the next request on the connection', async () => {
    const url = await s3.toPutExactly('wrong', 5);
    const response = await fetch(url, { method: 'PUT', body: Buffer.alloc(9_000_000) });
    expect(await codeOf(response)).toEqual([403, 'SignatureDoesNotMatch']);
    expect((await fetch(url, { method: 'PUT', body: 'right' })).status).toBe(200);
  });

  test('stores nothing of a body that is cut off', async () => {
    const { pathname, search, host, port } = new URL(await s3.toPutExactly('cut', 1_000));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(999)}`,
    );
    const closed = once(socket.resume(), 'close');
    socket.end();
    await closed;
    expect((await fetch(await s3.toGet())).status).toBe(200);
    expect(await s3.isStored('cut')).toBe(false);
  });

  test('names no object: nothing is read or written', async () => {
    const url = (await s3.toGet()).replace(`/${Bucket}/digits`, `/${Bucket}`);
    expect((await fetch(url)).status).toBe(403);
  });
});

describe('pages', () => {
  const preflight = (origin: string, method = 'PUT', headers = 'content-type, X-Amz-Checksum-Sha256') =>
    fetch(`${s3.url}/${Bucket}/any`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });

  test('of an allowed origin may ask to upload', async () => {
    const response = await preflight(PAGE);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': 'content-type, x-amz-checksum-sha256',
      'access-control-max-age': '3000',
      vary: 'Origin',
    });
  });

  test('may send the headers with which an upload is signed, and the rule of the bucket has no others', async () => {
    const settings = { bucketName: Bucket, s3Endpoint: s3.url, s3PublicEndpoint: s3.url, region: 'eu-central-1' };
    const { headers } = await s3Bucket(settings).signPut('any', { contentType: 'text/plain', size: 1, sha256: '' }, 60);
    expect(Object.keys(headers).sort()).toEqual([...BUCKET_CORS.headers].sort());
    expect((await preflight(PAGE, 'PUT', Object.keys(headers).join())).status).toBe(200);
  });

  test('of another origin may not, nor for another verb or header', async () => {
    const others = [preflight('http://evil.example'), preflight(PAGE, 'DELETE'), preflight(PAGE, 'PUT', 'x-amz-acl')];
    for (const response of await Promise.all(others)) {
      expect(await codeOf(response)).toEqual([403, 'AccessForbidden']);
      expect(response.headers.has('access-control-allow-methods')).toBe(false);
    }
    expect((await preflight('http://evil.example')).headers.has('access-control-allow-origin')).toBe(false);
  });

  test('are looked up at each request', async () => {
    s3.pages = ['http://other.example'];
    expect((await preflight(PAGE)).status).toBe(403);
    s3.pages = [PAGE];
    expect((await preflight(PAGE)).status).toBe(200);
  });

  test('that do not say where they come from are no pages', async () => {
    const response = await fetch(`${s3.url}/${Bucket}/any`, { method: 'OPTIONS' });
    expect(await codeOf(response)).toEqual([400, 'BadRequest']);
  });

  test('may read the response and its ETag, refusals included', async () => {
    const allowed = {
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': 'ETag, Content-Disposition',
      vary: 'Origin',
    };
    const headers = { origin: PAGE };
    const read = await fetch(await s3.toGet(), { headers });
    expect(Object.fromEntries(read.headers)).toMatchObject(allowed);
    const written = await fetch(await s3.toPut('page'), { method: 'PUT', body: 'x', headers });
    expect(written.headers.get('etag')).toBeTruthy();
    expect(Object.fromEntries(written.headers)).toMatchObject(allowed);
    const refused = await fetch(`${s3.url}/${Bucket}/digits`, { headers });
    expect(refused.status).toBe(403);
    expect(Object.fromEntries(refused.headers)).toMatchObject(allowed);
  });

  test('of another origin get a response that they cannot read', async () => {
    const response = await fetch(await s3.toGet(), { headers: { origin: 'http://evil.example' } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect(response.headers.get('vary')).toBe('Origin');
  });
});
