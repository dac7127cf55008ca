/** The store of the local S3: who reaches it, and what survives a stop and a SIGKILL. What it does is in `s3-bucket.test.ts`. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
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

const start = (where: string | null) => startS3({ directory: where, buckets: [Bucket], origins: () => [] });

function clientOf(endpoint: string): S3Client {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const created = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials, maxAttempts: 1 });
  clients.push(created);
  return created;
}

beforeAll(async () => {
  s3 = await start(null);
});
afterAll(async () => {
  for (const each of clients) each.destroy();
  await s3.stop();
  rmSync(directory, { recursive: true, force: true });
});

const put = (Key: string, Body: string | Uint8Array, on: S3Client) =>
  on.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'text/plain' }));
const readText = async (Key: string, on: S3Client) =>
  (await on.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
const readKeys = async (Prefix: string, on: S3Client) =>
  ((await on.send(new ListObjectsV2Command({ Bucket, Prefix }))).Contents ?? []).map(({ Key }) => Key);

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
    expect(await readText('a/b', again)).toBe('hello');
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
    expect(await readKeys('kept/', again)).toEqual(acknowledged);
    expect(await readText('kept/07', again)).toBeDefined();
    await after.stop();
  });

  test('in memory is forgotten at the end', async () => {
    const first = await start(null);
    await put('passing', 'x', clientOf(first.endpoint));
    await first.stop();
    const second = await start(null);
    expect(await readKeys('', clientOf(second.endpoint))).toEqual([]);
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
