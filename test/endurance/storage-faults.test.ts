/**
 * The table port under the faults of DynamoDB: responses that are lost after the write, conflicting transactions,
 * throttling, silence. A write happens once, or the caller learns that it did not.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { untilWritten } from '#core/db/retry.ts';
import { StorageBusy, type Table, WriteConflict, WriteRefused } from '#core/db/table.ts';
import { app, createApp } from '#core/http/app.ts';
import { aroundRequests, storageError } from '#test/support/faults.ts';
import { newItemKey, storeItem } from '#test/support/stored.ts';

/** The error of a connection that broke before the response; the SDK sends the request again. */
const lostResponse = (): Error => storageError('TimeoutError');

let table: Table;
beforeAll(() => {
  table = app().table;
});

const item = async (key: { pk: string; sk: string }) => (await table.read([key]))[0];

type Fault = (send: () => Promise<{ output: unknown }>) => Promise<{ output: unknown }>;

/** A table whose first requests fail with these faults, one after the other; `sent` counts all requests. */
function faulty(...faults: Fault[]) {
  const log = { sent: 0 };
  const client = aroundRequests(dynamoClient(app().config), (_command, send) => {
    const fault = faults[log.sent];
    log.sent += 1;
    return fault ? fault(send) : send();
  });
  return { ...dynamoTable(client, app().config.tableName), log };
}

const losesResponse: Fault = async (send) => {
  await send();
  throw lostResponse();
};
const fails =
  (name: string, more: object = {}): Fault =>
  async () => {
    throw storageError(name, more);
  };
const cancelled = (code: string): Fault =>
  fails('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code: code }] });

test('a put whose response was lost is recognized by its write id and counts as done', async () => {
  const key = newItemKey();
  const shaky = faulty(losesResponse);
  await shaky.write([{ put: { ...key, color: 'red' }, when: { absent: true } }]);
  expect(shaky.log.sent).toBe(2);
  expect(await item(key)).toMatchObject({ color: 'red' });
});

test('an update whose response was lost is recognized, and is not done twice', async () => {
  const key = await storeItem({ version: 1, count: 0 });
  await faulty(losesResponse).write([
    { update: key, set: { version: 2 }, add: { count: 1 }, when: { equals: { version: 1 } } },
  ]);
  expect(await item(key)).toMatchObject({ version: 2, count: 1 });
});

test('a number that is added without any condition is added once, whatever responses are lost', async () => {
  const [key, fresh] = [await storeItem({ count: 5 }), newItemKey()];
  await faulty(losesResponse, losesResponse).write([{ update: key, add: { count: 2 } }]);
  await faulty(losesResponse).write([{ update: fresh, add: { count: 2 } }]);
  expect(await item(key)).toMatchObject({ count: 7 });
  expect(await item(fresh)).toMatchObject({ count: 2 });
  await table.write([{ update: key, add: { count: 1 } }]);
  await table.write([{ update: key, add: { count: 1 } }]);
  expect(await item(key)).toMatchObject({ count: 9 });
});

test('a write that is to be sent once is sent once, and any other again, to storage that does not say whether it is done', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { table: failing } = createApp({ ...app().config, dynamoEndpoint: `http://127.0.0.1:${port}` });
  const sendings = async (isSentOnce?: 'once'): Promise<number> => {
    requests = 0;
    await expect(failing.write([{ update: newItemKey(), add: { taken: -1 } }], isSentOnce)).rejects.toThrow(
      StorageBusy,
    );
    return requests;
  };
  expect([await sendings('once'), await sendings()]).toEqual([1, 3]);
  server.close();
});

test('a removal whose response was lost counts as done', async () => {
  const key = await storeItem({ version: 1 });
  await faulty(losesResponse).write([{ remove: key, when: { equals: { version: 1 } } }]);
  expect(await item(key)).toBeUndefined();
});

test('a removal that was sent once and finds nothing is refused', async () => {
  await expect(table.write([{ remove: newItemKey(), when: { absent: false } }])).rejects.toBeInstanceOf(WriteRefused);
});

test('a write that was refused before and is sent again is still refused', async () => {
  const key = await storeItem({ version: 1 });
  const refused = faulty(async (send) => {
    await send().catch(() => undefined);
    throw lostResponse();
  }).write([{ put: key, when: { absent: true } }]);
  await expect(refused).rejects.toMatchObject({ index: 0, found: { version: 1 } });
});

test('a write whose effect another writer has replaced meanwhile is refused, never repeated', async () => {
  const key = await storeItem({ version: 1 });
  const shaky = faulty(async (send) => {
    await send();
    await table.write([{ update: key, set: { version: 3 } }]);
    throw lostResponse();
  });
  const write = shaky.write([{ update: key, set: { version: 2 }, when: { equals: { version: 1 } } }]);
  await expect(write).rejects.toMatchObject({ found: { version: 3 } });
  expect(await item(key)).toMatchObject({ version: 3 });
});

test('a transaction whose response was lost is done once', async () => {
  const [made, counted, removed] = [newItemKey(), await storeItem({ count: 0 }), await storeItem()];
  await faulty(losesResponse, losesResponse).write([
    { put: made, when: { absent: true } },
    { update: counted, add: { count: 1 } },
    { remove: removed, when: { absent: false } },
  ]);
  expect(await item(made)).toMatchObject(made);
  expect(await item(counted)).toMatchObject({ count: 1 });
  expect(await item(removed)).toBeUndefined();
});

test.for([
  'alone',
  'in a transaction',
])('a write that meets another transaction %s is a conflict, never sent again', async (how) => {
  const [key, counted] = [newItemKey(), await storeItem({ count: 0 })];
  const isAlone = how === 'alone';
  const shaky = faulty(isAlone ? fails('TransactionConflictException') : cancelled('TransactionConflict'));
  const writes = [{ update: counted, add: { count: 1 } }, ...(isAlone ? [] : [{ put: key }])];
  await expect(shaky.write(writes)).rejects.toBeInstanceOf(WriteConflict);
  expect(shaky.log.sent).toBe(1);
  expect(await item(counted)).toMatchObject({ count: 0 });
});

test('throttling is retried', async () => {
  const keys = [newItemKey(), newItemKey()];
  const shaky = faulty(fails('ProvisionedThroughputExceededException'), fails('ThrottlingException'));
  await shaky.write(keys.map((put) => ({ put })));
  expect(await table.read(keys)).toMatchObject(keys);
});

test('a write that storage does not accept after all retries is StorageBusy and has changed nothing', async () => {
  const keys = [newItemKey(), newItemKey()];
  const both = keys.map((put) => ({ put }));
  const always = (fault: Fault) => faulty(...Array.from({ length: 20 }, () => fault));
  const throttled = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];
  const attempts = [
    ...throttled.flatMap((name) => [always(fails(name)).write(both), always(fails(name)).write(both.slice(1))]),
    always(fails('TransactionInProgressException')).write(both),
    ...['ThrottlingError', 'ProvisionedThroughputExceeded'].map((code) => always(cancelled(code)).write(both)),
  ];
  for (const outcome of await Promise.allSettled(attempts)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageBusy) });
  }
  expect(await table.read(keys)).toEqual([undefined, undefined]);
});

test('storage that does not respond is StorageBusy, within the time of a request', async () => {
  const silent = createServer(() => undefined).listen(0);
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = dynamoClient({ ...app().config, dynamoEndpoint: `http://127.0.0.1:${port}` });
  const startedAt = performance.now();
  await expect(dynamoTable(client, 'any').read([newItemKey()])).rejects.toBeInstanceOf(StorageBusy);
  expect(performance.now() - startedAt).toBeLessThan(14_000);
  client.destroy();
  silent.closeAllConnections();
  silent.close();
});

test('an invalid write is neither retried nor reported as busy', async () => {
  const shaky = faulty(fails('ValidationException'));
  await expect(shaky.write([{ put: newItemKey() }])).rejects.toThrow('ValidationException');
  expect(shaky.log.sent).toBe(1);
});

test('many transactions on one item all succeed, each once', async () => {
  const counter = await storeItem({ count: 0 });
  const add = () => untilWritten(() => table.write([{ update: counter, add: { count: 1 } }, { put: newItemKey() }]));
  await Promise.all(Array.from({ length: 12 }, add));
  expect(await item(counter)).toMatchObject({ count: 12 });
});
