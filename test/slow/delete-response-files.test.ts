/** Deleting a response that has files: nothing is left, whatever happens. */
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import {
  announce,
  answerWithFile,
  answerWithFiles,
  failingAtEveryStep,
  formForFiles,
  isStored,
  tracesOf,
} from '#test/support/file-access.ts';
import { type Cast, newCast, type Person } from '#test/support/fixtures.ts';
import { objectKeys } from '#test/support/objects.ts';
import { start, submit } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Made = { formId: string; responseId: string; questionIds: string[]; fileIds: string[] };

const remove = async (who: Person, { formId, responseId }: Pick<Made, 'formId' | 'responseId'>) =>
  (await requestAs(who, 'DELETE', `/api/forms/${formId}/responses/${responseId}`)).status;

/** Nothing is stored of a response and its files. */
async function expectGone({ responseId, fileIds }: Made): Promise<void> {
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
    fileIds.push(...(await answerWithFiles(cast.dave, responseId, questionId, ...names)));
  }
  const sent = await announce(cast.dave, responseId, questionIds[0] ?? '');
  const unsent = await announce(cast.dave, responseId, questionIds[0] ?? '');
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

test.for([
  'table',
  'bucket',
] as const)('a deletion during which the %s fails at any step can be repeated', async (of) => {
  const remover = { remove: (made: Made) => remove(cast.alice, made), expectGone };
  expect(await failingAtEveryStep(of, { create: () => full(), ...remover })).toBeGreaterThanOrEqual(1);
});

test('a response with more files than one write removes goes too, also when the table fails at any step', async () => {
  const remover = { remove: (made: Made) => remove(cast.alice, made), expectGone };
  expect(await failingAtEveryStep('table', { create: () => full(11, 10), ...remover })).toBeGreaterThanOrEqual(2);
});

/** A response whose deletion failed half-way. */
async function halfDeleted(): Promise<Made> {
  const made = await full();
  const status = await withTable(dyingAfter(1), () => remove(cast.alice, made));
  if (status !== 500 || !(await isStored(made.responseId))) throw new Error('the deletion did not fail half-way');
  return made;
}

describe('a response whose deletion failed half-way', () => {
  test('is visible to nobody, nor are its files, in any operation', async () => {
    const made = await halfDeleted();
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

  test('is 404 for everybody but its admin, who may repeat the deletion', async () => {
    const made = await halfDeleted();
    for (const who of [cast.dave, cast.bob, cast.oscar, cast.erin, cast.chelsea]) {
      expect(await remove(who, made)).toBe(404);
    }
    expect(await remove(cast.alice, made)).toBe(204);
    await expectGone(made);
  });

  test('is in no list, count, table, filter or list of files', async () => {
    const { formId, responseId, questionIds, fileIds } = await halfDeleted();
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

  test('is removed with its form', async () => {
    const made = await halfDeleted();
    await cast.alice.client.forms.deleteForm({ params: { formId: made.formId } });
    await expectGone(made);
  });
});

test('of several deletions at once all succeed', async () => {
  const made = await full();
  const statuses = await Promise.all([cast.alice, cast.alice, cast.alice].map((who) => remove(who, made)));
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  await expectGone(made);
});
