/**
 * The answer is what was last sent: completing names its files, those that it no longer names are deleted; and files
 * stay with their answer through saving, submitting, clearing and deleting.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  attached,
  clearFiles,
  complete,
  download,
  everything,
  expectTidy,
  filePlace,
  later,
  listFileIds,
  listFileNames,
  local,
  type Place,
  refusal,
  refusals,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { type Cast, expectProblem, newCast, type Person } from '#test/support/fixtures.ts';
import { answerTo, cancel, clear, save, sent, submit } from '#test/support/responses.ts';

let cast: Cast;
let dave: Person;
beforeAll(async () => {
  cast = await newCast();
  dave = cast.dave;
});

const [a, b, c] = [local('a.txt', 'one'), local('b.txt', 'two'), local('c.txt', 'three')];

test('completing keeps the attached files that it names, adds uploads, deletes the others, in the order of the list', async () => {
  const at = await filePlace(cast);
  const [one = '', two = ''] = await uploaded(dave, at, a, b);
  const [three = ''] = await sentDirectly(dave, at, c);
  const { body } = await complete(dave, at, [three, two]);
  expect(body.files.map(({ originalFilename }) => originalFilename)).toEqual(['c.txt', 'b.txt']);
  await expectTidy(dave, at, ['c.txt', 'b.txt']);
  expect((await download(dave, two)).bytes.toString()).toBe('two');
  expect((await download(dave, three)).bytes.toString()).toBe('three');
  expect(await expectProblem(dave.client.files.getFile({ params: { fileId: one } }))).toMatchObject({ status: 404 });
  const again = await refusal(() => complete(dave, at, [one, two]));
  expect(again).toMatchObject({ status: 400, errors: [{ pointer: '/body/fileIds/0' }] });
});

test('completing can be repeated: the same result, the same ETag, nothing changes', async () => {
  const at = await filePlace(cast);
  const fileIds = await sentDirectly(dave, at, a, b);
  const first = await complete(dave, at, fileIds);
  const before = await everything();
  const again = await complete(dave, at, fileIds);
  expect(again.body).toEqual(first.body);
  expect([first.headers.get('etag'), again.headers.get('etag')]).toEqual(['"2"', '"2"']);
  expect(await everything()).toEqual(before);
});

test.for<[what: string, steps: (at: Place) => Promise<unknown>, names: string[]]>([
  [
    'multipart replaces completed uploads',
    async (at) => {
      await attached(dave, at, a);
      await upload(dave, at, [b]);
    },
    ['b.txt'],
  ],
  [
    'completed uploads replace multipart',
    async (at) => {
      await upload(dave, at, [b]);
      await attached(dave, at, c);
    },
    ['c.txt'],
  ],
  [
    'the same bytes sent again are another file, and the first is deleted',
    async (at) => {
      const first = await uploaded(dave, at, a);
      expect(await uploaded(dave, at, a)).not.toEqual(first);
    },
    ['a.txt'],
  ],
  [
    'announced uploads that a complete does not name can be completed later',
    async (at) => {
      const [one = '', two = ''] = await sentDirectly(dave, at, a, b);
      await complete(dave, at, [one]);
      await complete(dave, at, [one, two]);
    },
    ['a.txt', 'b.txt'],
  ],
  [
    'announced uploads stay when files are cleared',
    async (at) => {
      await uploaded(dave, at, a);
      const begun = await sentDirectly(dave, at, b);
      await clearFiles(dave, at);
      await complete(dave, at, begun);
    },
    ['b.txt'],
  ],
  [
    'submitting, cancelling and submitting again keep the files',
    async (at) => {
      await uploaded(dave, at, a);
      await submit(dave, at.responseId);
      await cancel(dave, at.responseId);
      await submit(dave, at.responseId);
    },
    ['a.txt'],
  ],
])('%s', async ([, steps, names]) => {
  const at = await filePlace(cast);
  await steps(at);
  await expectTidy(dave, at, names);
});

test.for<[string, (at: Place) => Promise<{ status: number }>]>([
  ['the files', (at) => clearFiles(dave, at)],
  ['the answer', ({ responseId, questionId }) => clear(dave, responseId, questionId)],
])('clearing %s deletes files, items and bytes, and can be repeated', async ([, call]) => {
  const at = await filePlace(cast);
  await uploaded(dave, at, a, b);
  expect((await call(at)).status).toBe(204);
  await expectTidy(dave, at, []);
  const { responseId, questionId } = at;
  const answer = dave.client.responses.getAnswer({ params: { responseId, questionId } });
  expect(await expectProblem(answer)).toMatchObject({ status: 404 });
  const before = await everything();
  expect((await call(at)).status).toBe(204);
  expect(await everything()).toEqual(before);
});

describe('saving and submitting', () => {
  const naming = ({ questionId }: Place, value: Parameters<typeof sent>[2]) => [sent(questionId, 'UPLOAD_FILE', value)];

  test('a submit may name the attached files, in each accepted form', async () => {
    const at = await filePlace(cast, {}, true);
    const { files } = (await upload(dave, at, [a, b])).body;
    const fileIds = files.map(({ fileId }) => fileId);
    const { updatedAt } = await answerTo(dave, at.responseId, at.questionId);
    for (const value of [{ files: fileIds.map((fileId) => ({ fileId })) }, fileIds, { files }]) {
      expect((await submit(dave, at.responseId, naming(at, value))).body.progress).toBe('SUBMITTED');
      await cancel(dave, at.responseId);
    }
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
    expect((await answerTo(dave, at.responseId, at.questionId)).updatedAt).toBe(updatedAt);
  });

  test('a submit may not name other files, none, or only some; saving accepts no files at all', async () => {
    const [at, elsewhere] = [await filePlace(cast), await filePlace(cast)];
    const [one = '', two = ''] = await uploaded(dave, at, a, b);
    const foreign = [...(await uploaded(dave, elsewhere, c)), ...(await sentDirectly(dave, at, c))];
    const submitted = [[one], [one, two, ...foreign], foreign, [], { files: [{ fileId: one }] }];
    const saved = [[one, two], { files: [one, two].map((fileId) => ({ fileId })) }, [], ''];
    const calls = [
      ...submitted.map((value) => () => submit(dave, at.responseId, naming(at, value))),
      ...saved.map((value) => () => save(dave, at.responseId, naming(at, value))),
    ];
    const fault = { status: 400, errors: [{ pointer: expect.stringMatching(/^\/body\/answers\/0/) }] };
    expect(await refusals(calls)).toMatchObject(calls.map(() => fault));
    expect(await listFileIds(dave, at)).toEqual([one, two]);
  });
});

test('updatedAt of the answer moves when its files are reordered, not when the same list is sent again', async () => {
  const at = await filePlace(cast);
  const fileIds = await uploaded(dave, at, a, b, c);
  const first = await answerTo(dave, at.responseId, at.questionId);
  await later(60, dave, (then) => complete(then, at, fileIds));
  expect(await answerTo(dave, at.responseId, at.questionId)).toEqual(first);
  await later(60, dave, (then) => complete(then, at, fileIds.toReversed()));
  const { createdAt, updatedAt } = await answerTo(dave, at.responseId, at.questionId);
  expect(createdAt).toBe(first.createdAt);
  expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(60_000);
  expect(await listFileNames(dave, at)).toEqual(['c.txt', 'b.txt', 'a.txt']);
});
