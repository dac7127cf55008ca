/** Drafts of guests, which nobody could find again for ever, are deleted 30 days after they were saved last. */
import { expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { loadResponses } from '#core/responses/store.ts';
import { withTable } from '#test/support/faults.ts';
import { PICTURES, pdf, uploaded } from '#test/support/files.ts';
import { newForm, newGuest } from '#test/support/fixtures.ts';
import { cancel, castAt, draftOf, pass, respond, save, start, store, text } from '#test/support/responses.ts';
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
