/**
 * Announced uploads over time: how many may wait, how long, and what clean-up removes and keeps.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { App } from '#core/http/app.ts';
import { app } from '#core/http/app.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { captureOutput } from '#test/support/console.ts';
import { withApp } from '#test/support/faults.ts';
import {
  about,
  announce,
  announced,
  attached,
  clearFiles,
  complete,
  download,
  expectTidy,
  filePlace,
  formForFiles,
  later,
  listFileIds,
  listFileItems,
  listObjects,
  local,
  type Place,
  refusal,
  sendTo,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { expectProblem, newCast } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { cleanUp } from '#test/support/sweeps.ts';

const cast = await newCast();

const DAY = 24 * 3_600;
const HALF_AN_HOUR = 1_800;
const [a, b, c] = [local('a.txt', 'one'), local('b.txt', 'two'), local('c.txt', 'three')];
const good = about(a);
const many = (count: number) => Array.from({ length: count }, (_, n) => local(`${n}.txt`, `number ${n}`));
const removeResponse = ({ formId, responseId }: Place) =>
  cast.alice.client.responses.deleteResponse({ params: { formId, responseId } });
const removeForm = ({ formId }: Place) => cast.alice.client.forms.deleteForm({ params: { formId } });

describe('at most 20 uploads of a question are announced and sendable', () => {
  const tooMany = { status: 400, code: 'too_many_uploads', detail: expect.stringContaining('At most 20') };

  test('more are refused, of another question or response they are not; completing frees', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await formForFiles(alice, slug, 2);
    const [questionId = '', otherQuestion = ''] = questionIds;
    const at = { formId, questionId, responseId: await start(dave, formId) };
    for (const files of [many(10), many(9)]) await announce(dave, at, files.map(about));
    expect(await refusal(() => announce(dave, at, many(2).map(about)))).toMatchObject(tooMany);
    const last = await sentDirectly(dave, at, local('last.txt'));
    expect(await refusal(() => announce(dave, at, [good]))).toMatchObject(tooMany);
    await announce(dave, { ...at, questionId: otherQuestion }, [good]);
    await announce(dave, { ...at, responseId: await start(dave, formId) }, [good]);
    await upload(dave, at, [local('small.txt')]);
    await complete(dave, at, last);
    await announce(dave, at, [good]);
  });

  test('they free when their URLs expire', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    for (const files of [many(10), many(10)]) await announce(dave, at, files.map(about));
    await later(HALF_AN_HOUR - 60, dave, async (then) =>
      expect(await expectProblem(announce(then, at, [good]))).toMatchObject(tooMany),
    );
    await later(HALF_AN_HOUR, dave, (then) => announce(then, at, many(10).map(about)));
  });

  test('of announcements at once only as many are accepted', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const calls = Array.from({ length: 4 }, () => announce(dave, at, many(7).map(about)));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('a late PUT', () => {
  test('of the same bytes leaves an attached file as it is, and other bytes are refused', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const entry = await announced(dave, at, a);
    await sendTo(entry, a.bytes);
    await complete(dave, at, [entry.fileId]);
    expect((await sendTo(entry, c.bytes)).status).toBeGreaterThanOrEqual(400);
    expect((await sendTo(entry, local('', 'eno').bytes)).status).toBeGreaterThanOrEqual(400);
    expect((await sendTo(entry, a.bytes)).status).toBe(200);
    expect((await download(dave, entry.fileId)).bytes.toString()).toBe('one');
    await expectTidy(dave, at, ['a.txt']);
  });

  test.for([
    ['the file was cleared', (at: Place) => clearFiles(cast.dave, at)],
    ['the response was deleted', removeResponse],
    ['the form was deleted', removeForm],
  ] as const)('after %s leaves no bytes for good', async ([, remove]) => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const entry = await announced(dave, at, a);
    await sendTo(entry, a.bytes);
    await complete(dave, at, [entry.fileId]);
    await remove(at);
    await cleanUp(0);
    expect((await sendTo(entry, a.bytes)).status).toBe(200);
    await cleanUp();
    expect(await listObjects(at)).toEqual([]);
    expect(await listFileItems(at)).toEqual([]);
  });
});

describe('clean-up', () => {
  test('removes uploads that were never attached, after a day and within two; attached ones stay', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const kept = await attached(dave, at, local('a.txt'));
    const [unused = ''] = await sentDirectly(dave, at, local('b.txt'));
    await cleanUp(DAY);
    expect(await listObjects(at)).toEqual([...kept, unused].map((id) => objects.file(at.responseId, id)).sort());
    await cleanUp(2 * DAY);
    expect(await listObjects(at)).toEqual(kept.map((id) => objects.file(at.responseId, id)));
    await expectTidy(dave, at, ['a.txt']);
  });

  test('carries out more than one run can', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const count = 130;
    const keysOf = Array.from({ length: count }, () => objects.file(at.responseId, app().uuid()));
    const writes = keysOf.map((object) => scheduleCleanUp(app(), keys.response(at.responseId), object));
    for (const at of [0, 100]) await app().table.write(writes.slice(at, at + 100));
    await Promise.all(keysOf.slice(-3).map((key) => app().bucket.put(key, new Uint8Array(1), 'text/plain')));
    await attached(dave, at, local('a.txt'));
    await cleanUp(1);
    expect(await listObjects(at)).toHaveLength(1);
    await expectTidy(dave, at, ['a.txt']);
  });

  test('clean-ups carried out twice at once, or while files are attached and removed, lose no file', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a);
    const direct = await sentDirectly(dave, at, b, c);
    await Promise.all([complete(dave, at, direct), cleanUp(0), cleanUp(0)]);
    await Promise.all([upload(dave, at, [a]), cleanUp(0), cleanUp(0)]);
    await Promise.all([cleanUp(), cleanUp()]);
    expect((await download(dave, (await listFileIds(dave, at))[0] ?? '')).status).toBe(200);
    await expectTidy(dave, at, ['a.txt']);
  });

  test('bytes that cannot be removed keep their clean-up until storage works again', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await uploaded(dave, at, a);
    await clearFiles(dave, at);
    const failing = ({ bucket }: App) => ({
      bucket: { ...bucket, remove: () => Promise.reject(new Error('storage is down')) },
    });
    captureOutput();
    onTestFinished(() => void vi.restoreAllMocks());
    await withApp(failing, () => cleanUp(0));
    expect(await listObjects(at)).toHaveLength(1);
    await cleanUp(5 * 60);
    expect(await listObjects(at)).toEqual([]);
  });
});
