/**
 * Which files may be announced and completed, beside what both ways to upload refuse (`upload-small.test.ts`). Every
 * refusal names what is wrong and where, and leaves nothing behind.
 */
import { describe, expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { app } from '#core/http/app.ts';
import {
  type Announced,
  about,
  announce,
  announced,
  attached,
  badRequest,
  complete,
  expectTidy,
  filePlace,
  formForFiles,
  later,
  listFileNames,
  listObjects,
  local,
  PICTURES,
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
import { expectProblem, newCast } from '#test/support/fixtures.ts';
import { editQuestion, readQuestion, start } from '#test/support/responses.ts';

const LARGEST = 10_485_759;
const DAY = 24 * 3_600;
const cast = await newCast();

const good = about(local('a.txt'));
const many = (count: number) => Array.from({ length: count }, (_, n) => local(`${n}.txt`, `number ${n}`));
const TOO_LARGE = `must be at most ${LARGEST} bytes`;

test.for<[string, Partial<Announced>[], ...faults: Parameters<typeof badRequest>]>([
  ['10,485,760 bytes', [{}, { size: LARGEST + 1 }], ['/body/files/1/size', TOO_LARGE]],
  ['part of a byte', [{ size: 1.5 }], ['/body/files/0/size', 'must be a whole number']],
  ['no file', [], ['/body/files', 'must be at least 1 item']],
  ['an 11th file', Array<object>(11).fill({}), ['/body/files', 'must be at most 10 items']],
  ['a hash that is none', [{ sha256: 'abc' }], ['/body/files/0/sha256', 'must be a SHA-256']],
  ['a name of no character', [{ filename: '' }], ['/body/files/0/filename', 'must be 1 to 500']],
  ['half of a pair in a name', [{ filename: 'a\ud83d.txt' }], ['/body/files/0/filename', 'must be valid Unicode text']],
])('announcing is refused for %s', async ([, files, ...faults]) => {
  const at = await filePlace(cast);
  const input = files.map((file) => ({ ...good, ...file }));
  expect(await refusal(() => announce(cast.dave, at, input))).toMatchObject(badRequest(...faults));
});

test('the largest files: 10,485,759 bytes of a question that allows one more, and ten of them', async () => {
  const { dave } = cast;
  const at = await filePlace(cast, { maxFileSizeLimit: LARGEST + 1 });
  await attached(dave, at, pdf('large.pdf', LARGEST));
  const tooLarge = { ...about(pdf('a.pdf')), size: LARGEST + 1 };
  const problem = badRequest(['/body/files/0/size', TOO_LARGE]);
  expect(await refusal(() => announce(dave, at, [tooLarge]))).toMatchObject(problem);
  await expectTidy(dave, at, ['large.pdf']);
  const names = many(10).map(({ name }) => name);
  await upload(dave, at, many(10));
  await expectTidy(dave, at, names);
});

test('a question’s limits are those of the time when an upload is completed, also of several announcements', async () => {
  const { alice, dave } = cast;
  const at = await filePlace(cast);
  const [large = '', other = '', fine = ''] = await sentDirectly(
    dave,
    at,
    pdf('a.pdf', 900),
    local('b.txt'),
    pdf('c.pdf'),
  );
  const [second = ''] = await sentDirectly(dave, at, pdf('d.pdf'));
  const uploadFile = { allowedFileTypes: ['PDF' as const], maxFileAmount: 2, maxFileSizeLimit: 500 };
  await editQuestion(alice, await readQuestion(alice, at.formId, at.questionId), { uploadFile });
  const faults = badRequest(
    ['/body/fileIds', 'must be at most 2 files'],
    ['/body/fileIds/0', 'must be at most 500 bytes'],
    ['/body/fileIds/1', 'must have the extension'],
  );
  expect(await refusal(() => complete(dave, at, [large, other, fine]))).toMatchObject(faults);
  await complete(dave, at, [fine, second]);
  expect(await listFileNames(dave, at)).toEqual(['c.pdf', 'd.pdf']);
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
    const calls = cases.map(
      ([fileIds]) =>
        () =>
          complete(dave, at, fileIds),
    );
    const expected = cases.map(([, pointer, detail]) => badRequest([pointer, detail]));
    expect(await refusals(calls)).toMatchObject(expected);
  });

  test('files of other questions and responses, attached or not, each by its place, and too many with them', async () => {
    const { alice, dave, erin, slug } = cast;
    const { formId, questionIds } = await formForFiles(alice, slug, 2, { takes: { ...PICTURES, maxFileAmount: 7 } });
    const [questionId = '', otherQuestion = ''] = questionIds;
    const at = { formId, questionId, responseId: await start(dave, formId) };
    const others = [
      [dave, { ...at, questionId: otherQuestion }],
      [dave, { ...at, responseId: await start(dave, formId) }],
      [erin, { ...at, responseId: await start(erin, formId) }],
    ] as const;
    const foreign: string[] = [crypto.randomUUID()];
    for (const [who, place] of others) {
      foreign.push(
        ...(await sentDirectly(who, place, local('a.txt'))),
        ...(await uploaded(who, place, local('b.txt'))),
      );
    }
    const [own = ''] = await sentDirectly(dave, at, local('own.txt'));
    const faults = foreign.map((_, n): [string, string] => [
      `/body/fileIds/${n + 1}`,
      'is neither an announced upload',
    ]);
    const problem = await refusal(() => complete(dave, at, [own, ...foreign]));
    expect(problem).toMatchObject(badRequest(['/body/fileIds', 'must be at most 7 files'], ...faults));
    await complete(dave, at, [own]);
    expect(await listFileNames(dave, at)).toEqual(['own.txt']);
  });

  test('what was never sent; once it is sent it is attached', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [sent = ''] = await sentDirectly(dave, at, local('a.txt'));
    const entry = await announced(dave, at, local('b.txt'));
    const fault = badRequest(['/body/fileIds/1', 'was not uploaded yet: send "b.txt" to its upload URL']);
    expect(await refusal(() => complete(dave, at, [sent, entry.fileId]))).toMatchObject(fault);
    await sendTo(entry, local('b.txt').bytes);
    await complete(dave, at, [sent, entry.fileId]);
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test('an upload of a day ago; up to then it can be completed', async () => {
    const { dave } = cast;
    const [late, inTime] = [await filePlace(cast), await filePlace(cast)];
    const missed = await sentDirectly(dave, late, local('a.txt'));
    const caught = await sentDirectly(dave, inTime, local('a.txt'));
    const problem = await refusal(() => later(DAY, dave, (then) => complete(then, late, missed)));
    expect(problem).toMatchObject(badRequest(['/body/fileIds/0', 'uploads expire after a day']));
    await later(DAY - 60, dave, (then) => complete(then, inTime, caught));
    expect(await listFileNames(dave, inTime)).toEqual(['a.txt']);
  });
});

describe('an upload that differs from its announcement is refused and removed:', () => {
  test('an executable that is named .pdf; another announcement at the same time is kept', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await sentDirectly(dave, at, pdf('good.pdf'));
    const before = await listObjects(at);
    const [fileId = ''] = await sentDirectly(dave, at, program('river.pdf'));
    const first = await expectProblem(complete(dave, at, [...kept, fileId]));
    expect(first).toMatchObject(badRequest(['/body/fileIds/1', 'is named .pdf but its content is elf']));
    expect(await listObjects(at)).toEqual(before);
    const again = await refusal(() => complete(dave, at, [...kept, fileId]));
    expect(again).toMatchObject(badRequest(['/body/fileIds/1', 'is neither an announced upload']));
    const second = await sentDirectly(dave, at, program('lake.pdf'));
    const completing = whileWaiting(
      'write',
      () => complete(dave, at, second),
      async () => void kept.push(...(await sentDirectly(dave, at, pdf('better.pdf')))),
    );
    expect(await expectProblem(completing)).toMatchObject(badRequest(['/body/fileIds/0', 'its content is elf']));
    await complete(dave, at, kept);
    await expectTidy(dave, at, ['good.pdf', 'better.pdf']);
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
    expect(await expectProblem(complete(dave, at, [fileId]))).toMatchObject(badRequest(['/body/fileIds/0', detail]));
    expect(await listObjects(at)).toEqual([]);
  });
});
