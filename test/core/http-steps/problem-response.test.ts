/** Errors become problem documents (RFC 9457): problems as they are, busy storage as 503, anything else as 500. */
import { describe, expect, test } from 'vitest';
import { StorageBusy, WriteConflict } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { muteErrors } from '#test/support/console.ts';
import { person } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';

const alice = await person('alice');
muteErrors();

/** The response of an operation that throws. */
const thrown = (error: unknown) =>
  probe({
    run: async () => {
      throw error;
    },
  })({ by: alice });

test('a problem keeps its status, code, detail and faults', async () => {
  const response = await thrown(problems.invalid([{ pointer: '/body/title', detail: 'is required' }]));
  expect(response.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  expect(response).toMatchObject({
    status: 400,
    json: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'invalid_request',
      instance: '/api/probe',
      errors: [{ pointer: '/body/title', detail: 'is required' }],
    },
  });
});

test.for([
  new StorageBusy(new Error('throttled')),
  new WriteConflict(new Error('met')),
])('%s is 503 with Retry-After', async (error) => {
  const response = await thrown(error);
  expect(response).toMatchObject({ status: 503, json: { title: 'Service Unavailable', code: 'unavailable' } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});

describe('a defect', () => {
  const secret = 'table prod-forms at 10.0.0.7, user alice@example.org';

  test.for<[string, unknown]>([
    ['an error', new Error(secret)],
    ['what is no error', secret],
  ])('that throws %s is 500, whose detail contains only the request id', async ([, error]) => {
    const response = await thrown(error);
    const requestId = response.headers['x-request-id'] ?? '';
    expect(requestId).not.toBe('');
    expect(response).toMatchObject({ status: 500, json: { title: 'Internal Server Error' } });
    expect(response.json.detail).toContain(requestId);
    expect(JSON.stringify(response)).not.toMatch(/10\.0\.0\.7|prod-forms|alice@|\.ts|stack/);
  });
});
