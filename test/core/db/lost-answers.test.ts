/**
 * The table port against what DynamoDB really does at times: answers that are lost although the write happened,
 * transactions that meet each other, throttling. A write happens once or says that it did not.
 */
import { beforeAll, expect, test } from 'vitest';
import { documentClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { StorageBusy, type Table, WriteRefused } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { aroundRequests, lostAnswer, storageError } from '#test/support/faults.ts';

let table: Table;
beforeAll(() => {
  table = app().table;
});

const newKey = () => ({ pk: `THING#${crypto.randomUUID()}`, sk: 'THING' });

async function stored(attributes: Record<string, unknown> = {}) {
  const key = newKey();
  await table.write([{ put: { ...key, ...attributes } }]);
  return key;
}

const item = async (key: { pk: string; sk: string }) => (await table.read([key]))[0];

type Fault = (send: () => Promise<{ output: unknown }>) => Promise<{ output: unknown }>;

/** A table whose first requests meet these faults, one after the other; `sent` counts all requests. */
function faulty(...faults: Fault[]) {
  const log = { sent: 0 };
  const client = aroundRequests(documentClient(app().config), (_command, send) => {
    const fault = faults[log.sent];
    log.sent += 1;
    return fault ? fault(send) : send();
  });
  return { ...dynamoTable(client, app().config.tableName), log };
}

const losesAnswer: Fault = async (send) => {
  await send();
  throw lostAnswer();
};
const fails =
  (name: string, more: object = {}): Fault =>
  async () => {
    throw storageError(name, more);
  };
const cancelled = (code: string): Fault =>
  fails('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code: code }] });

test('a put whose answer was lost is recognized by its write id and counts as done', async () => {
  const key = newKey();
  const shaky = faulty(losesAnswer);
  await shaky.write([{ put: { ...key, color: 'red' }, when: { absent: true } }]);
  expect(shaky.log.sent).toBe(2);
  expect(await item(key)).toMatchObject({ color: 'red' });
});

test('an update whose answer was lost is recognized, and is not done twice', async () => {
  const key = await stored({ version: 1, count: 0 });
  await faulty(losesAnswer).write([
    { update: key, set: { version: 2 }, add: { count: 1 }, when: { equals: { version: 1 } } },
  ]);
  expect(await item(key)).toMatchObject({ version: 2, count: 1 });
});

test('a number that is added without any condition is added once, whatever answers are lost', async () => {
  const [key, fresh] = [await stored({ count: 5 }), newKey()];
  await faulty(losesAnswer, losesAnswer).write([{ update: key, add: { count: 2 } }]);
  await faulty(losesAnswer).write([{ update: fresh, add: { count: 2 } }]);
  expect(await item(key)).toMatchObject({ count: 7 });
  expect(await item(fresh)).toMatchObject({ count: 2 });
  await table.write([{ update: key, add: { count: 1 } }]);
  await table.write([{ update: key, add: { count: 1 } }]);
  expect(await item(key)).toMatchObject({ count: 9 });
});

test('a removal whose answer was lost counts as done', async () => {
  const key = await stored({ version: 1 });
  await faulty(losesAnswer).write([{ remove: key, when: { equals: { version: 1 } } }]);
  expect(await item(key)).toBeUndefined();
});

test('a removal that was sent once and finds nothing is refused', async () => {
  await expect(table.write([{ remove: newKey(), when: { absent: false } }])).rejects.toBeInstanceOf(WriteRefused);
});

test('a write that was refused before and is sent again is still refused', async () => {
  const key = await stored({ version: 1 });
  const refused = faulty(async (send) => {
    await send().catch(() => undefined);
    throw lostAnswer();
  }).write([{ put: key, when: { absent: true } }]);
  await expect(refused).rejects.toMatchObject({ index: 0, found: { version: 1 } });
});

test('a write whose effect somebody else has replaced meanwhile is refused, never done again', async () => {
  const key = await stored({ version: 1 });
  const shaky = faulty(async (send) => {
    await send();
    await table.write([{ update: key, set: { version: 3 } }]);
    throw lostAnswer();
  });
  const write = shaky.write([{ update: key, set: { version: 2 }, when: { equals: { version: 1 } } }]);
  await expect(write).rejects.toMatchObject({ found: { version: 3 } });
  expect(await item(key)).toMatchObject({ version: 3 });
});

test('a transaction whose answer was lost is done once', async () => {
  const [made, counted, removed] = [newKey(), await stored({ count: 0 }), await stored()];
  await faulty(losesAnswer, losesAnswer).write([
    { put: made, when: { absent: true } },
    { update: counted, add: { count: 1 } },
    { remove: removed, when: { absent: false } },
  ]);
  expect(await item(made)).toMatchObject(made);
  expect(await item(counted)).toMatchObject({ count: 1 });
  expect(await item(removed)).toBeUndefined();
});

test('a transaction that met another one after its answer was lost is still done once', async () => {
  const counted = await stored({ count: 0 });
  const shaky = faulty(losesAnswer, cancelled('TransactionConflict'));
  await shaky.write([{ put: newKey() }, { update: counted, add: { count: 1 } }]);
  expect(shaky.log.sent).toBe(3);
  expect(await item(counted)).toMatchObject({ count: 1 });
});

test('a write that is asked for again with its write id, by another run, counts as done', async () => {
  const [alone, first, second] = [newKey(), await stored({ version: 1 }), newKey()];
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  const single = [{ put: alone, when: { absent: true } }];
  const both = [
    { update: first, set: { version: 2 }, when: { equals: { version: 1 } } },
    { put: second, when: { absent: true } },
  ];
  await table.write(single, one);
  await table.write(both, two);
  await table.write(single, one);
  // Even when one of its items has been changed since: the other one proves it.
  await table.write([{ update: first, set: { version: 3 } }]);
  await table.write(both, two);
  expect(await item(first)).toMatchObject({ version: 3 });
  await expect(table.write(single, crypto.randomUUID())).rejects.toBeInstanceOf(WriteRefused);
});

test.for([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])('a transaction that was cancelled for %s is tried again', async (code) => {
  const keys = [newKey(), newKey()];
  const shaky = faulty(cancelled(code), fails('TransactionInProgressException'));
  await shaky.write(keys.map((put) => ({ put })));
  expect(shaky.log.sent).toBe(3);
  expect(await table.read(keys)).toMatchObject(keys);
});

test('a single write that met a transaction is tried again', async () => {
  const key = newKey();
  const shaky = faulty(fails('TransactionConflictException'));
  await shaky.write([{ put: key, when: { absent: true } }]);
  expect(shaky.log.sent).toBe(2);
  expect(await item(key)).toMatchObject(key);
});

test('a write that storage does not take after all retries is StorageBusy and has changed nothing', async () => {
  const keys = [newKey(), newKey()];
  const both = keys.map((put) => ({ put }));
  const always = (fault: Fault) => faulty(...Array.from({ length: 20 }, () => fault));
  const throttled = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];
  const attempts = [
    ...throttled.flatMap((name) => [always(fails(name)).write(both), always(fails(name)).write(both.slice(1))]),
    always(cancelled('TransactionConflict')).write(both),
    always(fails('TransactionInProgressException')).write(both),
    always(fails('TransactionConflictException')).write(both.slice(1)),
  ];
  for (const outcome of await Promise.allSettled(attempts)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageBusy) });
  }
  expect(await table.read(keys)).toEqual([undefined, undefined]);
});

test('what is wrong with a write itself is neither tried again nor called busy', async () => {
  const shaky = faulty(fails('ValidationException'));
  await expect(shaky.write([{ put: newKey() }])).rejects.toThrow('ValidationException');
  expect(shaky.log.sent).toBe(1);
});

test('many transactions on one item all go through, each once', async () => {
  const counter = await stored({ count: 0 });
  const add = () => table.write([{ update: counter, add: { count: 1 } }, { put: newKey() }]);
  await Promise.all(Array.from({ length: 12 }, add));
  expect(await item(counter)).toMatchObject({ count: 12 });
});
