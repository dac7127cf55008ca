/** The rows of submissions in a spreadsheet: when they are written, changed and cleared, and what members see of it. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { newForm, question } from '#test/support/fixtures.ts';
import { cancel, pass, respond, save, sent, start, submit, text } from '#test/support/responses.ts';
import { addressOf, attemptRowsIn, readStatus, setSpreadsheet } from '#test/support/sheets.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, runSweep, sweepIn } from '#test/support/sweeps.ts';
import { sheetScene } from './sheet-scene.ts';

const { cast, sheets, newSheetForm, rowsOf, answers, answer, rowFate } = await sheetScene();
const MINUTE = 60;

describe('a submission', () => {
  test('is a row with its id, time, respondent and answers', async () => {
    const { dave, bob } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    expect(await rowFate(form.formId, id)).toMatchObject({ state: 'QUEUED' });
    await runSweep();
    expect(rowsOf(form)).toEqual([
      ['Response ID', 'Submitted at', 'Respondent', 'Which lake?'],
      [id, app().now().toISOString(), dave.email, 'Loch Ness'],
    ]);
    expect(await rowFate(form.formId, id)).toMatchObject({ state: 'SENT', attempts: 1 });
    expect(await readStatus(bob, form.formId)).toMatchObject({ reason: null });
  });

  test('has numbers as numbers, and other texts of digits as they were typed', async () => {
    const { alice, dave, slug } = cast;
    const formats = ['NUMBER', 'NUMBER', 'PHONE', undefined] as const;
    const kinds = formats.map((format) => ({ type: 'SHORT_TEXT' as const, ...(format && { text: { format } }) }));
    const { formId, questionIds } = await newForm(alice, slug, [kinds]);
    const spreadsheetId = `sheet-${formId}`;
    await setSpreadsheet(alice, formId, addressOf(spreadsheetId));
    const typed = ['12,50', '-7', '0049 30 1234', '12,50'];
    await respond(
      dave,
      formId,
      questionIds.map((id, index) => text(id, typed[index] ?? '')),
    );
    await runSweep();
    const [, row = []] = filledRows(sheets().api.spreadsheet(spreadsheetId));
    expect(row.slice(3)).toEqual([12.5, -7, '0049 30 1234', '12,50']);
  });

  test('is a row only when it is submitted, also after save and submit', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const id = await start(dave, form.formId);
    await save(dave, id, answer(form, 'Loch Ness'));
    await runSweep();
    expect(rowsOf(form)).toEqual([]);
    await submit(dave, id);
    await runSweep();
    expect(answers(form)).toEqual(['Loch Ness']);
  });

  test('that is edited changes its row', async () => {
    const { dave, erin } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await respond(erin, form.formId, answer(form, 'Loch Awe'));
    await runSweep();
    await save(dave, id, answer(form, 'Loch Lomond'));
    await runSweep();
    expect(answers(form).toSorted()).toEqual(['Loch Awe', 'Loch Lomond']);
  });

  test('that is cancelled has no row until it is submitted again', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await runSweep();
    await cancel(dave, id);
    await runSweep();
    expect(rowsOf(form)).toHaveLength(1);
    await submit(dave, id);
    await runSweep();
    expect(answers(form)).toEqual(['Loch Ness']);
    expect(sheets().api.spreadsheet(form.spreadsheetId).rows[1]?.[0]).toBe(id);
  });

  test('that was cancelled before its row was written has none', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await cancel(dave, id);
    await runSweep();
    expect(rowsOf(form)).toEqual([]);
    expect(await rowFate(form.formId, id)).toBeUndefined();
  });

  test.for(['before', 'after'] as const)('that is deleted %s its row was written leaves none', async (when) => {
    const { alice, dave, erin } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const responseId = await respond(dave, formId, answer(form, 'Loch Ness'));
    if (when === 'after') await runSweep();
    await alice.client.responses.deleteResponse({ params: { formId, responseId } });
    await runSweep();
    await respond(erin, formId, answer(form, 'Loch Awe'));
    await runSweep();
    expect(answers(form)).toEqual(['Loch Awe']);
  });

  test('that is deleted leaves nothing in the table', async () => {
    const { alice, dave } = cast;
    const { formId, ...form } = await newSheetForm();
    const ids = [];
    for (const lake of ['Ness', 'Awe']) ids.push(await respond(dave, formId, [text(form.questionId, lake)]));
    await runSweep();
    const [first = '', second = ''] = ids;
    await alice.client.responses.deleteResponse({ params: { formId, responseId: first } });
    await finishDeletions();
    expect(await itemsMentioning(first)).toEqual([]);
    await alice.client.forms.deleteForm({ params: { formId } });
    await finishDeletions();
    expect(await itemsMentioning(second)).toEqual([]);
    expect((await itemsMentioning(formId)).filter((key) => !key.endsWith(' LEASE'))).toEqual([]);
  });

  test('that is deleted while the spreadsheet is down is cleared afterwards', async () => {
    const { alice, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const responseId = await respond(dave, formId, answer(form, 'Loch Ness'));
    await runSweep();
    sheets().interfere(() => ({ status: 503 }));
    await alice.client.responses.deleteResponse({ params: { formId, responseId } });
    await runSweep();
    expect(answers(form)).toEqual(['Loch Ness']);
    sheets().interfere(() => undefined);
    pass(5 * MINUTE);
    await runSweep();
    expect(answers(form)).toEqual([]);
  });

  test('keeps texts as texts, and numbers as numbers', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [
      [question({ type: 'SHORT_TEXT' }), question({ type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } })],
    ]);
    const spreadsheetId = `typed-${formId}`;
    await setSpreadsheet(alice, formId, addressOf(spreadsheetId));
    await respond(dave, formId, [text(questionIds[0] ?? '', '=1+1'), sent(questionIds[1] ?? '', 'RATING', 4)]);
    await runSweep();
    expect(filledRows(sheets().api.spreadsheet(spreadsheetId))[1]?.slice(3)).toEqual(['=1+1', 4]);
  });

  test('shows answers to new questions in new columns', async () => {
    const { alice, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    await respond(dave, formId, answer(form, 'Loch Ness'));
    await runSweep();
    const [section] = (await alice.client.sections.listSections({ params: { formId } })).body;
    const body = question({ type: 'SHORT_TEXT', title: 'How deep?', order: 1 });
    const created = await alice.client.questions.createQuestion({
      params: { sectionId: section?.section.id ?? '' },
      body,
    });
    await respond(dave, formId, [...answer(form, 'Loch Awe'), text(created.body.id, '94 m')]);
    await runSweep();
    expect(rowsOf(form).map((row) => row.slice(3))).toEqual([
      ['Which lake?', 'How deep?'],
      ['Loch Ness', ''],
      ['Loch Awe', '94 m'],
    ]);
  });
});

describe('a row that somebody deleted', () => {
  test('stays deleted when its response is edited', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await runSweep();
    const range = { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 2 };
    sheets().api.change([{ deleteDimension: { range } }], form.spreadsheetId);
    await save(dave, id, answer(form, 'Loch Lomond'));
    await runSweep();
    expect(rowsOf(form)).toHaveLength(1);
  });
});

describe('setting a spreadsheet', () => {
  test('writes the rows of what was submitted before, in order', async () => {
    const { alice, bob, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    await setSpreadsheet(alice, formId, null);
    for (const lake of ['Ness', 'Awe', 'Lomond']) {
      await respond(dave, formId, answer(form, lake));
      pass(1);
    }
    await start(dave, formId);
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'BACKFILLING' });
    await runSweep();
    expect(answers(form)).toEqual(['Ness', 'Awe', 'Lomond']);
    pass(2 * MINUTE);
    await runSweep();
    expect(await readStatus(bob, formId)).toEqual({ state: 'READY', reason: null, since: null });
    expect(answers(form)).toHaveLength(3);
  });

  test('to another one writes them there, and back does not write them twice', async () => {
    const { alice, dave } = cast;
    const form = await newSheetForm();
    await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await runSweep();
    const other = { ...form, spreadsheetId: `other-${form.formId}` };
    for (const target of [other, form]) {
      await setSpreadsheet(alice, form.formId, addressOf(target.spreadsheetId));
      await runSweep();
    }
    expect([answers(form), answers(other)]).toEqual([['Loch Ness'], ['Loch Ness']]);
  });

  test('back to an earlier one brings the rows there up to date', async () => {
    const { alice, dave, erin } = cast;
    const form = await newSheetForm();
    const ids = [await respond(dave, form.formId, answer(form, 'Loch Ness'))];
    ids.push(await respond(erin, form.formId, answer(form, 'Loch Awe')));
    await runSweep();
    await setSpreadsheet(alice, form.formId, addressOf(`other-${form.formId}`));
    await runSweep();
    await cancel(dave, ids[0] ?? '');
    await save(erin, ids[1] ?? '', answer(form, 'Loch Lomond'));
    await runSweep();
    await setSpreadsheet(alice, form.formId, addressOf(form.spreadsheetId));
    await runSweep();
    expect(answers(form)).toEqual(['Loch Lomond']);
  });

  test('to another one and back at once writes a row that was queued before', async () => {
    const { alice, dave } = cast;
    const form = await newSheetForm();
    const other = { ...form, spreadsheetId: `other-${form.formId}` };
    await respond(dave, form.formId, answer(form, 'Loch Ness'));
    await setSpreadsheet(alice, form.formId, addressOf(other.spreadsheetId));
    await attemptRowsIn(0);
    expect(answers(other)).toEqual(['Loch Ness']);
    await setSpreadsheet(alice, form.formId, addressOf(form.spreadsheetId));
    await runSweep();
    expect(answers(form)).toEqual(['Loch Ness']);
  });

  test('to another one hears nothing of rows that cannot be cleared in the earlier one', async () => {
    const { alice, bob, dave } = cast;
    const form = await newSheetForm();
    const { formId, spreadsheetId } = form;
    const responseId = await respond(dave, formId, answer(form, 'Loch Ness'));
    await runSweep();
    await setSpreadsheet(alice, formId, addressOf(`other-${formId}`));
    await sweepIn(2 * MINUTE);
    sheets().interfere((_, id) => (id === spreadsheetId ? { status: 403 } : undefined));
    await alice.client.responses.deleteResponse({ params: { formId, responseId } });
    await sweepIn(4 * MINUTE);
    expect(answers(form)).toEqual(['Loch Ness']);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'READY' });
    sheets().interfere(() => ({ status: 403 }));
    const other = await respond(dave, formId, answer(form, 'Loch Awe'));
    await sweepIn(6 * MINUTE);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'FAILED' });
    sheets().interfere(() => undefined);
    await bob.client.deliveries.retryDelivery({ params: { formId, responseId: other, kind: 'spreadsheet' } });
    await sweepIn(8 * MINUTE);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'READY' });
  });

  test('again brings every row up to date with what changed while none was set', async () => {
    const { alice, dave, erin, chelsea } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const ids = [];
    for (const [person, lake] of [
      [dave, 'Ness'],
      [erin, 'Awe'],
      [chelsea, 'Tay'],
    ] as const) {
      ids.push(await respond(person, formId, answer(form, lake)));
      pass(1);
    }
    await runSweep();
    await setSpreadsheet(alice, formId, null);
    await save(dave, ids[0] ?? '', answer(form, 'Ness II'));
    await cancel(erin, ids[1] ?? '');
    await submit(erin, ids[1] ?? '', answer(form, 'Awe II'));
    await cancel(chelsea, ids[2] ?? '');
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await runSweep();
    expect(answers(form)).toEqual(['Ness II', 'Awe II']);
  });

  test('again after another one was set for a moment only brings every row up to date too', async () => {
    const { alice, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const id = await respond(dave, formId, answer(form, 'Ness'));
    await runSweep();
    await setSpreadsheet(alice, formId, null);
    await save(dave, id, answer(form, 'Ness II'));
    await setSpreadsheet(alice, formId, addressOf(`other-${formId}`));
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await runSweep();
    expect(answers(form)).toEqual(['Ness II']);
  });

  test('that is set already queues nothing, whatever else of the form changes', async () => {
    const { alice, bob, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    await respond(dave, formId, answer(form, 'Loch Ness'));
    await runSweep();
    await sweepIn(2 * MINUTE);
    sheets().api.calls.length = 0;
    const spreadsheetUrl = `${addressOf(form.spreadsheetId)}?usp=sharing#gid=0`;
    await alice.client.forms.updateForm({ params: { formId }, body: { title: 'Lakes', spreadsheetUrl } });
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'READY' });
    await sweepIn(4 * MINUTE);
    expect(sheets().api.calls).toEqual([]);
  });

  test('again after a failure continues a backfill that had not come to every row', async () => {
    const { alice, bob, dave, erin } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const id = await respond(dave, formId, answer(form, 'Ness'));
    await runSweep();
    await setSpreadsheet(alice, formId, null);
    await save(dave, id, answer(form, 'Ness II'));
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    sheets().interfere(() => ({ status: 403 }));
    await respond(erin, formId, answer(form, 'Awe'));
    await attemptRowsIn(0);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'FAILED', reason: 'no_access' });
    sheets().interfere(() => undefined);
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await runSweep();
    expect(answers(form).toSorted()).toEqual(['Awe', 'Ness II']);
  });

  test('shows what was answered to questions that were removed before', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [
      [
        { type: 'SHORT_TEXT', title: 'Which lake?' },
        { type: 'SHORT_TEXT', title: 'How deep?' },
      ],
    ]);
    const [lake = '', depth = ''] = questionIds;
    const id = await respond(dave, formId, [text(lake, 'Loch Ness'), text(depth, '230 m')]);
    const [section] = (await alice.client.sections.listSections({ params: { formId } })).body;
    const sectionId = section?.section.id ?? '';
    await alice.client.questions.deleteQuestion({ params: { sectionId, questionId: depth } });
    const form = { formId, questionId: lake, spreadsheetId: `removed-${formId}` };
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await runSweep();
    const expected = ['Loch Ness', '230 m'];
    expect(rowsOf(form).map((row) => row.slice(3))).toEqual([['Which lake?', 'How deep? (removed)'], expected]);
    await save(dave, id, answer(form, 'Loch Lomond'));
    await runSweep();
    expect(rowsOf(form)[1]?.slice(3)).toEqual(['Loch Lomond', '230 m']);
  });

  test('that two forms share gives each its rows', async () => {
    const { alice, dave } = cast;
    const [one, two] = [await newSheetForm(), await newSheetForm()];
    await setSpreadsheet(alice, two.formId, addressOf(one.spreadsheetId));
    await respond(dave, one.formId, answer(one, 'Loch Ness'));
    await runSweep();
    await respond(dave, two.formId, answer(two, 'Loch Awe'));
    await runSweep();
    expect(
      rowsOf(one)
        .map((row) => row.slice(3).join('/'))
        .toSorted(),
    ).toEqual(['/Loch Awe', 'Loch Ness/', 'Which lake?/Which lake?']);
  });

  test('that is not at Google is shown as failed, to members only', async () => {
    const { alice, dave, slug } = cast;
    const { formId } = await newForm(alice, slug, []);
    const { body } = await setSpreadsheet(alice, formId, 'https://sheets.example.org/d/1/edit');
    expect(body.spreadsheet).toMatchObject({ state: 'FAILED', reason: 'no_google_spreadsheet' });
    expect(await readStatus(dave, formId)).toBeNull();
    expect((await setSpreadsheet(alice, formId, null)).body.spreadsheet).toBeNull();
  });
});
