/** The step of `Idempotency-Key`: what is recorded, replayed and refused, on a small operation. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { StorageBusy } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { problems } from '#core/problems/problems.ts';
import { newKey } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { conflicting, losingResponses, withTable } from '#test/support/faults.ts';
import { person } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';

const spec = {
  idempotent: true as const,
  body: () => z.object({ note: z.string() }),
  success: { status: 201 as const, description: '', body: () => z.object({ id: z.string() }), etag: true as const },
};
const itemOf = (id: unknown) => ({ pk: `ITEM#${id}`, sk: 'ITEM' });

const alice = await person('alice');
muteErrors();
afterEach(() => {
  vi.useRealTimers();
});

/** The ids of all items that the operation has written. */
let created: string[] = [];
/** An operation that creates an item. */
const create = probe({
  spec,
  run: async ({ app: { commit } }) => {
    const id = crypto.randomUUID();
    created.push(id);
    return commit([{ put: itemOf(id), when: { absent: true } }], { body: { id }, etag: 3 });
  },
});

const send = (key: string, note = 'a', by = alice) =>
  create({ by, headers: { 'idempotency-key': key }, body: JSON.stringify({ note }) });

async function storedCount(): Promise<number> {
  const items = await app().table.read(created.map(itemOf));
  return items.filter((item) => item !== undefined).length;
}
beforeEach(() => {
  created = [];
});

test('the same request replays status, body and headers, and does nothing', async () => {
  const key = newKey();
  const [first, again] = [await send(key), await send(key)];
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  expect([again.status, again.json]).toEqual([201, first.json]);
  expect(again.headers).toMatchObject({ etag: '"3"', 'idempotency-replayed': 'true' });
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(await storedCount()).toBe(1);
});

test('16 equal requests at once have one effect and equal results', async () => {
  const key = newKey();
  const responses = await Promise.all(Array.from({ length: 16 }, () => send(key)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  expect(await storedCount()).toBe(1);
});

test('a write whose response was lost is replayed on the next attempt', async () => {
  const key = newKey();
  expect((await withTable(losingResponses(1), () => send(key))).status).toBe(500);
  const again = await send(key);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect(await storedCount()).toBe(1);
});

test('another body is 409 and does nothing', async () => {
  const key = newKey();
  await send(key);
  expect(await send(key, 'b')).toMatchObject({ status: 409, json: { code: 'idempotency_key_reused' } });
  expect(await storedCount()).toBe(1);
});

test('a key belongs to its user', async () => {
  const key = newKey();
  const bob = await person('bob');
  const [mine, theirs] = [await send(key), await send(key, 'a', bob)];
  expect(theirs.json.id).not.toBe(mine.json.id);
});

test('after 24 hours a key is new, although its record may still be stored', async () => {
  const key = newKey();
  await send(key);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60_000 + 1_000 });
  const token = await app().tokens.sign({ id: alice.id, roles: ['USER'] }, app().now());
  const later = await send(key, 'b', { ...alice, token });
  expect(later.status).toBe(201);
  expect(later.headers).not.toHaveProperty('idempotency-replayed');
  expect(await storedCount()).toBe(2);
});

test.for([0, 256])('a key of %i characters is 400', async (length) => {
  const response = await send('k'.repeat(length));
  expect(response).toMatchObject({ status: 400, json: { errors: [{ pointer: '/header/Idempotency-Key' }] } });
});

test('the longest key is accepted', async () => {
  expect((await send(crypto.randomUUID().repeat(8).slice(0, 255))).status).toBe(201);
});

describe('a refused request', () => {
  test.for([
    problems.invalid([]),
    problems.slugTaken('x'),
    new StorageBusy(new Error('throttled')),
  ])('with %s leaves no record', async (error) => {
    let isRefused = true;
    const call = probe({
      spec,
      run: async ({ app: { commit } }) => {
        if (isRefused) throw error;
        return commit([], { body: { id: 'x' }, etag: 1 });
      },
    });
    const request = { by: alice, headers: { 'idempotency-key': newKey() }, body: '{"note":"a"}' };
    expect((await call(request)).status).toBeGreaterThanOrEqual(400);
    isRefused = false;
    const response = await call({ ...request, body: '{"note":"another"}' });
    expect([response.status, response.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  test('that met the effect of an equal request replays its result', async () => {
    const key = newKey();
    let name: string | undefined;
    const claim = probe({
      spec,
      run: async ({ app: { commit } }) => {
        if (name !== undefined) throw problems.slugTaken(name);
        const result = await commit([{ put: itemOf(crypto.randomUUID()) }], { body: { id: 'first' }, etag: 1 });
        name = 'rivers';
        return result;
      },
    });
    const request = { by: alice, headers: { 'idempotency-key': key }, body: '{"note":"a"}' };
    // The second one has found no record, as it was faster than the first one's write.
    const early = async () => {
      const { read } = app().table;
      let reads = 0;
      const blind = async (keys: Parameters<typeof read>[0]) => {
        reads += 1;
        return reads === 1 ? [undefined] : read(keys);
      };
      return withTable(
        () => ({ read: blind }),
        () => claim(request),
      );
    };
    expect((await claim(request)).status).toBe(201);
    expect(await early()).toMatchObject({ status: 201, json: { id: 'first' } });
    expect(await early()).toMatchObject({ headers: { 'idempotency-replayed': 'true' } });
  });
});

describe('a result that the handler returns without a write', () => {
  const echo = (restore?: () => Promise<unknown>) => {
    let calls = 0;
    const run = async () => {
      calls += 1;
      return { body: { id: `call ${calls}` }, etag: 1 };
    };
    return probe({ spec, run, ...(restore ? { restore } : {}) });
  };
  const request = () => ({ by: alice, headers: { 'idempotency-key': newKey() }, body: '{"note":"a"}' });

  test('is recorded too, also when its write meets a conflict', async () => {
    const [call, again] = [echo(), request()];
    expect((await withTable(conflicting(2), () => call(again))).json).toEqual({ id: 'call 1' });
    expect((await call(again)).json).toEqual({ id: 'call 1' });
  });

  test('is restored where it expires', async () => {
    const [call, again] = [echo(async () => ({ id: 'signed again' })), request()];
    await call(again);
    expect((await call(again)).json).toEqual({ id: 'signed again' });
  });

  test('that cannot be restored now is a problem like any other', async () => {
    const busy = async () => {
      throw new StorageBusy(new Error('throttled'));
    };
    const [call, again] = [echo(busy), request()];
    await call(again);
    expect(await call(again)).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  });
});

test('a result too large to be recorded is 413, and nothing is written', async () => {
  const call = probe({
    spec: { ...spec, success: { ...spec.success, body: () => z.object({ id: z.string(), text: z.string() }) } },
    run: async ({ app: { commit } }) => {
      created.push('large');
      return commit([{ put: itemOf('large') }], { body: { id: 'x', text: 'x'.repeat(400_000) }, etag: 1 });
    },
  });
  const body = '{"note":"a"}';
  expect(await call({ by: alice, headers: { 'idempotency-key': newKey() }, body })).toMatchObject({
    status: 413,
    json: { detail: expect.stringContaining('without') },
  });
  expect(await storedCount()).toBe(0);
  expect((await call({ by: alice, body })).status).toBe(201);
});
