/** Reading the table: some keys in one batch, a page of a partition, the count of a partition. */
import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, keyText } from '#core/db/keys.ts';
import { type Item, type Page, type PageRequest, StorageBusy } from '#core/db/table.ts';
import { ATTEMPTS, pause } from './busy.ts';
import { Expression } from './expression.ts';

/** The table and the client to reach it with. */
export type Target = { client: DynamoDBDocumentClient; tableName: string };

/** The key of an item alone, without its other attributes. */
export const bare = (key: Key): Key => ({ pk: key.pk, sk: key.sk });

/** The items of some keys, in the order asked. */
export async function read({ client, tableName }: Target, keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const [only] = keys;
  if (!only) return [];
  if (keys.length === 1) {
    const get = new GetCommand({ TableName: tableName, Key: bare(only), ConsistentRead: true });
    return [(await client.send(get)).Item as Item | undefined];
  }
  const found = new Map<string, Item>();
  // DynamoDB refuses a batch that names a key twice.
  let wanted: Key[] = [...new Map(keys.map((key) => [keyText(key), bare(key)])).values()];
  for (let attempt = 1; wanted.length > 0; attempt += 1) {
    const request = { RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } };
    const answer = await client.send(new BatchGetCommand(request));
    const items = (answer.Responses?.[tableName] ?? []) as Item[];
    for (const item of items) found.set(keyText(item), item);
    wanted = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
    // What is left over for its size (16 MB an answer) comes at once; only a batch that brings nothing is a busy one.
    if (items.length > 0) attempt = 0;
    else if (attempt >= ATTEMPTS && wanted.length > 0) throw new StorageBusy(new Error('keys stayed unprocessed'));
    else if (wanted.length > 0) await pause(attempt);
  }
  return keys.map((key) => found.get(keyText(key)));
}

/** One page of a partition. Reads one entry more than asked, so that `last` is null exactly at the end. */
export async function page({ client, tableName }: Target, request: PageRequest): Promise<Page> {
  const { after, limit, descending } = request;
  const query = new QueryCommand({
    ...partition(tableName, request),
    Limit: limit + (startsInside(request) ? 2 : 1),
    ScanIndexForward: !descending,
  });
  const answer = await client.send(query);
  const sortKey = rangeName(request.index);
  const items = ((answer.Items ?? []) as Item[]).filter((item) => item[sortKey] !== after);
  const shown = items.slice(0, limit);
  const cutShort = answer.LastEvaluatedKey?.[sortKey];
  const last = items.length > limit ? shown.at(-1)?.[sortKey] : cutShort;
  return { items: shown, last: last === undefined ? null : String(last) };
}

/** How many items a partition has. */
export async function count({ client, tableName }: Target, request: Range): Promise<number> {
  let total = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const from = start ? { ExclusiveStartKey: start } : {};
    const answer = await client.send(new QueryCommand({ ...partition(tableName, request), Select: 'COUNT', ...from }));
    total += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start);
  return total;
}

type Range = Pick<PageRequest, 'index' | 'pk' | 'begins' | 'after' | 'descending'>;

const hashName = (index: string | undefined): string => (index ? `${index}pk` : 'pk');
const rangeName = (index: string | undefined): string => (index ? `${index}sk` : 'sk');

/** The greatest character in the order of UTF-8, in which DynamoDB sorts. */
const GREATEST = '\u{10ffff}';

/** Such a range is a BETWEEN, whose bounds are inclusive: `after` itself comes along and is dropped. */
const startsInside = ({ begins, after }: Range): boolean => begins !== undefined && after !== undefined;

function partition(tableName: string, request: Range) {
  const expression = new Expression();
  const hash = expression.name(hashName(request.index));
  const parts = [`${hash} = ${expression.value(request.pk)}`];
  const { begins, after, descending } = request;
  const range = (): string => expression.name(rangeName(request.index));
  if (begins !== undefined && after !== undefined) {
    const [low, high] = descending ? [begins, after] : [after, begins + GREATEST];
    parts.push(`${range()} BETWEEN ${expression.value(low)} AND ${expression.value(high)}`);
  } else if (begins !== undefined) parts.push(`begins_with(${range()}, ${expression.value(begins)})`);
  else if (after !== undefined) parts.push(`${range()} ${descending ? '<' : '>'} ${expression.value(after)}`);
  return {
    TableName: tableName,
    ...(request.index ? { IndexName: request.index } : { ConsistentRead: true }),
    KeyConditionExpression: parts.join(' AND '),
    ...expression.attributes(),
  };
}
