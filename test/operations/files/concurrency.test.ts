/**
 * Many requests for the files of one answer at once (contract sections 1 and 8): one wins whole, every file of the answer
 * has its bytes, and nothing is left of those that lost. Gates make requests meet where it matters.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  answerOf,
  clearFiles,
  complete,
  download,
  expectTidy,
  fileIdsOf,
  filePlace,
  local,
  type Place,
  sentDirectly,
  upload,
  uploaded,
  type Verb,
  whileWaiting,
} from '#test/support/files.ts';
import { objectKeys } from '#test/support/objects.ts';
import { submit } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Cast, newCast, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const [a, b, c] = [local('a.txt', 'one'), local('b.txt', 'two'), local('c.txt', 'three')];
const etagOf = async ({ formId, responseId }: Place) =>
  (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).headers.get('etag');

describe('two identical completes', () => {
  test('at once, eight of them, attach once and answer alike', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a, b);
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(dave, at, fileIds)));
    for (const { status, headers, body } of answers) {
      expect({ status, etag: headers.get('etag'), body }).toEqual({ status: 200, etag: '"2"', body: answers[0]?.body });
    }
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test.for<Verb>([
    'inspect',
    'copy',
    'write',
  ])('of which one comes to its end before the other’s first %s answer alike', async (verb) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a, b);
    const late = await whileWaiting(
      verb,
      () => complete(dave, at, fileIds),
      () => complete(dave, at, fileIds),
    );
    expect({ status: late.status, etag: late.headers.get('etag') }).toEqual({ status: 200, etag: '"2"' });
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });
});

describe('different requests', () => {
  test.for<Verb>([
    'inspect',
    'copy',
    'write',
  ])('two completes: the one that waits at its first %s is the last, and has won whole', async (verb) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = '', two = '', three = ''] = await sentDirectly(dave, at, a, b, c);
    const late = await whileWaiting(
      verb,
      () => complete(dave, at, [one, two]),
      () => complete(dave, at, [three]),
    );
    expect(late.status).toBe(200);
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test.for<Verb>(['put', 'write'])('two multipart uploads, one waiting at its first %s', async (verb) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await whileWaiting(
      verb,
      () => upload(dave, at, [a, b]),
      () => upload(dave, at, [c]),
    );
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test('of eight uploads with the same If-Match one is taken, and nothing is left of the others', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const uploads = Array.from({ length: 8 }, (_, n) => upload(dave, at, [local(`${n}.txt`)], { 'if-match': '"1"' }));
    const outcomes = await Promise.allSettled(uploads);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await etagOf(at)).toBe('"2"');
    await expectTidy(dave, at, [`${outcomes.findIndex(({ status }) => status === 'fulfilled')}.txt`]);
  });

  test('uploads, completes and clears of every kind at once leave one whole answer', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await uploaded(dave, at, c);
    const [one = '', two = ''] = await sentDirectly(dave, at, a, b);
    const calls = [
      () => complete(dave, at, [one, two]),
      () => upload(dave, at, [local('x.txt'), local('y.txt')]),
      () => complete(dave, at, kept),
      () => clearFiles(dave, at),
      () => upload(dave, at, [local('z.txt')]),
      () => dave.client.files.deleteFile({ params: { fileId: kept[0] ?? '' } }),
    ];
    await Promise.allSettled(calls.map((call) => call()));
    const names = await answerOf(dave, at);
    expect([[], ['a.txt', 'b.txt'], ['x.txt', 'y.txt'], ['c.txt'], ['z.txt']]).toContainEqual(names);
    for (const fileId of await fileIdsOf(dave, at)) expect((await download(dave, fileId)).status).toBe(200);
    await upload(dave, at, [local('last.txt')]);
    const files = (await objectKeys(`files/${at.responseId}`)).length;
    expect(files).toBe(1);
  });
});

describe('what changes while the bytes are on their way', () => {
  const { alice, dave } = { alice: () => cast.alice, dave: () => cast.dave };
  const archive = ({ formId }: Place) => alice().client.forms.archiveForm({ params: { formId } });
  const closeToEdits = async ({ formId, responseId }: Place) => {
    await alice().client.forms.updateForm({ params: { formId }, body: { allowEditResponse: false } });
    await submit(dave(), responseId);
  };
  const remove = ({ formId, responseId }: Place) =>
    alice().client.responses.deleteResponse({ params: { formId, responseId } });

  test.for<[string, number, (at: Place) => Promise<unknown>]>([
    ['the response is submitted for good', 403, closeToEdits],
    ['the response is deleted', 404, remove],
  ])('%s: multipart is refused, and nothing of it is left', async ([, status, change]) => {
    const at = await filePlace(cast);
    const call = whileWaiting(
      'write',
      () => upload(dave(), at, [a, b]),
      () => change(at),
    );
    expect(await problemOf(call)).toMatchObject({ status });
    expect((await objectKeys()).filter((key) => key.includes(at.responseId))).toEqual([]);
    const kept = (await everythingStored()).filter((line) => line.startsWith(`FILE#${at.formId.slice(0, 18)}`));
    expect(kept).toEqual([]);
  });

  test('the response is submitted for good: completing is refused, and the upload waits as before', async () => {
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave(), at, a);
    const call = whileWaiting(
      'write',
      () => complete(dave(), at, fileIds),
      () => closeToEdits(at),
    );
    expect(await problemOf(call)).toMatchObject({ status: 403 });
    const key = `pending/files/${at.responseId}/${fileIds[0]}`;
    expect((await objectKeys()).filter((each) => each.includes(at.responseId))).toEqual([key]);
  });

  test('the form is archived: what was begun in time is completed all the same', async () => {
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave(), at, a);
    await whileWaiting(
      'copy',
      () => complete(dave(), at, fileIds),
      () => archive(at),
    );
    expect(await answerOf(dave(), at)).toEqual(['a.txt']);
  });
});
