/** What requests and workers log for operators: one JSON line each, without personal data. */
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { workers } from '#core/api/workers.ts';
import { worker } from '#core/http/worker.ts';
import { captureOutput } from '#test/support/console.ts';
import { withTable } from '#test/support/faults.ts';
import { expectProblem, newCast, newForm, send } from '#test/support/fixtures.ts';

const cast = await newCast();

let written: string[] = [];
beforeEach(() => {
  process.env.LOG = 'on';
  written = captureOutput();
});
afterEach(() => {
  vi.restoreAllMocks();
  process.env.LOG = 'off';
});

const logLines = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line));

test('each request logs one line with its id, operation, user, status, duration, capacity and cold start', async () => {
  await send('GET', '/api/healthz');
  written.length = 0;
  const response = await send('GET', '/api/users/me', { headers: { authorization: `Bearer ${cast.dave.token}` } });
  expect(logLines()).toEqual([
    {
      level: 'info',
      requestId: response.headers.get('x-request-id'),
      operation: 'users.getCurrentUser',
      userId: cast.dave.id,
      status: 200,
      durationMs: expect.any(Number),
      capacityUnits: 1,
      calls: 1,
      coldStart: false,
    },
  ]);
});

test('a problem is logged by its code, a defect as an error with its cause', async () => {
  await send('GET', '/api/users/me');
  expect(logLines()).toMatchObject([{ level: 'info', status: 401, code: 'unauthorized' }]);
  written.length = 0;
  const failing = async (): Promise<never> => {
    throw new Error('disk on fire');
  };
  const headers = { authorization: `Bearer ${cast.dave.token}` };
  const response = await withTable(
    () => ({ read: failing }),
    () => send('GET', '/api/users/me', { headers }),
  );
  const requestId = response.headers.get('x-request-id');
  const cause = expect.stringContaining('disk on fire');
  expect(logLines()).toMatchObject([{ level: 'error', requestId, status: 500, code: 'internal', cause }]);
});

test.each([
  ['what it did', async () => ({ done: 3 }), { level: 'info', done: 3 }],
  [
    'why it failed',
    () => Promise.reject(new Error('disk on fire')),
    { level: 'error', cause: expect.stringContaining('disk on fire') },
  ],
])('a worker logs %s', async (_, run, details) => {
  const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'the request' } as Context;
  await worker(workers.sweep, run)(undefined, context).catch(() => {});
  const measured = { durationMs: expect.any(Number), capacityUnits: 0, calls: 0 };
  expect(logLines()).toEqual([{ requestId: 'the request', worker: 'sweep', ...measured, ...details }]);
});

test('no line has an answer, a token, an address or the query', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = questionIds;
  const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'a very private answer' }];
  const { body } = await dave.client.responses.startResponse({ params: { formId }, body: { answers, submit: true } });
  await dave.client.responses.getResponse({ params: { formId, responseId: body.id } });
  const invalid = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'a very private answer'.repeat(50) }];
  await expectProblem(dave.client.responses.startResponse({ params: { formId }, body: { answers: invalid } }));
  await alice.client.orgs.addMember({ params: { slug }, body: { email: dave.email } });
  await send('GET', '/api/users/me?secret=in-the-query', { headers: { authorization: `Bearer ${dave.token}` } });
  expect(logLines()).toHaveLength(5);
  for (const secret of ['a very private answer', dave.token, dave.email, '127.0.0.1', 'in-the-query']) {
    expect(written.join('\n')).not.toContain(secret);
  }
});
