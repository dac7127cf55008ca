/** What is stored in the table and the bucket of a test file: to show that nothing changed, to copy it, and to add to it. */
import { createHash } from 'node:crypto';
import { type AttributeValue, BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { Key } from '#core/db/keys.ts';
import type { Write } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { emulatorClient } from '#stacks/local/dynamo/table.ts';
import { emulatorBucketClient } from '#stacks/local/s3/client.ts';
import { withTable } from './faults.ts';

/** An item in the JSON format of DynamoDB. */
export type RawItem = Record<string, AttributeValue>;

const BATCH_ITEMS = 25;

const rawClient = clientOf(emulatorClient, 'DYNAMODB_ENDPOINT');
const rawBucketClient = clientOf(emulatorBucketClient, 'S3_ENDPOINT');

/** Creates a client of an endpoint in the environment at its first use, and when the environment has another one. */
function clientOf<T>(create: (endpoint: string) => T, variable: string): () => T {
  let current: { endpoint: string; client: T } | undefined;
  return () => {
    const endpoint = process.env[variable] ?? '';
    if (current?.endpoint !== endpoint) current = { endpoint, client: create(endpoint) };
    return current.client;
  };
}

/** All items of the table. */
export async function allItems(): Promise<RawItem[]> {
  const items: RawItem[] = [];
  const request = { TableName: app().config.tableName, ConsistentRead: true };
  for await (const page of paginateScan({ client: rawClient() }, request)) items.push(...(page.Items ?? []));
  return items;
}

/** The keys of all items that contain a text. */
export const itemsMentioning = async (text: string): Promise<string[]> =>
  (await allItems())
    .filter((item) => JSON.stringify(item).includes(text))
    .map(({ pk, sk }) => `${pk?.S} ${sk?.S}`)
    .sort();

/**
 * Whether an upload in parts was neither completed nor aborted in a bucket without objects, by default that of the test file: only then
 * it is not deleted. The local S3 lists no uploads. A bucket that was deleted is there again.
 */
export async function hasUnfinishedUploads(
  Bucket = app().config.bucketName,
  client = rawBucketClient(),
): Promise<boolean> {
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket }));
  if (KeyCount !== 0) throw new Error(`the bucket ${Bucket} has objects`);
  try {
    await client.send(new DeleteBucketCommand({ Bucket }));
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'BucketNotEmpty') return true;
    throw error;
  }
  await client.send(new CreateBucketCommand({ Bucket }));
  return false;
}

/** The keys of all objects with a prefix, sorted. */
export async function objectKeys(Prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  const request = { Bucket: app().config.bucketName, Prefix };
  for await (const page of paginateListObjectsV2({ client: rawBucketClient() }, request)) {
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
  }
  return keys.sort();
}

/** Puts items into the table. */
export async function putItems(items: readonly RawItem[]): Promise<void> {
  const { tableName } = app().config;
  for (let start = 0; start < items.length; start += BATCH_ITEMS) {
    const requests = items.slice(start, start + BATCH_ITEMS).map((Item) => ({ PutRequest: { Item } }));
    await rawClient().send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
}

/** An unused key of an item. */
export const newItemKey = () => ({ pk: `ITEM#${crypto.randomUUID()}`, sk: 'ITEM' });

/** Stores an item with some attributes; returns its key. */
export async function storeItem(attributes: Record<string, unknown> = {}) {
  const key = newItemKey();
  await app().table.write([{ put: { ...key, ...attributes } }]);
  return key;
}

/** The keys of the items that are written and removed while something runs. Unlike a comparison of everything, it reads no table. */
export async function changesDuring(run: () => Promise<unknown>): Promise<string[]> {
  const changed: string[] = [];
  const record = (items: readonly Key[]): void => {
    changed.push(...items.map(({ pk, sk }) => `${pk} ${sk}`));
  };
  await withTable(
    ({ write, remove }) => ({
      write: async (writes, isSentOnce) => {
        await write(writes, isSentOnce);
        record(writes.flatMap(changedBy));
      },
      remove: async (keys) => {
        await remove(keys);
        record(keys);
      },
    }),
    run,
  );
  return changed;
}

/** The keys of what a write changes; a check changes nothing. */
export function changedBy(write: Write): Key[] {
  if ('check' in write) return [];
  const { pk, sk } = 'put' in write ? write.put : 'update' in write ? write.update : write.remove;
  return [{ pk, sk }];
}

/** Every item: its key and a digest of its attributes. */
export async function everythingStored(): Promise<string[]> {
  return (await allItems()).map((item) => `${item.pk?.S} ${item.sk?.S} ${digest(item)}`).sort();
}

const digest = (value: unknown): string => createHash('sha256').update(inOrder(value)).digest('base64url').slice(0, 12);

/** A value as text that does not depend on the order of its members. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
