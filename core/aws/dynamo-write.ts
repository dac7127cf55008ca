/**
 * Writing the table: one item as a single conditional write, several as a transaction. Every put and update leaves
 * its write id on the item, so that a write whose answer was lost finds itself there when it is sent again.
 */
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { StorageBusy, type Write, WriteRefused } from '#core/db/table.ts';
import { ATTEMPTS, pause } from './busy.ts';
import { bare, type Target } from './dynamo-read.ts';
import { Expression, WRITE_ID } from './expression.ts';
import { itemOfError } from './stored-item.ts';

const withOldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Writes all or nothing; several items in one transaction. Throws WriteRefused, StorageBusy. */
export async function write(target: Target, writes: readonly Write[], writeId: string): Promise<void> {
  const [only] = writes;
  if (!only) return;
  if (writes.length > 1) await transact(target, writes, writeId);
  else await writeOne(target, only, writeId);
}

async function writeOne(target: Target, asked: Write, writeId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sendOne(target, asked, writeId);
      return;
    } catch (error) {
      if (isNamed(error, 'TransactionConflictException') && attempt < ATTEMPTS) {
        await pause(attempt);
        continue;
      }
      if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
      const found = itemOfError(property(error, 'Item'));
      if (found?.[WRITE_ID] === writeId) return;
      // What a removal leaves behind is nothing: one that was sent twice and finds nothing has happened.
      if ('remove' in asked && !found && wasSentAgain(error)) return;
      throw new WriteRefused(0, found);
    }
  }
}

async function sendOne({ client, tableName }: Target, asked: Write, writeId: string): Promise<void> {
  if ('put' in asked) await client.send(new PutCommand({ ...putOf(tableName, asked, writeId), ...withOldItem }));
  else if ('update' in asked) {
    // Adding a number again would count twice: a single write has no token that DynamoDB knows it by.
    const once = Object.values(asked.add ?? {}).some((value) => typeof value === 'number') ? writeId : undefined;
    await client.send(new UpdateCommand({ ...updateOf(tableName, asked, writeId, once), ...withOldItem }));
  } else if ('remove' in asked) await client.send(new DeleteCommand({ ...removeOf(tableName, asked), ...withOldItem }));
  else throw new Error('a check alone writes nothing');
}

async function transact({ client, tableName }: Target, writes: readonly Write[], writeId: string): Promise<void> {
  const items = writes.map((asked) => transactItem(tableName, asked, writeId));
  // The same token on every attempt: a transaction that went through and lost its answer is not done twice.
  const command = { TransactItems: items, ClientRequestToken: crypto.randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(new TransactWriteCommand(command));
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      const refused = reasons.map(({ Code, Item }) => (Code === 'ConditionalCheckFailed' ? { Item } : undefined));
      const found = refused.map((reason) => itemOfError(reason?.Item));
      // One item that carries our id is proof for all of them.
      if (found.some((item) => item?.[WRITE_ID] === writeId)) return;
      const index = refused.findIndex((reason) => reason !== undefined);
      if (index >= 0) throw new WriteRefused(index, found[index]);
      if (!reasons.some(({ Code }) => Code !== undefined && TRANSIENT.has(Code))) throw error;
      if (attempt >= ATTEMPTS) throw new StorageBusy(error);
      await pause(attempt);
    }
  }
}

/** Why a transaction can be cancelled that may go through the next time; the SDK does not try these again. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function transactItem(tableName: string, asked: Write, writeId: string) {
  if ('put' in asked) return { Put: { ...putOf(tableName, asked, writeId), ...withOldItem } };
  if ('update' in asked) return { Update: { ...updateOf(tableName, asked, writeId), ...withOldItem } };
  if ('remove' in asked) return { Delete: { ...removeOf(tableName, asked), ...withOldItem } };
  return { ConditionCheck: { ...checkOf(tableName, asked), ...withOldItem } };
}

type Put = Extract<Write, { put: unknown }>;
type Update = Extract<Write, { update: unknown }>;
type Remove = Extract<Write, { remove: unknown }>;
type Check = Extract<Write, { check: unknown }>;

function putOf(tableName: string, { put, when }: Put, writeId: string) {
  const expression = new Expression();
  const condition = expression.onlyIf(when);
  return { TableName: tableName, Item: { ...put, [WRITE_ID]: writeId }, ...condition, ...expression.attributes() };
}

function updateOf(tableName: string, asked: Update, writeId: string, once?: string) {
  const expression = new Expression();
  const condition = expression.onlyIf(asked.when, once);
  const UpdateExpression = expression.update({ ...asked, set: { ...asked.set, [WRITE_ID]: writeId } });
  return {
    TableName: tableName,
    Key: bare(asked.update),
    UpdateExpression,
    ...condition,
    ...expression.attributes(),
  };
}

function removeOf(tableName: string, { remove, when }: Remove) {
  const expression = new Expression();
  const condition = expression.onlyIf(when);
  return { TableName: tableName, Key: bare(remove), ...condition, ...expression.attributes() };
}

function checkOf(tableName: string, { check, when }: Check) {
  const expression = new Expression();
  const ConditionExpression = expression.condition(when);
  return { TableName: tableName, Key: bare(check), ConditionExpression, ...expression.attributes() };
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const wasSentAgain = (error: unknown): boolean => Number(property(property(error, '$metadata'), 'attempts') ?? 1) > 1;

type CancellationReason = { Code?: string; Item?: unknown };

function cancellationReasons(error: unknown): CancellationReason[] {
  if (!isNamed(error, 'TransactionCanceledException')) return [];
  const reasons = property(error, 'CancellationReasons');
  return Array.isArray(reasons) ? reasons : [];
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
