/** The table in the local DynamoDB: what its indexes hold, and what the emulator lacks: expiry and trimmed streams. */
import { type AttributeValue, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { type Dynamo, startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { deleteExpired, deleteTable, emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';

let dynamo: Dynamo;
let client: ReturnType<typeof emulatorClient>;
beforeAll(async () => {
  dynamo = await startDynamo({ directory: null });
  client = emulatorClient(dynamo.endpoint);
});
afterAll(async () => {
  client.destroy();
  await dynamo.stop();
});

const put = (TableName: string, sk: string, attributes: Record<string, AttributeValue> = {}) =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'p' }, sk: { S: sk }, ...attributes } }));

const stored = async (TableName: string): Promise<(string | undefined)[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items.map(({ sk }) => sk?.S).sort();
};

test('an index holds the keys and the projected attributes of an item, and not the answers', async () => {
  await ensureTable(client, 'projected');
  const { attributes, projected, indexes } = TABLE_DEFINITION;
  const text = { S: 'x' };
  const names: string[] = [...attributes, ...projected];
  await put('projected', 'x', { ...Object.fromEntries(names.map((name) => [name, text])), answers: text });
  for (const { name, hash } of indexes) {
    const query = { TableName: 'projected', IndexName: name, KeyConditionExpression: `${hash} = :x` };
    const { Items } = await client.send(new QueryCommand({ ...query, ExpressionAttributeValues: { ':x': text } }));
    const keysOfOther: string[] = attributes.filter(
      (key) => key.startsWith('gsi') && !key.startsWith(hash.slice(0, 4)),
    );
    expect(Object.keys(Items?.[0] ?? {}).sort()).toEqual(names.filter((each) => !keysOfOther.includes(each)).sort());
  }
});

test('a table that exists stays as it is, and a deleted one is empty when it is created again', async () => {
  await ensureTable(client, 'again');
  await put('again', 'a');
  await ensureTable(client, 'again');
  expect(await stored('again')).toEqual(['a']);
  await deleteTable(client, 'again');
  await deleteTable(client, 'again');
  await ensureTable(client, 'again');
  expect(await stored('again')).toEqual([]);
});

test('trimming the stream keeps the newest record, so that the sequence numbers continue', async () => {
  await ensureTable(client, 'trimmed');
  dynamo.trimStreams(new Date('2999-01-01T00:00:00Z'));
  for (const sk of ['a', 'b', 'c', 'd', 'e']) await put('trimmed', sk);
  expect(dynamo.trimStreams(new Date('2020-01-01T00:00:00Z'))).toBe(0);
  expect(dynamo.trimStreams(new Date('2999-01-01T00:00:00Z'))).toBe(4);
  await put('trimmed', 'f');
  expect(await stored('trimmed')).toHaveLength(6);
});

test('exactly the items whose time has passed are deleted, oldest first, and none that was prolonged', async () => {
  await ensureTable(client, 'forms');
  const now = new Date('2026-05-01T12:00:00.900Z');
  const seconds = Date.parse('2026-05-01T12:00:00Z') / 1_000;
  const expiresAt: Record<string, AttributeValue> = {
    'a second ago': { N: String(seconds - 1) },
    yesterday: { N: String(seconds - 86_400) },
    now: { N: String(seconds) },
    later: { N: String(seconds + 1) },
    'no time': { N: '0' },
    text: { S: String(seconds - 1) },
  };
  for (const [sk, value] of Object.entries(expiresAt)) await put('forms', sk, { expiresAt: value });
  await put('forms', 'never');
  expect(dynamo.expiredKeys('forms', now, 1)).toEqual([{ pk: 'p', sk: 'yesterday' }]);
  const prolonged = { pk: 'p', sk: 'later' };
  const expiredKeys = (...args: Parameters<Dynamo['expiredKeys']>) => [prolonged, ...dynamo.expiredKeys(...args)];
  expect(await deleteExpired({ expiredKeys }, client, 'forms', now)).toBe(2);
  expect(await stored('forms')).toEqual(['later', 'never', 'no time', 'now', 'text']);
  expect(await deleteExpired(dynamo, client, 'forms', now)).toBe(0);
});
