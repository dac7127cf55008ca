/** Drafts of guests, which nobody could find again for ever, are deleted 30 days after they were saved last. */
import { describe, expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { type Expiry, ensureExpiry } from '#core/jobs/expiry.ts';
import { parseJob, replaceJob } from '#core/jobs/job.ts';
import { loadResponses } from '#core/responses/store.ts';
import { withTable } from '#test/support/faults.ts';
import { PICTURES, pdf, uploaded } from '#test/support/files.ts';
import { newForm, newGuest } from '#test/support/fixtures.ts';
import {
  cancel,
  castAt,
  draftOf,
  pass,
  respond,
  save,
  start,
  store,
  submissionOf,
  text,
} from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, runSweep } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const { alice, dave, slug } = await castAt();
const DAY = 86_400;

async function formForAnyone() {
  const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES }];
  const { formId, questionIds, sectionIds } = await newForm(alice, slug, [kinds], { audience: 'ANYONE' });
  const [questionId = '', fileQuestionId = ''] = questionIds;
  return { formId, sectionIds, questionId, fileQuestionId };
}

/** Lets some days pass; then the workers run. */
async function passDays(count: number): Promise<void> {
  pass(count * DAY);
  await deliverStream();
  await runSweep();
}

const isKept = async (responseId: string): Promise<boolean> =>
  (await loadResponses(app().table, [responseId])).length > 0;

/** When the job of a form looks next; undefined without a job. */
const nextLook = async (formId: string) => parseJob((await app().table.read([keys.expiry(formId)]))[0])?.dueAt;

test('a draft of a guest is deleted with its files 30 days after it was saved last, and nothing else is', async () => {
  const form = await formForAnyone();
  const { formId, questionId, fileQuestionId } = form;
  const guest = await newGuest(formId);
  const responseId = await start(guest, formId, [text(questionId, 'Loch Ness')]);
  await uploaded(guest, { responseId, questionId: fileQuestionId }, pdf('a.pdf', 100));
  const submitted = await respond(await newGuest(formId), formId);
  const ofAccount = draftOf(form, dave.id, pass(0));
  await store([ofAccount]);
  await passDays(20);
  await save(guest, responseId, [text(questionId, 'Loch Lomond')]);
  await passDays(29);
  expect(await isKept(responseId)).toBe(true);
  await passDays(3);
  expect(await isKept(responseId)).toBe(false);
  expect([await isKept(submitted), await isKept(ofAccount.id)]).toEqual([true, true]);
  await finishDeletions();
  await deliverStream();
  expect(await itemsMentioning(responseId)).toEqual([]);
  expect(await loadCounters(app().table, formId)).toMatchObject({ drafts: 1, submitted: 1 });
});

test('a submission that a guest has cancelled is kept for 30 days more', async () => {
  const { formId } = await formForAnyone();
  const guest = await newGuest(formId);
  const responseId = await respond(guest, formId);
  await passDays(29);
  await cancel(guest, responseId);
  await passDays(29);
  expect(await isKept(responseId)).toBe(true);
  await passDays(3);
  expect(await isKept(responseId)).toBe(false);
});

test('a draft that is saved while it is about to be deleted stays', async () => {
  const { formId, questionId } = await formForAnyone();
  const uuid = '00000000-0000-4000-8000-00000003de63';
  const responseId = await start(await newGuest(formId, uuid), formId);
  await passDays(29);
  pass(2 * DAY);
  const again = await newGuest(formId, uuid);
  let isSaved = false;
  await withTable(
    (table) => ({
      write: async (writes) => {
        const deletes = writes.some((write) => 'put' in write && write.put.progress === 'DELETED');
        if (deletes && !isSaved) {
          isSaved = true;
          await save(again, responseId, [text(questionId, 'Just in time')]);
        }
        await table.write(writes);
      },
    }),
    () => passDays(2),
  );
  expect([isSaved, await isKept(responseId)]).toEqual([true, true]);
  await passDays(32);
  expect(await isKept(responseId)).toBe(false);
});

test('one run deletes all that is due, also behind many drafts of people with an account', async () => {
  const form = await formForAnyone();
  const drafts = (count: number, userId: () => string, at: string) =>
    Array.from({ length: count }, () => draftOf(form, userId(), at));
  const ofAccount = drafts(480, () => dave.id, pass(0));
  const ofGuests = drafts(60, () => idWithin(form.formId, app().uuid()), pass(1));
  await store([...ofAccount, ...ofGuests]);
  await tallyResponses(app(), [ofGuests[0]?.id ?? '']);
  pass(31 * DAY);
  await runSweep();
  expect(
    await loadResponses(
      app().table,
      ofGuests.map(({ id }) => id),
    ),
  ).toEqual([]);
});

test('the job sleeps until the first draft is due, and ends when there are none', async () => {
  const form = await formForAnyone();
  const { formId } = form;
  await store([draftOf(form, dave.id, pass(0))]);
  await respond(await newGuest(formId), formId);
  await deliverStream();
  expect(await nextLook(formId)).toBeUndefined();
  const begun = pass(0);
  await start(await newGuest(formId), formId);
  await deliverStream();
  await passDays(2);
  expect(await nextLook(formId)).toBe(new Date(Date.parse(begun) + 30 * DAY * 1_000).toISOString());
  await passDays(31);
  expect(await nextLook(formId)).toBeDefined();
  await passDays(1);
  expect(await nextLook(formId)).toBeUndefined();
});

describe('a form that deletes responses and keeps drafts of people with accounts', () => {
  /** The queries of drafts that a look makes. */
  async function look(): Promise<number> {
    let queries = 0;
    pass(DAY);
    await withTable(
      ({ list }) => ({
        list: (request) => {
          if (String(request.pk).includes('#DRAFT#')) queries += 1;
          return list(request);
        },
      }),
      () => runSweep(),
    );
    return queries;
  }

  /** As the operation that creates a form does. */
  const formThatDeletes = async (retentionDays: number) => {
    const form = await newForm(alice, slug, [[]], { audience: 'ANYONE', retentionDays });
    await app().table.write(ensureExpiry(form.formId, undefined, app().now()));
    return form;
  };

  const formWithDrafts = async () => {
    const form = await formThatDeletes(1);
    await store(Array.from({ length: 250 }, () => draftOf(form, dave.id, pass(0))));
    await deliverStream();
    return form;
  };

  test('lists them twice, and no more until a guest begins one, which is deleted in time', async () => {
    const form = await formWithDrafts();
    // 250 drafts in four parts of the index, up to 100 in a query.
    expect(await look()).toBeGreaterThanOrEqual(4);
    expect(await look()).toBeGreaterThanOrEqual(4);
    expect([await look(), await look()]).toEqual([0, 0]);
    const ofGuest = await start(await newGuest(form.formId), form.formId);
    await deliverStream();
    expect(await look()).toBeGreaterThanOrEqual(4);
    for (let days = 1; days < 29; days += 1) await look();
    expect(await isKept(ofGuest)).toBe(true);
    for (let days = 29; days < 32; days += 1) await look();
    expect(await isKept(ofGuest)).toBe(false);
    // There are none of guests any more.
    await look();
    await look();
    expect(await look()).toBe(0);
  });

  test('finds a submission that a guest has withdrawn, which is older than what it has walked past', async () => {
    const { formId } = await formThatDeletes(1);
    const guest = await newGuest(formId);
    const ofGuest = await respond(guest, formId);
    await deliverStream();
    // As the job is after two looks without drafts of guests.
    const [item] = await app().table.read([keys.expiry(formId)]);
    const job = parseJob<Expiry>(item);
    if (job) await app().table.write([replaceJob({ ...job, data: { guestless: 2 } }, job)]);
    await cancel(guest, ofGuest);
    await deliverStream();
    for (let days = 0; days < 34; days += 1) await look();
    expect(await isKept(ofGuest)).toBe(false);
  });

  test('keeps what the page says of the next deletion, and its time', async () => {
    const form = await formWithDrafts();
    await store([submissionOf(form, dave.id, pass(0))]);
    for (let days = 0; days < 3; days += 1) await look();
    const before = parseJob<Expiry>((await app().table.read([keys.expiry(form.formId)]))[0]);
    expect(before?.data.guestless).toBe(2);
    await start(await newGuest(form.formId), form.formId);
    await deliverStream();
    const after = parseJob<Expiry>((await app().table.read([keys.expiry(form.formId)]))[0]);
    expect([after?.data, after?.dueAt]).toEqual([{ going: before?.data.going }, before?.dueAt]);
  });
});
