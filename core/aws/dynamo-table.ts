/**
 * Writes the table: one item as a single conditional write, several as a transaction. The SDK retries a write whose
 * response was lost. Retried transactions are idempotent by their ClientRequestToken. Puts and updates store their
 * write id on the item: if the condition of a retry fails on an item with the same id, the first attempt succeeded.
 */
import {
  BatchWriteItemCommand,
  type ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  type DynamoDBServiceException,
  PutItemCommand,
  type TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type Key, keyText } from '#core/db/keys.ts';
import { type Refusal, StorageBusy, type Table, type Write, WriteConflict, WriteRefused } from '#core/db/table.ts';
import { parseItem, toAttributes } from './attribute-values.ts';
import { callStorage, MAX_ATTEMPTS, ONCE_RESERVE_MS, pause } from './busy.ts';
import { count, keyAttributes, list, read, type Target } from './dynamo-read.ts';
import { Expression, WRITE_ID } from './expression.ts';

const withOldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Writes all or nothing. Throws WriteRefused, WriteConflict; StorageBusy for a throttled transaction. */
export async function write(target: Target, writes: readonly Write[], writeId: string): Promise<void> {
  const [only] = writes;
  if (!only) return;
  if (writes.length > 1) await transact(target, writes, writeId);
  else await writeOne(target, only, writeId);
}

async function writeOne(target: Target, one: Write, writeId: string): Promise<void> {
  try {
    await sendOne(target, one, writeId);
  } catch (error) {
    if (isNamed(error, 'TransactionConflictException')) throw new WriteConflict(error);
    if (!isNamed<ConditionalCheckFailedException>(error, 'ConditionalCheckFailedException')) throw error;
    const found = error.Item && parseItem(error.Item);
    if (found?.[WRITE_ID] === writeId) return;
    // A retried delete of an absent item: the first attempt succeeded.
    if ('remove' in one && !found && (error.$metadata.attempts ?? 1) > 1) return;
    throw new WriteRefused([{ index: 0, found }]);
  }
}

async function sendOne({ client, tableName }: Target, one: Write, writeId: string): Promise<void> {
  if ('put' in one) await client.send(new PutItemCommand({ ...buildPut(tableName, one, writeId), ...withOldItem }));
  else if ('update' in one) {
    // A single update has no request token: a condition prevents that a retry adds a number twice.
    const adds = Object.values(one.add ?? {}).some((value) => typeof value === 'number');
    await client.send(new UpdateItemCommand({ ...buildUpdate(tableName, one, writeId, adds), ...withOldItem }));
  } else if ('remove' in one)
    await client.send(new DeleteItemCommand({ ...buildRemove(tableName, one), ...withOldItem }));
  else throw new Error('a condition check needs a write in the same transaction');
}

async function transact({ client, tableName }: Target, writes: readonly Write[], writeId: string): Promise<void> {
  const TransactItems = writes.map((one) => transactItem(tableName, one, writeId));
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: writeId }));
  } catch (error) {
    if (!isNamed<TransactionCanceledException>(error, 'TransactionCanceledException')) throw error;
    const reasons = error.CancellationReasons ?? [];
    const [first, ...others] = reasons.flatMap(({ Code, Item }, index): Refusal[] =>
      Code === 'ConditionalCheckFailed' ? [{ index, found: Item && parseItem(Item) }] : [],
    );
    if (first && [first, ...others].some(({ found }) => found?.[WRITE_ID] === writeId)) return;
    if (first) throw new WriteRefused([first, ...others]);
    if (reasons.some(({ Code }) => Code === 'TransactionConflict')) throw new WriteConflict(error);
    if (reasons.some(({ Code }) => Code !== undefined && THROTTLED.has(Code))) throw new StorageBusy(error);
    throw error;
  }
}

const THROTTLED: ReadonlySet<string> = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

function transactItem(tableName: string, one: Write, writeId: string) {
  if ('put' in one) return { Put: { ...buildPut(tableName, one, writeId), ...withOldItem } };
  if ('update' in one) return { Update: { ...buildUpdate(tableName, one, writeId, false), ...withOldItem } };
  if ('remove' in one) return { Delete: { ...buildRemove(tableName, one), ...withOldItem } };
  return { ConditionCheck: { ...buildCheck(tableName, one), ...withOldItem } };
}

type Put = Extract<Write, { put: unknown }>;
type Update = Extract<Write, { update: unknown }>;
type Remove = Extract<Write, { remove: unknown }>;
type Check = Extract<Write, { check: unknown }>;

function buildPut(tableName: string, { put, when }: Put, writeId: string) {
  const expression = new Expression();
  const condition = expression.onlyIf(when);
  return {
    TableName: tableName,
    Item: toAttributes({ ...put, [WRITE_ID]: writeId }),
    ...condition,
    ...expression.attributes(),
  };
}

function buildUpdate(tableName: string, one: Update, writeId: string, refuseRetry: boolean) {
  const expression = new Expression();
  const condition = expression.onlyIf(one.when, refuseRetry ? writeId : undefined);
  const UpdateExpression = expression.update({ ...one, set: { ...one.set, [WRITE_ID]: writeId } });
  return {
    TableName: tableName,
    Key: keyAttributes(one.update),
    UpdateExpression,
    ...condition,
    ...expression.attributes(),
  };
}

function buildRemove(tableName: string, { remove, when }: Remove) {
  const expression = new Expression();
  const condition = expression.onlyIf(when);
  return { TableName: tableName, Key: keyAttributes(remove), ...condition, ...expression.attributes() };
}

function buildCheck(tableName: string, { check, when }: Check) {
  const expression = new Expression();
  const ConditionExpression = expression.condition(when);
  return { TableName: tableName, Key: keyAttributes(check), ConditionExpression, ...expression.attributes() };
}

/** Whether an error is an exception of DynamoDB, by its name. */
const isNamed = <T extends DynamoDBServiceException>(error: unknown, name: T['name']): error is T =>
  error instanceof Error && error.name === name;

// Removes many items of the table that need not be removed together.

/** The most requests of one BatchWriteItem. */
const BATCH = 25;
/** How many batches are sent at once. */
const PARALLEL = 8;

/** Removes items by key; absent ones are ignored. Throws StorageBusy when requests stay unprocessed. */
export async function remove(target: Target, keys: readonly Key[]): Promise<void> {
  // DynamoDB rejects a batch with duplicate keys.
  const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  const batches = Array.from({ length: Math.ceil(distinct.length / BATCH) }, (_, index) =>
    distinct.slice(index * BATCH, (index + 1) * BATCH),
  );
  for (let index = 0; index < batches.length; index += PARALLEL) {
    // Not all at once: there are 50 connections.
    await Promise.all(batches.slice(index, index + PARALLEL).map((batch) => removeBatch(target, batch)));
  }
}

async function removeBatch({ client, tableName }: Target, keys: readonly Key[]): Promise<void> {
  let pending: WriteRequest[] = keys.map((key) => ({ DeleteRequest: { Key: keyAttributes(key) } }));
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const output = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: pending } }));
    pending = output.UnprocessedItems?.[tableName] ?? [];
    if (pending.length > 0 && attempt >= MAX_ATTEMPTS)
      throw new StorageBusy(new Error('removals are still unprocessed after all attempts'));
    if (pending.length > 0) await pause(attempt);
  }
}

// The table port on the AWS SDK, which retries throttling and lost connections; `read` retries unprocessed keys.

/** Creates the table port for a table. `onceClient`: a client that does not retry, created when it is needed. */
export function dynamoTable(client: DynamoDBClient, tableName: string, onceClient?: () => DynamoDBClient): Table {
  const target = { client, tableName };
  return {
    read: (keys, consistency) => callStorage(() => read(target, keys, consistency)),
    list: (request) => callStorage(() => list(target, request)),
    count: (request) => callStorage(() => count(target, request)),
    write: (writes, isSentOnce) => {
      const id = crypto.randomUUID();
      if (!isSentOnce) return callStorage(() => write(target, writes, id));
      const once = onceClient ? { client: onceClient(), tableName } : target;
      return callStorage(() => write(once, writes, id), ONCE_RESERVE_MS);
    },
    remove: (keys) => callStorage(() => remove(target, keys)),
  };
}
