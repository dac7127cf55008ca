/** The local S3 as the service sees it: SDK calls on the inner endpoint, and what survives a stop and a SIGKILL. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type LocalS3, startS3 } from '#stacks/local/s3/s3.ts';
import { ROOT } from '#test/support/sources.ts';

const Bucket = 'uploads';
const directory = mkdtempSync(join(tmpdir(), 's3-'));
const clients: S3Client[] = [];
let s3: LocalS3;
let client: S3Client;

const start = (where: string | null) => startS3({ directory: where, buckets: [Bucket], origins: () => [] });

/** The SDK as it comes, its checksums included. */
function clientOf(endpoint: string): S3Client {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const created = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials, maxAttempts: 1 });
  clients.push(created);
  return created;
}

beforeAll(async () => {
  s3 = await start(null);
  client = clientOf(s3.endpoint);
});
afterAll(async () => {
  for (const each of clients) each.destroy();
  await s3.stop();
  rmSync(directory, { recursive: true, force: true });
});

const put = (Key: string, Body: string | Uint8Array = 'x', on = client) =>
  on.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'text/plain' }));
const textOf = async (Key: string, on = client, Range?: string) =>
  (await on.send(new GetObjectCommand({ Bucket, Key, Range }))).Body?.transformToString();
const keysOf = async (Prefix: string, on = client) =>
  ((await on.send(new ListObjectsV2Command({ Bucket, Prefix }))).Contents ?? []).map(({ Key }) => Key);

describe('the SDK', () => {
  test('gets back the bytes that it put, with their type, size and date', async () => {
    const bytes = randomBytes(300_000);
    await put('plain', bytes);
    const got = await client.send(new GetObjectCommand({ Bucket, Key: 'plain' }));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'plain' }));
    expect(head).toMatchObject({ ContentType: 'text/plain', ContentLength: 300_000, ETag: got.ETag });
    expect(head.LastModified).toBeInstanceOf(Date);
  });

  test('puts an empty object', async () => {
    await put('empty', new Uint8Array());
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'empty' }))).toMatchObject({ ContentLength: 0 });
  });

  test('reads a range, and gets InvalidRange beyond the end', async () => {
    await put('ranged', '0123456789');
    expect(await textOf('ranged', client, 'bytes=2-4')).toBe('234');
    expect(await textOf('ranged', client, 'bytes=-3')).toBe('789');
    await expect(textOf('ranged', client, 'bytes=50-')).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  test('gets the errors of S3 for what is missing', async () => {
    await expect(textOf('nothing')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'nothing' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
    const elsewhere = new ListObjectsV2Command({ Bucket: 'no-such-bucket' });
    await expect(client.send(elsewhere)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  test('copies an object with its type and checksum', async () => {
    const ChecksumSHA256 = 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=';
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key: 'one',
        Body: 'hello',
        ContentType: 'a/b',
        ChecksumSHA256,
        CacheControl: 'x',
      }),
    );
    await client.send(new CopyObjectCommand({ Bucket, Key: 'two', CopySource: `${Bucket}/one` }));
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'two', ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({ ContentType: 'a/b', ChecksumSHA256, CacheControl: 'x' });
    expect(await textOf('two')).toBe('hello');
  });

  test('lists in pages, and the keys under a prefix only', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `list/${index % 5}/${String(index).padStart(2, '0')}`).sort();
    await Promise.all(keys.map((key) => put(key)));
    const seen: (string | undefined)[] = [];
    let pages = 0;
    for await (const page of paginateListObjectsV2({ client, pageSize: 10 }, { Bucket, Prefix: 'list/' })) {
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
      pages += 1;
    }
    expect(seen).toEqual(keys);
    expect(pages).toBe(3);
    expect(await keysOf('list/3/')).toEqual(keys.filter((key) => key.startsWith('list/3/')));
  });

  test('removes objects, one or many, there or not', async () => {
    await Promise.all(['gone/1', 'gone/2', 'gone/3'].map((key) => put(key)));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'gone/1' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'gone/never' }));
    const Objects = [{ Key: 'gone/2' }, { Key: 'gone/never' }];
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(await keysOf('gone/')).toEqual(['gone/3']);
  });

  test.for([
    'x',
    'x/y',
    'tenant/a b+c&d=e?.pdf',
    'quotes/\'"<&>',
    'percent/%41%2F',
    'unicode/ü😀.txt',
    'dots/../up',
    './dot',
    'trail/',
    'long/'.padEnd(900, 'a'),
  ])('puts, lists, gets and removes the key %.40s', async (key) => {
    await put(key, `of ${key}`);
    expect(await textOf(key)).toBe(`of ${key}`);
    expect(await keysOf(key)).toContain(key);
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: key }] } }));
    expect(await keysOf(key)).not.toContain(key);
  });

  test('puts 64 objects at once', async () => {
    const bodies = Array.from({ length: 64 }, () => randomBytes(100_000));
    await Promise.all(bodies.map((body, index) => put(`parallel/${index}`, body)));
    const got = await Promise.all(
      bodies.map(async (_, index) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `parallel/${index}` }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }),
    );
    expect(got.every((bytes, index) => bodies[index]?.equals(bytes))).toBe(true);
  });
});

test('nobody reaches the store from another machine', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outward = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
  const port = Number(new URL(s3.endpoint).port);
  // On Linux 127.0.0.2 is this machine as well, but not the address that the store listens on.
  const other = process.platform === 'linux' ? ['127.0.0.2'] : [];
  for (const host of [...other, ...outward.map(({ address }) => address)]) {
    const socket = connect(port, host);
    await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
});

describe('what was stored', () => {
  test('is there after a stop and a start on the same directory', async () => {
    const home = join(directory, 'stopped');
    const first = await start(home);
    const ChecksumSHA256 = 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=';
    await clientOf(first.endpoint).send(new PutObjectCommand({ Bucket, Key: 'a/b', Body: 'hello', ChecksumSHA256 }));
    await first.stop();
    const second = await start(home);
    const again = clientOf(second.endpoint);
    expect(await textOf('a/b', again)).toBe('hello');
    const head = await again.send(new HeadObjectCommand({ Bucket, Key: 'a/b', ChecksumMode: 'ENABLED' }));
    expect(head.ChecksumSHA256).toBe(ChecksumSHA256);
    await second.stop();
  });

  test('is there after the process was killed in the middle of a write', async () => {
    const home = join(directory, 'killed');
    const script = `
      import { startS3 } from ${JSON.stringify(join(ROOT, 'stacks/local/s3/s3.ts'))};
      const { endpoint } = await startS3({ directory: process.argv[1], buckets: ['${Bucket}'], origins: () => [] });
      console.log(JSON.stringify({ endpoint }));`;
    const options = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, home], options);
    const [line] = await once(child.stdout, 'data');
    const { endpoint } = z.object({ endpoint: z.url() }).parse(JSON.parse(String(line)));
    const dying = clientOf(endpoint);
    const acknowledged = Array.from({ length: 20 }, (_, index) => `kept/${String(index).padStart(2, '0')}`);
    await Promise.all(acknowledged.map((key) => put(key, randomBytes(10_000), dying)));
    const cut = put('cut', randomBytes(9_000_000), dying).catch(() => undefined);
    child.kill('SIGKILL');
    await Promise.all([cut, once(child, 'exit')]);
    const after = await start(home);
    const again = clientOf(after.endpoint);
    expect(await keysOf('kept/', again)).toEqual(acknowledged);
    expect(await textOf('kept/07', again)).toBeDefined();
    await after.stop();
  });

  test('in memory is forgotten at the end', async () => {
    const first = await start(null);
    await put('passing', 'x', clientOf(first.endpoint));
    await first.stop();
    const second = await start(null);
    expect(await keysOf('', clientOf(second.endpoint))).toEqual([]);
    await second.stop();
  });
});

test('refuses a bucket whose name S3 would not take', async () => {
  await expect(startS3({ directory: null, buckets: ['No'], origins: () => [] })).rejects.toThrow('not valid');
});

test('stops at once with somebody still connected or in the middle of a request, and may be stopped again', async () => {
  const running = await start(null);
  const sockets = [running.endpoint, running.publicEndpoint].map((url) =>
    connect(Number(new URL(url).port), '127.0.0.1'),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const closed = sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)));
  for (const socket of sockets) {
    // Being cut off is what is waited for.
    socket.on('error', () => undefined);
    socket.write('PUT /uploads/x HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
  }
  await running.stop();
  await Promise.all(closed);
  await running.stop();
});
