/** Small files through the API as multipart: stored exactly, attached at once, repeatable. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '#test/support/building.ts';
import { sampleOf } from '#test/support/file-samples.ts';
import {
  answerOf,
  badRequest,
  download,
  everything,
  expectTidy,
  filePlace,
  formOf,
  local,
  pdf,
  program,
  refusal,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { type Cast, newCast, problemOf, send } from '#test/support/fixtures.ts';
import { answerTo } from '#test/support/responses.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

test('become the answer at once, in their order, and are returned exactly', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const picture = local('river.PNG', await sampleOf('PNG'), 'image/png');
  const every = local('every.txt', Buffer.from(Array.from({ length: 30_000 }, (_, n) => 32 + (n % 90))), 'text/plain');
  const { status, body } = await upload(dave, at, [picture, every]);
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const files = [
    { fileId: id, originalFilename: 'river.PNG', contentType: 'image/png', size: picture.bytes.length },
    { fileId: id, originalFilename: 'every.txt', contentType: 'text/plain', size: 30_000 },
  ];
  expect({ status, body }).toEqual({ status: 201, body: { files } });
  const answer = await answerTo(dave, at.responseId, at.questionId);
  expect(answer).toMatchObject({
    answer: { value: body.files },
    displayValue: `2 file(s): river.PNG (${picture.bytes.length} bytes), every.txt (30000 bytes)`,
  });
  for (const [n, file] of [picture, every].entries()) {
    const found = await download(dave, body.files[n]?.fileId ?? '');
    expect(found.bytes.equals(file.bytes)).toBe(true);
    expect(found.headers.get('content-type')).toBe(file.type);
  }
  await expectTidy(dave, at, ['river.PNG', 'every.txt']);
});

test('get the type of their extension, whatever type was sent', async () => {
  const at = await filePlace(cast);
  const [fileId = ''] = await uploaded(cast.dave, at, local('a.txt', 'Clear', 'text/html'));
  const found = await download(cast.dave, fileId);
  expect(found.headers.get('content-type')).toBe('text/plain');
  expect(found.headers.get('content-disposition')).toContain('attachment');
});

test('replace the files of the answer, whose items and bytes are removed', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const [before = ''] = await uploaded(dave, at, local('a.txt'), local('b.txt'));
  await upload(dave, at, [local('c.txt')]);
  await expectTidy(dave, at, ['c.txt']);
  const params = { fileId: before };
  expect(await problemOf(dave.client.files.getFile({ params }))).toMatchObject({ status: 404 });
  expect(await problemOf(dave.client.files.downloadFile({ params }))).toMatchObject({ status: 404 });
});

test('leave the files of other questions and other responses alone', async () => {
  const { dave } = cast;
  const [at, other] = [await filePlace(cast), await filePlace(cast)];
  await upload(dave, other, [local('other.txt')]);
  await upload(dave, at, [local('a.txt')]);
  await upload(dave, at, [local('b.txt')]);
  await expectTidy(dave, other, ['other.txt']);
});

test('move the answer’s updatedAt and the ETag of the response', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const etag = async () => {
    const { formId, responseId } = at;
    return (await dave.client.responses.getResponse({ params: { formId, responseId } })).headers.get('etag');
  };
  expect(await etag()).toBe('"1"');
  await upload(dave, at, [local('a.txt')], { 'if-match': '"1"' });
  expect(await etag()).toBe('"2"');
  const stale = await refusal(() => upload(dave, at, [local('b.txt')], { 'if-match': '"1"' }));
  expect(stale).toMatchObject({ status: 409, code: 'stale_version' });
  expect(await answerOf(dave, at)).toEqual(['a.txt']);
  await upload(dave, at, [local('b.txt')], { 'if-match': '*' });
  expect(await answerOf(dave, at)).toEqual(['b.txt']);
});

describe('the same Idempotency-Key', () => {
  test('with the same files, with any boundary, replays the result and stores nothing', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const headers = { 'idempotency-key': newKey() };
    const first = await upload(dave, at, [local('a.txt'), pdf('b.pdf')], headers);
    const before = await everything();
    const form = new Response(formOf([local('a.txt'), pdf('b.pdf')]));
    const [, boundary = ''] = /boundary=(.*)$/.exec(form.headers.get('content-type') ?? '') ?? [];
    const body = Buffer.from(
      Buffer.from(await form.arrayBuffer())
        .toString('latin1')
        .replaceAll(boundary, 'B'),
      'latin1',
    );
    const again = await send('POST', `/api/responses/${at.responseId}/questions/${at.questionId}/files`, {
      headers: {
        ...headers,
        authorization: `Bearer ${dave.token}`,
        'content-type': 'multipart/form-data; boundary=B',
      },
      body,
    });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect({ status: again.status, body: await again.json() }).toEqual({ status: 201, body: first.body });
    expect(await everything()).toEqual(before);
    await expectTidy(dave, at, ['a.txt', 'b.pdf']);
  });

  test('with other bytes is 409 and stores nothing', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const headers = { 'idempotency-key': newKey() };
    await upload(dave, at, [local('a.txt', 'one')], headers);
    const other = await refusal(() => upload(dave, at, [local('a.txt', 'two')], headers));
    expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  test('does not record a refusal: corrected files are accepted', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const headers = { 'idempotency-key': newKey() };
    expect(await refusal(() => upload(dave, at, [program('a.pdf')], headers))).toMatchObject({ status: 400 });
    expect((await upload(dave, at, [pdf('a.pdf')], headers)).status).toBe(201);
  });
});

describe('are refused, all faults at once and nothing stored:', () => {
  test.for<[string, ReturnType<typeof local>[], ReturnType<typeof badRequest>]>([
    [
      'an executable that is named .pdf',
      [pdf('good.pdf'), program('river.pdf')],
      badRequest(['/body/files/1', 'is named .pdf but its content is elf: choose another file']),
    ],
    [
      'text that is named as a picture',
      [local('a.png', 'Clear water', 'image/png')],
      badRequest(['/body/files/0', 'is named .png but']),
    ],
    [
      'an extension that the question does not allow',
      [local('a.zip'), local('noname')],
      badRequest(
        ['/body/files/0/filename', 'must have the extension of an allowed type: PNG, PDF, TXT'],
        ['/body/files/1/filename', 'must have the extension of an allowed type'],
      ),
    ],
    ['an empty file', [local('a.txt', '')], badRequest(['/body/files/0/size', 'must be at least 1 byte'])],
    [
      'an empty file of a wrong type beside a good one',
      [local('a.txt'), local('a.exe', '')],
      badRequest(['/body/files/1/filename', 'must have the extension'], ['/body/files/1/size', 'must be at least 1']),
    ],
  ])('%s', async ([, files, problem]) => {
    const at = await filePlace(cast);
    expect(await refusal(() => upload(cast.dave, at, files))).toMatchObject(problem);
  });

  test('no file at all, and the empty part that browsers send when none was chosen', async () => {
    const { dave } = cast;
    const { responseId, questionId } = await filePlace(cast);
    const params = { responseId, questionId };
    const none = await refusal(() => dave.client.files.uploadFiles({ params, form: formOf([]) }));
    expect(none).toMatchObject({ status: 400, errors: [{ pointer: '/body' }] });
    const form = new FormData();
    form.append('files', new File([], ''), '');
    expect(await refusal(() => dave.client.files.uploadFiles({ params, form }))).toMatchObject({ status: 415 });
  });

  test('more than 4.5 MB together, with a detail that names the other way', async () => {
    const at = await filePlace(cast);
    const problem = await refusal(() => upload(cast.dave, at, [pdf('a.pdf', 2_300_000), pdf('b.pdf', 2_300_000)]));
    expect(problem).toMatchObject({ status: 413, title: 'Content Too Large' });
    expect(problem.detail).toContain('directly to storage');
    await upload(cast.dave, at, [pdf('a.pdf', 2_200_000), pdf('b.pdf', 2_200_000)]);
    await expectTidy(cast.dave, at, ['a.pdf', 'b.pdf']);
  });
});
