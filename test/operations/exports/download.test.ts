/** The XLSX export read back: its columns, its cells, its name, and who may download it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chooseNames, createAccount } from '#core/accounts/accounts.ts';
import { requestContext } from '#core/db/request-context.ts';
import type { Table } from '#core/db/table.ts';
import { FORMATS } from '#core/exports/options.ts';
import { app } from '#core/http/app.ts';
import { withTable } from '#test/support/faults.ts';
import { expectProblem, newForm, type Person } from '#test/support/fixtures.ts';
import {
  branchedForm,
  castAt,
  choice,
  displays,
  type EveryType,
  everyTypeForm,
  pass,
  preview,
  respond,
  save,
  sent,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
let form: EveryType;
beforeAll(async () => {
  form = await everyTypeForm(cast.alice, cast.slug);
});

const download = ({ client }: Pick<Person, 'client'>, formId: string, questionIds: string[]) =>
  client.exports.downloadTable({ params: { formId }, body: { questionIds } });

/** The header and the rows of an export. */
async function exported(formId: string, questionIds: string[]) {
  const sheet = sheetOf(await open(fileOf(await download(cast.alice, formId, questionIds))));
  const header = Array.from({ length: sheet.columnCount }, (_, column) => sheet.getCell(1, column + 1).value);
  return { sheet, header, rows: valuesOf(sheet, sheet.columnCount) };
}

describe('the sheet', () => {
  test('has the columns Response ID, Submitted at and Respondent, then the questions in workflow order', async () => {
    const { alice, slug } = cast;
    const titles = ['Why?', 'Why?', 'Who 表單 😀'];
    const built = await newForm(alice, slug, [titles.map((title) => ({ type: 'SHORT_TEXT' as const, title }))]);
    const { header, sheet } = await exported(built.formId, built.questionIds.toReversed());
    expect(header).toEqual(['Response ID', 'Submitted at', 'Respondent', ...titles]);
    expect(sheet.getCell('A1').font.bold).toBe(true);
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    // An id has 36 characters.
    expect(sheet.getColumn(1).width).toBeGreaterThanOrEqual(36);
    expect(sheet.rowCount).toBe(1);
  });

  test('has a row for each submitted response, oldest submission first, with a real time and the respondent', async () => {
    const { alice, dave, erin, slug } = cast;
    const built = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = built.questionIds;
    const [one, two] = [await start(dave, built.formId), await start(erin, built.formId)];
    await start(dave, built.formId);
    const first = pass(1);
    await submit(erin, two, [text(questionId, 'two')]);
    const second = pass(1);
    await submit(dave, one);
    const { rows } = await exported(built.formId, built.questionIds);
    expect(rows).toEqual([
      [two, new Date(first), erin.email, 'two'],
      [one, new Date(second), dave.email, null],
    ]);
  });

  test('names a respondent without an address by username, or else by id', async () => {
    const built = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const now = app().now().toISOString();
    const ids = [app().uuid(), app().uuid()];
    const accounts = await Promise.all(
      ids.map((id) => createAccount(app().table, { id, emails: [], avatarUrl: '', now })),
    );
    const username = `heron-${app().uuid()}`;
    for (const account of accounts.slice(1)) await chooseNames(app(), account, { username, name: 'Heron' });
    await store(ids.map((id) => submissionOf(built, id, now)));
    const { rows } = await exported(built.formId, built.questionIds);
    expect(rows.map(([, , respondent]) => respondent).toSorted()).toEqual([ids[0], username].toSorted());
  });

  test('leaves answers off the path out', async () => {
    const { alice, dave, slug } = cast;
    const short = { type: 'SHORT_TEXT' as const };
    const branched = await branchedForm({ person: alice, slug }, { first: [short], yes: [short], no: [short] });
    const [why = ''] = branched.yes;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'yes'), text(why, 'kept')]);
    await submit(dave, responseId, [text(branched.asked, 'no')]);
    expect((await exported(branched.formId, [branched.asked, why])).rows[0]?.slice(3)).toEqual(['no', null]);
  });

  test('marks the column of a removed question, and keeps its answers', async () => {
    const { alice, dave, slug } = cast;
    const built = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Why?' }]]);
    const [questionId = ''] = built.questionIds;
    await respond(dave, built.formId, [text(questionId, 'because')]);
    await alice.client.questions.deleteQuestion({ params: { sectionId: built.sectionIds[0] ?? '', questionId } });
    const { header, rows } = await exported(built.formId, built.questionIds);
    expect(header[3]).toMatch(/^Why\?.*removed/);
    expect(rows[0]?.[3]).toBe('because');
  });
});

describe('the cells', () => {
  test('of every type are what the table displays; numbers and whole dates are real', async () => {
    const { dave } = cast;
    const { formId, questionIds, byType } = form;
    const choices = (type: 'DROPDOWN' | 'RANKING', ...names: string[]) =>
      names.map((name) => choice(byType[type], name));
    const responseId = await respond(dave, formId, [
      text(byType.SHORT_TEXT.id, '=1+1'),
      sent(byType.LONG_TEXT.id, 'LONG_TEXT', 'zwei\nZeilen 👩‍👩‍👧‍👦 表單'),
      sent(byType.DROPDOWN.id, 'DROPDOWN', choices('DROPDOWN', 'Other'), '@home'),
      sent(byType.RANKING.id, 'RANKING', choices('RANKING', 'Red', 'Blue')),
      sent(byType.DATE.id, 'DATE', '2024-02-29'),
      sent(byType.LINEAR_SCALE.id, 'LINEAR_SCALE', 8),
      sent(byType.RATING.id, 'RATING', 5),
      sent(byType.HYPERLINK.id, 'HYPERLINK', 'https://example.org/?a=1&b=2'),
    ]);
    const shown = displays(await preview(dave, formId, responseId));
    const { rows, sheet } = await exported(formId, questionIds);
    const index = rows.findIndex(([id]) => id === responseId);
    const real: Record<string, unknown> = {
      [byType.DATE.id]: new Date('2024-02-29'),
      [byType.LINEAR_SCALE.id]: 8,
      [byType.RATING.id]: 5,
    };
    expect(rows[index]?.slice(3)).toEqual(questionIds.map((id) => real[id] ?? shown[id] ?? null));
    const formula = sheet.getCell(index + 2, 4 + questionIds.indexOf(byType.SHORT_TEXT.id));
    expect({ value: formula.value, formula: formula.formula }).toEqual({ value: '=1+1', formula: undefined });
    const cellOf = ({ id }: { id: string }) => sheet.getCell(index + 2, 4 + questionIds.indexOf(id));
    expect(cellOf(byType.HYPERLINK).hyperlink).toBe('https://example.org/?a=1&b=2');
    expect(formula.hyperlink).toBeUndefined();
    const widthOf = ({ id }: { id: string }) => sheet.getColumn(4 + questionIds.indexOf(id)).width ?? 0;
    // In this column texts are wrapped.
    expect(widthOf(byType.LONG_TEXT)).toBeGreaterThanOrEqual(60);
    expect(widthOf(byType.SHORT_TEXT)).toBeLessThan(60);
  });

  test('of texts that begin like a formula stay text', async () => {
    const { alice, dave, slug } = cast;
    const built = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const values = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0"];
    for (const value of values) {
      await respond(dave, built.formId, [text(built.questionIds[0] ?? '', value)]);
      pass(1);
    }
    const { rows, sheet } = await exported(built.formId, built.questionIds);
    expect(rows.map((row) => row[3])).toEqual(values.map((value) => value.replaceAll('\r', '\n')));
    for (const index of values.keys()) expect(sheet.getCell(`D${index + 2}`).formula).toBeUndefined();
  });

  test('of dates without all their parts are text as displayed', async () => {
    const { alice, dave, slug } = cast;
    const date = { hasYear: true, hasMonth: true, hasDay: false };
    const built = await newForm(alice, slug, [[{ type: 'DATE', date }]]);
    await respond(dave, built.formId, [sent(built.questionIds[0] ?? '', 'DATE', '2024-06')]);
    expect((await exported(built.formId, built.questionIds)).rows[0]?.[3]).toBe('2024-06');
  });
});

describe('the file', () => {
  test('is an XLSX attachment whose type no browser guesses', async () => {
    const { headers, status } = await download(cast.alice, form.formId, form.questionIds);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(FORMATS.XLSX.contentType);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is named after the form', async () => {
    const { alice, slug } = cast;
    const title = 'He said "hi"; 表單\r\nX-Evil: 1';
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title });
    const disposition = (await download(alice, formId, questionIds)).headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename=[\x20-\x7e]*; filename\*=UTF-8''[\x21-\x7e]+$/);
    expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? '')).toBe(
      'He said hi ; 表單 X-Evil 1.xlsx',
    );
  });

  test('is for members: others 403, unknown or foreign questions 404, not signed in 401, no questions 400', async () => {
    const { alice, bob, chelsea, dave, nobody } = cast;
    const { formId, questionIds } = form;
    expect((await download(bob, formId, questionIds)).status).toBe(200);
    const readStatus = async (who: Pick<Person, 'client'>, ids: string[]) =>
      (await expectProblem(download(who, formId, ids))).status;
    expect(await readStatus(chelsea, questionIds)).toBe(403);
    expect(await readStatus(dave, questionIds)).toBe(403);
    expect(await readStatus({ client: nobody }, questionIds)).toBe(401);
    expect(await readStatus(alice, [...questionIds, formId])).toBe(404);
    expect(await readStatus(alice, [])).toBe(400);
  });
});

test('an export whose answers take too long to read becomes a job', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await respond(dave, formId, [text(questionIds[0] ?? '', 'a long story')]);
  const slow = ({ list: page }: Table): Partial<Table> => ({
    list: (request) => {
      const context = requestContext();
      if (context) context.deadline = performance.now() + 9_000;
      return page(request);
    },
  });
  expect((await download(alice, formId, questionIds)).status).toBe(200);
  const queued = await withTable(slow, () => download(alice, formId, questionIds));
  expect(queued).toMatchObject({ status: 202, body: { state: 'QUEUED' } });
});
