/** What becomes of an export whose worker dies or fails, whose file expires, or whose form is deleted. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bucket } from '#core/db/bucket.ts';
import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import { StorageBusy, type Table } from '#core/db/table.ts';
import type { ExportDocument } from '#core/exports/model.ts';
import { type App, app } from '#core/http/app.ts';
import { sweepExports, sweepJobs } from '#core/workers/kinds.ts';
import { muteErrors } from '#test/support/console.ts';
import { askForExport, buildExports, downloaded, readExport } from '#test/support/exports.ts';
import { gate, withApp, withTable } from '#test/support/faults.ts';
import { type Built, type Cast, clientWith, expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { respond, text } from '#test/support/responses.ts';
import { allItems, objectKeys } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { open, sheetOf } from '#test/support/xlsx.ts';

muteErrors();
const ownMail = ownSes();
const DAY = 24 * 60 * 60;
let cast: Cast;
let form: Built;
let job: ExportDocument;
beforeAll(async () => {
  cast = await newCast();
});
beforeEach(async () => {
  form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  await respond(cast.dave, form.formId, [text(form.questionIds[0] ?? '', 'frogs')]);
  job = await askForExport(cast.bob, form.formId, form.questionIds);
});

type Upload = Bucket['upload'];

/** The app some seconds after now, with another upload if given. */
const at = (seconds: number, upload?: Upload) => {
  const { bucket } = app();
  const now = () => new Date(Date.now() + seconds * 1_000);
  return { now, bucket: { ...bucket, ...(upload ? { upload } : {}) } } satisfies Partial<App>;
};

/** Runs the worker as if some seconds had passed. */
const buildAt = (seconds: number, upload?: Upload) => withApp(() => at(seconds, upload), buildExports);

const failing =
  (error: Error): Upload =>
  () =>
    Promise.reject(error);

/** Lets a worker claim the job and stop in the middle, as if it had died. Returns how it would continue. */
async function dyingAt(seconds: number) {
  const waiting = gate();
  let rounds = 0;
  const upload: Upload = async (...args) => {
    await waiting.wait();
    await app().bucket.upload(...args);
  };
  const run = sweepExports({ ...app(), ...at(seconds, upload) }, () => {
    rounds += 1;
    return rounds === 1;
  });
  await waiting.reached;
  return async () => {
    waiting.open();
    return run;
  };
}

/** Runs the worker, whose time is nearly over when it begins to read the rows. */
async function sweepOutOfTime(): Promise<void> {
  const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 60_000 };
  const upload: Upload = (...args) => {
    context.deadline = performance.now() + 15_000;
    return app().bucket.upload(...args);
  };
  await inRequestContext(context, () => sweepExports({ ...app(), ...at(0, upload) }, () => true));
}

/** Bob with an access token of the present time of the app. */
const bobNow = async () => {
  const { tokens, now } = app();
  return { client: clientWith(await tokens.sign({ id: cast.bob.id, roles: ['USER'] }, now())) };
};

const rowCount = async (): Promise<number> => sheetOf(await open(await downloaded(cast.bob, job))).rowCount - 1;

describe('an export whose worker dies', () => {
  test('is left to it while its claim lasts, then started again from the beginning', async () => {
    await dyingAt(0);
    await buildAt(119);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'RUNNING' });
    await dyingAt(121);
    await buildAt(240);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'RUNNING' });
    await buildAt(242);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'DONE', processed: 1 });
    expect(await rowCount()).toBe(1);
  });

  test('has failed after three starts', async () => {
    for (const seconds of [0, 121, 242]) await dyingAt(seconds);
    await buildAt(363);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'FAILED', reason: 'interrupted' });
    await buildAt(500);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'FAILED' });
  });

  test('belongs to the next worker: one that was only slow changes nothing any more', async () => {
    const resume = await dyingAt(0);
    await buildAt(121);
    const done = await readExport(cast.bob, job);
    expect(await resume()).toEqual({ claimedByOther: 1 });
    expect(await readExport(cast.bob, job)).toEqual(done);
    expect(await rowCount()).toBe(1);
  });
});

describe('an export that fails', () => {
  test('is started again after a minute, then after two, and has failed for good after three starts', async () => {
    const failAt = (seconds: number) => buildAt(seconds, failing(new Error('a defect')));
    await failAt(0);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'QUEUED', processed: 0 });
    await failAt(59);
    await failAt(61);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'QUEUED' });
    await failAt(179);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'QUEUED' });
    await failAt(182);
    const failed = await readExport(cast.bob, job);
    expect(failed).toMatchObject({ state: 'FAILED', reason: 'internal_error' });
    expect(failed.finishedAt).not.toBeNull();
    const { detail } = await expectProblem(cast.bob.client.exports.downloadExport({ params: { exportId: job.id } }));
    expect(detail).toContain('internal_error');
  });

  test('because storage is busy says so', async () => {
    for (const seconds of [0, 61, 182]) await buildAt(seconds, failing(new StorageBusy(new Error('throttled'))));
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'FAILED', reason: 'storage_busy' });
  });

  test('because one run cannot finish it is not started again, and says what to do', async () => {
    await sweepOutOfTime();
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'FAILED', reason: 'too_large' });
    const { detail } = await expectProblem(cast.bob.client.exports.downloadExport({ params: { exportId: job.id } }));
    expect(detail).toContain('Choose fewer questions');
    await deliverStream({ only: ['deliver'] });
    expect(mailsTo(ownMail(), cast.bob).map(({ text: content }) => content)).toContainEqual(
      expect.stringContaining('choose fewer questions'),
    );
  });

  test('is not built again once it is done', async () => {
    await buildAt(0);
    await buildAt(500, failing(new Error('it was built again')));
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'DONE' });
  });

  test('does not begin when the function has too little time left', async () => {
    await buildExports(600_000);
    expect(await readExport(cast.bob, job)).toMatchObject({ state: 'QUEUED' });
  });
});

describe('the file', () => {
  test('is available for 7 days, then it is removed', async () => {
    await buildAt(0);
    const object = objects.export(job.id);
    const sweepAt = (seconds: number) => sweepJobs({ ...app(), ...at(seconds) }, () => true);
    const stateAt = (seconds: number) =>
      withApp(
        () => at(seconds),
        async () => readExport(await bobNow(), job),
      );
    await sweepAt(6 * DAY);
    expect(await stateAt(6 * DAY)).toMatchObject({ state: 'DONE' });
    expect(await objectKeys(object)).toEqual([object]);
    await sweepAt(8 * DAY);
    const expired = await stateAt(8 * DAY);
    expect(expired).toMatchObject({ state: 'EXPIRED', processed: 1 });
    expect(expired.downloadUrl).toBeUndefined();
    expect(await objectKeys(object)).toEqual([]);
    const late = withApp(
      () => at(8 * DAY),
      async () => expectProblem((await bobNow()).client.exports.downloadExport({ params: { exportId: job.id } })),
    );
    expect(await late).toMatchObject({ code: 'export_not_available' });
  });

  test('and its job are gone with the form', async () => {
    await buildAt(0);
    await cast.alice.client.forms.deleteForm({ params: { formId: form.formId } });
    expect((await expectProblem(readExport(cast.bob, job))).status).toBe(404);
    await finishDeletions();
    expect(await objectKeys(objects.export(job.id))).toEqual([]);
    expect(JSON.stringify(await allItems())).not.toContain(job.id);
  });

  test('of a form that is deleted while it is built does not stay', async () => {
    const resume = await dyingAt(0);
    await cast.alice.client.forms.deleteForm({ params: { formId: form.formId } });
    expect(await resume()).toEqual({ claimedByOther: 1 });
    await finishDeletions();
    expect(await objectKeys(objects.export(job.id))).toEqual([]);
    expect(JSON.stringify(await allItems())).not.toContain(job.id);
  });
});

test('a form that is deleted while its export is requested is not found', async () => {
  const deletesFirst = ({ write }: Table): Partial<Table> => ({
    write: async (writes) => {
      const isExport = writes.some((one) => 'put' in one && one.put.kind === 'export');
      if (isExport) await write([{ remove: keys.formGate(form.formId) }]);
      await write(writes);
    },
  });
  const asked = await withTable(deletesFirst, () =>
    expectProblem(askForExport(cast.alice, form.formId, form.questionIds)),
  );
  expect(asked.status).toBe(404);
});
