/** Deleting a file: when, and that it leaves its answer. Who may: `permission-matrix.test.ts`; other ways: `file-states.test.ts`. */
import { describe, expect, test } from 'vitest';
import { requestAs } from '#test/support/building.ts';
import { listTraces } from '#test/support/deletion.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { announceFile, answerWithFile, clearFiles, complete, formForFiles, uploaded } from '#test/support/files.ts';
import { newCast, type Person } from '#test/support/fixtures.ts';
import { answerTo, clear, preview, start, submit } from '#test/support/responses.ts';
import { objectKeys } from '#test/support/stored.ts';
import { cleanUp } from '#test/support/sweeps.ts';

const cast = await newCast();

const remove = async (who: Person, fileId: string) => (await requestAs(who, 'DELETE', `/api/files/${fileId}`)).status;
const expectGone = async (...fileIds: string[]) => {
  for (const fileId of fileIds) expect(await listTraces(fileId)).toEqual([]);
};

type Files = { formId: string; questionId: string; responseId: string; a: string; b: string };

/** A response of dave's with files a.txt and b.txt as its answer. */
async function twoFiles(options: Parameters<typeof formForFiles>[3] = {}): Promise<Files> {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug, 1, options);
  const responseId = await start(cast.dave, formId);
  const [a = '', b = ''] = await uploaded(cast.dave, { responseId, questionId }, 'a.txt', 'b.txt');
  return { formId, questionId, responseId, a, b };
}
/** The current ETag of a response. */
const readEtag = async ({ formId, responseId }: Files) =>
  (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).headers.get('etag');
const readBytes = async (fileId: string) => {
  const { headers } = await cast.dave.client.files.downloadFile({ params: { fileId } });
  return fetch(headers.get('location') ?? '');
};

describe('a deleted file', () => {
  test('leaves its answer, which keeps the others, changes the version of the response, and is 404 from then on', async () => {
    const files = await twoFiles();
    const { questionId, responseId, a, b } = files;
    const before = await answerTo(cast.dave, responseId, questionId);
    const etag = await readEtag(files);
    expect(await remove(cast.dave, a)).toBe(204);
    for (const who of [cast.dave, cast.alice, cast.bob]) {
      expect(await remove(who, a)).toBe(404);
      for (const path of [`/api/files/${a}/info`, `/api/files/${a}`]) {
        expect((await requestAs(who, 'GET', path)).status).toBe(404);
      }
    }
    const after = await answerTo(cast.dave, responseId, questionId);
    expect(after.answer.value).toEqual([{ fileId: b, originalFilename: 'b.txt', contentType: 'text/plain', size: 13 }]);
    expect(after.displayValue).toBe('1 file(s): b.txt (13 bytes)');
    expect(after.createdAt).toBe(before.createdAt);
    expect(await readEtag(files)).not.toBe(etag);
    // Its bytes are removed by the next clean-up.
    await cleanUp(1);
    expect(await objectKeys(`files/${responseId}/`)).toEqual([`files/${responseId}/${b}`]);
    await expectGone(a);
  });

  test('that was the last of its answer takes the answer along', async () => {
    const { formId, questionId, responseId, a, b } = await twoFiles();
    for (const fileId of [a, b]) expect(await remove(cast.dave, fileId)).toBe(204);
    const { status } = await requestAs(cast.dave, 'GET', `/api/responses/${responseId}/questions/${questionId}`);
    expect(status).toBe(404);
    const [section] = (await preview(cast.dave, formId, responseId)).sections;
    expect(section).toMatchObject({ progress: 'NOT_STARTED', answerDetails: [{ payload: null }] });
    await expectGone(a, b);
  });

  test('is deleted once, however many requests delete it at once, and deletions of others at the same time are kept', async () => {
    const { questionId, responseId, a, b } = await twoFiles();
    const statuses = await Promise.all([cast.dave, cast.alice, cast.dave].map((who) => remove(who, a)));
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    expect(statuses).toContain(204);
    const [kept = '', ...others] = await uploaded(cast.dave, { responseId, questionId }, 'c.txt', 'd.txt', 'e.txt');
    expect(await Promise.all(others.map((fileId) => remove(cast.dave, fileId)))).toEqual([204, 204]);
    expect((await answerTo(cast.dave, responseId, questionId)).answer.value).toMatchObject([{ fileId: kept }]);
    await expectGone(a, b, ...others);
  });

  test('of a removed question leaves the answer that is kept for it', async () => {
    const { formId, questionId, responseId, a, b } = await twoFiles();
    const [section] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
    const params = { sectionId: section?.section.id ?? '', questionId };
    await cast.alice.client.questions.deleteQuestion({ params });
    expect(await remove(cast.dave, a)).toBe(204);
    expect((await answerTo(cast.dave, responseId, questionId)).answer.value).toMatchObject([{ fileId: b }]);
    expect(await remove(cast.alice, b)).toBe(204);
    await expectGone(a, b);
  });

  test('is still there when the write fails, and deleted when it is repeated', async () => {
    const { a } = await twoFiles();
    expect(await withTable(dyingAfter(0), () => remove(cast.dave, a))).toBe(500);
    expect((await readBytes(a)).status).toBe(200);
    expect(await remove(cast.dave, a)).toBe(204);
    await expectGone(a);
  });
});

describe('an admin may delete a file', () => {
  test('whatever the form and its response: closed, submitted, not editable, required', async () => {
    const { formId, responseId, questionId, a, b } = await twoFiles({ required: true, allowEditResponse: false });
    await submit(cast.dave, responseId);
    expect(await remove(cast.alice, a)).toBe(204);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    expect(await remove(cast.alice, b)).toBe(204);
    const shown = await preview(cast.alice, formId, responseId);
    expect(shown.progress).toBe('SUBMITTED');
    expect(shown.sections[0]?.answerDetails).toMatchObject([{ question: { id: questionId }, payload: null }]);
    await expectGone(a, b);
  });

  test('of their own when the form is closed', async () => {
    const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
    const fileId = await answerWithFile(cast.alice, await start(cast.alice, formId), questionId);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    expect(await remove(cast.alice, fileId)).toBe(204);
  });
});

test.for<[string, (at: Files) => Promise<unknown>]>([
  ['the answer is cleared', ({ responseId, questionId }) => clear(cast.dave, responseId, questionId)],
  ['the files are cleared', (at) => clearFiles(cast.dave, at)],
  ['another upload replaces them', (at) => uploaded(cast.dave, at, 'new.txt')],
  [
    'uploads straight to storage replace them',
    async (at) => {
      const { fileId, put } = await announceFile(cast.dave, at.responseId, at.questionId);
      await put();
      await complete(cast.dave, at, [fileId]);
    },
  ],
])('nothing is left of two files when %s', async ([, go]) => {
  const files = await twoFiles();
  await go(files);
  await expectGone(files.a, files.b);
});
