/**
 * Which files may be announced and completed: the limits of the service and of the question, by name and by bytes.
 * Every refusal names what is wrong and where, and leaves nothing behind.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import {
  type Announced,
  about,
  announce,
  announced,
  answerOf,
  attached,
  badRequest,
  complete,
  expectTidy,
  filePlace,
  later,
  local,
  objectsOf,
  pdf,
  program,
  refusal,
  refusals,
  sendTo,
  sentDirectly,
  upload,
  uploaded,
  whileWaiting,
} from '#test/support/files.ts';
import { type Cast, newCast, newForm, problemOf } from '#test/support/fixtures.ts';
import { editQuestion, questionOf, start } from '#test/support/responses.ts';
import { PICTURES } from '#test/support/scene.ts';

const LARGEST = 10_485_759;
const DAY = 24 * 3_600;
const _HALF_AN_HOUR = 1_800;
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
    ['part of a byte', [{ size: 1.5 }], badRequest(['/body/files/0/size', 'must be a whole number'])],
    ['no file', [], badRequest(['/body/files', 'must be at least 1 item'])],
    ['an 11th file', Array<object>(11).fill({}), badRequest(['/body/files', 'must be at most 10 items'])],
    ['a hash that is none', [{ sha256: 'abc' }], badRequest(['/body/files/0/sha256', 'must be a SHA-256'])],
    ['a name of no character', [{ filename: '' }], badRequest(['/body/files/0/filename', 'must be 1 to 500'])],
    [
      'another extension than the question takes',
      [{ filename: 'a.exe' }, { filename: 'a.pdf.exe' }, { filename: 'pdf' }],
      badRequest(
        ['/body/files/0/filename', 'must have the extension of an allowed type: PNG, PDF, TXT'],
        ['/body/files/1/filename', 'must have the extension'],
        ['/body/files/2/filename', 'must have the extension'],
      ),
    ],
  ])('%s', async ([, files, problem]) => {
    const at = await filePlace(cast);
    const input = files.map((file) => ({ ...good, ...file }));
    expect(await refusal(() => announce(cast.dave, at, input))).toMatchObject(problem);
  });

  test('members that are missing, each by its name', async () => {
    const { responseId, questionId } = await filePlace(cast);
    const path = `/api/responses/${responseId}/questions/${questionId}/files`;
    const { status, body } = await requestAs(cast.dave, 'POST', path, { files: [{}] });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      ['filename', 'contentType', 'size', 'sha256'].map((name) => `/body/files/0/${name}`),
    );
    expect(await requestAs(cast.dave, 'POST', path)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body' }] },
    });
  });
});

test('a question may allow 10,485,760 bytes; the largest file has one byte less', async () => {
  const { alice, dave } = cast;
  const at = await filePlace(cast);
  const uploadFile = { ...PICTURES, maxFileSizeLimit: LARGEST + 1 };
  await editQuestion(alice, await questionOf(alice, at.formId, at.questionId), { uploadFile });
  await attached(dave, at, pdf('large.pdf', LARGEST));
  const tooLarge = { ...about(pdf('a.pdf')), size: LARGEST + 1 };
  expect(await refusal(() => announce(dave, at, [tooLarge]))).toMatchObject(
    badRequest(['/body/files/0/size', TOO_LARGE]),
  );
  await expectTidy(dave, at, ['large.pdf']);
});

describe('the question’s own limits hold both ways', () => {
  test('its size', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, { maxFileSizeLimit: 1_000 });
    const problem = badRequest(['/body/files/0/size', 'must be at most 1000 bytes']);
    expect(await refusal(() => upload(dave, at, [pdf('a.pdf', 1_001)]))).toMatchObject(problem);
    expect(await refusal(() => announce(dave, at, [about(pdf('a.pdf', 1_001))]))).toMatchObject(problem);
    await upload(dave, at, [pdf('a.pdf', 1_000)]);
    await attached(dave, at, pdf('b.pdf', 1_000));
    await expectTidy(dave, at, ['b.pdf']);
  });

  test('its amount, and never more than ten', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, { maxFileAmount: 2 });
    const problem = badRequest(['/body/files', 'must be at most 2 files']);
    expect(await refusal(() => upload(dave, at, many(3)))).toMatchObject(problem);
    expect(await refusal(() => announce(dave, at, many(3).map(about)))).toMatchObject(problem);
    const ten = await filePlace(cast);
    expect(await refusal(() => upload(dave, ten, many(11)))).toMatchObject(badRequest(['/body', 'at most 10']));
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
  test('no id, an 11th, a repeated or a malformed one', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = ''] = await sentDirectly(dave, at, local('a.txt'));
    const ids = Array.from({ length: 11 }, () => crypto.randomUUID());
    const cases: [string[], pointer: string, detail: string][] = [
      [[], '/body/fileIds', 'must be at least 1 item'],
      [ids, '/body/fileIds', 'must be at most 10 items'],
      [[one, one], '/body/fileIds', 'must not name a file twice'],
      [[one, 'x'], '/body/fileIds/1', 'must be a lower-case UUID'],
      [[one.toUpperCase()], '/body/fileIds/0', 'must be a lower-case'],
    ];
    const problems = await refusals(
      cases.map(
        ([fileIds]) =>
          () =>
            complete(dave, at, fileIds),
      ),
    );
    expect(problems).toMatchObject(cases.map(([, pointer, detail]) => badRequest([pointer, detail])));
  });

  test('files of other questions and responses, attached or not, each by its place in the list', async () => {
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
    const faults = foreign.map((_, n): [string, string] => [
      `/body/fileIds/${n + 1}`,
      'is neither an announced upload',
    ]);
    const problem = await refusal(() => complete(dave, at, [own, ...foreign]));
    expect(problem).toMatchObject(badRequest(...faults));
    await complete(dave, at, [own]);
    expect(await answerOf(dave, at)).toEqual(['own.txt']);
  });

  test('what was never sent; once it is sent it is attached', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [sent = ''] = await sentDirectly(dave, at, local('a.txt'));
    const entry = await announced(dave, at, local('b.txt'));
    expect(await refusal(() => complete(dave, at, [sent, entry.fileId]))).toMatchObject(
      badRequest(['/body/fileIds/1', 'was not uploaded yet: send "b.txt" to its upload URL']),
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
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', 'uploads expire after a day']));
    await later(DAY - 60, dave, (then) => complete(then, inTime, [caught]));
    expect(await answerOf(dave, inTime)).toEqual(['a.txt']);
  });
});

describe('an upload that differs from its announcement is refused and removed:', () => {
  test('an executable that is named .pdf', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await sentDirectly(dave, at, pdf('good.pdf'));
    const before = await objectsOf(at);
    const [fileId = ''] = await sentDirectly(dave, at, program('river.pdf'));
    expect(await problemOf(complete(dave, at, [...kept, fileId]))).toMatchObject(
      badRequest(['/body/fileIds/1', 'is named .pdf but its content is elf']),
    );
    expect(await objectsOf(at)).toEqual(before);
    const again = await refusal(() => complete(dave, at, [...kept, fileId]));
    expect(again).toMatchObject(badRequest(['/body/fileIds/1', 'is neither an announced upload']));
    await complete(dave, at, kept);
    await expectTidy(dave, at, ['good.pdf']);
  });

  test.for<[string, ReturnType<typeof local>, string]>([
    ['bytes of another length', pdf('', 99), 'has 99 bytes instead of the announced 100'],
    ['bytes without a checksum, of the same length', pdf('', 100), 'has a different SHA-256 than announced'],
  ])('%s, should storage ever accept them', async ([, { bytes, type }, detail]) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const { fileId } = await announced(dave, at, pdf('a.pdf', 100));
    // No browser can do this: storage accepts only what was signed.
    await app().bucket.put(objects.file(at.responseId, fileId), bytes, type);
    const problem = await problemOf(complete(dave, at, [fileId]));
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', detail]));
    expect(await objectsOf(at)).toEqual([]);
  });

  test('beside another announcement, which is kept', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [fileId = ''] = await sentDirectly(dave, at, program('river.pdf'));
    let other: string[] = [];
    const completing = whileWaiting(
      'write',
      () => complete(dave, at, [fileId]),
      async () => {
        other = await sentDirectly(dave, at, pdf('good.pdf'));
      },
    );
    expect(await problemOf(completing)).toMatchObject(badRequest(['/body/fileIds/0', 'its content is elf']));
    await complete(dave, at, other);
    await expectTidy(dave, at, ['good.pdf']);
  });
});

test('all faults of a list are reported at once', async () => {
  const { dave } = cast;
  const at = await filePlace(cast, { maxFileAmount: 2 });
  const fileIds = [...(await sentDirectly(dave, at, ...many(2))), crypto.randomUUID()];
  expect(await refusal(() => complete(dave, at, fileIds))).toMatchObject(
    badRequest(['/body/fileIds', 'must be at most 2 files'], ['/body/fileIds/2', 'is neither an announced upload']),
  );
});
