/** Small files through the API as multipart: stored exactly, attached at once, repeatable; and which files are refused. */
import { describe, expect, test } from 'vitest';
import { newKey } from '#test/support/building.ts';
import { readSample } from '#test/support/file-samples.ts';
import {
  about,
  announce,
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
  refusals,
  upload,
} from '#test/support/files.ts';
import { newCast } from '#test/support/fixtures.ts';
import { answerTo } from '#test/support/responses.ts';

const cast = await newCast();

test('become the answer at once, in their order, are returned exactly, and have the type of their extension', async () => {
  const { dave } = cast;
  const [at, other] = [await filePlace(cast), await filePlace(cast)];
  await upload(dave, other, [local('other.txt')]);
  const picture = local('river.PNG', await readSample('PNG'), 'image/png');
  const every = Buffer.from(Array.from({ length: 30_000 }, (_, n) => 32 + (n % 90)));
  const sent = [picture, local('every.txt', every, 'text/html')];
  const { status, body, headers } = await upload(dave, at, sent);
  const fileId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const files = [
    { fileId, originalFilename: 'river.PNG', contentType: 'image/png', size: picture.bytes.length },
    { fileId, originalFilename: 'every.txt', contentType: 'text/plain', size: 30_000 },
  ];
  expect({ status, body }).toEqual({ status: 201, body: { files } });
  expect(headers.get('etag')).toBe('"2"');
  expect(await answerTo(dave, at.responseId, at.questionId)).toMatchObject({
    answer: { value: body.files },
    displayValue: `2 file(s): river.PNG (${picture.bytes.length} bytes), every.txt (30000 bytes)`,
  });
  for (const [n, file] of sent.entries()) {
    const found = await download(dave, body.files[n]?.fileId ?? '');
    expect(found.bytes.equals(file.bytes)).toBe(true);
    expect(found.headers.get('content-type')).toBe(files[n]?.contentType);
    expect(found.headers.get('content-disposition')).toContain('attachment');
  }
  const params = { fileId: body.files[0]?.fileId ?? '' };
  const info = { originalFilename: 'river.PNG', contentType: 'image/png', size: picture.bytes.length };
  const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { body: described } = await cast.bob.client.files.getFile({ params });
  expect(described).toEqual({ id: params.fileId, ...info, uploadedBy: dave.id, createdAt });
  await expectTidy(dave, at, ['river.PNG', 'every.txt']);
  await expectTidy(dave, other, ['other.txt']);
});

test('sent again with the same Idempotency-Key replay the result; a refusal is not recorded', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const headers = { 'idempotency-key': newKey() };
  expect(await refusal(() => upload(dave, at, [program('a.pdf')], headers))).toMatchObject({ status: 400 });
  const first = await upload(dave, at, [local('a.txt'), pdf('b.pdf')], headers);
  const before = await everything();
  const again = await upload(dave, at, [local('a.txt'), pdf('b.pdf')], headers);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(await everything()).toEqual(before);
  await expectTidy(dave, at, ['a.txt', 'b.pdf']);
});

describe('are refused, all faults at once and nothing stored:', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => local(`${n}.txt`, `number ${n}`));
  const long = local(`${'𝒳'.repeat(497)}.txt`);
  type Fault = [pointer: string, detail: string];
  type Row = [
    what: string,
    files: ReturnType<typeof local>[],
    faults: Fault[],
    takes?: Parameters<typeof filePlace>[1],
  ];

  // Either way to upload: sent, or announced.
  test.for<Row>([
    [
      'extensions that the question does not allow',
      [local('a.zip'), local('noname'), local('a.pdf.exe')],
      [
        ['/body/files/0/filename', 'must have the extension of an allowed type: PNG, PDF, TXT'],
        ['/body/files/1/filename', 'must have the extension'],
        ['/body/files/2/filename', 'must have the extension'],
      ],
    ],
    ['an empty file', [local('a.txt', '')], [['/body/files/0/size', 'must be at least 1 byte']]],
    ['a name of 501 characters', [long], [['/body/files/0/filename', '500 characters']]],
    [
      'more files than the question allows',
      many(3),
      [['/body/files', 'must be at most 2 files']],
      { maxFileAmount: 2 },
    ],
    [
      'a larger file than the question allows',
      [pdf('a.pdf', 1_000), pdf('b.pdf', 1_001)],
      [['/body/files/1/size', 'must be at most 1000 bytes']],
      { maxFileSizeLimit: 1_000 },
    ],
  ])('%s', async ([, files, faults, takes]) => {
    const { dave } = cast;
    const at = await filePlace(cast, takes);
    const ways = [() => upload(dave, at, files), () => announce(dave, at, files.map(about))];
    expect(await refusals(ways)).toMatchObject([badRequest(...faults), badRequest(...faults)]);
  });

  test.for<Row>([
    [
      'a program that is named .pdf',
      [pdf('good.pdf'), program('river.pdf')],
      [['/body/files/1', 'is named .pdf but its content is elf: choose another file']],
    ],
    ['text that is named as a picture', [local('a.png')], [['/body/files/0', 'is named .png but']]],
    [
      'an empty file of a wrong type beside a good one',
      [local('a.txt'), local('a.exe', '')],
      [
        ['/body/files/1/filename', 'must have the extension'],
        ['/body/files/1/size', 'must be at least 1'],
      ],
    ],
    ['an 11th file', many(11), [['/body', 'at most 10']]],
    ['no file at all', [], [['/body', '']]],
  ])('by their bytes, %s', async ([, files, faults]) => {
    const at = await filePlace(cast);
    expect(await refusal(() => upload(cast.dave, at, files))).toMatchObject(badRequest(...faults));
  });

  test('the empty part that browsers send when none was chosen', async () => {
    const { responseId, questionId } = await filePlace(cast);
    const form = formOf([]);
    form.append('files', new File([], ''), '');
    const call = () => cast.dave.client.files.uploadFiles({ params: { responseId, questionId }, form });
    expect(await refusal(call)).toMatchObject({ status: 415 });
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
