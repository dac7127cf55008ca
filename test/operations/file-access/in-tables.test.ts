/**
 * Answers that are files or a connected account, wherever answers are shown or evaluated: previews, the table, the
 * export, filters and distinct answers. Hostile names are plain text everywhere.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { changeResponse, reopenResponse } from '#core/responses/change.ts';
import { setAnswer } from '#core/responses/edits.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { attached, PICTURES } from '#test/support/files.ts';
import { type Cast, newCast, newForm, type Person, writingApp } from '#test/support/fixtures.ts';
import { answerTo, preview, readTable, start, submit } from '#test/support/responses.ts';
import { fileOf, open, sheetOf, shown } from '#test/support/xlsx.ts';

const FILE = { type: 'UPLOAD_FILE', uploadFile: PICTURES } as const;
const CONNECT = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' } as const;

let cast: Cast;
let formId: string;
let fileQuestion: string;
let connectQuestion: string;
beforeAll(async () => {
  cast = await newCast();
  const built = await newForm(cast.alice, cast.slug, [[FILE, CONNECT]]);
  formId = built.formId;
  [fileQuestion = '', connectQuestion = ''] = built.questionIds;
});

const account = (username: string) => ({
  provider: 'PROVIDER_ONE',
  providerId: '42',
  username,
  email: 'octo@example.org',
  avatar_url: 'https://provider.example/42.png',
  avatarUrl: 'https://provider.example/42.png',
});

/** Connects an account as the callback does. */
async function connect(responseId: string, questionId: string, username: string): Promise<void> {
  const content: AnswerContent = { type: 'OAUTH_CONNECT', value: account(username) };
  const opened = await reopenResponse(app().table, responseId);
  await changeResponse(writingApp(), opened, (current, now) => ({
    next: setAnswer(current, questionId, content, now),
    body: undefined,
  }));
}

/** A submitted response with files of these names and an account of this username. */
async function respond(who: Person, names: readonly string[], username: string) {
  const responseId = await start(who, formId);
  const fileIds = await attached(who, { responseId, questionId: fileQuestion }, ...names);
  await connect(responseId, connectQuestion, username);
  await submit(who, responseId);
  return { responseId, fileIds };
}

const NAMES = ['=cmd|" /C calc"!A0.txt', 'two\nlines, and a comma.txt', '<b>&amp;_x0041_.txt', '\u202egnp.txt'];
const DISPLAYED = `4 file(s): ${NAMES.map((name) => `${name} (11 bytes)`).join(', ')}`;
const USERNAME = '=HYPERLINK("http://evil.example")';

describe('files and an account, submitted', () => {
  let responseId: string;
  let files: object[];
  beforeAll(async () => {
    const made = await respond(cast.dave, NAMES, USERNAME);
    responseId = made.responseId;
    files = made.fileIds.map((fileId, index) => ({
      fileId,
      originalFilename: NAMES[index],
      contentType: 'text/plain',
      size: 11,
    }));
  });

  const asShown = () => ({
    [fileQuestion]: [files, DISPLAYED],
    [connectQuestion]: [account(USERNAME), USERNAME],
  });

  test('are the same to their owner and to members, in the preview, by themselves, and in the table', async () => {
    const expected = asShown();
    for (const who of [cast.dave, cast.bob]) {
      const [section] = (await preview(who, formId, responseId)).sections;
      const previewed = section?.answerDetails.map(({ question, payload }) => [
        question.id,
        [payload?.answer.value, payload?.displayValue],
      ]);
      expect(Object.fromEntries(previewed ?? [])).toEqual(expected);
      for (const questionId of [fileQuestion, connectQuestion]) {
        const { answer, displayValue } = await answerTo(who, responseId, questionId);
        expect([answer.value, displayValue]).toEqual(expected[questionId]);
      }
    }
    const { rows } = await readTable(cast.bob, formId, [fileQuestion, connectQuestion]);
    const row = rows.find(({ id }) => id === responseId)?.answers ?? {};
    expect(
      Object.fromEntries(Object.entries(row).map(([id, it]) => [id, [it?.answer.value, it?.displayValue]])),
    ).toEqual(expected);
  });

  test('are text in the export, never a formula, as they are displayed', async () => {
    const body = { questionIds: [fileQuestion, connectQuestion] };
    const file = await cast.bob.client.exports.downloadTable({ params: { formId }, body });
    const sheet = sheetOf(await open(fileOf(file)));
    const rows = Array.from({ length: sheet.rowCount }, (_, index) => index + 1);
    const row = rows.find((each) => sheet.getCell(each, 1).value === responseId) ?? 0;
    expect([4, 5].map((column) => shown(sheet.getCell(row, column).value))).toEqual([DISPLAYED, USERNAME]);
    expect([4, 5].map((column) => sheet.getCell(row, column).formula)).toEqual([undefined, undefined]);
  });

  test('are links in the export: to the file, or to the response if there are several', async () => {
    const { responseId: single, fileIds } = await respond(cast.erin, ['alone.txt'], 'alone');
    const file = await cast.bob.client.exports.downloadTable({
      params: { formId },
      body: { questionIds: [fileQuestion] },
    });
    const sheet = sheetOf(await open(fileOf(file)));
    const links = Array.from({ length: sheet.rowCount }, (_, index) => [
      sheet.getCell(index + 1, 1).value,
      sheet.getCell(index + 1, 4).hyperlink,
    ]);
    const { publicUrl } = app().config;
    expect(Object.fromEntries(links)).toMatchObject({
      [single]: `${publicUrl}/files/${fileIds[0]}`,
      [responseId]: `${publicUrl}/review/${formId}/r/${responseId}`,
    });
    await cast.alice.client.responses.deleteResponse({ params: { formId, responseId: single } });
  });
});

describe('in filters and distinct answers', () => {
  let viewId: string;
  let one: string;
  let two: string;
  beforeAll(async () => {
    viewId = (await cast.bob.client.views.createView({ params: { formId }, body: {} })).body.id;
    one = (await respond(cast.erin, ['map.txt', 'river.pdf.txt'], 'octo')).responseId;
    two = (await respond(cast.erin, ['lake.txt'], 'cat')).responseId;
  });

  type Filters = { questionId: string; answers: { option: string }[] }[];
  const by = (questionId: string, ...options: string[]): Filters => [
    { questionId, answers: options.map((option) => ({ option })) },
  ];
  const distinct = async (questionId: string, filters: Filters = []) =>
    (await cast.bob.client.views.listDistinctAnswers({ params: { formId, viewId, questionId }, body: { filters } }))
      .body.answers;
  const matching = async (filters: Filters) =>
    (await cast.bob.client.responses.filterResponses({ params: { formId }, body: { filters } })).body.responses.map(
      ({ id }) => id,
    );
  const readMatchValue = async (questionId: string, display: string) =>
    (await distinct(questionId)).find(({ displayValue }) => displayValue === display)?.matchValue ?? '';

  test('each file is a value under its name, and each account under its username', async () => {
    const files = (await distinct(fileQuestion)).map(({ displayValue }) => displayValue);
    expect(files.toSorted()).toEqual([...NAMES, 'lake.txt', 'map.txt', 'river.pdf.txt'].toSorted());
    const accounts = (await distinct(connectQuestion)).map(({ displayValue }) => displayValue);
    expect(accounts.toSorted()).toEqual([USERNAME, 'cat', 'octo']);
  });

  test('the value that a file was listed with finds the responses that hold it, one of several files too', async () => {
    const map = await readMatchValue(fileQuestion, 'map.txt');
    const lake = await readMatchValue(fileQuestion, 'lake.txt');
    expect(await matching(by(fileQuestion, map))).toEqual([one]);
    expect(await matching(by(fileQuestion, map, lake))).toEqual([one, two]);
    const hostile = await readMatchValue(fileQuestion, NAMES[1] ?? '');
    expect(await matching(by(fileQuestion, hostile))).toHaveLength(1);
    expect((await distinct(fileQuestion, by(fileQuestion, map))).filter(({ selected }) => selected)).toMatchObject([
      { displayValue: 'map.txt' },
    ]);
  });

  test('a username finds its responses, and narrows what another question lists', async () => {
    expect(await matching(by(connectQuestion, 'cat'))).toEqual([two]);
    expect(await matching(by(connectQuestion, 'octo@example.org'))).toEqual([]);
    const left = await distinct(fileQuestion, by(connectQuestion, 'octo'));
    expect(left.map(({ displayValue }) => displayValue)).toEqual(['map.txt', 'river.pdf.txt']);
  });

  test('a file that was deleted is found and listed no more', async () => {
    const lake = await readMatchValue(fileQuestion, 'lake.txt');
    const [fileId = ''] = (await cast.erin.client.files.listMyFiles()).body.flatMap(({ id, originalFilename }) =>
      originalFilename === 'lake.txt' ? [id] : [],
    );
    await cast.alice.client.files.deleteFile({ params: { fileId } });
    expect(await matching(by(fileQuestion, lake))).toEqual([]);
    expect(await readMatchValue(fileQuestion, 'lake.txt')).toBe('');
    expect(await matching(by(connectQuestion, 'cat'))).toEqual([two]);
  });
});
