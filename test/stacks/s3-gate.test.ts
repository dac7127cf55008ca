/**
 * The local S3 as browsers see it: who gets past its gate, and what it refuses as S3 does, so that a URL that works here
 * works on AWS. What the service reads and writes through it is in `test/slow/s3-bucket.test.ts`.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { BUCKET_CORS } from '#stacks/cors-rules.ts';
import { type LocalS3, startS3 } from '#stacks/local/s3/s3.ts';

const Bucket = 'uploads';
/** What the object `digits` holds. */
const CONTENT = '0123456789';
const PAGE = 'http://localhost:5173';
const MEGABYTE = 1_048_576;
let pages = [PAGE];
let s3: LocalS3;
/** Signs for the gate. */
let signer: S3Client;
/** Talks to the store behind it. */
let inside: S3Client;

/** A client that adds no checksum of its own, like the service's. */
const clientOf = (endpoint: string, secretAccessKey = 'local', accessKeyId = 'local'): S3Client =>
  new S3Client({
    endpoint,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

beforeAll(async () => {
  s3 = await startS3({ directory: null, buckets: [Bucket], origins: () => pages });
  signer = clientOf(s3.publicEndpoint);
  inside = clientOf(s3.endpoint);
  await inside.send(new PutObjectCommand({ Bucket, Key: 'digits', Body: CONTENT, ContentType: 'text/plain' }));
});
afterAll(async () => {
  for (const client of [signer, inside]) client.destroy();
  await s3.stop();
});

const toGet = (input: Partial<GetObjectCommand['input']> = {}, expiresIn = 60, by = signer) =>
  getSignedUrl(by, new GetObjectCommand({ Bucket, Key: 'digits', ...input }), { expiresIn });
type Put = Partial<PutObjectCommand['input']>;
/** A URL for an upload; the headers of these names are part of it. */
const toPut = (input: Put = {}, signed: string[] = [], by = signer) =>
  getSignedUrl(by, new PutObjectCommand({ Bucket, Key: 'new', ...input }), {
    expiresIn: 60,
    ...(signed.length > 0 && { signableHeaders: new Set(['host', ...signed]), unhoistableHeaders: new Set(signed) }),
  });
const head = (Key: string) => inside.send(new HeadObjectCommand({ Bucket, Key }));
const isStored = (Key: string) =>
  head(Key).then(
    () => true,
    () => false,
  );
/** The status of a response, and the code in its XML. */
const readCode = async (response: Response) => [response.status, /<Code>(.*)<\/Code>/.exec(await response.text())?.[1]];
/** A URL with a parameter changed or removed. */
function changed(url: string, name: string, value?: string): string {
  const other = new URL(url);
  if (value === undefined) other.searchParams.delete(name);
  else other.searchParams.set(name, value);
  return other.href;
}

const DENIED = [403, 'AccessDenied'];
const NO_MATCH = [403, 'SignatureDoesNotMatch'];
const CHECKSUM = 'x-amz-checksum-sha256';
type Attempt = [what: string, code: (number | string)[], url: () => string | Promise<string>, init?: RequestInit];

describe('a request is refused', () => {
  const object = () => `${s3.publicEndpoint}/${Bucket}/digits`;
  const unsigned: RequestInit = { method: 'PUT', body: 'x', headers: { [CHECKSUM]: 'x', 'x-amz-acl': 'public-read' } };
  const chunked: RequestInit = { method: 'PUT', body: new Blob(['x']).stream(), duplex: 'half' };
  const put = (body: string | Buffer<ArrayBuffer>, headers = {}): RequestInit => ({ method: 'PUT', body, headers });

  test.for<Attempt>([
    ['to read without a signature', DENIED, object],
    ['to write without one', DENIED, object, put('x')],
    ['to delete without one', DENIED, object, { method: 'DELETE' }],
    ['to list without one', DENIED, () => `${s3.publicEndpoint}/${Bucket}?list-type=2`],
    ['signed with another secret', NO_MATCH, () => toGet({}, 60, clientOf(s3.publicEndpoint, 'guessed'))],
    ['of an unknown key', [403, 'InvalidAccessKeyId'], () => toGet({}, 60, clientOf(s3.publicEndpoint, 'local', 'me'))],
    ['signed twice', [400, 'InvalidArgument'], toGet, { headers: { authorization: 'AWS4-HMAC-SHA256' } }],
    ['at another host', NO_MATCH, async () => (await toGet()).replace('127.0.0.1', 'localhost')],
    ['with a parameter more', NO_MATCH, async () => changed(await toGet(), 'response-content-type', 'text/html')],
    ['for another verb', NO_MATCH, toGet, put('x')],
    ['with headers that were not signed', DENIED, () => toPut(), unsigned],
    ['for no object', NO_MATCH, async () => (await toGet()).replace('/digits', '')],
    ['for a path that is no text', [400, 'InvalidURI'], () => `${s3.publicEndpoint}/${Bucket}/%ff`],
    ['for a version', [501, 'NotImplemented'], () => toGet({ VersionId: 'v1' })],
    ['for a missing object', [404, 'NoSuchKey'], () => toGet({ Key: 'a&b<c>' })],
    ['for a missing bucket', [404, 'NoSuchBucket'], () => toGet({ Bucket: 'elsewhere' })],
    ['for an unknown match', [412, 'PreconditionFailed'], toGet, { headers: { 'if-match': '"other"' } }],
    ['for a range beyond the end', [416, 'InvalidRange'], toGet, { headers: { range: 'bytes=10-' } }],
    [
      'for a header of two lines',
      [400, 'InvalidArgument'],
      () => toGet({ ResponseContentType: 'a\r\nset-cookie: a=b' }),
    ],
    ['for a header that is no ASCII', [400, 'InvalidArgument'], () => toGet({ ResponseContentDisposition: '🐸' })],
    [
      'to write an access list',
      [501, 'NotImplemented'],
      () => toPut({ ACL: 'public-read' }, ['x-amz-acl']),
      put('x', { 'x-amz-acl': 'public-read' }),
    ],
    [
      'to write with a checksum that is none',
      [400, 'InvalidRequest'],
      () => toPut({ ChecksumSHA256: 'short' }, [CHECKSUM]),
      put('x', { [CHECKSUM]: 'short' }),
    ],
    ['to write an unknown length', [411, 'MissingContentLength'], () => toPut(), chunked],
    ['to write too much', [400, 'EntityTooLarge'], () => toPut(), put(Buffer.alloc(11 * MEGABYTE + 1))],
    ['to write another length', NO_MATCH, () => toPut({ ContentLength: 5 }, ['content-length']), put('123456')],
  ])('%s', async ([, code, url, init]) => {
    expect(await readCode(await fetch(await url(), init))).toEqual(code);
    expect(await isStored('new')).toBe(false);
  });

  test.for([
    ['X-Amz-Algorithm', undefined],
    ['X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256'],
    ['X-Amz-Credential', undefined],
    ['X-Amz-Credential', 'local/eu-central-1/s3/aws4_request'],
    ['X-Amz-Credential', 'local/20260501/eu-central-1/dynamodb/aws4_request'],
    ['X-Amz-Date', undefined],
    ['X-Amz-Date', '2026-05-01T00:00:00Z'],
    ['X-Amz-Date', '20261301T000000Z'],
    ['X-Amz-Expires', undefined],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Expires', '-1'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-SignedHeaders', undefined],
    ['X-Amz-Signature', undefined],
  ] as const)('with %s %s, which is malformed', async ([name, value]) => {
    const url = changed(await toGet(), name, value);
    expect(await readCode(await fetch(url))).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  const SIGNED = '2026-05-01T12:00:00Z';
  test.for<[when: string, at: string, seconds: number, code: (number | string | undefined)[]]>([
    ['until it expires', '2026-05-01T12:00:59Z', 60, [200, undefined]],
    ['no longer', '2026-05-01T12:01:01Z', 60, DENIED],
    ['with a clock a quarter of an hour ahead', '2026-05-01T11:46:00Z', 60, [200, undefined]],
    ['no further ahead', '2026-05-01T11:44:00Z', 60, DENIED],
    ['for a week', '2026-05-08T11:59:00Z', 604_800, [200, undefined]],
  ])('in its time: a URL is good %s', async ([, at, seconds, code]) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(SIGNED) });
    const [get, put] = [await toGet({}, seconds), await toPut()];
    vi.setSystemTime(new Date(at));
    expect(await readCode(await fetch(get))).toEqual(code);
    if (code === DENIED) expect(await readCode(await fetch(put, { method: 'PUT', body: 'x' }))).toEqual(DENIED);
    expect(await isStored('new')).toBe(false);
  });

  test('if it is cut off: nothing of it is stored', async () => {
    const url = await toPut({ ContentLength: 1_000 }, ['content-length']);
    const { pathname, search, host, port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(999)}`,
    );
    const closed = once(socket.resume(), 'close');
    socket.end();
    await closed;
    expect((await fetch(await toGet())).status).toBe(200);
    expect(await isStored('new')).toBe(false);
  });
});

describe('an object', () => {
  test('is read as it was stored, with the headers that its URL sets; HEAD gives no bytes', async () => {
    const plain = await fetch(await toGet());
    const { LastModified, ETag = '' } = await head('digits');
    expect([plain.status, await plain.text()]).toEqual([200, CONTENT]);
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'last-modified': LastModified?.toUTCString(),
      etag: ETag,
    });
    // S3 does not send it either: pages must not come to rely on it here.
    expect(plain.headers.has('x-content-type-options')).toBe(false);
    const disposition = `attachment; filename*=UTF-8''Bericht%20%C3%BC.pdf`;
    const overridden = await fetch(
      await toGet({
        ResponseContentType: 'application/pdf',
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'no-store',
        ResponseContentLanguage: 'de',
        ResponseExpires: new Date('2026-05-01T12:00:00Z'),
      }),
    );
    expect(Object.fromEntries(overridden.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': disposition,
      'cache-control': 'no-store',
      'content-language': 'de',
      expires: 'Fri, 01 May 2026 12:00:00 GMT',
    });
    const same = await fetch(await toGet(), { headers: { 'if-none-match': ETag } });
    expect([same.status, await same.text()]).toEqual([304, '']);
    const headOnly = await getSignedUrl(signer, new HeadObjectCommand({ Bucket, Key: 'digits' }));
    const response = await fetch(headOnly, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '10', '']);
  });

  test.for([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-50', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-2', 200, CONTENT, null],
    ['bytes=0-1,4-5', 200, CONTENT, null],
    ['bytes=5-', 200, CONTENT, null, '"other"'],
  ] as const)('is read in the range %s: %i', async ([range, status, text, contentRange, ifRange]) => {
    const { ETag = '' } = await head('digits');
    const response = await fetch(await toGet(), { headers: { range, 'if-range': ifRange ?? ETag } });
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
    expect([await response.text(), response.headers.get('content-length')]).toEqual([text, String(text.length)]);
  });

  test.for([
    'a b+c&d=e?.pdf',
    'ü😀.txt',
    "it's (1)!*.txt",
    'a%2Fb',
    'trail/',
  ])('has the key %s on both sides', async (Key) => {
    const headers = { 'content-type': 'text/css', 'cache-control': 'max-age=5' };
    for (const body of ['first', 'second']) {
      expect((await fetch(await toPut({ Key }), { method: 'PUT', body, headers })).status).toBe(200);
      expect(await (await fetch(await toGet({ Key }))).text()).toBe(body);
    }
    expect(await head(Key)).toMatchObject({ ContentType: 'text/css', CacheControl: 'max-age=5', ContentLength: 6 });
  });

  test('is written by an SDK that is left to itself', async () => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const usual = new S3Client({ endpoint: s3.publicEndpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    const url = await toPut({ Key: 'usual' }, [], usual);
    expect(url).toContain('x-amz-checksum-crc32');
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200);
    expect((await fetch(await toGet({ Key: 'usual' }, 60, usual))).status).toBe(200);
  });
});

describe('a page', () => {
  const preflight = (origin: string, method = 'PUT', headers = 'content-type, X-Amz-Checksum-Sha256') => {
    const asked = { 'access-control-request-method': method, 'access-control-request-headers': headers };
    return fetch(`${s3.publicEndpoint}/${Bucket}/any`, { method: 'OPTIONS', headers: { origin, ...asked } });
  };

  test('of an allowed origin may upload with the headers that are signed, and the rule of the bucket has no others', async () => {
    const response = await preflight(PAGE);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': 'content-type, x-amz-checksum-sha256',
      'access-control-max-age': '3000',
      vary: 'Origin',
    });
    const endpoints = { s3Endpoint: s3.publicEndpoint, s3PublicEndpoint: s3.publicEndpoint };
    const bucket = s3Bucket({ bucketName: Bucket, ...endpoints, region: 'eu-central-1' });
    const { headers } = await bucket.signPut('any', { contentType: 'text/plain', size: 1, sha256: '' }, 60);
    expect(Object.keys(headers).sort()).toEqual([...BUCKET_CORS.headers].sort());
  });

  test('of another origin may not, nor for another verb or header; origins are looked up at each request', async () => {
    const others = [preflight('http://evil.example'), preflight(PAGE, 'DELETE'), preflight(PAGE, 'PUT', 'x-amz-acl')];
    const responses = await Promise.all(others);
    pages = ['http://other.example'];
    for (const response of [...responses, await preflight(PAGE)]) {
      expect(await readCode(response)).toEqual([403, 'AccessForbidden']);
      expect(response.headers.has('access-control-allow-methods')).toBe(false);
    }
    pages = [PAGE];
    const none = await fetch(`${s3.publicEndpoint}/${Bucket}/any`, { method: 'OPTIONS' });
    expect(await readCode(none)).toEqual([400, 'BadRequest']);
  });

  test.for([
    [PAGE, PAGE, 'ETag, Content-Disposition'],
    ['http://evil.example', null, null],
  ] as const)('of %s may read responses, refusals included, as %s', async ([origin, allowed, exposed]) => {
    for (const url of [await toGet(), `${s3.publicEndpoint}/${Bucket}/digits`]) {
      const { headers } = await fetch(url, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(allowed);
      expect([headers.get('access-control-expose-headers'), headers.get('vary')]).toEqual([exposed, 'Origin']);
    }
  });
});
