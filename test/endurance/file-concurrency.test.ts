/**
 * Concurrent requests for the files of one answer: the last one wins as a whole, every file of the answer has its
 * bytes, and clean-up leaves nothing of the others. Gates make requests meet at each of their storage calls.
 */
import { describe, expect, test } from 'vitest';
import { muteErrors } from '#test/support/console.ts';
import {
  clearFiles,
  complete,
  expectTidy,
  filePlace,
  listFileItems,
  listFileNames,
  listObjects,
  local,
  type Place,
  sentDirectly,
  upload,
  uploaded,
  type Verb,
  whileWaiting,
} from '#test/support/files.ts';
import { expectProblem, newCast } from '#test/support/fixtures.ts';
import { submit } from '#test/support/responses.ts';
import { cleanUp } from '#test/support/sweeps.ts';

const cast = await newCast();
muteErrors();

const [a, b, c] = [local('a.txt', 'one'), local('b.txt', 'two'), local('c.txt', 'three')];
const VERBS: Verb[] = ['inspect', 'write'];
const close = ({ formId }: Place) =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline: '2020-01-01T00:00:00Z' } });
const removeResponse = ({ formId, responseId }: Place) =>
  cast.alice.client.responses.deleteResponse({ params: { formId, responseId } });
const removeForm = ({ formId }: Place) => cast.alice.client.forms.deleteForm({ params: { formId } });

async function expectNothingAt(at: Place): Promise<void> {
  await cleanUp();
  expect(await listObjects(at)).toEqual([]);
  expect(await listFileItems(at)).toEqual([]);
}

describe('two identical completes', () => {
  test('of many at once one attaches, and all return the same', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a, b);
    const results = await Promise.all(Array.from({ length: 6 }, () => complete(dave, at, fileIds)));
    for (const { status, headers, body } of results) {
      expect({ status, etag: headers.get('etag'), body }).toEqual({ status: 200, etag: '"2"', body: results[0]?.body });
    }
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });

  test.for<Verb>([
    'readUploads',
    ...VERBS,
  ])('return the same when one ends before the first %s of the other', async (verb) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a, b);
    const same = () => complete(dave, at, fileIds);
    const late = await whileWaiting(verb, same, same);
    expect({ status: late.status, etag: late.headers.get('etag') }).toEqual({ status: 200, etag: '"2"' });
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });
});

describe('different requests', () => {
  test.for(VERBS)('two completes: the one that waits at its first %s comes last and wins', async (verb) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = '', two = '', three = ''] = await sentDirectly(dave, at, a, b, c);
    const late = () => complete(dave, at, [one, two]);
    expect((await whileWaiting(verb, late, () => complete(dave, at, [three]))).status).toBe(200);
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

  test('of several uploads with the same If-Match one is accepted', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const uploads = Array.from({ length: 6 }, (_, n) => upload(dave, at, [local(`${n}.txt`)], { 'if-match': '"1"' }));
    const outcomes = (await Promise.allSettled(uploads)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1);
    await expectTidy(dave, at, [`${outcomes.indexOf('fulfilled')}.txt`]);
  });

  test('uploads, completes, clears and deletions at once leave one whole answer', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await uploaded(dave, at, c);
    const direct = await sentDirectly(dave, at, a, b);
    const calls = [
      complete(dave, at, direct),
      upload(dave, at, [local('x.txt'), local('y.txt')]),
      complete(dave, at, kept),
      clearFiles(dave, at),
      dave.client.files.deleteFile({ params: { fileId: kept[0] ?? '' } }),
    ];
    await Promise.allSettled(calls);
    const names = await listFileNames(dave, at);
    expect([[], ['a.txt', 'b.txt'], ['x.txt', 'y.txt'], ['c.txt']]).toContainEqual(names);
    await expectTidy(dave, at, names);
  });

  test('announcements at once are all kept', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const ids = (await Promise.all([a, b, c].map((file) => sentDirectly(dave, at, file)))).flat();
    await complete(dave, at, ids);
    await expectTidy(dave, at, ['a.txt', 'b.txt', 'c.txt']);
  });

  test('an announcement beside a complete loses neither', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const [one = ''] = await sentDirectly(dave, at, a);
    let two: string[] = [];
    const late = () => complete(dave, at, [one]);
    await whileWaiting('write', late, async () => {
      two = await sentDirectly(dave, at, b);
    });
    await complete(dave, at, [one, ...two]);
    await expectTidy(dave, at, ['a.txt', 'b.txt']);
  });
});

describe('an upload is attached once', () => {
  test.for([
    ['clears it', (at: Place) => clearFiles(cast.dave, at), []],
    ['replaces it', (at: Place) => upload(cast.dave, at, [b]), ['b.txt']],
  ] as const)('a late complete is refused after another request attached it and a third one %s', async ([
    ,
    third,
    names,
  ]) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(dave, at, a);
    const late = whileWaiting(
      'write',
      () => complete(dave, at, fileIds),
      async () => {
        await complete(dave, at, fileIds);
        await third(at);
        await cleanUp(0);
      },
    );
    expect(await expectProblem(late)).toMatchObject({ status: 400, errors: [{ pointer: '/body/fileIds/0' }] });
    await expectTidy(dave, at, names);
  });

  test('a refused request does not take the bytes of another one that names the same upload', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await uploaded(dave, at, b);
    const fileIds = await sentDirectly(dave, at, a);
    await close(at);
    await whileWaiting(
      'write',
      () => complete(dave, at, [...kept, ...fileIds]),
      async () => expect(await expectProblem(complete(dave, at, fileIds))).toMatchObject({ status: 400 }),
    );
    await expectTidy(dave, at, ['b.txt', 'a.txt']);
  });
});

describe('what changes while bytes are stored', () => {
  const closeToEdits = async ({ formId, responseId }: Place) => {
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { allowEditResponse: false } });
    await submit(cast.dave, responseId);
  };

  test.for<[string, number, (at: Place) => Promise<unknown>]>([
    ['the response is submitted for good', 403, closeToEdits],
    ['the response is deleted', 404, removeResponse],
    ['the form is deleted', 404, removeForm],
  ])('%s: the multipart upload and the complete are refused and leave nothing', async ([, status, change]) => {
    const { dave } = cast;
    const [at, direct] = [await filePlace(cast), await filePlace(cast)];
    const uploading = whileWaiting(
      'put',
      () => upload(dave, at, [a, b]),
      () => change(at),
    );
    expect(await expectProblem(uploading)).toMatchObject({ status });
    await expectNothingAt(at);
    const fileIds = await sentDirectly(dave, direct, a);
    const completing = whileWaiting(
      'write',
      () => complete(dave, direct, fileIds),
      () => change(direct),
    );
    expect(await expectProblem(completing)).toMatchObject({ status });
    await expectNothingAt(direct);
  });

  test('the response or the form is deleted after the complete was written: nothing is left', async () => {
    const { dave } = cast;
    const removals: ((at: Place) => Promise<unknown>)[] = [removeResponse, removeForm];
    for (const remove of removals) {
      const at = await filePlace(cast);
      const fileIds = await sentDirectly(dave, at, a);
      await whileWaiting(
        'write',
        () => remove(at),
        () => complete(dave, at, fileIds),
      );
      await expectNothingAt(at);
      expect((await dave.client.files.listFiles()).body.total).toBe(
        (await dave.client.files.listMyFiles()).body.length,
      );
    }
  });

  test('the form is archived: an upload begun in time is completed', async () => {
    const at = await filePlace(cast);
    const fileIds = await sentDirectly(cast.dave, at, a);
    await whileWaiting(
      'inspect',
      () => complete(cast.dave, at, fileIds),
      () => cast.alice.client.forms.archiveForm({ params: { formId: at.formId } }),
    );
    expect(await listFileNames(cast.dave, at)).toEqual(['a.txt']);
  });
});
