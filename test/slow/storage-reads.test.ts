/** The table port's reads: batches in the order of their keys, pages of a partition in both directions, counts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { INDEX_1 } from '#core/db/keys.ts';
import { type ItemListRequest, StorageBusy, type Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { aroundRequests, storageError } from '#test/support/faults.ts';

let table: Table;
let pk: string;
const SORT_KEYS = ['A#1', 'M#', 'M#1', 'M#2', 'M#2~', 'M#3', 'M#4', 'M#ü', 'M#😀', 'N', 'N#1'];

beforeAll(async () => {
  table = app().table;
  pk = `LIST#${crypto.randomUUID()}`;
  await table.write(SORT_KEYS.map((sk) => ({ put: { pk, sk } })));
});

describe('a batch', () => {
  test('returns items in the order of the keys, a repeated key each time, and undefined for a missing item', async () => {
    const [one, two, none] = [
      { pk, sk: 'M#1' },
      { pk, sk: 'M#2' },
      { pk, sk: 'nothing' },
    ];
    expect(await table.read([two, none, one, two])).toMatchObject([two, undefined, one, two]);
  });

  test('accepts keys with other attributes', async () => {
    const item = { pk, sk: 'M#1', gsi1pk: 'x', data: '{}' };
    expect(await table.read([item])).toMatchObject([{ sk: 'M#1' }]);
    expect(await table.read([item, { pk, sk: 'M#2' }])).toMatchObject([{ sk: 'M#1' }, { sk: 'M#2' }]);
  });

  test('of no keys is empty', async () => {
    expect(await table.read([])).toEqual([]);
  });

  test('requests unprocessed keys again', async () => {
    let requests = 0;
    const slow = tableThat(async (send) => {
      requests += 1;
      return leaveOver(await send(), requests <= 4);
    });
    const keys = SORT_KEYS.map((sk) => ({ pk, sk }));
    expect(await slow.read(keys)).toMatchObject(keys);
    expect(requests).toBeGreaterThan(4);
  });

  test('is StorageBusy when keys stay unprocessed', async () => {
    const stuck = tableThat(async (send) => leaveOver(await send(), true, 0));
    const keys = [
      { pk, sk: 'M#1' },
      { pk, sk: 'M#2' },
    ];
    await expect(stuck.read(keys)).rejects.toBeInstanceOf(StorageBusy);
  });

  test('is StorageBusy when storage is throttled beyond all retries', async () => {
    const throttled = tableThat(async () => {
      throw storageError('ProvisionedThroughputExceededException');
    });
    const attempts = [throttled.read([{ pk, sk: 'M#1' }]), throttled.list({ pk, limit: 1 }), throttled.count({ pk })];
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageBusy) });
    }
  });
});

/** The table over a client whose batches and queries go through `around`. */
function tableThat(around: (send: () => Promise<{ output: unknown }>) => Promise<{ output: unknown }>): Table {
  const client = aroundRequests(dynamoClient(app().config), (_command, send) => around(send));
  return dynamoTable(client, app().config.tableName);
}

type BatchOutput = { Responses: Record<string, { pk: { S: string }; sk: { S: string } }[]>; UnprocessedKeys?: object };

/** The response of a BatchGet as if storage had processed only the first `processed` of its keys. */
function leaveOver(response: { output: unknown }, leaves: boolean, processed = 2): { output: unknown } {
  const output = response.output as BatchOutput;
  if (!leaves) return response;
  const [[name = '', items = []] = []] = Object.entries(output.Responses);
  const Keys = items.slice(processed).map((item) => ({ pk: item.pk, sk: item.sk }));
  return {
    ...response,
    output: {
      ...output,
      Responses: { [name]: items.slice(0, processed) },
      UnprocessedKeys: Keys.length > 0 ? { [name]: { Keys } } : {},
    },
  };
}

/** The sort keys of every page from `request` on, page by page. */
async function pages(request: Omit<ItemListRequest, 'pk'> & { pk?: string }): Promise<string[][]> {
  const all: string[][] = [];
  let after: string | null | undefined = request.after;
  do {
    const page = await table.list({ pk, ...request, ...(after ? { after } : {}) });
    all.push(page.items.map((item) => (request.index ? String(item.gsi1sk) : item.sk)));
    after = page.last;
  } while (after !== null && all.length < 50);
  return all;
}

describe('a page', () => {
  const inside = SORT_KEYS.filter((sk) => sk.startsWith('M#'));

  test('has at most `limit` items, in the order of the sort key', async () => {
    expect(await pages({ limit: 4 })).toEqual([SORT_KEYS.slice(0, 4), SORT_KEYS.slice(4, 8), SORT_KEYS.slice(8)]);
  });

  test('descending goes from the greatest sort key down', async () => {
    const down = SORT_KEYS.toReversed();
    expect(await pages({ limit: 4, descending: true })).toEqual([down.slice(0, 4), down.slice(4, 8), down.slice(8)]);
  });

  test('has no `last` when it ends exactly at the end of the partition, so that no empty page follows', async () => {
    expect(await pages({ limit: SORT_KEYS.length })).toEqual([SORT_KEYS]);
    expect(await pages({ limit: SORT_KEYS.length, descending: true })).toEqual([SORT_KEYS.toReversed()]);
    expect(await pages({ limit: 4, begins: 'M#' })).toEqual([inside.slice(0, 4), inside.slice(4)]);
  });

  test('with a prefix has only its entries, whichever characters follow', async () => {
    for (const limit of [1, 2, 3, 8, 100]) {
      expect((await pages({ begins: 'M#', limit })).flat()).toEqual(inside);
      expect((await pages({ begins: 'M#', limit, descending: true })).flat()).toEqual(inside.toReversed());
    }
  });

  test('continues after a sort key that no longer exists', async () => {
    expect((await pages({ after: 'M#2a', limit: 3 })).flat()).toEqual(SORT_KEYS.slice(4));
    expect((await pages({ after: 'M#2a', begins: 'M#', limit: 3 })).flat()).toEqual(inside.slice(3));
    expect((await pages({ after: 'M#2a', begins: 'M#', limit: 3, descending: true })).flat()).toEqual([
      'M#2',
      'M#1',
      'M#',
    ]);
  });

  test('outside of the prefix is empty', async () => {
    for (const after of ['A#1', 'N', '', '~']) {
      for (const descending of [false, true]) {
        const page = await table.list({ pk, begins: 'M#', after, descending, limit: 5 });
        expect(page, after).toEqual({ items: [], last: null });
      }
    }
  });

  test('of a missing partition is empty and the last', async () => {
    expect(await table.list({ pk: 'nobody', limit: 5 })).toEqual({ items: [], last: null });
  });

  test('of an index follows the order of the index and knows the keys of its items', async () => {
    const list = `INDEXED#${crypto.randomUUID()}`;
    const items = ['1', '2', '3'].map((n) => ({ pk: `${list}#${4 - Number(n)}`, sk: 'X', gsi1pk: list, gsi1sk: n }));
    await table.write(items.map((put) => ({ put: { ...put, data: 'not in the index' } })));
    expect(await pages({ index: INDEX_1, pk: list, limit: 2 })).toEqual([['1', '2'], ['3']]);
    expect(await pages({ index: INDEX_1, pk: list, limit: 2, descending: true })).toEqual([['3', '2'], ['1']]);
    const page = await table.list({ index: INDEX_1, pk: list, limit: 1 });
    expect(page).toEqual({ items: [items[0]], last: '1' });
  });
});

describe('a count', () => {
  test('is of the whole partition, of a prefix, or at most its limit', async () => {
    expect(await table.count({ pk })).toBe(SORT_KEYS.length);
    expect(await table.count({ pk, begins: 'M#' })).toBe(8);
    expect(await table.count({ pk, limit: 3 })).toBe(3);
    expect(await table.count({ pk: 'nobody' })).toBe(0);
  });

  test('continues after the 1 MB that storage reads at once', async () => {
    const big = `BIG#${crypto.randomUUID()}`;
    const data = 'x'.repeat(300_000);
    for (let n = 0; n < 5; n += 1) await table.write([{ put: { pk: big, sk: String(n), data } }]);
    expect(await table.count({ pk: big })).toBe(5);
    expect((await pages({ pk: big, limit: 100 })).flat()).toEqual(['0', '1', '2', '3', '4']);
  });
});
