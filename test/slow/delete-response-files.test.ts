/** Deleting a response that has files: nothing is left, whatever happens. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { LogEntry } from '#core/db/ports.ts';
import { app } from '#core/http/app.ts';
import { parseResponse } from '#core/responses/store.ts';
import { requestAs } from '#test/support/building.ts';
import { interruptedAtEveryStep, listTraces } from '#test/support/deletion.ts';
import { dyingAfter, withApp, withTable } from '#test/support/faults.ts';
import { announceFile, answerWithFile, formForFiles, uploaded } from '#test/support/files.ts';
import { newCast, type Person } from '#test/support/fixtures.ts';
import { start, submit } from '#test/support/responses.ts';
import { finishDeletions, isInterrupted } from '#test/support/sweeps.ts';

const cast = await newCast();

type Made = { formId: string; responseId: string; questionIds: string[]; fileIds: string[] };

const remove = async (who: Person, { formId, responseId }: Pick<Made, 'formId' | 'responseId'>) =>
  (await requestAs(who, 'DELETE', `/api/forms/${formId}/responses/${responseId}`)).status;

/** Nothing is stored of a response and its files after its deletion has ended. */
async function expectGone({ responseId, fileIds }: Made): Promise<void> {
  await finishDeletions();
  expect(await listTraces(responseId)).toEqual([]);
  for (let at = 0; at < fileIds.length; at += 100) {
    const found = await app().table.read(fileIds.slice(at, at + 100).map(keys.file));
    expect(found.filter((item) => item !== undefined)).toEqual([]);
  }
}

/** A submitted response of dave's: questions with files, and two announced uploads of the first, one of them sent. */
async function full(count = 2, each = 2): Promise<Made> {
  const { formId, questionIds } = await formForFiles(cast.alice, cast.slug, count);
  const responseId = await start(cast.dave, formId);
  const fileIds: string[] = [];
  const names = Array.from({ length: each }, (_, index) => `${index}.txt`);
  for (const questionId of questionIds) {
    fileIds.push(...(await uploaded(cast.dave, { responseId, questionId }, ...names)));
  }
  const sent = await announceFile(cast.dave, responseId, questionIds[0] ?? '');
  const unsent = await announceFile(cast.dave, responseId, questionIds[0] ?? '');
  await sent.put();
  await submit(cast.dave, responseId);
  return { formId, responseId, questionIds, fileIds: [...fileIds, sent.fileId, unsent.fileId] };
}

test('with a response go its files, also of removed questions, and its uploads; another one keeps all of its own', async () => {
  const made = await full();
  const { formId, questionIds } = made;
  const other = await start(cast.erin, formId);
  await answerWithFile(cast.erin, other, questionIds[0] ?? '');
  const [section] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const params = { sectionId: section?.section.id ?? '', questionId: questionIds[1] ?? '' };
  await cast.alice.client.questions.deleteQuestion({ params });
  const kept = await listTraces(other);
  expect(kept).toHaveLength(3);
  expect(await remove(cast.alice, made)).toBe(204);
  await expectGone(made);
  expect(await listTraces(other)).toEqual(kept);
});

test.for([
  ['table', 2, 2],
  ['bucket', 2, 2],
  // More files than one write removes.
  ['table', 11, 10],
] as const)('a worker that is interrupted by the %s at any step continues later, with %i × %i files', async ([
  of,
  count,
  each,
]) => {
  const removal = { remove: (made: Made) => remove(cast.alice, made), expectGone };
  const steps = await interruptedAtEveryStep(of, { create: () => full(count, each), ...removal });
  expect(steps).toBeGreaterThanOrEqual(1);
});

test('a request that dies after its mark leaves all, and one that dies after the deletion no file', async () => {
  const made = await full(11, 10);
  const kept = await listTraces(made.responseId);
  await withTable(dyingAfter(1), () => remove(cast.alice, made));
  expect(await listTraces(made.responseId)).toEqual(kept);
  // More files than one write removes.
  await withTable(dyingAfter(2), () => remove(cast.alice, made));
  expect((await app().table.read([keys.response(made.responseId)])).map(parseResponse)).toEqual([undefined]);
  await expectGone(made);
});

test('of several deletions at once all succeed; the receipt counts each file once', async () => {
  const made = await full();
  const statuses = await Promise.all([1, 2, 3].map(() => remove(cast.alice, made)));
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  const entries: LogEntry[] = [];
  await withApp(
    () => ({ log: (entry) => void entries.push(entry) }),
    () => expectGone(made),
  );
  const receipt = { receipt: 'deletion', type: 'response', id: made.responseId, files: 4, objects: 5 };
  expect(entries).toContainEqual(expect.objectContaining(receipt));
});

test('an upload that is sent after the first pass is removed by the second', async () => {
  const made = await full();
  const late = await announceFile(cast.dave, made.responseId, made.questionIds[1] ?? '');
  expect(await remove(cast.alice, made)).toBe(204);
  expect(await isInterrupted()).toBe(false);
  await late.put();
  await expectGone(made);
});

test('before the worker ran, a deleted response and its files are visible to nobody in any operation or list', async () => {
  const made = await full();
  expect(await remove(cast.alice, made)).toBe(204);
  const { formId, responseId, questionIds, fileIds } = made;
  const answer = `/api/responses/${responseId}/questions/${questionIds[0]}`;
  const requests: [string, string, object?][] = [
    ['GET', `/api/forms/${formId}/responses/${responseId}`],
    ['GET', answer],
    ['DELETE', answer],
    ['DELETE', `${answer}/files`],
    ['POST', `${answer}/files/complete`, { fileIds: fileIds.slice(0, 1) }],
    ['PATCH', `/api/responses/${responseId}/answers`, { answers: [] }],
    ['POST', `/api/responses/${responseId}/submit`, { answers: [] }],
    ['POST', `/api/responses/${responseId}/cancel`],
    ...fileIds.flatMap((id): [string, string][] => [
      ['GET', `/api/files/${id}`],
      ['GET', `/api/files/${id}/info`],
      ['DELETE', `/api/files/${id}`],
    ]),
  ];
  const { alice, bob, dave, erin, oscar } = cast;
  for (const [method, path, body] of requests) {
    for (const who of [dave, bob, alice, oscar, erin]) {
      expect([method, path, (await requestAs(who, method, path, body)).status]).toEqual([method, path, 404]);
    }
  }
  const query = await requestAs(alice, 'POST', `/api/forms/${formId}/responses/query`, { filters: [] });
  expect(JSON.stringify(query.body)).not.toContain(responseId);
});
