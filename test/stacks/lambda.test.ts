/** Handlers that run as on Lambda: events and results in JSON, a context, a time limit. */
import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { loadHandler, runLambda, TIMED_OUT } from '#stacks/local/gateway/lambda.ts';

test('a handler receives a copy of the event and the context of its function, and returns JSON', async () => {
  const event = { at: new Date(0), nothing: undefined };
  const handler = async (received: object, { functionName, memoryLimitInMB, getRemainingTimeInMillis }: Context) => ({
    received,
    context: [functionName, memoryLimitInMB, getRemainingTimeInMillis() <= 5_000, getRemainingTimeInMillis() > 0],
  });
  const lambda = { name: 'sweep', handler, timeoutMs: 5_000, memoryMb: 256 };
  expect(JSON.parse(String(await runLambda(lambda, JSON.stringify(event))))).toEqual({
    received: { at: '1970-01-01T00:00:00.000Z' },
    context: ['sweep', '256', true, true],
  });
  expect(await runLambda({ ...lambda, handler: async () => undefined }, '{}')).toBe('null');
});

test('a handler that takes longer than its timeout is not waited for', async () => {
  const lambda = { name: 'slow', handler: () => new Promise(() => {}), timeoutMs: 1 };
  expect(await runLambda(lambda, '{}')).toBe(TIMED_OUT);
});

test('what a handler throws is thrown', async () => {
  const lambda = { name: 'broken', handler: () => Promise.reject(new Error('a defect')), timeoutMs: 1_000 };
  await expect(runLambda(lambda, '{}')).rejects.toThrow('a defect');
});

test('a file without a handler is named', async () => {
  const call = loadHandler('core/db/keys.ts')({}, {} as Context);
  await expect(call).rejects.toThrow('core/db/keys.ts exports no handler');
});
