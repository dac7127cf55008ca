/**
 * What may be announced and completed (contract section 8, "Limits"): the service's limits and the question's own, by
 * name and by bytes. Every refusal says what is wrong where, and leaves nothing behind.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '#test/support/building.ts';
import { withApp } from '#test/support/faults.ts';
import {
  type Announced,
  about,
  announce,
  answerOf,
  attached,
  badRequest,
  complete,
  everything,
  expectTidy,
  filePlace,
  later,
  local,
  pdf,
  program,
  refusal,
  sendTo,
  sentDirectly,
  smuggle,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { objectKeys } from '#test/support/objects.ts';
import { editQuestion, questionOf, start } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Cast, newCast, newForm, problemOf } from '#test/support/world.ts';

const LARGEST = 10_485_759;
const DAY = 24 * 3_600;
let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const good = about(local('a.txt'));
const many = (count: number) => Array.from({ length: count }, (_, n) => local(`${n}.txt`, `number ${n}`));
const TOO_LARGE = `must be at most ${LARGEST} bytes`;

describe('announcing is refused for', () => {
  test.for<[string, Partial<Announced>[], ReturnType<typeof badRequest>]>([
    ['10,485,760 bytes', [{}, { size: LARGEST + 1 }], badRequest(['/body/files/1/size', TOO_LARGE])],
    ['an empty file', [{ size: 0 }], badRequest(['/body/files/0/size', 'must be at least 1 byte'])],
    ['part of a byte', [{ size: 1.5 }], badRequest(['/body/files/0/size', 'expected int'])],
    ['no file', [], badRequest(['/body/files', '>=1 items'])],
    ['an 11th file', Array<object>(11).fill({}), badRequest(['/body/files', '<=10 items'])],
    ['a hash that is none', [{ sha256: 'abc' }], badRequest(['/body/files/0/sha256', 'must be a SHA-256'])],
    ['a name of no character', [{ filename: '' }], badRequest(['/body/files/0/filename', 'must be 1 to 500'])],
    [
      'another extension than the question takes',
      [{ filename: 'a.exe' }, { filename: 'a.pdf.exe' }, { filename: 'pdf' }],
      badRequest(
        ['/body/files/0/filename', 'must have the extension of a type that the question takes: PNG, PDF, TXT'],
        ['/body/files/1/filename', 'must have the extension'],
        ['/body/files/2/filename', 'must have the extension'],
      ),
    ],
  ])('%s', async ([, files, problem]) => {
    const at = await filePlace(cast);
    const announced = files.map((file) => ({ ...good, ...file }));
    expect(await refusal(() => announce(cast.dave, at, announced))).toMatchObject(problem);
  });

  test('members that are missing, each by its name', async () => {
    const { responseId, questionId } = await filePlace(cast);
    const path = `/api/responses/${responseId}/questions/${questionId}/files`;
    const { status, body } = await ask(cast.dave, 'POST', path, { files: [{}] });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      ['filename', 'contentType', 'size', 'sha256'].map((name) => `/body/files/0/${name}`),
    );
    expect(await ask(cast.dave, 'POST', path)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body' }] } });
  });
});

test('the largest file that there may be is taken, to the byte', async () => {
  const at = await filePlace(cast);
  await attached(cast.dave, at, pdf('large.pdf', LARGEST));
  await expectTidy(cast.dave, at, ['large.pdf']);
});

describe('the question’s own limits hold both ways', () => {
  test('its size', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, { maxFileSizeLimit: 1_000 });
    const problem = badRequest(['/body/files/0/size', 'must be at most 1000 bytes, which is what the question takes']);
    expect(await refusal(() => upload(dave, at, [pdf('a.pdf', 1_001)]))).toMatchObject(problem);
    expect(await refusal(() => announce(dave, at, [about(pdf('a.pdf', 1_001))]))).toMatchObject(problem);
    await upload(dave, at, [pdf('a.pdf', 1_000)]);
    await attached(dave, at, pdf('b.pdf', 1_000));
    await expectTidy(dave, at, ['b.pdf']);
  });

  test('its amount, and never more than ten', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, { maxFileAmount: 2 });
    const problem = badRequest(['/body/files', 'must be at most 2 files, which is what the question takes']);
    expect(await refusal(() => upload(dave, at, many(3)))).toMatchObject(problem);
    expect(await refusal(() => announce(dave, at, many(3).map(about)))).toMatchObject(problem);
    const ten = await filePlace(cast);
    expect(await refusal(() => upload(dave, ten, many(11)))).toMatchObject(badRequest(['/body', 'the most are 10']));
    await upload(dave, ten, many(10));
    await expectTidy(
      dave,
      ten,
      many(10).map(({ name }) => name),
    );
  });

  test('its amount when uploads of several announcements are completed together', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, { maxFileAmount: 2 });
    const fileIds = [...(await sentDirectly(dave, at, ...many(2))), ...(await sentDirectly(dave, at, local('c.txt')))];
    const problem = badRequest(['/body/fileIds', 'must be at most 2 files']);
    expect(await refusal(() => complete(dave, at, fileIds))).toMatchObject(problem);
    await complete(dave, at, fileIds.slice(1));
    expect(await answerOf(dave, at)).toEqual(['1.txt', 'c.txt']);
  });

  test('as they are when an upload is completed', async () => {
    const { alice, dave } = cast;
    const at = await filePlace(cast);
    const [large = '', other = '', fine = ''] = await sentDirectly(
      dave,
      at,
      pdf('a.pdf', 900),
      local('b.txt'),
      pdf('c.pdf'),
    );
    const uploadFile = { allowedFileTypes: ['PDF' as const], maxFileAmount: 2, maxFileSizeLimit: 500 };
    await editQuestion(alice, await questionOf(alice, at.formId, at.questionId), { uploadFile });
    expect(await refusal(() => complete(dave, at, [large, other]))).toMatchObject(
      badRequest(['/body/fileIds/0', 'must be at most 500 bytes'], ['/body/fileIds/1', 'must have the extension']),
    );
    await complete(dave, at, [fine]);
    expect(await answerOf(dave, at)).toEqual(['c.pdf']);
  });
});

describe('completing is refused for', () => {
  test('no id, an 11th, one twice, one that is none', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = ''] = await sentDirectly(dave, at, local('a.txt'));
    const ids = Array.from({ length: 11 }, () => crypto.randomUUID());
    const refused = async (fileIds: string[]) => refusal(() => complete(dave, at, fileIds));
    expect(await refused([])).toMatchObject(badRequest(['/body/fileIds', '>=1 items']));
    expect(await refused(ids)).toMatchObject(badRequest(['/body/fileIds', '<=10 items']));
    expect(await refused([one, one])).toMatchObject(badRequest(['/body/fileIds', 'must not name a file twice']));
    expect(await refused([one, 'x'])).toMatchObject(badRequest(['/body/fileIds/1', 'must be a lower-case UUID']));
    expect(await refused([one.toUpperCase()])).toMatchObject(badRequest(['/body/fileIds/0', 'must be a lower-case']));
  });

  test('files of anywhere else, attached or not, each by its place in the list', async () => {
    const { alice, dave, erin, slug } = cast;
    const kind = {
      type: 'UPLOAD_FILE' as const,
      uploadFile: { allowedFileTypes: ['TXT' as const], maxFileAmount: 9, maxFileSizeLimit: 99 },
    };
    const { formId, questionIds } = await newForm(alice, slug, [[kind, kind]]);
    const [questionId = '', otherQuestion = ''] = questionIds;
    const at = { formId, questionId, responseId: await start(dave, formId) };
    const otherAt = { ...at, questionId: otherQuestion };
    const otherResponse = { ...at, responseId: await start(dave, formId) };
    const ofErin = { ...at, responseId: await start(erin, formId) };
    const [own = ''] = await sentDirectly(dave, at, local('own.txt'));
    const foreign = [
      ...(await sentDirectly(dave, otherAt, local('a.txt'))),
      ...(await uploaded(dave, otherAt, local('b.txt'))),
      ...(await sentDirectly(dave, otherResponse, local('c.txt'))),
      ...(await uploaded(dave, otherResponse, local('d.txt'))),
      ...(await sentDirectly(erin, ofErin, local('e.txt'))),
      ...(await uploaded(erin, ofErin, local('f.txt'))),
      crypto.randomUUID(),
    ];
    const faults = foreign.map((_, n): [string, string] => [`/body/fileIds/${n + 1}`, 'names neither an upload for']);
    const problem = await refusal(() => complete(dave, at, [own, ...foreign]));
    expect(problem).toMatchObject(badRequest(...faults));
    await complete(dave, at, [own]);
    expect(await answerOf(dave, at)).toEqual(['own.txt']);
  });

  test('what was never sent; once it is sent it is attached', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [sent = ''] = await sentDirectly(dave, at, local('a.txt'));
    const [entry] = (await announce(dave, at, [about(local('b.txt'))])).body.files;
    if (!entry) throw new Error('nothing was announced');
    expect(await refusal(() => complete(dave, at, [sent, entry.fileId]))).toMatchObject(
      badRequest(['/body/fileIds/1', 'was not uploaded yet: send "b.txt" to the url of its upload']),
    );
    await sendTo(entry, local('b.txt').bytes);
    await complete(dave, at, [sent, entry.fileId]);
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test('an upload of a day ago; up to then it can be completed', async () => {
    const { dave } = cast;
    const [late, inTime] = [await filePlace(cast), await filePlace(cast)];
    const [missed = ''] = await sentDirectly(dave, late, local('a.txt'));
    const [caught = ''] = await sentDirectly(dave, inTime, local('a.txt'));
    const problem = await refusal(() => later(DAY, dave, (then) => complete(then, late, [missed])));
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', 'uploads vanish after a day']));
    await later(DAY - 60, dave, (then) => complete(then, inTime, [caught]));
    expect(await answerOf(dave, inTime)).toEqual(['a.txt']);
  });
});

describe('an upload that is not what was announced is refused and removed, note and bytes:', () => {
  test('an executable that is called a PDF', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await sentDirectly(dave, at, pdf('good.pdf'));
    const before = await everything();
    const [fileId = ''] = await sentDirectly(dave, at, program('river.pdf'));
    expect(await problemOf(complete(dave, at, [...kept, fileId]))).toMatchObject(
      badRequest(['/body/fileIds/1', 'is named .pdf but is an executable (application/x-elf)']),
    );
    expect(await everything()).toEqual(before);
    const again = await refusal(() => complete(dave, at, [...kept, fileId]));
    expect(again).toMatchObject(badRequest(['/body/fileIds/1', 'names neither an upload']));
    await complete(dave, at, kept);
    await expectTidy(dave, at, ['good.pdf']);
  });

  test.for<[string, ReturnType<typeof local>, string]>([
    ['other bytes', pdf('', 99), 'has 99 bytes in place of the 100'],
    ['bytes without a hash, of the same length', pdf('', 100), 'has another SHA-256 than was announced'],
  ])('%s, should storage ever take them', async ([, bytes, detail]) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const before = await everything();
    const [entry] = (await announce(dave, at, [about(pdf('a.pdf', 100))])).body.files;
    await smuggle(at, entry?.fileId ?? '', bytes);
    const problem = await problemOf(complete(dave, at, [entry?.fileId ?? '']));
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', detail]));
    expect(await everything()).toEqual(before);
  });

  test('also when its bytes cannot be removed just then', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [fileId = ''] = await sentDirectly(dave, at, program('river.pdf'));
    const remove = () => Promise.reject(new Error('storage is away'));
    const problem = await withApp(
      ({ bucket }) => ({ bucket: { ...bucket, remove } }),
      () => problemOf(complete(dave, at, [fileId])),
    );
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', 'is an executable']));
    expect((await everythingStored()).filter((line) => line.includes(fileId))).toEqual([]);
    expect((await objectKeys()).filter((key) => key.startsWith('files/') && key.includes(fileId))).toEqual([]);
  });
});

test('all that is wrong with a list is told at once', async () => {
  const { dave } = cast;
  const at = await filePlace(cast, { maxFileAmount: 2 });
  const fileIds = [...(await sentDirectly(dave, at, ...many(2))), crypto.randomUUID()];
  expect(await refusal(() => complete(dave, at, fileIds))).toMatchObject(
    badRequest(['/body/fileIds', 'must be at most 2 files'], ['/body/fileIds/2', 'names neither']),
  );
});
