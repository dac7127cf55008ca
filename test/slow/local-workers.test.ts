/** The event sources of the workers together: the stream and schedules of the plan, with the real handlers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import type { StreamOptions } from '#stacks/local/dynamo/stream.ts';
import { intervalMs, type ScheduledEvent, startSchedule } from '#stacks/local/schedules.ts';
import { startWorkers, startWorkerThread } from '#stacks/local/workers.ts';
import { type WorkerRow, workerPlan } from '#stacks/plan.ts';
import { muteErrors } from '#test/support/console.ts';
import { withApp } from '#test/support/faults.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';
import { CHAIN_LENGTH, chainKey } from './chain-worker.ts';

muteErrors();

/** Stores an object that nothing refers to, and the clean-up that removes it. */
async function abandonedObject(): Promise<{ isThere: () => Promise<boolean>; isQueued: () => Promise<boolean> }> {
  const responseId = app().uuid();
  const object = objects.file(responseId, app().uuid());
  await app().bucket.put(object, Buffer.from('Clear water'), 'text/plain');
  const cleanUp = scheduleCleanUp(app(), keys.response(responseId), object);
  await app().table.write([cleanUp]);
  return {
    isThere: async () => (await app().bucket.inspect(object, 0)) !== undefined,
    isQueued: async () => 'put' in cleanUp && (await app().table.read([cleanUp.put]))[0] !== undefined,
  };
}

describe('the workers of the plan', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'workers-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const start = (rows?: readonly WorkerRow[]) => {
    const { tableName } = app().config;
    const options = { endpoint: process.env.DYNAMODB_ENDPOINT ?? '', tableName, directory, pollMs: 3_600_000 };
    const workers = startWorkers(options, rows);
    onTestFinished(() => workers.stop());
    return workers;
  };

  test('process what is written before they are started, and while they run', async () => {
    const before = await abandonedObject();
    const workers = start();
    const during = await abandonedObject();
    await workers.drain();
    for (const { isThere, isQueued } of [before, during]) {
      expect([await isThere(), await isQueued()]).toEqual([false, false]);
    }
  });

  test('are idle when what they wrote for each other is processed too', async () => {
    const row = (worker: string): WorkerRow => ({
      worker,
      source: {
        type: 'stream',
        filters: [{ dynamodb: { Keys: { pk: { S: [`CHAIN#${worker}`] } } } }],
        batchSize: 1,
        windowSeconds: 0,
        retries: 0,
      },
      file: 'test/slow/chain-worker.ts',
      needs: [],
      memoryMb: 512,
      timeoutSeconds: 10,
    });
    await app().table.write([{ put: chainKey(1) }]);
    await start([row('even'), row('odd')]).drain();
    expect(await app().table.read([chainKey(CHAIN_LENGTH)])).toEqual([expect.objectContaining(chainKey(CHAIN_LENGTH))]);
  });
});

describe('a schedule', () => {
  test('runs a local minute every 2 seconds, with the event of EventBridge Scheduler, and ends', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const events: ScheduledEvent[] = [];
    const stop = startSchedule('sweep', '1 minute', async (event) => events.push(event));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ source: 'aws.scheduler', 'detail-type': 'Scheduled Event' });
    expect(events[0]?.resources).toEqual(['arn:aws:scheduler:local:000000000000:schedule/default/sweep']);
    await stop();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(events).toHaveLength(3);
  });

  test('may have minutes and days only', () => {
    for (const { source } of workerPlan) if (source.type === 'schedule') intervalMs(source.rate);
    expect([intervalMs('1 minute'), intervalMs('5 minutes'), intervalMs('2 days')]).toEqual([
      2_000, 10_000, 172_800_000,
    ]);
    for (const rate of ['1 hour', '0 minutes', '5', 'cron(0 0 * * ? *)']) {
      expect(() => intervalMs(rate)).toThrow('use minutes or days');
    }
  });
});

describe('a delivery is carried out although', () => {
  const later = <T>(run: () => Promise<T>) => withApp(() => ({ now: () => new Date(Date.now() + 3_600_000) }), run);

  test.for(['before', 'after'] as const)('the worker is killed %s any of its calls', async (when) => {
    let killed = true;
    for (let call = 1; killed; call += 1) {
      const object = await abandonedObject();
      ({ killed } = await deliverStream({ kill: { call, when } }));
      await later(() => runWorker('sweep'));
      expect([await object.isThere(), await object.isQueued()]).toEqual([false, false]);
      expect(call).toBeLessThan(20);
    }
  });

  test.for(['keys', 'all'] as const)('every batch arrives twice, with shuffled %s', async (shuffle) => {
    const abandoned = await Promise.all(Array.from({ length: 60 }, abandonedObject));
    await deliverStream({ twice: true, shuffle });
    for (const { isThere, isQueued } of abandoned) expect([await isThere(), await isQueued()]).toEqual([false, false]);
    expect(await deliverStream()).toEqual({ calls: 0, killed: false });
  });
});

test('what ends the thread of the workers is reported, and it can still be stopped', async () => {
  const failed = Promise.withResolvers<unknown>();
  const { stop } = startWorkerThread(null as unknown as StreamOptions, failed.resolve);
  expect(await failed.promise).toBeInstanceOf(TypeError);
  await stop();
});
