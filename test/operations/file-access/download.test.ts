/** Downloading a file: where its bytes can be had, for how long, and as what. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { app } from '#core/http/app.ts';
import { emulatorBucketClient } from '#stacks/local/s3/client.ts';
import { createGate } from '#stacks/local/s3/gate.ts';
import { withApp } from '#test/support/faults.ts';
import { answerWithFile, attached, formForFiles } from '#test/support/files.ts';
import { type Cast, newCast, type Person, send } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';

let cast: Cast;
let responseId: string;
let questionId: string;
beforeAll(async () => {
  cast = await newCast();
  const built = await formForFiles(cast.alice, cast.slug);
  questionId = built.questionId;
  responseId = await start(cast.dave, built.formId);
});

const Download = z.strictObject({ url: z.url(), expiresAt: z.iso.datetime() });
const download = ({ client }: Person, fileId: string) => client.files.downloadFile({ params: { fileId } });
const readUrl = async (person: Person, fileId: string) =>
  (await download(person, fileId)).headers.get('location') ?? '';

const request = (method: string, fileId: string, headers: Record<string, string> = {}) =>
  send(method, `/api/files/${fileId}`, { headers: { authorization: `Bearer ${cast.dave.token}`, ...headers } });

const HEADER =
  /^attachment; filename=("[ !#-[\]-~]+"|[\w!#$&+.^`|~-]+); filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[\dA-F]{2})+)$/;

/** The file name that a browser reads; fails the test when the header is not an attachment with one name. */
function nameIn(header: string | null): string {
  const [, fallback, encoded] = HEADER.exec(header ?? '') ?? [];
  if (!fallback || !encoded) throw new Error(`not an attachment with a name: ${header}`);
  return decodeURIComponent(encoded);
}

describe('a download', () => {
  test('is a redirect that must not be cached, to a URL of storage that works for a minute', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    const { status, headers } = await download(cast.dave, fileId);
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 302, cache: 'no-store' });
    const location = new URL(headers.get('location') ?? '');
    expect(location.origin).toBe(app().config.s3PublicEndpoint);
    expect(location.pathname).toBe(`/${app().config.bucketName}/files/${responseId}/${fileId}`);
    expect(location.searchParams.get('X-Amz-Expires')).toBe('60');
  });

  test('returns the exact bytes, with their stored type and as an attachment of their name', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId, 'river.txt');
    const object = await fetch(await readUrl(cast.dave, fileId));
    expect(object.status).toBe(200);
    expect(object.headers.get('content-type')).toBe('text/plain');
    expect(nameIn(object.headers.get('content-disposition'))).toBe('river.txt');
    expect(await object.text()).toBe('This is river.txt');
  });

  test('sends no bytes through the service, which only signs', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    const never = () => Promise.reject(new Error('a download only signs'));
    const others = { signPut: never, inspect: never, put: never, remove: never, removeSome: never };
    const response = await withApp(
      ({ bucket }) => ({ bucket: { ...bucket, ...others } }),
      () => request('GET', fileId),
    );
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([302, 0]);
  });

  test.for([
    'application/json',
    'application/json, text/plain;q=0.5',
  ])('is a URL in JSON with Accept: %s, for pages of another origin', async (accept) => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId, 'river.txt');
    const before = Date.now();
    const response = await request('GET', fileId, { accept });
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = Download.parse(await response.json());
    expect(Date.parse(body.expiresAt) - before).toBeGreaterThanOrEqual(60_000 - 1_000);
    expect(Date.parse(body.expiresAt) - before).toBeLessThan(70_000);
    const object = await fetch(body.url);
    expect(nameIn(object.headers.get('content-disposition'))).toBe('river.txt');
    expect(await object.text()).toBe('This is river.txt');
  });

  test.for([
    '*/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'image/webp',
  ])('is a redirect with Accept: %s', async (accept) => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    expect((await request('GET', fileId, { accept })).status).toBe(302);
  });

  test('answers HEAD as GET without a body', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    const head = await request('HEAD', fileId);
    expect([head.status, await head.text()]).toEqual([302, '']);
    expect(new URL(head.headers.get('location') ?? '').pathname).toContain(fileId);
    const json = await request('HEAD', fileId, { accept: 'application/json' });
    expect([json.status, await json.text()]).toEqual([200, '']);
    expect((await request('HEAD', app().uuid())).status).toBe(404);
  });

  test('supports ranges', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId, 'river.txt');
    const object = await fetch(await readUrl(cast.dave, fileId), { headers: { range: 'bytes=8-12' } });
    expect([object.status, await object.text(), object.headers.get('content-range')]).toEqual([
      206,
      'river',
      'bytes 8-12/17',
    ]);
  });

  test('has a URL for GET alone', async () => {
    const url = await readUrl(cast.dave, await answerWithFile(cast.dave, responseId, questionId));
    for (const method of ['HEAD', 'PUT', 'DELETE']) {
      const result = await fetch(url, { method, ...(method === 'PUT' ? { body: 'other bytes' } : {}) });
      expect([method, result.status]).toEqual([method, 403]);
    }
    expect(await (await fetch(url)).text()).toBe('This is river.txt');
  });

  test.for([
    ['another type', 'response-content-type', 'text/html'],
    ['another disposition', 'response-content-disposition', 'inline'],
    ['a longer time', 'X-Amz-Expires', '3600'],
  ] as const)('is refused by storage with %s in its URL', async ([, name, value]) => {
    const url = new URL(await readUrl(cast.dave, await answerWithFile(cast.dave, responseId, questionId)));
    expect(url.searchParams.has(name)).toBe(true);
    url.searchParams.set(name, value);
    expect((await fetch(url)).status).toBe(403);
    url.searchParams.delete(name);
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
  });

  test('is refused by storage for another file', async () => {
    const [fileId = '', other = ''] = await attached(cast.dave, { responseId, questionId }, 'a.txt', 'b.txt');
    expect((await fetch((await readUrl(cast.dave, fileId)).replace(fileId, other))).status).toBe(403);
  });
});

describe('the name of a download', () => {
  const long = `${'河'.repeat(300)}.txt`;
  test.for([
    ['滿意度 調查.txt', '滿意度 調查.txt'],
    ['it\'s "quoted"; filename=evil.exe.txt', 'it\'s "quoted"; filename=evil.exe.txt'],
    ['a\r\nSet-Cookie: a=b\r\n\r\n<script>.txt', 'a\r\nSet-Cookie: a=b\r\n\r\n<script>.txt'],
    ['exe.\u202etxt.fdp\u202c.txt', 'exe.\u202etxt.fdp\u202c.txt'],
    ['../../etc/passwd\u0000.txt', '.._.._etc_passwd_.txt'],
    ["100%22; filename*=UTF-8''x.txt", "100%22; filename*=UTF-8''x.txt"],
    [long, long],
    [`${'🐸'.repeat(490)}.txt`, `${'🐸'.repeat(196)}.txt`],
  ] as const)('%j is one file name and nothing else', async ([filename, name]) => {
    const [fileId = ''] = await attached(cast.dave, { responseId, questionId }, filename);
    const info = await cast.dave.client.files.getFile({ params: { fileId } });
    expect(info.body.originalFilename).toBe(filename);
    const object = await fetch(await readUrl(cast.dave, fileId));
    expect(object.status).toBe(200);
    expect(nameIn(object.headers.get('content-disposition'))).toBe(name);
    expect([object.headers.get('content-type'), object.headers.get('set-cookie')]).toEqual(['text/plain', null]);
    expect(await object.text()).toBe('Clear water');
  });
});

describe('the URL of a download', () => {
  const NOW = Date.parse('2026-05-01T12:00:00.000Z');
  const store = emulatorBucketClient(process.env.S3_ENDPOINT ?? '');
  let gate: ReturnType<typeof createGate>;
  let s3PublicEndpoint: string;
  beforeAll(async () => {
    gate = createGate({ store, origins: () => [] });
    gate.listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const address = gate.address();
    s3PublicEndpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(async () => {
    vi.useRealTimers();
    gate.closeAllConnections();
    gate.close();
    await once(gate, 'close');
    store.destroy();
  });

  test('expires after 60 seconds: storage accepts it at the 60th and refuses at the 61st', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const answer = await withApp(
      ({ config }) => ({ bucket: s3Bucket({ ...config, s3PublicEndpoint }), now: () => new Date() }),
      async () => {
        const token = await app().tokens.sign({ id: cast.dave.id, roles: ['USER'] }, app().now());
        const fileId = await answerWithFile(cast.dave, responseId, questionId);
        return send('GET', `/api/files/${fileId}`, { headers: { authorization: `Bearer ${token}` } });
      },
    );
    const url = answer.headers.get('location') ?? '';
    vi.setSystemTime(NOW + 60_000);
    expect((await fetch(url)).status).toBe(200);
    vi.setSystemTime(NOW + 61_000);
    const late = await fetch(url);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
  });
});
