/**
 * What a submission makes due is queued with it: whatever happens to the worker, and whatever the respondent does
 * meanwhile, each submission that stands has one mail and a right row, and members see both.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { keys } from '#core/db/keys.ts';
import { StorageBusy, type Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { queueJob } from '#core/jobs/job.ts';
import { muteErrors } from '#test/support/console.ts';
import { measure, measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite, conflicting, withApp, withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, respond, save, sent, start, submit, text } from '#test/support/responses.ts';
import { addressOf, answersIn, ownSheets, type SheetForm, sheetForm } from '#test/support/sheets.ts';
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
  await deliver();
});

const submitted = () => respond(dave, form.formId, [text(form.questionId, 'Ness')]);
const deliver = (options = {}): Promise<unknown> => deliverStream({ only: ['deliver'], ...options });
const mails = () => mailsTo(ownMail(), dave);
const rows = () => answersIn(sheets(), form);
const readDeliveries = async (responseId: string) =>
  (await cast.alice.client.responses.getResponse({ params: { formId: form.formId, responseId } })).body.deliveries;

/** Sweeps until what failed and the claims of workers that died are due. */
async function sweepOn(): Promise<void> {
  for (const minutes of [4, 20]) {
    await receiveEvents(ownMail());
    await sweepIn(minutes * 60);
  }
  await receiveEvents(ownMail());
}

const SHOWN = { email: { state: expect.any(String) }, spreadsheet: { state: expect.any(String) } };
const SENT = { email: { state: 'SENT' }, spreadsheet: { state: 'SENT' } };

const busy = () => Promise.reject(new StorageBusy(new Error('throttled')));
const WORKERS = Object.fromEntries<() => Promise<unknown>>([
  ['attempts it at once', () => deliver()],
  ['has not begun', async () => undefined],
  [
    'gives up',
    () =>
      withTable(
        () => ({ read: busy, write: busy }),
        () => deliver(),
      ).catch(() => undefined),
  ],
  ['gets every batch twice and shuffled', () => deliver({ twice: true, shuffle: 'all' })],
  ['is killed before it claims', () => deliver({ kill: { call: 2, when: 'before' } })],
  ['is killed after it has claimed', () => deliver({ kill: { call: 3, when: 'after' } })],
  ['is killed after it has sent the mail', () => deliver({ kill: { call: 10, when: 'after' } })],
]);

/** What the respondent does then: how many mails are sent afterwards if `before` were sent until then, and the rows. */
type Meanwhile = { act(id: string): Promise<unknown>; mails(before: number): number; rows: readonly string[] };
const MEANWHILE: Record<string, Meanwhile> = {
  'does nothing': { act: async () => undefined, mails: () => 1, rows: ['Ness'] },
  edits: { act: (id) => save(dave, id, [text(form.questionId, 'Awe')]), mails: () => 1, rows: ['Awe'] },
  cancels: { act: (id) => cancel(dave, id), mails: (before) => before, rows: [] },
  'cancels and submits again': {
    act: async (id) => {
      await cancel(dave, id);
      await submit(dave, id, [text(form.questionId, 'Awe')]);
    },
    mails: (before) => before + 1,
    rows: ['Awe'],
  },
};

describe.each(Object.entries(WORKERS))('while the worker %s', (_worker, work) => {
  test.each(Object.entries(MEANWHILE))('and the respondent %s', async (_name, meanwhile) => {
    const id = await submitted();
    expect(await readDeliveries(id)).toMatchObject(SHOWN);
    await work();
    expect(await readDeliveries(id)).toMatchObject(SHOWN);
    const before = mails().length;
    await meanwhile.act(id);
    const stands = meanwhile.rows.length > 0;
    if (stands) expect(await readDeliveries(id)).toMatchObject(SHOWN);
    await deliver();
    await sweepOn();
    await deliver({ twice: true });
    expect(mails()).toHaveLength(meanwhile.mails(before));
    expect(rows()).toEqual(meanwhile.rows);
    if (stands) expect(await readDeliveries(id)).toMatchObject(SENT);
  });
});

test('a row that is edited while a worker writes it is written again', async () => {
  const id = await submitted();
  let isEdited = false;
  await withTable(
    ({ write }) => ({
      write: async (writes) => {
        await write(writes);
        // The claim of the row: the answers are read after it.
        const isClaim = writes.some((each) => 'put' in each && each.put.kind === 'spreadsheet-row');
        if (!isClaim || isEdited) return;
        isEdited = true;
        await save(dave, id, [text(form.questionId, 'Awe')]);
      },
    }),
    () => deliver(),
  );
  await sweepOn();
  expect(rows()).toEqual(['Awe']);
  expect(mails()).toHaveLength(1);
});

test('a submission that meets a worker at its delivery is stored with it, once', async () => {
  const id = await submitted();
  await deliver();
  await withTable(conflicting(2), () => save(dave, id, [text(form.questionId, 'Awe')]));
  await sweepOn();
  expect(rows()).toEqual(['Awe']);
});

test('a submission is not stored without its deliveries', async () => {
  const id = await start(dave, form.formId);
  const failing = ({ write }: Table): Partial<Table> => ({
    write: (writes) => (writes.length > 1 ? Promise.reject(new Error('the process died')) : write(writes)),
  });
  await expect(withTable(failing, () => submit(dave, id))).rejects.toMatchObject({ status: 500 });
  await sweepOn();
  expect([mails(), rows()]).toEqual([[], []]);
  expect(await app().table.read([keys.delivery(id, 'email'), keys.delivery(id, 'spreadsheet')])).toEqual([
    undefined,
    undefined,
  ]);
});

test('a mail that a member sends again while the response is submitted again is one of two', async () => {
  const { alice } = cast;
  const id = await submitted();
  await deliver();
  const retry = () =>
    alice.client.deliveries.retryDelivery({ params: { formId: form.formId, responseId: id, kind: 'email' } });
  await expect(
    beforeFirstWrite(retry, async () => {
      await cancel(dave, id);
      await submit(dave, id);
    }),
  ).rejects.toMatchObject({ status: 404 });
  await deliver();
  await sweepOn();
  expect(mails()).toHaveLength(2);
});

test('a copy that was dropped because the form sends none is not sent by a later change', async () => {
  const { alice } = cast;
  const id = await submitted();
  await alice.client.forms.updateForm({ params: form, body: { sendResponseEmail: false } });
  await deliver();
  expect(await readDeliveries(id)).not.toHaveProperty('email');
  await alice.client.forms.updateForm({ params: form, body: { sendResponseEmail: true } });
  await save(dave, id, [text(form.questionId, 'Awe')]);
  await deliver({ twice: true });
  expect(mails()).toEqual([]);
});

test('a submission of 8 KB with a mail and a row costs at most 25 write units, and no round trip more', async () => {
  const { alice, slug } = cast;
  const { config } = app();
  const client = dynamoClient(config);
  const meter = { reads: 0, writes: 0 };
  measure(client, meter);
  const costs = [];
  for (const isDelivered of [false, true]) {
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
    const spreadsheetUrl = isDelivered ? addressOf(`sheet-${formId}`) : null;
    await alice.client.forms.updateForm({
      params: { formId },
      body: { sendResponseEmail: isDelivered, spreadsheetUrl },
    });
    const id = await start(dave, formId);
    await save(dave, id, [sent(questionIds[0] ?? '', 'LONG_TEXT', 'x'.repeat(7_200))]);
    Object.assign(meter, { writes: 0 });
    const measured = () => measureCost(() => submit(dave, id));
    const { cost } = await withApp(() => ({ table: dynamoTable(client, config.tableName) }), measured);
    costs.push({ writes: meter.writes, roundTrips: cost.roundTrips });
  }
  const [plain, delivered] = costs;
  expect(plain?.writes).toBeLessThanOrEqual(11);
  expect(delivered?.writes).toBeLessThanOrEqual(25);
  expect(delivered?.roundTrips).toBe(plain?.roundTrips);
});

describe('a reminder of the version before', () => {
  const reminderOf = (id: string) => ({ ...keys.response(id), sk: 'DUE' });

  /** Stores a submission as that version did: it says what is due, and a reminder is queued instead of its deliveries. */
  async function submittedBefore({ isMailSent = false } = {}): Promise<string> {
    const id = await submitted();
    if (isMailSent) await deliver();
    const { table, now } = app();
    const [item] = await table.read([keys.response(id)]);
    if (!item) throw new Error('a response was expected');
    const { version } = item;
    const due = JSON.stringify({
      email: { version, submittedAt: item.submittedAt, language: 'zh-TW' },
      spreadsheet: { version, spreadsheetId: form.spreadsheetId },
    });
    if (!isMailSent) await table.remove([keys.delivery(id, 'email'), keys.delivery(id, 'spreadsheet')]);
    await table.write([{ put: { ...item, due } }]);
    const reminder = { key: reminderOf(id), kind: 'due-deliveries' as const, data: {}, dueInSeconds: 60 };
    await table.write([queueJob({ ...reminder, attributes: { version } }, now())]);
    return id;
  }

  test.each([false, true])('leads to one mail and the row (the mail was sent: %s)', async (isMailSent) => {
    const id = await submittedBefore({ isMailSent });
    await deliver();
    await sweepOn();
    expect(mails()).toHaveLength(1);
    expect(rows()).toEqual(['Ness']);
    expect(await readDeliveries(id)).toMatchObject(SENT);
    expect(await app().table.read([reminderOf(id)])).toEqual([undefined]);
  });

  test('is kept by an edit', async () => {
    const id = await submittedBefore();
    await save(dave, id, [text(form.questionId, 'Awe')]);
    await sweepOn();
    expect(mails()).toHaveLength(1);
    expect(rows()).toEqual(['Awe']);
  });
});
