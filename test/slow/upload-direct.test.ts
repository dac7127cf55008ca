/** Uploads straight to storage: announced, sent by the browser, completed; storage accepts nothing else. */
import { expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { type App, app } from '#core/http/app.ts';
import { newKey } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { withApp } from '#test/support/faults.ts';
import { readSample } from '#test/support/file-samples.ts';
import {
  about,
  announce,
  announced,
  complete,
  download,
  everything,
  expectTidy,
  filePlace,
  hashOf,
  later,
  listFileNames,
  listObjects,
  local,
  pdf,
  refusal,
  sendTo,
  sentDirectly,
} from '#test/support/files.ts';
import { expectProblem, newCast } from '#test/support/fixtures.ts';
import { startS3WithoutList } from '#test/support/s3-without-list.ts';

const cast = await newCast();

const HALF_AN_HOUR = 1_800;

test('a file of 9 MB goes to storage, is attached by completing, and is downloaded exactly', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const file = pdf('river.pdf', 9_000_000);
  const entry = await announced(dave, at, file);
  expect(entry).toMatchObject({ originalFilename: 'river.pdf', contentType: 'application/pdf', size: 9_000_000 });
  expect((await sendTo(entry, file.bytes)).status).toBe(200);
  expect(await listFileNames(dave, at)).toEqual([]);
  const completed = await complete(dave, at, [entry.fileId]);
  const { upload: _, ...shown } = entry;
  expect({ status: completed.status, body: completed.body }).toEqual({ status: 200, body: { files: [shown] } });
  expect(completed.headers.get('etag')).toBe('"2"');
  const found = await download(dave, entry.fileId);
  expect(found.bytes.equals(file.bytes)).toBe(true);
  expect(found.headers.get('content-type')).toBe('application/pdf');
  await expectTidy(dave, at, ['river.pdf']);
});

test('announcing returns for each file where, how and until when to send it, and attaches nothing', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const picture = local('a.png', await readSample('PNG'), 'image/x-unheard-of');
  const before = Date.now();
  const { status, body } = await announce(dave, at, [about(picture), about(local('b.txt'))]);
  expect(status).toBe(201);
  expect(body.files).toEqual([
    expect.objectContaining({ originalFilename: 'a.png', contentType: 'image/png' }),
    expect.objectContaining({ originalFilename: 'b.txt', contentType: 'text/plain' }),
  ]);
  for (const [n, { fileId, upload }] of body.files.entries()) {
    expect(upload).toMatchObject({
      method: 'PUT',
      headers: { 'x-amz-checksum-sha256': hashOf([picture, local('b.txt')][n] ?? picture, 'base64') },
    });
    expect(new URL(upload?.url ?? '').pathname).toContain(`/files/${at.responseId}/${fileId}`);
    const lasts = Date.parse(upload?.expiresAt ?? '') - before;
    expect(lasts).toBeGreaterThanOrEqual(HALF_AN_HOUR * 1_000);
    expect(lasts).toBeLessThan((HALF_AN_HOUR + 60) * 1_000);
    const params = { fileId };
    expect(await expectProblem(dave.client.files.getFile({ params }))).toMatchObject({ status: 404 });
  }
  expect(await listFileNames(dave, at)).toEqual([]);
  expect(await listObjects(at)).toEqual([]);
});

test.for<[string, (file: ReturnType<typeof local>) => string]>([
  ['hexadecimal digits', hashOf],
  ['hexadecimal capitals', (file) => hashOf(file).toUpperCase()],
  ['base64', (file) => hashOf(file, 'base64')],
  ['base64 with unused bits set', (file) => withUnusedBits(hashOf(file, 'base64'))],
])('the SHA-256 may be written in %s', async ([, write]) => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const file = local('a.txt');
  const [entry] = (await announce(dave, at, [{ ...about(file), sha256: write(file) }])).body.files;
  if (!entry) throw new Error('nothing was announced');
  expect((await sendTo(entry, file.bytes)).status).toBe(200);
  await complete(dave, at, [entry.fileId]);
  await expectTidy(dave, at, ['a.txt']);
});

/** The same hash with the last bit set of its last digit but one, which no byte uses. */
function withUnusedBits(hash: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const other = `${hash.slice(0, 42)}${digits[digits.indexOf(hash[42] ?? '') + 1]}=`;
  expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(hash, 'base64'));
  return other;
}

test('storage refuses all but the announced bytes; completing then reports that nothing was uploaded', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const file = pdf('a.pdf', 5_000);
  const other = local('', Buffer.alloc(5_000, 1));
  const entry = await announced(dave, at, file);
  const { headers = {} } = entry.upload ?? {};
  const sha256 = (of: typeof file) => ({ 'x-amz-checksum-sha256': hashOf(of, 'base64') });
  const attempts: [typeof file, Record<string, string>][] = [
    [other, headers],
    [pdf('', 5_001), headers],
    [pdf('', 11_000_000), headers],
    [file, { ...headers, 'content-type': 'text/html' }],
    [file, sha256(file)],
    [file, { 'content-type': file.type }],
    [other, { ...headers, ...sha256(other) }],
  ];
  for (const [{ bytes }, sent] of attempts) {
    const { status } = await sendTo(entry, bytes, sent);
    expect([400, 403], JSON.stringify(sent)).toContain(status);
  }
  const missing = { status: 400, errors: [{ pointer: '/body/fileIds/0' }] };
  expect(await refusal(() => complete(dave, at, [entry.fileId]))).toMatchObject(missing);
  expect((await sendTo(entry, file.bytes)).status).toBe(200);
  await complete(dave, at, [entry.fileId]);
  await expectTidy(dave, at, ['a.pdf']);
});

test('a repeated announcement with the same Idempotency-Key returns the same uploads under URLs signed again', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const headers = { 'idempotency-key': newKey() };
  const file = local('a.txt');
  const first = await announce(dave, at, [about(file)], headers);
  const before = await everything();
  const again = await later(HALF_AN_HOUR - 60, dave, (then) => announce(then, at, [about(file)], headers));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await everything()).toEqual(before);
  const [one, two] = [first.body.files[0], again.body.files[0]];
  expect({ ...two, upload: null }).toEqual({ ...one, upload: null });
  expect(two?.upload?.headers).toEqual(one?.upload?.headers);
  const added = Date.parse(two?.upload?.expiresAt ?? '') - Date.parse(one?.upload?.expiresAt ?? '');
  expect(added).toBeGreaterThanOrEqual((HALF_AN_HOUR - 60) * 1_000);
  const other = await refusal(() => announce(dave, at, [about(local('b.txt'))], headers));
  expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
});

test('completing takes at most 3 round trips', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const files = [local('a.txt'), local('b.txt'), local('c.txt')];
  const fileIds = await sentDirectly(dave, at, ...files);
  const [first = '', ...others] = fileIds;
  // The first answer to a question reads which others were answered.
  expect((await measureCost(() => complete(dave, at, [first]))).cost.roundTrips).toBeLessThanOrEqual(4);
  expect((await measureCost(() => complete(dave, at, [first, ...others]))).cost.roundTrips).toBeLessThanOrEqual(3);
});

test('where missing keys are 403, as without s3:ListBucket, completing reports them as missing', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const file = local('a.txt');
  const [sent = ''] = await sentDirectly(dave, at, file);
  const entry = await announced(dave, at, file);
  const denied = await startS3WithoutList(app().config.s3Endpoint ?? '');
  const withoutList = ({ config }: App) => ({ bucket: s3Bucket({ ...config, s3Endpoint: denied.endpoint }) });
  try {
    await withApp(withoutList, async () => {
      const missing = { status: 400, errors: [{ pointer: '/body/fileIds/1' }] };
      expect(await refusal(() => complete(dave, at, [sent, entry.fileId]))).toMatchObject(missing);
      await sendTo(entry, file.bytes);
      expect((await complete(dave, at, [sent, entry.fileId])).status).toBe(200);
    });
  } finally {
    await denied.stop();
  }
});
