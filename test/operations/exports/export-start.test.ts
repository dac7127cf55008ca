/** Who builds an export and when: a small one at once, all others in their lane, one by one, and each once. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import type { ExportDocument } from '#core/exports/model.ts';
import { app } from '#core/http/app.ts';
import { attemptNewJobs, sweepExports, sweepJobs } from '#core/workers/kinds.ts';
import { muteErrors } from '#test/support/console.ts';
import { askForExport, buildExports, downloaded, readExport } from '#test/support/exports.ts';
import { withApp } from '#test/support/faults.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { respond, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';
import { open, sheetOf } from '#test/support/xlsx.ts';

muteErrors();
const ownMail = ownSes();
let cast: Cast;
let form: Built;
beforeAll(async () => {
  cast = await newCast();
});
beforeEach(async () => {
  form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  await respond(cast.dave, form.formId, [text(form.questionIds[0] ?? '', 'frogs')]);
  await deliverStream();
});

const ask = (by = cast.bob) => askForExport(by, form.formId, form.questionIds);
const readState = async (job: ExportDocument) => (await readExport(cast.alice, job)).state;
const deliver = (twice = false) => deliverStream({ only: ['deliver'], twice });

/** Runs something while uploads are counted; returns how many there were, and how many at once. */
async function uploadsDuring(run: () => Promise<unknown>) {
  const uploads = { count: 0, running: 0, mostAtOnce: 0 };
  await withApp(({ bucket }) => {
    const upload: typeof bucket.upload = async (...args) => {
      uploads.count += 1;
      uploads.running += 1;
      uploads.mostAtOnce = Math.max(uploads.mostAtOnce, uploads.running);
      await bucket.upload(...args);
      uploads.running -= 1;
    };
    return { bucket: { ...bucket, upload } };
  }, run);
  return { count: uploads.count, mostAtOnce: uploads.mostAtOnce };
}

test('a small export is built as soon as it is requested, once, although its record is delivered twice', async () => {
  const job = await ask();
  expect(await uploadsDuring(() => deliver(true))).toEqual({ count: 1, mostAtOnce: 1 });
  expect(await readExport(cast.bob, job)).toMatchObject({ state: 'DONE', processed: 1, total: 1 });
  expect(sheetOf(await open(await downloaded(cast.bob, job))).rowCount).toBe(2);
});

test('a large export is left to its function', async () => {
  await app().table.write([{ update: keys.counters(form.formId, 0), set: { base: 1, '1#SUBMITTED': 5_001 } }]);
  const job = await ask();
  await deliver();
  await sweepJobs(app(), () => true);
  expect(await readState(job)).toBe('QUEUED');
  await buildExports();
  expect(await readState(job)).toBe('DONE');
});

test('of several that are queued together one is built at once, the others one by one in their lane', async () => {
  const jobs = [await ask(), await ask(cast.alice)];
  const exportKeys = jobs.map(({ id }) => keys.export(id));
  expect(await uploadsDuring(() => attemptNewJobs(app(), exportKeys))).toEqual({ count: 1, mostAtOnce: 1 });
  expect((await Promise.all(jobs.map(readState))).sort()).toEqual(['DONE', 'QUEUED']);
  const more = [];
  for (const title of ['Ponds', 'Lakes']) {
    await cast.alice.client.forms.updateForm({ params: { formId: form.formId }, body: { title } });
    more.push(await ask());
  }
  expect(await uploadsDuring(() => buildExports())).toEqual({ count: 3, mostAtOnce: 1 });
  expect(await Promise.all([...jobs, ...more].map(readState))).toEqual(Array(4).fill('DONE'));
});

test('what takes too long at once is built by its function', async () => {
  const job = await ask();
  const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 60_000 };
  const { bucket } = app();
  const upload: typeof bucket.upload = (...args) => {
    context.deadline = performance.now() + 39_000;
    return bucket.upload(...args);
  };
  const slow = { ...app(), bucket: { ...bucket, upload } };
  expect(await inRequestContext(context, () => attemptNewJobs(slow, [keys.export(job.id)]))).toEqual({ wait: 1 });
  expect(await readExport(cast.bob, job)).toMatchObject({ state: 'QUEUED', processed: 0 });
  await buildExports();
  expect(await readState(job)).toBe('DONE');
});

test('nothing is begun at once when the other jobs of the batch have used the time', async () => {
  const job = await ask();
  const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 49_000 };
  expect(await inRequestContext(context, () => attemptNewJobs(app(), [keys.export(job.id)]))).toEqual({});
  expect(await readState(job)).toBe('QUEUED');
});

test('two workers at once build it once', async () => {
  const job = await ask();
  const both = () => Promise.all([sweepExports(app(), () => true), attemptNewJobs(app(), [keys.export(job.id)])]);
  expect(await uploadsDuring(both)).toEqual({ count: 1, mostAtOnce: 1 });
  expect(await readState(job)).toBe('DONE');
});

test('an export that is built delays no mail', async () => {
  const job = await ask();
  await withApp(
    ({ bucket }) => ({ bucket: { ...bucket, upload: () => new Promise<never>(() => undefined) } }),
    async () => {
      void buildExports();
      await expect.poll(() => readState(job)).toBe('RUNNING');
      await cast.alice.client.forms.updateForm({ params: { formId: form.formId }, body: { sendResponseEmail: true } });
      await respond(cast.erin, form.formId, []);
      await deliverStream({ only: ['deliver'] });
      expect(mailsTo(ownMail(), cast.erin)).toHaveLength(1);
      expect(await readState(job)).toBe('RUNNING');
    },
  );
});
