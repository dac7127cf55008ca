/**
 * The table port over the AWS SDK: compiles the plain conditions of `core/db/table.ts` to DynamoDB expressions and
 * makes every write safe to repeat. Retries of throttling are the SDK's; retries of transaction conflicts are ours.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type Key, keyText } from '#core/db/keys.ts';
import {
  type Item,
  type Page,
  type PageRequest,
  StorageBusy,
  type Table,
  type Write,
  WriteRefused,
} from '#core/db/table.ts';
import { Expression } from './expression.ts';

const TRANSACTION_ATTEMPTS = 8;
/** The attribute by which a write recognizes itself when its answer was lost. */
const WRITE_ID = 'writeId';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The table port over a document client and one table. */
export function dynamoTable(client: DynamoDBDocumentClient, tableName: string): Table {
  return {
    read: (keys) => read(client, tableName, keys),
    page: (request) => page(client, tableName, request),
    count: (request) => count(client, tableName, request),
    write: (writes, writeId = crypto.randomUUID()) =>
      busy(() =>
        writes.length === 1
          ? writeOne(client, tableName, writes, writeId)
          : transact(client, tableName, writes, writeId),
      ),
  };
}

async function read(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
): Promise<(Item | undefined)[]> {
  const [only] = keys;
  if (!only) return [];
  if (keys.length === 1) {
    const answer = await busy(() =>
      client.send(new GetCommand({ TableName: tableName, Key: bare(only), ConsistentRead: true })),
    );
    return [answer.Item as Item | undefined];
  }
  const found = new Map<string, Item>();
  let wanted: Key[] = [...new Map(keys.map((key) => [keyText(key), bare(key)])).values()];
  for (let attempt = 0; wanted.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    if (attempt > TRANSACTION_ATTEMPTS) throw new StorageBusy(new Error('keys stayed unprocessed'));
    const request = { RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } };
    const answer = await busy(() => client.send(new BatchGetCommand(request)));
    for (const item of answer.Responses?.[tableName] ?? []) found.set(keyText(item as Item), item as Item);
    wanted = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
  }
  return keys.map((key) => found.get(keyText(key)));
}

const bare = (key: Key): Key => ({ pk: key.pk, sk: key.sk });

async function page(client: DynamoDBDocumentClient, tableName: string, request: PageRequest): Promise<Page> {
  const answer = await busy(() =>
    client.send(
      new QueryCommand({ ...query(tableName, request), Limit: request.limit, ScanIndexForward: !request.descending }),
    ),
  );
  const items = (answer.Items ?? []) as Item[];
  const sortKey = rangeName(request.index);
  const last = answer.LastEvaluatedKey ? String(answer.LastEvaluatedKey[sortKey]) : null;
  return { items, last };
}

async function count(
  client: DynamoDBDocumentClient,
  tableName: string,
  request: { index?: string; pk: string; begins?: string },
): Promise<number> {
  let total = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await busy(() =>
      client.send(
        new QueryCommand({
          ...query(tableName, request),
          Select: 'COUNT',
          ...(start ? { ExclusiveStartKey: start } : {}),
        }),
      ),
    );
    total += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start);
  return total;
}

const hashName = (index: string | undefined): string => (index ? `${index}pk` : 'pk');
const rangeName = (index: string | undefined): string => (index ? `${index}sk` : 'sk');

/** A Query of one partition; a range that both begins with a text and lies behind a key is a BETWEEN. */
function query(
  tableName: string,
  request: { index?: string; pk: string; begins?: string; after?: string; descending?: boolean },
) {
  const expression = new Expression();
  const hash = expression.name(hashName(request.index));
  const range = (): string => expression.name(rangeName(request.index));
  const parts = [`${hash} = ${expression.value(request.pk)}`];
  const { begins, after, descending } = request;
  if (begins !== undefined && after !== undefined) {
    // Behind `after` and still in the prefix: the bounds are inclusive, so the smallest step past `after` is added.
    const [low, high] = descending ? [begins, justBefore(after)] : [`${after}\u0000`, `${begins}\uffff`];
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

/** The greatest practical text below another one: its last character lowered by one, then the highest character. */
const justBefore = (text: string): string =>
  `${text.slice(0, -1)}${String.fromCharCode(text.charCodeAt(text.length - 1) - 1)}\uffff`;

async function writeOne(
  client: DynamoDBDocumentClient,
  tableName: string,
  writes: readonly Write[],
  writeId: string,
): Promise<void> {
  const [write] = writes;
  if (!write || 'check' in write) throw new Error('a check alone writes nothing');
  const compiled = compile(tableName, write, writeId);
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (compiled.Put)
        await client.send(new PutCommand({ ...compiled.Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
      else if (compiled.Update)
        await client.send(new UpdateCommand({ ...compiled.Update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
      else if (compiled.Delete)
        await client.send(new DeleteCommand({ ...compiled.Delete, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
      return;
    } catch (error) {
      if (isNamed(error, 'TransactionConflictException') && attempt < TRANSACTION_ATTEMPTS) {
        await pause(attempt);
        continue;
      }
      const found = conditionFailure(error);
      if (!found) throw error;
      if (found.item?.[WRITE_ID] === writeId) return;
      throw new WriteRefused(0, found.item);
    }
  }
}

async function transact(
  client: DynamoDBDocumentClient,
  tableName: string,
  writes: readonly Write[],
  writeId: string,
): Promise<void> {
  const items = writes.map((write) => withOldItem(compile(tableName, write, writeId)));
  // The same token on every attempt: a transaction that went through and lost its answer is not done twice.
  const token = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failed >= 0) {
        const found = oldItem(reasons[failed]?.Item);
        if (found?.[WRITE_ID] === writeId) return;
        throw new WriteRefused(failed, found);
      }
      const conflict = reasons.some(
        (reason) => reason.Code === 'TransactionConflict' || reason.Code === 'ThrottlingError',
      );
      if ((conflict || isNamed(error, 'TransactionInProgressException')) && attempt < TRANSACTION_ATTEMPTS) {
        await pause(attempt);
        continue;
      }
      throw conflict ? new StorageBusy(error) : error;
    }
  }
}

function compile(tableName: string, write: Write, writeId: string): TransactItem {
  const expression = new Expression();
  const condition = write.when ? { ConditionExpression: expression.condition(write.when) } : {};
  if ('put' in write) {
    return {
      Put: {
        TableName: tableName,
        Item: { ...write.put, [WRITE_ID]: writeId },
        ...condition,
        ...expression.attributes(),
      },
    };
  }
  if ('update' in write) {
    const update = expression.update({ ...write, set: { ...write.set, [WRITE_ID]: writeId } });
    return {
      Update: {
        TableName: tableName,
        Key: bare(write.update),
        UpdateExpression: update,
        ...condition,
        ...expression.attributes(),
      },
    };
  }
  if ('remove' in write) {
    return { Delete: { TableName: tableName, Key: bare(write.remove), ...condition, ...expression.attributes() } };
  }
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: bare(write.check),
      ConditionExpression: expression.condition(write.when),
      ...expression.attributes(),
    },
  };
}

function withOldItem(item: TransactItem): TransactItem {
  const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if (item.Put) return { Put: { ...item.Put, ...returned } };
  if (item.Update) return { Update: { ...item.Update, ...returned } };
  if (item.Delete) return { Delete: { ...item.Delete, ...returned } };
  if (item.ConditionCheck) return { ConditionCheck: { ...item.ConditionCheck, ...returned } };
  return item;
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const conditionFailure = (error: unknown): { item: Item | undefined } | undefined =>
  isNamed(error, 'ConditionalCheckFailedException') ? { item: oldItem(property(error, 'Item')) } : undefined;

type CancellationReason = { Code?: string; Item?: unknown };

function cancellationReasons(error: unknown): CancellationReason[] {
  if (!isNamed(error, 'TransactionCanceledException')) return [];
  const reasons = property(error, 'CancellationReasons');
  return Array.isArray(reasons) ? reasons : [];
}

const oldItem = (item: unknown): Item | undefined =>
  typeof item === 'object' && item !== null ? (item as Item) : undefined;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'TransactionConflictException',
]);

/** Runs a call and says in our words when storage stayed busy after the SDK's retries. */
async function busy<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && THROTTLED.has(error.name)) throw new StorageBusy(error);
    throw error;
  }
}

/** Waits before attempt n+1: up to 20 ms doubled each time, at random so that rivals part. */
const pause = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(20 * 2 ** attempt, 1_000));
