/** How deliveries are attempted: claims, pauses, failures, and steps of longer jobs, with a handler of the test. */
import { beforeEach, describe, expect, test } from 'vitest';
import { writeInBatches } from '#core/db/batches.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import { StorageBusy, type Table, WriteConflict } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { attemptEach, attemptJobs, DONE, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { type Job, newJob, parseJob, queueJob } from '#core/jobs/job.ts';
import { sweepJobs } from '#core/workers/kinds.ts';
import { muteErrors } from '#test/support/console.ts';
import { withTable } from '#test/support/faults.ts';
import { allDue } from '#test/support/sweeps.ts';

const KIND = 'export-mail';
const HOUR = 3_600;
let startedAt = Date.now();
const owner = keys.response('a response');
let key = keys.cleanUp(owner, '');
muteErrors();

beforeEach(async () => {
  startedAt = Date.now();
  key = keys.cleanUp(owner, app().uuid());
  await app().table.write([queueJob({ key, kind: KIND, data: {} }, new Date(startedAt))]);
});

/** The app some seconds after the delivery was queued. */
const at = (seconds: number) => ({ ...app(), now: () => new Date(startedAt + seconds * 1_000) });

const stored = async (): Promise<Job | undefined> => parseJob((await app().table.read([key]))[0]);

/** Attempts the delivery of the test if it is due after some seconds. */
async function attempt(seconds: number, run: () => Promise<JobOutcome>) {
  const handler: JobHandler = { claimSeconds: 60, attempt: async (_, all) => Promise.all(all.map(run)) };
  const due = (await allDue(at(seconds))).filter((each) => each.key.sk === key.sk);
  return attemptJobs(at(seconds), due, { [KIND]: handler });
}

const outcome = (result: JobOutcome) => async () => result;
const retry = outcome({ result: 'retry', reason: 'busy' });

describe('an attempt', () => {
  test('removes what is done, unless it is to be recorded', async () => {
    await attempt(0, outcome({ result: 'done', record: { sheet: 1 } }));
    expect(await stored()).toMatchObject({ state: 'DONE', attempts: 1, data: { sheet: 1 } });
    await app().table.write([queueJob({ key, kind: KIND, data: {} }, new Date(startedAt))]);
    await attempt(0, outcome({ result: 'done' }));
    expect(await stored()).toBeUndefined();
  });

  test('is made by one of two workers', async () => {
    const tallies = await Promise.all([attempt(0, retry), attempt(0, retry)]);
    expect(tallies.filter(({ retry: count = 0 }) => count > 0)).toHaveLength(1);
  });

  test('is not made by a version that does not know the kind, which attempts the other jobs', async () => {
    const laterKey = keys.cleanUp(owner, app().uuid());
    const later = queueJob({ key: laterKey, kind: KIND, data: {} }, new Date(startedAt));
    if ('put' in later) await app().table.write([{ put: { ...later.put, kind: 'later-kind' } }]);
    await app().table.write([scheduleCleanUp(at(0), owner, 'responses/an-object')]);
    expect(await sweepJobs(at(1), () => true)).toMatchObject({ done: 1 });
    expect(parseJob((await app().table.read([laterKey]))[0])).toMatchObject({ state: 'QUEUED', attempts: 0 });
  });

  test('is repeated after a pause that grows to an hour', async () => {
    const attemptedAt: number[] = [];
    for (let minute = 0; minute <= 200; minute += 1) {
      await attempt(minute * 60, async () => {
        attemptedAt.push(minute);
        return { result: 'retry', reason: 'busy' };
      });
    }
    expect(attemptedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  test('of a worker that died is repeated when its claim ends', async () => {
    void attempt(0, () => new Promise(() => undefined));
    await expect.poll(async () => (await stored())?.attempts).toBe(1);
    expect(await attempt(59, outcome(DONE))).toEqual({});
    expect(await stored()).toMatchObject({ state: 'RUNNING' });
    expect(await attempt(60, outcome(DONE))).toEqual({ done: 1 });
  });

  test('that throws is a failed one', async () => {
    expect(await attempt(0, () => Promise.reject(new Error('a defect')))).toEqual({ retry: 1 });
    expect(await stored()).toMatchObject({ state: 'QUEUED', reason: 'internal_error' });
  });

  test('that continues later begins its 72 hours again', async () => {
    await attempt(71 * HOUR, outcome({ result: 'continue', data: { page: 2 }, seconds: 10 }));
    expect(await attempt(71 * HOUR + 9, retry)).toEqual({});
    expect(await attempt(73 * HOUR, retry)).toEqual({ retry: 1 });
    expect(await stored()).toMatchObject({ state: 'QUEUED', data: { page: 2 } });
  });

  test('stores its outcome again after a conflict with a transaction that fails itself', async () => {
    let conflicts = 0;
    const conflicting = ({ write }: Table): Partial<Table> => ({
      write: async (writes) => {
        const isOutcome = writes.some((one) => 'remove' in one);
        if (isOutcome && conflicts === 0) {
          conflicts += 1;
          throw new WriteConflict(new Error('injected'));
        }
        await write(writes);
      },
    });
    expect(await withTable(conflicting, () => attempt(0, outcome(DONE)))).toEqual({ done: 1 });
    expect(conflicts).toBe(1);
    expect(await stored()).toBeUndefined();
  });

  test('does not overwrite a delivery that was queued again meanwhile', async () => {
    const tally = await attempt(0, async () => {
      await app().table.write([queueJob({ key, kind: KIND, data: { newer: true } }, new Date(startedAt + 1))]);
      return DONE;
    });
    expect(tally).toEqual({ claimedByOther: 1 });
    expect(await stored()).toMatchObject({ state: 'QUEUED', data: { newer: true } });
  });
});

describe('of two deliveries', () => {
  const two = ['first', 'second'].map((id) =>
    newJob({ key: keys.cleanUp(owner, id), kind: KIND, data: { id } }, new Date(startedAt)),
  );
  const each = (attempt: (id: string) => Promise<JobOutcome>) =>
    attemptEach({
      claimSeconds: 60,
      parallel: 1,
      minMs: 20_000,
      attempt: (_, { data }: Job<{ id: string }>) => attempt(data.id),
    });

  test('the one whose attempt throws does not repeat the other', async () => {
    const handler = each(async (id) => {
      if (id === 'first') throw new Error('a defect');
      return DONE;
    });
    expect(await handler.attempt(app(), two)).toEqual([{ result: 'retry', reason: 'internal_error' }, DONE]);
  });

  test('the one for which too little time is left waits', async () => {
    const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 60_000 };
    const handler = each(async () => {
      context.deadline = performance.now() + 19_000;
      return DONE;
    });
    const outcomes = await inRequestContext(context, () => handler.attempt(app(), two));
    expect(outcomes).toEqual([DONE, { result: 'wait', seconds: 60 }]);
  });

  test('the one that cannot be claimed because storage is busy does not delay the other', async () => {
    const due = await allDue(at(0));
    const own = due.filter((delivery) => delivery.key.sk === key.sk);
    const { table } = app();
    const [busy] = two;
    const write: typeof table.write = (writes) =>
      writes.some((one) => 'put' in one && one.put.sk === busy?.key.sk)
        ? Promise.reject(new StorageBusy(new Error('throttled')))
        : table.write(writes);
    const handlers = { [KIND]: each(async () => DONE) };
    const all = [...(busy ? [busy] : []), ...own];
    expect(await attemptJobs({ ...at(0), table: { ...table, write } }, all, handlers)).toEqual({ done: 1 });
  });
});

describe('a sweep', () => {
  const CLEAN_UPS = 250;
  const queueCleanUps = async () => {
    const owners = Array.from({ length: CLEAN_UPS }, () => keys.response(app().uuid()));
    await writeInBatches(
      app().table,
      owners.map((of) => scheduleCleanUp(app(), of, 'no-object')),
    );
  };
  const left = async () => (await allDue(app())).filter(({ kind }) => kind === 'clean-up').length;

  test('attempts everything that is due', async () => {
    await queueCleanUps();
    expect(await sweepJobs(app(), () => true)).toMatchObject({ done: CLEAN_UPS });
    expect(await left()).toBe(0);
  });

  test('ends when its time is over, and leaves the rest to the next one', async () => {
    await queueCleanUps();
    let batches = 0;
    const mayContinue = () => {
      batches += 1;
      return batches <= 2;
    };
    const { done = 0 } = await sweepJobs(app(), mayContinue);
    expect(done).toBeGreaterThan(0);
    expect(await left()).toBe(CLEAN_UPS - done);
    expect(await left()).toBeGreaterThan(0);
    await sweepJobs(app(), () => true);
  });
});

describe('a delivery has failed', () => {
  test('when an attempt fails 72 hours after it was queued', async () => {
    await attempt(71 * HOUR, retry);
    expect(await stored()).toMatchObject({ state: 'QUEUED', reason: 'busy' });
    expect(await attempt(73 * HOUR, retry)).toEqual({ failed: 1 });
    expect(await stored()).toMatchObject({ state: 'FAILED', reason: 'busy' });
    expect(await attempt(100 * HOUR, retry)).toEqual({});
  });

  test('72 hours after it was first due, however long before it was queued', async () => {
    const delivery = { key, kind: KIND, data: {}, dueInSeconds: 7 * 24 * HOUR } as const;
    await app().table.write([queueJob(delivery, new Date(startedAt))]);
    expect(await attempt(7 * 24 * HOUR, retry)).toEqual({ retry: 1 });
    expect(await attempt(7 * 24 * HOUR + 73 * HOUR, retry)).toEqual({ failed: 1 });
  });

  test.for(['deletion', 'spreadsheet-backfill'] as const)('never when it is a %s, which is reported', async (kind) => {
    await app().table.write([queueJob({ key, kind, data: {} }, new Date(startedAt))]);
    const reported: unknown[] = [];
    const log: Ports['log'] = ({ failedJob }) => reported.push(failedJob);
    const handlers = { [kind]: { claimSeconds: 60, attempt: async () => [await retry()] } };
    for (const hours of [0, 73, 75]) {
      const later = { ...at(hours * HOUR), log };
      const due = (await allDue(later)).filter((each) => each.key.sk === key.sk);
      expect(await attemptJobs(later, due, handlers)).toEqual({ retry: 1 });
    }
    expect(reported).toEqual([kind, kind]);
    expect(await stored()).toMatchObject({ state: 'QUEUED', reason: 'busy' });
  });

  test('at once when a repetition cannot help', async () => {
    expect(await attempt(0, outcome({ result: 'failed', reason: 'no_address' }))).toEqual({ failed: 1 });
    expect(await stored()).toMatchObject({ state: 'FAILED', reason: 'no_address', attempts: 1 });
  });
});
