/** Spreadsheets that are down, refuse rows or cannot be accessed, and workers that share the quota: no row is lost or written twice. */
import { describe, expect, test } from 'vitest';
import { inRequestContext } from '#core/db/request-context.ts';
import { sheetScene } from '#test/operations/deliveries/sheet-scene.ts';
import { cancel, pass, respond, save } from '#test/support/responses.ts';
import { addressOf, attemptRowsIn, readStatus, setSpreadsheet } from '#test/support/sheets.ts';
import { runSweep, sweepIn } from '#test/support/sweeps.ts';

const { cast, sheets, newSheetForm, rowsOf, answers, answer, rowFate } = await sheetScene();
const MINUTE = 60;
const HOUR = 3_600;

describe('two workers', () => {
  test('write each row once', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    for (const lake of ['Ness', 'Awe', 'Lomond', 'Tay']) await respond(dave, form.formId, answer(form, lake));
    await Promise.all([runSweep(), runSweep(), runSweep()]);
    await sweepIn(10 * MINUTE);
    expect(answers(form).toSorted()).toEqual(['Awe', 'Lomond', 'Ness', 'Tay']);
  });

  test('leave the quota of a minute to others, and continue in the next', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const id = await respond(dave, form.formId, answer(form, 'Loch Ness'));
    sheets().api.calls.length = 0;
    for (let count = 0; count < 40; count += 1) {
      await save(dave, id, answer(form, `Loch ${count}`));
      await runSweep();
    }
    expect(sheets().api.calls.filter((call) => call !== '/developerMetadata:search').length).toBeLessThanOrEqual(60);
    await sweepIn(2 * MINUTE);
    expect(answers(form)).toEqual(['Loch 39']);
  });
});

test('rows for which too little time is left follow in the next run', async () => {
  const { alice, dave } = cast;
  const [one, two] = [await newSheetForm(), await newSheetForm()];
  await setSpreadsheet(alice, two.formId, addressOf(one.spreadsheetId));
  for (const form of [one, two]) await respond(dave, form.formId, answer(form, 'Loch Ness'));
  const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 60_000 };
  sheets().interfere((call) => {
    if (call === ':batchUpdate') context.deadline = performance.now() + 15_000;
    return undefined;
  });
  await inRequestContext(context, () => attemptRowsIn(0));
  expect(rowsOf(one)).toHaveLength(2);
  await attemptRowsIn(2 * MINUTE);
  expect(rowsOf(one)).toHaveLength(3);
});

describe('a spreadsheet that is down', () => {
  test('for a day gets all rows once afterwards, with the latest answers', async () => {
    const { bob, dave } = cast;
    const form = await newSheetForm();
    sheets().interfere(() => ({ status: 503 }));
    const ids: string[] = [];
    for (const lake of ['Ness', 'Awe', 'Lomond']) {
      ids.push(await respond(dave, form.formId, answer(form, lake)));
      pass(1);
    }
    await runSweep();
    await save(dave, ids[0] ?? '', answer(form, 'Ness II'));
    await cancel(dave, ids[1] ?? '');
    expect(await readStatus(bob, form.formId)).toMatchObject({ state: 'RETRYING', reason: 'unavailable' });
    expect(await rowFate(form.formId, ids[2] ?? '')).toMatchObject({ state: 'QUEUED', reason: 'unavailable' });
    for (let hour = 0; hour < 24; hour += 1) await sweepIn(hour * HOUR);
    expect(answers(form)).toEqual([]);
    sheets().interfere(() => undefined);
    // All rows follow the first one that was due.
    let hour = 24;
    while (answers(form).length === 0 && hour < 31) await sweepIn(++hour * HOUR);
    expect(answers(form).toSorted()).toEqual(['Lomond', 'Ness II']);
  });

  test('for hours gets all rows within an hour', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    sheets().interfere(() => ({ status: 503 }));
    await respond(dave, form.formId, answer(form, 'Loch Ness'));
    for (let hour = 0; hour < 12; hour += 1) await sweepIn(hour * HOUR);
    sheets().interfere(() => undefined);
    for (let minute = 0; minute <= 60; minute += 10) await sweepIn(11 * HOUR + minute * MINUTE);
    expect(answers(form)).toEqual(['Loch Ness']);
  });

  test('in the middle of a backfill is still backfilling afterwards', async () => {
    const { alice, bob, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    await setSpreadsheet(alice, formId, null);
    await respond(dave, formId, answer(form, 'Loch Ness'));
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    sheets().interfere(() => ({ status: 503 }));
    await runSweep();
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'RETRYING', reason: 'unavailable' });
    sheets().interfere(() => undefined);
    pass(1);
    await respond(dave, formId, answer(form, 'Loch Awe'));
    await attemptRowsIn(45);
    expect(answers(form)).toEqual(['Loch Awe']);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'BACKFILLING', reason: null });
    await sweepIn(5 * MINUTE);
    expect(await readStatus(bob, formId)).toEqual({ state: 'READY', reason: null, since: null });
  });

  test('for 72 hours fails the rows; setting it again writes them', async () => {
    const { alice, bob, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const id = await respond(dave, formId, answer(form, 'Loch Ness'));
    sheets().interfere(() => ({ status: 503 }));
    for (let hour = 0; hour < 80; hour += 3) await sweepIn(hour * HOUR);
    expect(await rowFate(formId, id)).toMatchObject({ state: 'FAILED', reason: 'unavailable' });
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'FAILED', reason: 'unavailable' });
    sheets().interfere(() => undefined);
    await sweepIn(90 * HOUR);
    expect(answers(form)).toEqual([]);
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await sweepIn(91 * HOUR);
    expect(answers(form)).toEqual(['Loch Ness']);
  });
});

describe('a row that the spreadsheet refuses', () => {
  /** Refuses each request to write that contains a text, as Google refuses one that touches a protected row. */
  const protect = (answer: string) =>
    sheets().interfere((call, _, body) =>
      call !== '/developerMetadata:search' && body.includes(answer) ? { status: 400 } : undefined,
    );

  test('fails alone; set again, the spreadsheet gets it', async () => {
    const { alice, bob, dave, erin } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    const edited = await respond(dave, formId, answer(form, 'Ness'));
    const other = await respond(erin, formId, answer(form, 'Awe'));
    await runSweep();
    await save(dave, edited, answer(form, 'Ness II'));
    await save(erin, other, answer(form, 'Awe II'));
    const fresh = await respond(erin, formId, answer(form, 'Tay'));
    protect('Ness II');
    await runSweep();
    expect(answers(form).toSorted()).toEqual(['Awe II', 'Ness', 'Tay']);
    expect(await rowFate(formId, edited)).toMatchObject({ state: 'FAILED', reason: 'refused' });
    for (const id of [other, fresh]) expect(await rowFate(formId, id)).toMatchObject({ state: 'SENT' });
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'FAILED', reason: 'refused' });
    sheets().interfere(() => undefined);
    await setSpreadsheet(alice, formId, addressOf(form.spreadsheetId));
    await sweepIn(2 * MINUTE);
    expect(answers(form).toSorted()).toEqual(['Awe II', 'Ness II', 'Tay']);
    await sweepIn(4 * MINUTE);
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'READY' });
  });

  test('fails alone among many, within the quota of a minute', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const count = 60;
    const lakes = Array.from({ length: count }, (_, index) => `Loch ${index}.`);
    const ids = await Promise.all(lakes.map((lake) => respond(dave, form.formId, answer(form, lake))));
    protect('Loch 41.');
    sheets().api.calls.length = 0;
    await attemptRowsIn(0);
    expect(sheets().api.calls.filter((call) => call !== '/developerMetadata:search').length).toBeLessThanOrEqual(60);
    expect(answers(form)).toHaveLength(count - 1);
    expect(await rowFate(form.formId, ids[41] ?? '')).toMatchObject({ state: 'FAILED', reason: 'refused' });
  });

  test('fails with all others when the spreadsheet refuses every row, without a request for each', async () => {
    const { dave } = cast;
    const form = await newSheetForm();
    const lakes = Array.from({ length: 40 }, (_, index) => `Loch ${index}.`);
    const ids = await Promise.all(lakes.map((lake) => respond(dave, form.formId, answer(form, lake))));
    protect('Loch');
    sheets().api.calls.length = 0;
    await attemptRowsIn(0);
    expect(sheets().api.calls.filter((call) => call === ':batchUpdate').length).toBeLessThanOrEqual(30);
    for (const id of ids) expect(await rowFate(form.formId, id)).toMatchObject({ state: 'FAILED', reason: 'refused' });
  });
});

test.for([
  ['wrote', undefined],
  ['could not write', { status: 503 }],
] as const)('a worker whose clock was days ahead and %s rows keeps nobody waiting', async ([, interference]) => {
  const { dave, erin } = cast;
  const form = await newSheetForm();
  sheets().interfere(() => interference);
  await respond(dave, form.formId, answer(form, 'Loch Ness'));
  await attemptRowsIn(8 * 24 * HOUR);
  sheets().interfere(() => undefined);
  await respond(erin, form.formId, answer(form, 'Loch Awe'));
  await attemptRowsIn(0);
  expect(answers(form)).toContain('Loch Awe');
});

describe('a spreadsheet without access', () => {
  test('fails the rows at once; a retry writes them', async () => {
    const { bob, dave } = cast;
    const form = await newSheetForm();
    const { formId } = form;
    sheets().interfere(() => ({ status: 403 }));
    const responseId = await respond(dave, formId, answer(form, 'Loch Ness'));
    await runSweep();
    expect(await rowFate(formId, responseId)).toMatchObject({ state: 'FAILED', reason: 'no_access' });
    expect(await readStatus(bob, formId)).toMatchObject({ state: 'FAILED', reason: 'no_access' });
    sheets().interfere(() => undefined);
    await bob.client.deliveries.retryDelivery({ params: { formId, responseId, kind: 'spreadsheet' } });
    await runSweep();
    expect(answers(form)).toEqual(['Loch Ness']);
    expect(await rowFate(formId, responseId)).toMatchObject({ state: 'SENT' });
    expect(await readStatus(bob, formId)).toMatchObject({ reason: null });
  });

  test('does not delay other spreadsheets', async () => {
    const { dave } = cast;
    const [bad, good] = [await newSheetForm(), await newSheetForm()];
    await respond(dave, bad.formId, answer(bad, 'Loch Ness'));
    await respond(dave, good.formId, answer(good, 'Loch Awe'));
    sheets().interfere((_, id) => (id === bad.spreadsheetId ? { status: 403 } : undefined));
    await runSweep();
    expect([answers(bad), answers(good)]).toEqual([[], ['Loch Awe']]);
  });
});
