/**
 * The answer is what was last sent: completing names its files, those that it no longer names are deleted; and files
 * stay with their answer through saving, submitting, clearing and deleting.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  answerOf,
  attached,
  clearFiles,
  complete,
  download,
  everything,
  expectTidy,
  fileIdsOf,
  filePlace,
  later,
  local,
  refusal,
  refusals,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { type Cast, newCast, problemOf } from '#test/support/fixtures.ts';
import { answerTo, cancel, clear, save, sent, submit } from '#test/support/responses.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const [a, b, c] = [local('a.txt', 'one'), local('b.txt', 'two'), local('c.txt', 'three')];

describe('completing', () => {
  test('keeps the attached files that it names, adds uploads, deletes the others, in the order of the list', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = '', two = ''] = await uploaded(dave, at, a, b);
    const [three = ''] = await sentDirectly(dave, at, c);
    const { body } = await complete(dave, at, [three, two]);
    expect(body.files.map(({ originalFilename }) => originalFilename)).toEqual(['c.txt', 'b.txt']);
    await expectTidy(dave, at, ['c.txt', 'b.txt']);
    expect((await download(dave, two)).bytes.toString()).toBe('two');
    expect((await download(dave, three)).bytes.toString()).toBe('three');
    expect(await problemOf(dave.client.files.getFile({ params: { fileId: one } }))).toMatchObject({ status: 404 });
    const again = await refusal(() => complete(dave, at, [one, two]));
    expect(again).toMatchObject({ status: 400, errors: [{ pointer: '/body/fileIds/0' }] });
  });

  test('reorders attached files alone', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await uploaded(dave, at, a, b, c);
    await complete(dave, at, fileIds.toReversed());
    await expectTidy(dave, at, ['c.txt', 'b.txt', 'a.txt']);
  });

  test('can be repeated: the same result, the same ETag, nothing changes', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a, b);
    const first = await complete(dave, at, fileIds);
    const before = await everything();
    const again = await complete(dave, at, fileIds);
    expect(again.body).toEqual(first.body);
    expect([first.headers.get('etag'), again.headers.get('etag')]).toEqual(['"2"', '"2"']);
    expect(await everything()).toEqual(before);
  });

  test('keeps announced uploads that it does not name; they can be completed later', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = '', two = ''] = await sentDirectly(dave, at, a, b);
    await complete(dave, at, [one]);
    await complete(dave, at, [one, two]);
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });
});

test('multipart replaces completed uploads, and completed uploads replace multipart', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  await attached(dave, at, a);
  await upload(dave, at, [b]);
  await expectTidy(dave, at, ['b.txt']);
  await attached(dave, at, c);
  await expectTidy(dave, at, ['c.txt']);
});

test('the same bytes sent again are another file, and the first is deleted', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const first = await uploaded(dave, at, a);
  const second = await uploaded(dave, at, a);
  expect(second).not.toEqual(first);
  await expectTidy(dave, at, ['a.txt']);
});

describe('clearing', () => {
  test.for([
    'clearFiles',
    'clearAnswer',
  ])('by %s deletes the files, items and bytes, and can be repeated', async (way) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a, b);
    const call = () => (way === 'clearFiles' ? clearFiles(dave, at) : clear(dave, at.responseId, at.questionId));
    expect((await call()).status).toBe(204);
    await expectTidy(dave, at, []);
    const { responseId, questionId } = at;
    const answer = dave.client.responses.getAnswer({ params: { responseId, questionId } });
    expect(await problemOf(answer)).toMatchObject({ status: 404 });
    const before = await everything();
    expect((await call()).status).toBe(204);
    expect(await everything()).toEqual(before);
  });

  test('with a stale If-Match is 409 and deletes nothing', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a);
    const stale = await refusal(() => clearFiles(dave, at, { 'if-match': '"1"' }));
    expect(stale).toMatchObject({ status: 409, code: 'stale_version' });
    await clearFiles(dave, at, { 'if-match': '"2"' });
    await expectTidy(dave, at, []);
  });

  test('keeps announced uploads', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a);
    const begun = await sentDirectly(dave, at, b);
    await clearFiles(dave, at);
    await complete(dave, at, begun);
    await expectTidy(dave, at, ['b.txt']);
  });
});

describe('saving and submitting', () => {
  test('a submit may name the attached files, in each accepted form', async () => {
    const { dave } = cast;
    const at = await filePlace(cast, {}, true);
    const { body } = await upload(dave, at, [a, b]);
    const fileIds = body.files.map(({ fileId }) => fileId);
    const { updatedAt } = await answerTo(dave, at.responseId, at.questionId);
    for (const value of [{ files: fileIds.map((fileId) => ({ fileId })) }, fileIds, { files: body.files }]) {
      const submitted = await submit(dave, at.responseId, [sent(at.questionId, 'UPLOAD_FILE', value)]);
      expect(submitted.body.progress).toBe('SUBMITTED');
      await cancel(dave, at.responseId);
    }
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
    expect((await answerTo(dave, at.responseId, at.questionId)).updatedAt).toBe(updatedAt);
  });

  test('a submit may not name other files, none, or only some', async () => {
    const { dave } = cast;
    const [at, elsewhere] = [await filePlace(cast), await filePlace(cast)];
    const [one = '', two = ''] = await uploaded(dave, at, a, b);
    const foreign = [...(await uploaded(dave, elsewhere, c)), ...(await sentDirectly(dave, at, c))];
    const values = [[one], [one, two, ...foreign], foreign, [], { files: [{ fileId: one }] }];
    const calls = values.map((value) => () => submit(dave, at.responseId, [sent(at.questionId, 'UPLOAD_FILE', value)]));
    const fault = { status: 400, errors: [{ pointer: '/body/answers/0/value' }] };
    expect(await refusals(calls)).toMatchObject(values.map(() => fault));
    expect(await fileIdsOf(dave, at)).toEqual([one, two]);
  });

  test('saving accepts no files at all, not even the attached ones', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await uploaded(dave, at, a);
    const values = [fileIds, { files: fileIds.map((fileId) => ({ fileId })) }, [], ''];
    const calls = values.map((value) => () => save(dave, at.responseId, [sent(at.questionId, 'UPLOAD_FILE', value)]));
    const fault = { status: 400, errors: [{ pointer: expect.stringMatching(/^\/body\/answers\/0/) }] };
    expect(await refusals(calls)).toMatchObject(values.map(() => fault));
    await expectTidy(dave, at, ['a.txt']);
  });

  test('cancelling and submitting again keep the files', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a);
    await submit(dave, at.responseId);
    await cancel(dave, at.responseId);
    await submit(dave, at.responseId);
    await expectTidy(dave, at, ['a.txt']);
  });
});

test('updatedAt of the answer moves when its files change, not when the same list is sent again', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const fileIds = await uploaded(dave, at, a, b);
  const first = await answerTo(dave, at.responseId, at.questionId);
  await later(60, dave, (then) => complete(then, at, fileIds));
  expect(await answerTo(dave, at.responseId, at.questionId)).toEqual(first);
  await later(60, dave, (then) => complete(then, at, fileIds.toReversed()));
  const { createdAt, updatedAt } = await answerTo(dave, at.responseId, at.questionId);
  expect(createdAt).toBe(first.createdAt);
  expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(60_000);
  expect(await answerOf(dave, at)).toEqual(['b.txt', 'a.txt']);
});
