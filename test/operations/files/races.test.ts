/**
 * Requests that share an upload, or lose what they have copied, at the worst moment: never is a file in an answer whose
 * bytes are missing (contract section 8).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '#core/http/app.ts';
import { withApp } from '#test/support/faults.ts';
import {
  clearFiles,
  complete,
  expectTidy,
  filePlace,
  local,
  type Place,
  sentDirectly,
  upload,
  uploaded,
  whileWaiting,
} from '#test/support/files.ts';
import { objectKeys } from '#test/support/objects.ts';
import { type Cast, newCast, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  cast = await newCast();
});
afterAll(() => {
  vi.restoreAllMocks();
});

const [a, b] = [local('a.txt', 'one'), local('b.txt', 'two')];
/** A world in which every second copy fails. */
function failingCopies({ bucket }: App): Partial<App> {
  let copies = 0;
  const copy: App['bucket']['copy'] = (...args) => {
    copies += 1;
    return copies % 2 === 0 ? Promise.reject(new Error('storage is away')) : bucket.copy(...args);
  };
  return { bucket: { ...bucket, copy } };
}

const close = async ({ formId }: Place): Promise<unknown> =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline: '2020-01-01T00:00:00Z' } });

test.for([
  'clears them',
  'replaces them',
])('an upload that another request attached, before a third one %s, cannot be attached again', async (third) => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const fileIds = await sentDirectly(dave, at, a);
  const late = whileWaiting(
    'write',
    () => complete(dave, at, fileIds),
    async () => {
      await complete(dave, at, fileIds);
      await (third === 'clears them' ? clearFiles(dave, at) : upload(dave, at, [b]));
    },
  );
  expect(await problemOf(late)).toMatchObject({ status: 400, errors: [{ pointer: '/body/fileIds/0' }] });
  await expectTidy(dave, at, third === 'clears them' ? [] : ['b.txt']);
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
    async () => expect(await problemOf(complete(dave, at, fileIds))).toMatchObject({ status: 400 }),
  );
  await expectTidy(dave, at, ['b.txt', 'a.txt']);
});

test('a request whose copy fails does not take the bytes of another one that names the same upload', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const fileIds = await sentDirectly(dave, at, a, b);
  await whileWaiting(
    'write',
    () => complete(dave, at, fileIds),
    () =>
      withApp(failingCopies, async () => {
        expect(await problemOf(complete(dave, at, fileIds))).toMatchObject({ status: 500 });
        expect(await objectKeys(`files/${at.responseId}`)).toHaveLength(2);
      }),
  );
  await expectTidy(dave, at, ['a.txt', 'b.txt']);
});

test('once the form is closed the files can be completed, not reordered', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const kept = await uploaded(dave, at, a, b);
  await close(at);
  expect(await problemOf(complete(dave, at, kept.toReversed()))).toMatchObject({ status: 400 });
  await expectTidy(dave, at, ['a.txt', 'b.txt']);
});
