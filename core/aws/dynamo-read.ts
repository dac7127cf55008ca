/** Reads the table: items by key, a batch of a partition, the number of items in a partition. */
import { BatchGetItemCommand, type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Key, keyText } from '#core/db/keys.ts';
import { type Consistency, type Item, type ItemBatch, type ItemListRequest, StorageBusy } from '#core/db/table.ts';
import { type Attributes, parseItem, toAttributes } from './attribute-values.ts';
import { MAX_ATTEMPTS, pause } from './busy.ts';
import { Expression } from './expression.ts';

/** The table and its client. */
export type Target = { client: DynamoDBClient; tableName: string };

/** The entries that one call counts: more could take longer than an attempt may. */
const MAX_COUNTED_PER_CALL = 5_000;
/** The most keys of one BatchGetItem. */
const BATCH_KEYS = 100;

/** Returns the attributes of the key of an item, without its other ones. */
export const keyAttributes = ({ pk, sk }: Key): Attributes => toAttributes({ pk, sk });

/** Reads items by key; batches run in parallel. Returns them in the order of the keys. */
export async function read(
  target: Target,
  keys: readonly Key[],
  consistency: Consistency = 'strong',
): Promise<(Item | undefined)[]> {
  const [only] = keys;
  if (!only) return [];
  const ConsistentRead = consistency === 'strong';
  if (keys.length === 1) {
    const get = new GetItemCommand({ TableName: target.tableName, Key: keyAttributes(only), ConsistentRead });
    const { Item } = await target.client.send(get);
    return [Item && parseItem(Item)];
  }
  // DynamoDB rejects a batch with duplicate keys.
  const distinct = [...new Map(keys.map((key) => [keyText(key), keyAttributes(key)])).values()];
  const batches = Array.from({ length: Math.ceil(distinct.length / BATCH_KEYS) }, (_, index) =>
    readBatch(target, distinct.slice(index * BATCH_KEYS, (index + 1) * BATCH_KEYS), ConsistentRead),
  );
  const itemsByKey = new Map((await Promise.all(batches)).flat().map((item) => [keyText(item), item]));
  return keys.map((key) => itemsByKey.get(keyText(key)));
}

async function readBatch({ client, tableName }: Target, keys: Attributes[], ConsistentRead: boolean): Promise<Item[]> {
  const foundItems: Item[] = [];
  let pending = keys;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const request = { RequestItems: { [tableName]: { Keys: pending, ConsistentRead } } };
    const output = await client.send(new BatchGetItemCommand(request));
    const items = (output.Responses?.[tableName] ?? []).map(parseItem);
    foundItems.push(...items);
    pending = output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    // Keys stay unprocessed if the result exceeds 16 MB or the table throttles; only then the result can be empty.
    if (items.length > 0) attempt = 0;
    else if (pending.length > 0 && attempt >= MAX_ATTEMPTS)
      throw new StorageBusy(new Error('keys are still unprocessed after all attempts'));
    else if (pending.length > 0) await pause(attempt);
  }
  return foundItems;
}

/** Reads one batch of a partition, with one entry more than requested, so that `last` is null only at the end. */
export async function list({ client, tableName }: Target, request: ItemListRequest): Promise<ItemBatch> {
  const { begins, after, limit, descending, notAfter } = request;
  // A position outside the prefix has no following entries, and could exchange the bounds of BETWEEN.
  if (begins !== undefined && after !== undefined && !after.startsWith(begins)) return { items: [], last: null };
  const expression = new Expression();
  const query = new QueryCommand({
    TableName: tableName,
    ...indexParameters(request.index, request.consistency),
    KeyConditionExpression: keyCondition(expression, request),
    ...(notAfter ? { FilterExpression: expression.notAfter(notAfter) } : {}),
    Limit: notAfter?.examined ?? limit + (isBetween(request) ? 2 : 1),
    ...expression.attributes(),
    ScanIndexForward: !descending,
  });
  const output = await client.send(query);
  const sortKey = rangeName(request.index);
  const items = (output.Items ?? []).map(parseItem).filter((item) => item[sortKey] !== after);
  const included = items.slice(0, limit);
  const lastEvaluated = output.LastEvaluatedKey?.[sortKey]?.S;
  const last = items.length > limit ? included.at(-1)?.[sortKey] : lastEvaluated;
  return { items: included, last: last === undefined ? null : String(last) };
}

/** Counts the items of a partition, up to `limit` if given. */
export async function count({ client, tableName }: Target, request: KeyRange & { limit?: number }): Promise<number> {
  let total = 0;
  let start: Attributes | undefined;
  do {
    const expression = new Expression();
    const output = await client.send(
      new QueryCommand({
        TableName: tableName,
        ...indexParameters(request.index),
        KeyConditionExpression: keyCondition(expression, request),
        ...expression.attributes(),
        Select: 'COUNT',
        ...(request.limit === undefined ? {} : { Limit: Math.min(request.limit - total, MAX_COUNTED_PER_CALL) }),
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    total += output.Count ?? 0;
    start = output.LastEvaluatedKey;
  } while (start && (request.limit === undefined || total < request.limit));
  return total;
}

type KeyRange = Pick<ItemListRequest, 'index' | 'pk' | 'begins' | 'after' | 'descending'>;

const indexParameters = (index: string | undefined, consistency: Consistency = 'strong') =>
  index ? { IndexName: index } : { ConsistentRead: consistency === 'strong' };
const hashName = (index: string | undefined): string => (index ? `${index}pk` : 'pk');
const rangeName = (index: string | undefined): string => (index ? `${index}sk` : 'sk');

/** The greatest character in UTF-8 order, which DynamoDB uses. */
const GREATEST = '\u{10ffff}';

/** A prefix with a start position is a BETWEEN. Its bounds are inclusive, so `list` drops `after` itself. */
const isBetween = ({ begins, after }: KeyRange): boolean => begins !== undefined && after !== undefined;

function keyCondition(expression: Expression, { index, pk, begins, after, descending }: KeyRange): string {
  const hash = `${expression.name(hashName(index))} = ${expression.value(pk)}`;
  if (begins === undefined && after === undefined) return hash;
  const range = expression.name(rangeName(index));
  if (begins === undefined) return `${hash} AND ${range} ${descending ? '<' : '>'} ${expression.value(after)}`;
  if (after === undefined) return `${hash} AND begins_with(${range}, ${expression.value(begins)})`;
  const [low, high] = descending ? [begins, after] : [after, begins + GREATEST];
  return `${hash} AND ${range} BETWEEN ${expression.value(low)} AND ${expression.value(high)}`;
}
