/** Periodic jobs of the local service. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { every } from '#stacks/local/every.ts';

test('a job that takes longer than its period never runs twice at once, and a stop waits for it', async () => {
  let running = 0;
  let mostAtOnce = 0;
  let runs = 0;
  const stop = every(2, 'Sweeping', async () => {
    running += 1;
    runs += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await pause(15);
    running -= 1;
  });
  await vi.waitUntil(() => runs >= 3 && running === 1, { interval: 1, timeout: 20_000 });
  await stop();
  expect([mostAtOnce, running]).toEqual([1, 0]);
});

test('a failure is logged and does not end the repetition', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const stop = every(2, 'Sweeping', () => {
    throw new Error('no storage');
  });
  await vi.waitUntil(() => logged.mock.calls.length >= 2, { interval: 1, timeout: 20_000 });
  await stop();
  expect(logged).toHaveBeenCalledWith('Sweeping failed:', expect.objectContaining({ message: 'no storage' }));
});
