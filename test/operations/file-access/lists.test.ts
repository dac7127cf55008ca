/** The lists of own files: complete, newest first, and nobody else's. */
import { beforeAll, describe, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { fileWrites, type StoredFile } from '#core/responses/store.ts';
import { readPages, requestAs } from '#test/support/building.ts';
import { announceFile, answerWithFile, formForFiles, uploaded } from '#test/support/files.ts';
import { type Person, person } from '#test/support/fixtures.ts';
import { castAt, pass, start } from '#test/support/responses.ts';

const cast = await castAt();
let formId: string;
let questionIds: string[];
beforeAll(async () => {
  ({ formId, questionIds } = await formForFiles(cast.alice, cast.slug, 3));
});

const readList = async (who: Person, query = '') => (await requestAs(who, 'GET', `/api/files${query}`)).body;
const readIds = async (who: Person, query = ''): Promise<string[]> =>
  (await readList(who, query)).files.map(({ id }: { id: string }) => id);

/** Somebody who has uploaded one file to each of the questions, one a minute; the newest first. */
async function uploader() {
  const who = await person('dora');
  const responseId = await start(who, formId);
  const fileIds: string[] = [];
  for (const questionId of questionIds) {
    fileIds.unshift(await answerWithFile(who, responseId, questionId));
    pass(60);
  }
  return { who, responseId, fileIds };
}

test('both lists hold the own files in full, newest first, and nobody else’s', async () => {
  const { who, fileIds } = await uploader();
  const other = await uploader();
  const described = await Promise.all(
    fileIds.map(async (fileId) => (await who.client.files.getFile({ params: { fileId } })).body),
  );
  expect(await readList(who)).toEqual({ files: described, total: 3, limit: 20, offset: 0 });
  expect((await who.client.files.listMyFiles()).body).toEqual(described);
  expect(await readIds(other.who)).toEqual(other.fileIds);
  expect(await readList(cast.alice)).toMatchObject({ files: [], total: 0 });
  expect((await cast.alice.client.files.listMyFiles()).body).toEqual([]);
});

test('limit and offset select a range, and total is the number of all', async () => {
  const { who, fileIds } = await uploader();
  expect(await readList(who, '?limit=2&offset=1')).toMatchObject({ total: 3, limit: 2, offset: 1 });
  expect(await readIds(who, '?limit=2&offset=1')).toEqual(fileIds.slice(1));
  expect(await readIds(who, '?limit=1')).toEqual(fileIds.slice(0, 1));
  for (const offset of [3, 10_000]) {
    expect(await readList(who, `?offset=${offset}`)).toEqual({ files: [], total: 3, limit: 20, offset });
  }
});

test('what is not attached, not any more, or of a deleted response is in no list', async () => {
  const { who, responseId, fileIds } = await uploader();
  const [questionId = '', second = ''] = questionIds;
  const { put } = await announceFile(who, responseId, questionId);
  expect(await readIds(who)).toEqual(fileIds);
  await put();
  expect(await readIds(who)).toEqual(fileIds);
  const replaced = await uploaded(who, { responseId, questionId: second }, 'a.txt', 'b.txt');
  await who.client.files.clearFiles({ params: { responseId, questionId } });
  const left = [...replaced.toSorted().reverse(), ...fileIds.slice(0, 1)];
  expect(await readIds(who)).toEqual(left);
  expect((await readList(who)).total).toBe(3);
  expect((await readPages(who, '/api/files/me')).flat()).toEqual(left);
  const kept = await answerWithFile(who, await start(who, formId), questionId);
  await cast.alice.client.responses.deleteResponse({ params: { formId, responseId } });
  expect(await readList(who)).toMatchObject({ files: [{ id: kept }], total: 1 });
  expect(await readPages(who, '/api/files/me')).toEqual([[kept]]);
});

describe('of 250 files', () => {
  let who: Person;
  /** Newest first. */
  let fileIds: string[];
  beforeAll(async () => {
    who = await person('dora');
    const responseId = await start(who, formId);
    const files = Array.from({ length: 250 }, (_, index): StoredFile => {
      const createdAt = new Date(Date.parse('2026-01-01') + index * 1_000).toISOString();
      const about = { contentType: 'text/plain', size: 1, sha256: '', filename: `${index}.txt` };
      const of = { formId, responseId, questionId: questionIds[0] ?? '', uploadedBy: who.id };
      return { id: idWithin(formId, app().uuid()), ...of, ...about, createdAt };
    });
    fileIds = files.map(({ id }) => id).reverse();
    for (let at = 0; at < 250; at += 99) {
      const change = { added: files.slice(at, at + 99), removed: [] };
      await app().table.write(fileWrites(app(), { id: responseId, userId: who.id }, change));
    }
  });

  test('all can be reached by offset, 100 at most at once', async () => {
    const read: string[] = [];
    for (const offset of [0, 100, 200]) {
      const { files, total } = await readList(who, `?limit=100&offset=${offset}`);
      expect([files.length, total]).toEqual([offset === 200 ? 50 : 100, 250]);
      read.push(...files.map(({ id }: { id: string }) => id));
    }
    expect(read).toEqual(fileIds);
  });

  test('all can be reached through the cursor, page by page, each once', async () => {
    expect((await readPages(who, '/api/files/me')).flat()).toEqual(fileIds);
    const pages = await readPages(who, '/api/files/me?limit=99');
    expect(pages.map((page) => page.length)).toEqual([99, 99, 52]);
    expect(pages.flat()).toEqual(fileIds);
  });

  test('a cursor is bound to its list, and continues at its place while newer files come', async () => {
    const first = await requestAs(who, 'GET', '/api/files/me?limit=10');
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await requestAs(cast.dave, 'GET', next)).status).toBe(400);
    await answerWithFile(who, await start(who, formId), questionIds[1] ?? '');
    const second = await requestAs(who, 'GET', next);
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual(fileIds.slice(10, 20));
  });
});
