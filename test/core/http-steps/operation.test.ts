/** The chain of an operation: what its handler receives, its time, its ports, and the response of its result. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { aroundRequests, withTable } from '#test/support/faults.ts';
import { person } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';

const alice = await person('alice');
muteErrors();

const forever = new Promise<never>(() => undefined);

test('nothing that an opener returns overwrites what belongs to the request', async () => {
  const names = ['params', 'query', 'body', 'parts', 'after', 'app', 'roles', 'rawQuery', 'readCookie', 'accepts'];
  const opened = Object.fromEntries([...names, 'form'].map((name) => [name, 'of the opener']));
  const call = probe({
    spec: { body: () => z.object({ title: z.string() }) },
    opened,
    run: async (request) => ({
      body: Object.fromEntries(Object.entries(request).filter(([, value]) => value === 'of the opener')),
    }),
  });
  expect((await call({ by: alice, body: '{"title":"x"}' })).json).toEqual({ form: 'of the opener' });
});

describe('time', () => {
  test('a request has the time that the function has', async () => {
    const call = probe({ run: async () => ({ body: { left: remainingMs() } }) });
    const { json } = await call({ by: alice, remainingMs: 9_000 });
    expect(Number(json.left)).toBeGreaterThan(8_000);
    expect(Number(json.left)).toBeLessThanOrEqual(9_000);
  });

  test('a handler that takes too long is 503 with Retry-After before the function times out', async () => {
    const timeout = pause(1_200, null);
    const response = await Promise.race([timeout, probe({ run: () => forever })({ by: alice, remainingMs: 1_200 })]);
    expect(response).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    expect(Number(response?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a storage call that could not end in time is not begun', async () => {
    const send = vi.fn();
    const client = aroundRequests(dynamoClient(app().config), async () => send());
    const call = probe({
      run: async (request) => ({ body: { items: await request.app.table.read([{ pk: 'a', sk: 'b' }]) } }),
    });
    const response = await withTable(
      () => dynamoTable(client, 'any'),
      () => call({ by: alice, remainingMs: 2_500 }),
    );
    expect(response.status).toBe(503);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('ports', () => {
  test('a handler can use only what its operation declares', async () => {
    const call = probe({
      spec: { needs: ['table:read'] },
      run: async ({ app: { table } }) => {
        await table.write([{ put: { pk: 'a', sk: 'b' } }]);
        return { body: {} };
      },
    });
    expect((await call({ by: alice })).status).toBe(500);
    expect(await app().table.read([{ pk: 'a', sk: 'b' }])).toEqual([undefined]);
  });
});

describe('the result', () => {
  const spec = {
    success: {
      status: 201 as const,
      description: '',
      body: () => z.strictObject({ id: z.string() }),
      etag: true as const,
    },
  };

  test('becomes the declared status, the body and the ETag, and is kept out of caches', async () => {
    const response = await probe({ spec, run: async () => ({ body: { id: 'x' }, etag: 7 }) })({ by: alice });
    expect(response).toMatchObject({
      status: 201,
      json: { id: 'x' },
      headers: { etag: '"7"', 'cache-control': 'no-store' },
    });
  });

  test.for([
    { id: 1 },
    {},
    { id: 'x', secret: 'y' },
  ])('%j that does not match its declaration is a defect and never sent', async (body) => {
    const response = await probe({ spec, run: async () => ({ body }) })({ by: alice });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('secret');
  });

  test.for<[string, number]>([
    ['"7"', 200],
    ['"6", "7"', 200],
    [' "nothing","7" , "else"', 200],
    ['*', 200],
    [' * ', 200],
    ['', 409],
    ['nothing', 409],
    ['"0", ""', 409],
    ['"6"', 409],
    ['7', 409],
    ['W/"7"', 409],
  ])('If-Match: %s of version 7 is %i', async ([ifMatch, status]) => {
    const call = probe({
      spec: { ifMatch: true },
      run: async (request) => {
        request.app.ifMatch(7);
        return { body: {} };
      },
    });
    expect((await call({ by: alice, headers: { 'if-match': ifMatch } })).status).toBe(status);
  });
});
