/** Deleting a file: who may and when, and that it leaves its answer. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { tracesOf } from '#test/support/deletion.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { announceFile, answerWithFile, formForFiles, uploaded } from '#test/support/files.ts';
import { type Cast, newCast, type Person } from '#test/support/fixtures.ts';
import { answerTo, clear, preview, start, submit } from '#test/support/responses.ts';
import { everythingStored, objectKeys } from '#test/support/stored.ts';
import { cleanUp } from '#test/support/sweeps.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const remove = async (who: Person, fileId: string) => (await requestAs(who, 'DELETE', `/api/files/${fileId}`)).status;

type Options = Parameters<typeof formForFiles>[3];

/** A response of dave's with files a.txt and b.txt as its answer. */
async function twoFiles(options: Options = {}) {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug, 1, options);
  const responseId = await start(cast.dave, formId);
  const [a = '', b = ''] = await uploaded(cast.dave, { responseId, questionId }, 'a.txt', 'b.txt');
  return { formId, questionId, responseId, a, b };
}
const archive = (formId: string) => cast.alice.client.forms.archiveForm({ params: { formId } });
/** The current ETag of a response. */
const etagOf = async (responseId: string) => {
  const { headers } = await cast.dave.client.responses.updateAnswers({ params: { responseId }, body: { answers: [] } });
  return headers.get('etag');
};

describe('a deleted file', () => {
  test('leaves its answer, which keeps the others, and changes the version of the response', async () => {
    const { questionId, responseId, a, b } = await twoFiles();
    const before = await answerTo(cast.dave, responseId, questionId);
    const etag = await etagOf(responseId);
    expect(await remove(cast.dave, a)).toBe(204);
    const after = await answerTo(cast.dave, responseId, questionId);
    expect(after.answer.value).toEqual([{ fileId: b, originalFilename: 'b.txt', contentType: 'text/plain', size: 13 }]);
    expect(after.displayValue).toBe('1 file(s): b.txt (13 bytes)');
    expect(after.createdAt).toBe(before.createdAt);
    expect(await etagOf(responseId)).not.toBe(etag);
    expect(await tracesOf(a)).toEqual([]);
    expect((await cast.dave.client.files.getFile({ params: { fileId: b } })).status).toBe(200);
  });

  test('that was the last of its answer takes the answer along', async () => {
    const { formId, questionId, responseId, a, b } = await twoFiles();
    await remove(cast.dave, a);
    expect(await remove(cast.dave, b)).toBe(204);
    const { status } = await requestAs(cast.dave, 'GET', `/api/responses/${responseId}/questions/${questionId}`);
    expect(status).toBe(404);
    const [section] = (await preview(cast.dave, formId, responseId)).sections;
    expect(section).toMatchObject({ progress: 'NOT_STARTED', answerDetails: [{ payload: null }] });
    expect([await tracesOf(a), await tracesOf(b)]).toEqual([[], []]);
  });

  test('is 404 afterwards, for deleting too', async () => {
    const { a } = await twoFiles();
    await remove(cast.dave, a);
    for (const who of [cast.dave, cast.alice, cast.bob]) {
      expect(await remove(who, a)).toBe(404);
      expect((await requestAs(who, 'GET', `/api/files/${a}/info`)).status).toBe(404);
      expect((await requestAs(who, 'GET', `/api/files/${a}`)).status).toBe(404);
    }
  });

  test('is deleted once, however many requests delete it at once, and deletions of others at the same time are kept', async () => {
    const { questionId, responseId, a, b } = await twoFiles();
    const statuses = await Promise.all([cast.dave, cast.alice, cast.dave].map((who) => remove(who, a)));
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    expect(statuses).toContain(204);
    const other = await uploaded(cast.dave, { responseId, questionId }, 'c.txt', 'd.txt', 'e.txt');
    expect(await Promise.all(other.slice(1).map((fileId) => remove(cast.dave, fileId)))).toEqual([204, 204]);
    const { answer } = await answerTo(cast.dave, responseId, questionId);
    expect(answer.value).toMatchObject([{ fileId: other[0] }]);
    expect([await tracesOf(a), await tracesOf(b), await tracesOf(other[1] ?? '')]).toEqual([[], [], []]);
  });

  test('of a removed question leaves the answer that is kept for it', async () => {
    const { formId, questionId, responseId, a, b } = await twoFiles();
    const [section] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
    const params = { sectionId: section?.section.id ?? '', questionId };
    await cast.alice.client.questions.deleteQuestion({ params });
    expect(await remove(cast.dave, a)).toBe(204);
    expect((await answerTo(cast.dave, responseId, questionId)).answer.value).toMatchObject([{ fileId: b }]);
    expect(await remove(cast.alice, b)).toBe(204);
    expect([await tracesOf(a), await tracesOf(b)]).toEqual([[], []]);
  });
});

describe('the uploader of a file', () => {
  test('may not delete it once the form is not open: 400, and nothing changes', async () => {
    const { formId, a } = await twoFiles();
    await archive(formId);
    const before = await everythingStored();
    expect(await remove(cast.dave, a)).toBe(400);
    await cast.alice.client.forms.unarchiveForm({ params: { formId } });
    expect(await remove(cast.dave, a)).toBe(400);
    await cast.alice.client.forms.publishForm({ params: { formId } });
    const deadline = new Date(app().now().getTime() - 1_000).toISOString();
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline } });
    expect(await remove(cast.dave, a)).toBe(400);
    const unchanged = (items: string[]) => items.filter((item) => !item.startsWith('FORM#'));
    expect(unchanged(await everythingStored())).toEqual(unchanged(before));
  });

  test('may not delete it from a submitted response that cannot be edited: 403', async () => {
    const { questionId, responseId, a } = await twoFiles({ allowEditResponse: false });
    await submit(cast.dave, responseId);
    expect(await remove(cast.dave, a)).toBe(403);
    expect((await answerTo(cast.dave, responseId, questionId)).answer.value).toHaveLength(2);
    await cast.dave.client.responses.cancelResponse({ params: { responseId } });
    expect(await remove(cast.dave, a)).toBe(204);
  });

  test('may delete it from a submitted response that can be edited, which stays submitted', async () => {
    const { formId, responseId, a, b } = await twoFiles();
    await submit(cast.dave, responseId);
    expect([await remove(cast.dave, a), await remove(cast.dave, b)]).toEqual([204, 204]);
    expect((await preview(cast.dave, formId, responseId)).progress).toBe('SUBMITTED');
  });

  test('may not delete the last file of a required answer of a submitted response: 400', async () => {
    const { questionId, responseId, a, b } = await twoFiles({ required: true });
    await submit(cast.dave, responseId);
    expect(await remove(cast.dave, a)).toBe(204);
    const { status, body } = await requestAs(cast.dave, 'DELETE', `/api/files/${b}`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: `/answers/${questionId}` })]]);
    expect((await fetch(await urlOf(b))).status).toBe(200);
  });
});

const urlOf = async (fileId: string) =>
  (await cast.dave.client.files.downloadFile({ params: { fileId } })).headers.get('location') ?? '';

describe('an admin', () => {
  test('may delete a file whatever the form and its response: closed, submitted, not editable, required', async () => {
    const { formId, responseId, questionId, a, b } = await twoFiles({ required: true, allowEditResponse: false });
    await submit(cast.dave, responseId);
    expect(await remove(cast.alice, a)).toBe(204);
    await archive(formId);
    expect(await remove(cast.alice, b)).toBe(204);
    const shown = await preview(cast.alice, formId, responseId);
    expect(shown.progress).toBe('SUBMITTED');
    expect(shown.sections[0]?.answerDetails).toMatchObject([{ question: { id: questionId }, payload: null }]);
    expect([await tracesOf(a), await tracesOf(b)]).toEqual([[], []]);
  });

  test('may delete a file of their own when the form is closed', async () => {
    const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
    const fileId = await answerWithFile(cast.alice, await start(cast.alice, formId), questionId);
    await archive(formId);
    expect(await remove(cast.alice, fileId)).toBe(204);
  });
});

test('a member who is no admin, and an operator who is no member, get 403; also who made the form', async () => {
  const { bob, dave, oscar, slug } = cast;
  const { formId, questionId } = await formForFiles(bob, slug);
  const fileId = await answerWithFile(dave, await start(dave, formId), questionId);
  expect([await remove(bob, fileId), await remove(oscar, fileId)]).toEqual([403, 403]);
  expect((await requestAs(dave, 'GET', `/api/files/${fileId}/info`)).status).toBe(200);
});

/** The ways in which the files of an answer go, beside the deletion of one. */
const WAYS = {
  'the answer is cleared': (responseId: string, questionId: string) => clear(cast.dave, responseId, questionId),
  'the files are cleared': (responseId: string, questionId: string) =>
    cast.dave.client.files.clearFiles({ params: { responseId, questionId } }),
  'another upload replaces them': (responseId: string, questionId: string) =>
    answerWithFile(cast.dave, responseId, questionId, 'new.txt'),
  'uploads straight to storage replace them': async (responseId: string, questionId: string) => {
    const { fileId, put } = await announceFile(cast.dave, responseId, questionId);
    await put();
    await cast.dave.client.files.completeUploads({ params: { responseId, questionId }, body: { fileIds: [fileId] } });
  },
};

test.for(Object.entries(WAYS))('nothing is left of two files when %s', async ([, go]) => {
  const { questionId, responseId, a, b } = await twoFiles();
  await go(responseId, questionId);
  expect([await tracesOf(a), await tracesOf(b)]).toEqual([[], []]);
});

test('a deletion whose write fails has deleted nothing, and succeeds when it is repeated', async () => {
  const { a } = await twoFiles();
  expect(await withTable(dyingAfter(0), () => remove(cast.dave, a))).toBe(500);
  expect((await fetch(await urlOf(a))).status).toBe(200);
  expect(await remove(cast.dave, a)).toBe(204);
  expect(await tracesOf(a)).toEqual([]);
});

test('a deleted file is unreachable at once, its bytes are removed by the next clean-up', async () => {
  const { responseId, a, b } = await twoFiles();
  expect(await remove(cast.dave, a)).toBe(204);
  expect((await requestAs(cast.dave, 'GET', `/api/files/${a}`)).status).toBe(404);
  await cleanUp(1);
  expect(await objectKeys(`files/${responseId}/`)).toEqual([`files/${responseId}/${b}`]);
});
