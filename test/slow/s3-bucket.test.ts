/**
 * The bucket port (`core/aws/s3-bucket.ts`) against the local S3: storage accepts exactly what the service has signed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import type { Bucket } from '#core/db/bucket.ts';
import { contentDisposition } from '#core/files/download.ts';
import { closeNow, HOST, listen } from '#stacks/local/gateway/listening.ts';
import { emulatorBucketClient } from '#stacks/local/s3/client.ts';
import { type LocalS3, startS3 } from '#stacks/local/s3/s3.ts';
import { startS3WithoutList } from '#test/support/s3-without-list.ts';
import { hasUnfinishedUploads } from '#test/support/stored.ts';

let s3: LocalS3;
let bucket: Bucket;
let settings: Parameters<typeof s3Bucket>[0];

beforeAll(async () => {
  s3 = await startS3({ directory: null, buckets: ['uploads', 'failing'], origins: () => [] });
  settings = {
    bucketName: 'uploads',
    s3Endpoint: s3.endpoint,
    s3PublicEndpoint: s3.publicEndpoint,
    region: 'eu-central-1',
  };
  bucket = s3Bucket(settings);
});
afterAll(() => s3.stop());

const bytes = Buffer.from('%PDF-1.7 hello world');
const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('base64');
const exact = { contentType: 'application/pdf', size: bytes.length, sha256: sha256Of(bytes) };

type Sent = { url?: string; body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> };

/** Signs an upload for a key and sends something to the URL. */
async function upload(key: string, sent: Sent = {}, signed: Parameters<Bucket['signPut']>[1] = exact) {
  const { url, headers } = await bucket.signPut(key, signed, 60);
  const body = sent.body ?? bytes;
  return fetch(sent.url ?? url, { method: 'PUT', body, headers: { ...headers, ...sent.headers } });
}
const readCode = async (response: Response) => [response.status, /<Code>(.*)<\/Code>/.exec(await response.text())?.[1]];

describe('an upload that was signed', () => {
  test('arrives whole, with its type and its checksum', async () => {
    expect((await upload('ok')).status).toBe(200);
    const found = await bucket.inspect('ok', 8);
    const { size, contentType, sha256 } = exact;
    expect(found).toEqual({ size, contentType, sha256, start: expect.anything() });
    expect(Buffer.from(found?.start ?? []).toString()).toBe('%PDF-1.7');
  });

  test('may be sent again while the URL is good', async () => {
    await upload('again');
    expect((await upload('again')).status).toBe(200);
  });

  test('may be just under 10 MB', async () => {
    const large = randomBytes(10_485_759);
    const signed = { contentType: 'image/png', size: large.length, sha256: sha256Of(large) };
    expect((await upload('large', { body: large }, signed)).status).toBe(200);
    expect(await bucket.inspect('large', 4)).toMatchObject({
      size: large.length,
      start: new Uint8Array(large.subarray(0, 4)),
    });
  });

  const changed = Buffer.from('%PDF-1.7 HELLO WORLD');
  const others: [string, Sent, (number | string)[]][] = [
    ['a longer body', { body: Buffer.concat([bytes, bytes]) }, [403, 'SignatureDoesNotMatch']],
    ['a shorter body', { body: bytes.subarray(1) }, [403, 'SignatureDoesNotMatch']],
    ['another type', { headers: { 'content-type': 'text/html' } }, [403, 'SignatureDoesNotMatch']],
    ['other bytes', { body: changed }, [400, 'BadDigest']],
    [
      'other bytes and their checksum',
      { body: changed, headers: { 'x-amz-checksum-sha256': sha256Of(changed) } },
      [403, 'SignatureDoesNotMatch'],
    ],
  ];
  test.for(others)('is refused with %s, and nothing is stored', async ([what, sent, refusal]) => {
    expect(await readCode(await upload(what, sent))).toEqual(refusal);
    expect(await bucket.inspect(what, 8)).toBeUndefined();
  });

  test('is refused for another key', async () => {
    const { url } = await bucket.signPut('mine', exact, 60);
    const response = await upload('mine', { url: url.replace('/uploads/mine', '/uploads/yours') });
    expect(await readCode(response)).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await bucket.inspect('yours', 8)).toBeUndefined();
  });

  test('is refused when any parameter of the URL was changed', async () => {
    const { url } = await bucket.signPut('mine', exact, 60);
    for (const [name, value] of new URL(url).searchParams) {
      const tampered = new URL(url);
      tampered.searchParams.set(
        name,
        value.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
      );
      const without = new URL(url);
      without.searchParams.delete(name);
      for (const { href } of [tampered, without]) {
        const { status } = await upload('mine', { url: href });
        expect([400, 403], name).toContain(status);
      }
    }
    expect(await bucket.inspect('mine', 8)).toBeUndefined();
  });
});

describe('a download that was signed', () => {
  const named = contentDisposition('Bericht „Grün“ 🐸.pdf');

  test('has the type and the name that were signed', async () => {
    await bucket.put('files/report', bytes, 'application/octet-stream');
    const url = await bucket.signGet('files/report', { contentType: 'application/pdf', disposition: named }, 60);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(named);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('has nothing else that its upload has set', async () => {
    const unsigned = {
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000',
      'content-disposition': 'inline',
    };
    expect((await upload('files/odd', { headers: unsigned })).status).toBe(200);
    const url = await bucket.signGet('files/odd', { contentType: 'application/pdf', disposition: named }, 60);
    const response = await fetch(url);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-encoding': 'identity',
      'cache-control': 'private, no-store',
      'content-disposition': named,
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('is refused under another type or name', async () => {
    await bucket.put('files/report', bytes, 'application/octet-stream');
    const url = await bucket.signGet('files/report', { contentType: 'application/pdf', disposition: named }, 60);
    for (const tampered of [url.replace('application%2Fpdf', 'text%2Fhtml'), url.replace('attachment', 'inline')]) {
      expect(tampered).not.toBe(url);
      expect(await readCode(await fetch(tampered))).toEqual([403, 'SignatureDoesNotMatch']);
    }
  });

  test('of an object that is gone is not found', async () => {
    const url = await bucket.signGet('files/none', { contentType: 'a/b', disposition: 'attachment' }, 60);
    expect(await readCode(await fetch(url))).toEqual([404, 'NoSuchKey']);
  });
});

describe('the service itself', () => {
  test('finds nothing where nothing is', async () => {
    expect(await bucket.inspect('none', 8)).toBeUndefined();
  });

  test('inspects an empty object', async () => {
    await bucket.put('empty', new Uint8Array(), 'text/plain');
    expect(await bucket.inspect('empty', 8)).toMatchObject({
      size: 0,
      contentType: 'text/plain',
      start: new Uint8Array(),
    });
  });

  test('uploads an object of any size in parts', async () => {
    const chunk = randomBytes(1_000_003);
    const chunks = async function* (count: number) {
      for (let n = 0; n < count; n += 1) yield chunk;
    };
    for (const count of [0, 1, 30]) {
      const key = `exports/of-${count}`;
      await bucket.upload(key, chunks(count), 'a/b');
      expect(await bucket.inspect(key, 4)).toMatchObject({ size: count * chunk.length, contentType: 'a/b' });
      const response = await fetch(await bucket.signGet(key, { contentType: 'a/b', disposition: 'attachment' }, 60));
      const all = Buffer.from(await response.arrayBuffer());
      expect(all.equals(Buffer.concat(Array.from({ length: count }, () => chunk)))).toBe(true);
    }
  });

  test('leaves nothing of an upload whose source fails', async () => {
    const chunks = async function* () {
      for (let n = 0; n < 20; n += 1) yield randomBytes(1_000_000);
      throw new Error('the source failed');
    };
    const failing = s3Bucket({ ...settings, bucketName: 'failing' });
    await expect(failing.upload('exports/failed', chunks(), 'a/b')).rejects.toThrow('the source failed');
    expect(await failing.inspect('exports/failed', 1)).toBeUndefined();
    const client = emulatorBucketClient(s3.endpoint);
    expect(await hasUnfinishedUploads('failing', client)).toBe(false);
    client.destroy();
  });

  test('inspects no more of an object than it has', async () => {
    await bucket.put('short', Buffer.from('abc'), 'text/plain');
    expect(await bucket.inspect('short', 4_100)).toMatchObject({ size: 3, start: new Uint8Array(Buffer.from('abc')) });
  });

  test('finds nothing where a missing key is 403, as without s3:ListBucket', async () => {
    const denied = await startS3WithoutList(s3.endpoint);
    expect((await fetch(`${denied.endpoint}/uploads/none`, { method: 'HEAD' })).status).toBe(403);
    const withoutList = s3Bucket({ ...settings, s3Endpoint: denied.endpoint });
    expect(await withoutList.inspect('none', 8)).toBeUndefined();
    await bucket.put('some', bytes, 'a/b');
    expect(await withoutList.inspect('some', 8)).toMatchObject({ size: bytes.length });
    await denied.stop();
  });

  test('finds nothing of an object that is removed between its two requests', async () => {
    const removing = createServer(({ method }, response) =>
      method === 'HEAD' ? response.writeHead(200, { 'content-length': 5 }).end() : response.writeHead(404).end(),
    );
    const port = await listen(removing, 0);
    const racing = s3Bucket({ ...settings, s3Endpoint: `http://${HOST}:${port}` });
    expect(await racing.inspect('files/removed', 5)).toBeUndefined();
    await closeNow(removing);
  });

  test('removes objects and ignores missing ones', async () => {
    await bucket.put('files/x', bytes, 'a/b');
    await bucket.remove(['files/x', 'files/never']);
    await bucket.remove([]);
    expect(await bucket.inspect('files/x', 1)).toBeUndefined();
  });

  test('removes objects with a prefix, at most 1,000 at once, and nothing else', async () => {
    const keys = Array.from({ length: 1_050 }, (_, index) => `files/many-1/${index}`);
    for (let index = 0; index < keys.length; index += 50) {
      await Promise.all(keys.slice(index, index + 50).map((key) => bucket.put(key, Buffer.from('x'), 'a/b')));
    }
    await bucket.put('files/many-2/0', bytes, 'a/b');
    expect(await bucket.removeSome('files/many-1/')).toBe(1_000);
    expect(await bucket.removeSome('files/many-1/')).toBe(50);
    for (const key of [keys[0], keys[999], keys[1_049]]) expect(await bucket.inspect(key ?? '', 1)).toBeUndefined();
    expect(await bucket.removeSome('files/many-1/')).toBe(0);
    expect(await bucket.inspect('files/many-2/0', 1)).toMatchObject({ size: bytes.length });
  });
});
