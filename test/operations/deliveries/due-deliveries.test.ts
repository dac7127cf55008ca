/** What a submission makes due: begun by the stream, or, where a step of it failed, by the reminder. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { StorageBusy, type Table, type Write } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { measureCost } from '#test/support/cost.ts';
import { withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, respond, save, sent, start, submit, text } from '#test/support/responses.ts';
import { answersIn, ownSheets, type SheetForm, sheetForm } from '#test/support/sheets.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const ownMail = ownSes();
const sheets = ownSheets();
muteErrors();
let cast: Cast;
let form: SheetForm;
let dave: Person;
beforeAll(async () => {
  cast = await newCast();
});
beforeEach(async () => {
  const { alice, slug } = cast;
  form = await sheetForm(alice, slug);
  const body = { sendResponseEmail: true, allowEditResponse: true };
  await alice.client.forms.updateForm({ params: form, body });
  dave = await person('dave');
  await sweepIn(0);
});

const submitted = () => respond(dave, form.formId, [text(form.questionId, 'Ness')]);
const stream = (twice = false) => deliverStream({ only: ['deliver'], twice });
const readDeliveries = async (responseId: string) =>
  (await cast.alice.client.responses.getResponse({ params: { formId: form.formId, responseId } })).body.deliveries;

/** Sweeps until reminders and the claims of workers that died are due. */
async function sweepOn(): Promise<void> {
  for (const minutes of [2, 4, 20]) await sweepIn(minutes * 60);
  await receiveEvents(ownMail());
}

const expectOneOfEach = async (responseId: string, answer = 'Ness') => {
  expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  expect(answersIn(sheets(), form)).toEqual([answer]);
  expect(await readDeliveries(responseId)).toMatchObject({ email: { state: 'SENT' }, spreadsheet: { state: 'SENT' } });
  const items = await app().table.read([keys.dueDeliveries(responseId)]);
  expect(items).toEqual([undefined]);
};

const isReminder = ([write]: readonly Write[]): boolean =>
  write !== undefined && 'put' in write && write.put.kind === 'due-deliveries';

/** Changes how reminders are written. */
const withReminders = (write: Table['write'], run: () => Promise<string>) =>
  withTable((table) => ({ write: (writes) => (isReminder(writes) ? write(writes) : table.write(writes)) }), run);

test('a submission is delivered once, by the stream or by the reminder', async () => {
  const id = await submitted();
  expect(await readDeliveries(id)).toMatchObject({
    email: { state: 'QUEUED', attempts: 0 },
    spreadsheet: { state: 'QUEUED', attempts: 0 },
  });
  await stream(true);
  await sweepOn();
  await expectOneOfEach(id);
});

test('a submission that the stream has lost is delivered by the reminder', async () => {
  const id = await submitted();
  await sweepOn();
  await expectOneOfEach(id);
  await stream(true);
  await expectOneOfEach(id);
});

test('a submission whose reminder could not be written is stored, and delivered by the stream', async () => {
  const id = await withReminders(() => Promise.reject(new StorageBusy(new Error('throttled'))), submitted);
  await stream();
  await sweepOn();
  await expectOneOfEach(id);
});

test('a reminder of a submission that was not stored delivers nothing', async () => {
  const id = await start(dave, form.formId);
  const failing = ({ write }: Table): Partial<Table> => ({
    write: (writes) => (isReminder(writes) ? write(writes) : Promise.reject(new Error('the process died'))),
  });
  await expect(withTable(failing, () => submit(dave, id))).rejects.toMatchObject({ status: 500 });
  await sweepOn();
  expect(mailsTo(ownMail(), dave)).toEqual([]);
  expect(answersIn(sheets(), form)).toEqual([]);
});

test('what is changed right after the submission is in the mail and in the row, once', async () => {
  const id = await submitted();
  await save(dave, id, [text(form.questionId, 'Awe')]);
  await stream();
  await sweepOn();
  await expectOneOfEach(id, 'Awe');
  expect(mailsTo(ownMail(), dave)[0]?.text).toContain('Awe');
});

test('a copy that was dropped because the form sends none is not sent by a later change', async () => {
  const { alice } = cast;
  const id = await submitted();
  await alice.client.forms.updateForm({ params: form, body: { sendResponseEmail: false } });
  await stream();
  expect(await readDeliveries(id)).not.toHaveProperty('email');
  await alice.client.forms.updateForm({ params: form, body: { sendResponseEmail: true } });
  await save(dave, id, [text(form.questionId, 'Awe')]);
  await stream(true);
  expect(mailsTo(ownMail(), dave)).toEqual([]);
});

test('each of two submissions of a response is mailed', async () => {
  const id = await submitted();
  await stream();
  await cancel(dave, id);
  await stream();
  expect(answersIn(sheets(), form)).toEqual([]);
  await submit(dave, id);
  await stream(true);
  await sweepOn();
  expect(mailsTo(ownMail(), dave)).toHaveLength(2);
  expect(answersIn(sheets(), form)).toEqual(['Ness']);
});

test('a mail and a row add two write units to a submission of 8 KB, and no round trip', async () => {
  const { alice, slug } = cast;
  const plain = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
  const both = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
  const spreadsheetUrl = `https://docs.google.com/spreadsheets/d/sheet-${both.formId}/edit`;
  await alice.client.forms.updateForm({ params: both, body: { sendResponseEmail: true, spreadsheetUrl } });
  const costs = [];
  for (const { formId, questionIds } of [plain, both]) {
    const id = await start(dave, formId);
    await save(dave, id, [sent(questionIds[0] ?? '', 'LONG_TEXT', 'x'.repeat(8_000))]);
    costs.push((await measureCost(() => submit(dave, id))).cost);
  }
  const [base, cost] = costs;
  expect(cost?.roundTrips).toBe(base?.roundTrips);
  expect((cost?.capacityUnits ?? 0) - (base?.capacityUnits ?? 0)).toBe(2);
});
