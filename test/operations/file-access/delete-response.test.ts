/** Deleting a response that has files (contract section 9, "Delete means gone"): nothing is left, whatever happens. */
import { beforeAll, describe, expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { startS3 } from '#stacks/local/s3.ts';
import { ask } from '#test/support/building.ts';
import { dyingAfter, gate, withApp, withTable } from '#test/support/faults.ts';
import {
  announce,
  answerWithFile,
  answerWithFiles,
  dyingAtEveryStep,
  formForFiles,
  isStored,
  tracesOf,
} from '#test/support/file-access.ts';
import { objectKeys } from '#test/support/objects.ts';
import { start, submit } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Cast, newCast, type Person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Made = { formId: string; responseId: string; questionIds: string[]; fileIds: string[] };

const remove = async (who: Person, { formId, responseId }: Pick<Made, 'formId' | 'responseId'>) =>
  (await ask(who, 'DELETE', `/api/forms/${formId}/responses/${responseId}`)).status;

/** Fails the test unless every trace of a response and of its files is gone. */
async function expectGone({ responseId, fileIds }: Made): Promise<void> {
  expect(await tracesOf(responseId)).toEqual([]);
  for (let at = 0; at < fileIds.length; at += 100) {
    const found = await app().table.read(fileIds.slice(at, at + 100).map(keys.file));
    expect(found.filter((item) => item !== undefined)).toEqual([]);
  }
}

/** A submitted response of dave's: so many questions with files, and uploads, one of them sent, to the first. */
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

  test('more files than one write takes: 12 questions with 10 each', async () => {
    const made = await full(12, 10);
    expect((await objectKeys(`files/${made.responseId}/`)).length).toBe(120);
    expect(await remove(cast.alice, made)).toBe(204);
    await expectGone(made);
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

describe.for(['table', 'bucket'] as const)('when the %s dies while a response is deleted', (of) => {
  test('at whichever step, then asking again ends it and leaves nothing', async () => {
    const deaths = await dyingAtEveryStep(of, {
      make: () => full(),
      remove: (made) => remove(cast.alice, made),
      judge: async (made) => {
        expect(await isStored(made.responseId)).toBe(true);
        expect(await remove(cast.alice, made)).toBe(204);
        await expectGone(made);
      },
    });
    expect(deaths).toBeGreaterThanOrEqual(2);
  });
});

test('more files than one write takes go too, wherever the table dies', async () => {
  const deaths = await dyingAtEveryStep('table', {
    make: () => full(12, 10),
    remove: (made) => remove(cast.alice, made),
    judge: async (made) => {
      expect(await remove(cast.alice, made)).toBe(204);
      await expectGone(made);
    },
  });
  expect(deaths).toBeGreaterThanOrEqual(3);
});

/** A response whose deletion has begun and stopped. */
async function halfDeleted(): Promise<Made> {
  const made = await full();
  const status = await withTable(dyingAfter(1), () => remove(cast.alice, made));
  if (status !== 500 || !(await isStored(made.responseId))) throw new Error('the deletion did not stop half-way');
  return made;
}

describe('a response whose deletion stopped half-way', () => {
  test('is known to nobody, its files neither, whatever is asked', async () => {
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
        expect([method, path, (await ask(who, method, path, body)).status]).toEqual([method, path, 404]);
      }
    }
  });

  test('is not there for those who may not delete it, and its admin may go on', async () => {
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
    const query = await ask(alice, 'POST', `/api/forms/${formId}/responses/query`, { filters: [] });
    expect(JSON.stringify(query.body)).not.toContain(responseId);
    const summary = (await dave.client.forms.listMyForms()).body.find(({ id }) => id === formId);
    expect(summary).toMatchObject({ status: 'NOT_STARTED', responseIds: [] });
    const { files } = (await dave.client.files.listFiles({ query: { limit: 100 } })).body;
    const mine = (await dave.client.files.listMyFiles()).body;
    for (const { id } of [...files, ...mine]) expect(fileIds).not.toContain(id);
  });

  test('goes with its form', async () => {
    const made = await halfDeleted();
    await cast.alice.client.forms.deleteForm({ params: { formId: made.formId } });
    await expectGone(made);
  });
});

describe('beside the deletion of a response', () => {
  test('an upload through the API is refused, and its bytes are not left', async () => {
    const made = await full();
    const { reached, open, wait } = gate();
    const slow = await withApp(
      ({ bucket }) => ({
        bucket: {
          ...bucket,
          put: async (...args) => {
            await wait();
            await bucket.put(...args);
          },
        },
      }),
      async () => {
        const upload = answerWithFile(cast.dave, made.responseId, made.questionIds[0] ?? '').catch(
          ({ status }) => status,
        );
        await reached;
        return { upload };
      },
    );
    expect(await remove(cast.alice, made)).toBe(204);
    open();
    expect(await slow.upload).toBe(404);
    await expectGone(made);
  });

  test('uploads that are being completed are refused, and their bytes are not left', async () => {
    const made = await full();
    const [questionId = ''] = made.questionIds;
    const params = { responseId: made.responseId, questionId };
    const { fileId, put } = await announce(cast.dave, made.responseId, questionId);
    await put();
    const { reached, open, wait } = gate();
    const slow = await withApp(
      ({ bucket }) => ({
        bucket: {
          ...bucket,
          copy: async (...args) => {
            await wait();
            return bucket.copy(...args);
          },
        },
      }),
      async () => {
        const body = { fileIds: [fileId] };
        const completed = cast.dave.client.files.completeUploads({ params, body }).catch(({ status }) => status);
        await reached;
        return { completed };
      },
    );
    expect(await remove(cast.alice, made)).toBe(204);
    open();
    expect(await slow.completed).toBeOneOf([400, 404]);
    await expectGone(made);
  });

  test('a second one is fine', async () => {
    const made = await full();
    const statuses = await Promise.all([cast.alice, cast.alice, cast.alice].map((who) => remove(who, made)));
    expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
    await expectGone(made);
  });
});

test('an address to upload to that is used after the deletion leaves no more than what a day sweeps away', async () => {
  const s3 = await startS3({ directory: null, buckets: ['own'], origins: () => [] });
  const parts = { bucketName: 'own', s3Endpoint: s3.endpoint, s3PublicEndpoint: s3.publicEndpoint };
  try {
    await withApp(
      ({ config }) => ({ config: { ...config, ...parts }, bucket: s3Bucket({ ...config, ...parts }) }),
      async () => {
        const made = await full();
        const { fileId, put } = await announce(cast.dave, made.responseId, made.questionIds[0] ?? '');
        expect(await remove(cast.alice, made)).toBe(204);
        expect((await put()).status).toBe(200);
        expect(await objectKeys()).toEqual([`pending/files/${made.responseId}/${fileId}`]);
        const later = (hours: number) => new Date(app().now().getTime() + hours * 3_600_000);
        await s3.sweep(later(23));
        expect(await objectKeys()).toHaveLength(1);
        await s3.sweep(later(25));
        expect(await objectKeys()).toEqual([]);
      },
    );
  } finally {
    await s3.stop();
  }
});
