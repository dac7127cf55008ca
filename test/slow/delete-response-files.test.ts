/** Deleting a response that has files: nothing is left, whatever happens. */
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { LogEntry } from '#core/db/ports.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { interruptedAtEveryStep, tracesOf } from '#test/support/deletion.ts';
import { withApp } from '#test/support/faults.ts';
import { announceFile, answerWithFile, formForFiles, uploaded } from '#test/support/files.ts';
import { type Cast, newCast, type Person } from '#test/support/fixtures.ts';
import { start, submit } from '#test/support/responses.ts';
import { everythingStored, objectKeys } from '#test/support/stored.ts';
import { finishDeletions, isInterrupted } from '#test/support/sweeps.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Made = { formId: string; responseId: string; questionIds: string[]; fileIds: string[] };

const remove = async (who: Person, { formId, responseId }: Pick<Made, 'formId' | 'responseId'>) =>
  (await requestAs(who, 'DELETE', `/api/forms/${formId}/responses/${responseId}`)).status;

/** Nothing is stored of a response and its files after its deletion has ended. */
async function expectGone({ responseId, fileIds }: Made): Promise<void> {
  await finishDeletions();
  expect(await tracesOf(responseId)).toEqual([]);
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

describe('with a response go', () => {
  test('its files, and its uploads, sent or not; another response keeps all of its own', async () => {
    const made = await full();
    const other = await start(cast.erin, made.formId);
    await answerWithFile(cast.erin, other, made.questionIds[0] ?? '');
    const kept = await tracesOf(other);
    expect(await remove(cast.alice, made)).toBe(204);
    await expectGone(made);
    expect(await tracesOf(other)).toEqual(kept);
    expect(kept).toHaveLength(3);
  });

  test('the files of questions that were removed', async () => {
    const made = await full();
    const [section] = (await cast.alice.client.sections.listSections({ params: { formId: made.formId } })).body;
    for (const questionId of made.questionIds) {
      await cast.alice.client.questions.deleteQuestion({
        params: { sectionId: section?.section.id ?? '', questionId },
      });
    }
    expect(await remove(cast.alice, made)).toBe(204);
    await expectGone(made);
  });
});

test('a stale If-Match deletes nothing; the current one does', async () => {
  const made = await full();
  const { formId, responseId } = made;
  const params = { formId, responseId };
  const etag = (await cast.dave.client.responses.updateAnswers({ params, body: { answers: [] } })).headers.get('etag');
  const before = [await everythingStored(), await objectKeys()];
  const removing = (value: string) =>
    cast.alice.client.responses.deleteResponse({ params, headers: { 'if-match': value } });
  await expect(removing('"1"')).rejects.toMatchObject({ status: 409 });
  expect([await everythingStored(), await objectKeys()]).toEqual(before);
  expect((await removing(etag ?? '')).status).toBe(204);
  await expectGone(made);
});

const remover = { remove: (made: Made) => remove(cast.alice, made), expectGone };

test.for([
  'table',
  'bucket',
] as const)('a worker that is interrupted by the %s at any step goes on later', async (of) => {
  expect(await interruptedAtEveryStep(of, { create: () => full(), ...remover })).toBeGreaterThanOrEqual(1);
});

test('a response with more files than one write removes goes too, also when the worker is interrupted', async () => {
  expect(await interruptedAtEveryStep('table', { create: () => full(11, 10), ...remover })).toBeGreaterThanOrEqual(1);
});

test('leaves a receipt that counts each file once', async () => {
  const made = await full();
  expect(await remove(cast.alice, made)).toBe(204);
  const entries: LogEntry[] = [];
  await withApp(() => ({ log: (entry) => void entries.push(entry) }), finishDeletions);
  expect(entries).toContainEqual(
    expect.objectContaining({ receipt: 'deletion', type: 'response', id: made.responseId, files: 4, objects: 5 }),
  );
});

test('an upload that is sent after the first pass is removed by the second', async () => {
  const made = await full();
  const late = await announceFile(cast.dave, made.responseId, made.questionIds[1] ?? '').catch(() => undefined);
  const { put } =
    late ?? (await announceFile(cast.dave, await start(cast.dave, made.formId), made.questionIds[1] ?? ''));
  expect(await remove(cast.alice, made)).toBe(204);
  expect(await isInterrupted()).toBe(false);
  await put();
  await expectGone(made);
});

describe('a response that was deleted before the worker ran', () => {
  const deleted = async (): Promise<Made> => {
    const made = await full();
    expect(await remove(cast.alice, made)).toBe(204);
    return made;
  };

  test('is visible to nobody, nor are its files, in any operation', async () => {
    const made = await deleted();
    const { formId, responseId, questionIds, fileIds } = made;
    const [questionId = ''] = questionIds;
    const answer = `/api/responses/${responseId}/questions/${questionId}`;
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
    for (const [method, path, body] of requests) {
      for (const who of [cast.dave, cast.bob, cast.alice, cast.oscar, cast.erin]) {
        expect([method, path, (await requestAs(who, method, path, body)).status]).toEqual([method, path, 404]);
      }
    }
  });

  test('is in no list, count, table, filter or list of files', async () => {
    const { formId, responseId, questionIds, fileIds } = await deleted();
    const params = { formId };
    const none = { totalCount: 0, draftCount: 0, submittedCount: 0, responses: [] };
    const { alice, dave } = cast;
    expect((await alice.client.responses.listResponses({ params })).body).toMatchObject(none);
    expect((await dave.client.responses.listMyResponses({ params })).body).toMatchObject(none);
    expect((await alice.client.exports.previewTable({ params, body: { questionIds } })).body.rows).toEqual([]);
    const query = await requestAs(alice, 'POST', `/api/forms/${formId}/responses/query`, { filters: [] });
    expect(JSON.stringify(query.body)).not.toContain(responseId);
    const summary = (await dave.client.forms.listMyForms()).body.find(({ id }) => id === formId);
    expect(summary).toMatchObject({ status: 'NOT_STARTED', responseIds: [] });
    const { files } = (await dave.client.files.listFiles({ query: { limit: 100 } })).body;
    const mine = (await dave.client.files.listMyFiles()).body;
    for (const { id } of [...files, ...mine]) expect(fileIds).not.toContain(id);
  });
});

test('of several deletions at once all succeed', async () => {
  const made = await full();
  const statuses = await Promise.all([cast.alice, cast.alice, cast.alice].map((who) => remove(who, made)));
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  await expectGone(made);
});
