/** Downloading a file (contract section 8, row "Download"): where its bytes can be had, for how long, and as what. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { app } from '#core/http/app.ts';
import { emulatorBucketClient } from '#stacks/local/s3-client.ts';
import { createGate } from '#stacks/local/s3-gate.ts';
import { withApp } from '#test/support/faults.ts';
import { answerThroughStorage, answerWithFile, formForFiles } from '#test/support/file-access.ts';
import { start } from '#test/support/responses.ts';
import { type Cast, newCast, type Person, send } from '#test/support/world.ts';

let cast: Cast;
let responseId: string;
let questionId: string;
beforeAll(async () => {
  cast = await newCast();
  const built = await formForFiles(cast.alice, cast.slug);
  questionId = built.questionId;
  responseId = await start(cast.dave, built.formId);
});

const download = ({ client }: Person, fileId: string) => client.files.downloadFile({ params: { fileId } });
const urlOf = async (person: Person, fileId: string) => (await download(person, fileId)).headers.get('location') ?? '';

const HEADER = /^attachment; filename="([ !#-[\]-~]+)"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[\dA-F]{2})+)$/;

/** What a browser takes a file's name for; fails the test when the header says anything but one name. */
function nameIn(header: string | null): string {
  const [, fallback, encoded] = HEADER.exec(header ?? '') ?? [];
  if (!fallback || !encoded) throw new Error(`not an attachment with a name: ${header}`);
  return decodeURIComponent(encoded);
}

describe('a download', () => {
  test('is a redirect that nobody may keep, to an address of storage that is good for a minute', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    const { status, headers } = await download(cast.dave, fileId);
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 302, cache: 'no-store' });
    const location = new URL(headers.get('location') ?? '');
    expect(location.origin).toBe(app().config.s3PublicEndpoint);
    expect(location.pathname).toBe(`/${app().config.bucketName}/files/${responseId}/${fileId}`);
    expect(location.searchParams.get('X-Amz-Expires')).toBe('60');
  });

  test('answers the bytes as they were sent, under their stored type and as an attachment of their name', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId, 'river.txt');
    const answer = await fetch(await urlOf(cast.dave, fileId));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(nameIn(answer.headers.get('content-disposition'))).toBe('river.txt');
    expect(await answer.text()).toBe('This is river.txt');
  });

  test('sends no bytes through the service, which does no more than sign', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId);
    const never = () => Promise.reject(new Error('a download only signs'));
    const others = { signPut: never, inspect: never, put: never, copy: never, remove: never, removeAll: never };
    const answer = await withApp(
      ({ bucket }) => ({ bucket: { ...bucket, ...others } }),
      () => send('GET', `/api/files/${fileId}`, { headers: { authorization: `Bearer ${cast.dave.token}` } }),
    );
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([302, 0]);
  });

  test('can be had in parts', async () => {
    const fileId = await answerWithFile(cast.dave, responseId, questionId, 'river.txt');
    const answer = await fetch(await urlOf(cast.dave, fileId), { headers: { range: 'bytes=8-12' } });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      206,
      'river',
      'bytes 8-12/17',
    ]);
  });

  test('is an address for GET alone', async () => {
    const url = await urlOf(cast.dave, await answerWithFile(cast.dave, responseId, questionId));
    for (const method of ['HEAD', 'PUT', 'DELETE']) {
      const answer = await fetch(url, { method, ...(method === 'PUT' ? { body: 'other bytes' } : {}) });
      expect([method, answer.status]).toEqual([method, 403]);
    }
    expect(await (await fetch(url)).text()).toBe('This is river.txt');
  });

  test.for([
    ['another type', 'response-content-type', 'text/html'],
    ['another disposition', 'response-content-disposition', 'inline'],
    ['a longer time', 'X-Amz-Expires', '3600'],
  ] as const)('is refused by storage with %s put into its address', async ([, name, value]) => {
    const url = new URL(await urlOf(cast.dave, await answerWithFile(cast.dave, responseId, questionId)));
    expect(url.searchParams.has(name)).toBe(true);
    url.searchParams.set(name, value);
    expect((await fetch(url)).status).toBe(403);
    url.searchParams.delete(name);
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
  });

  test('is refused by storage for another file than the one that was asked for', async () => {
    const [fileId = '', other = ''] = await answerThroughStorage(cast.dave, responseId, questionId, 'a.txt', 'b.txt');
    expect((await fetch((await urlOf(cast.dave, fileId)).replace(fileId, other))).status).toBe(403);
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
  ] as const)('%j is one name of a file and nothing else', async ([filename, name]) => {
    const [fileId = ''] = await answerThroughStorage(cast.dave, responseId, questionId, filename);
    const info = await cast.dave.client.files.getFile({ params: { fileId } });
    expect(info.body.originalFilename).toBe(filename);
    const answer = await fetch(await urlOf(cast.dave, fileId));
    expect(answer.status).toBe(200);
    expect(nameIn(answer.headers.get('content-disposition'))).toBe(name);
    expect([answer.headers.get('content-type'), answer.headers.get('set-cookie')]).toEqual(['text/plain', null]);
    expect(await answer.text()).toBe('Clear water');
  });
});

describe('the minute of a download', () => {
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

  test('is over after 60 seconds: storage answers at the 60th and refuses at the 61st', async () => {
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
