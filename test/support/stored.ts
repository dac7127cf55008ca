/** The items of a test file's table as they are stored: to show that nothing changed, and to copy them. */
import { createHash } from 'node:crypto';
import { type AttributeValue, BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { app } from '#core/http/app.ts';
import { emulatorClient } from '#stacks/local/table.ts';

/** An item in the JSON format of DynamoDB. */
export type RawItem = Record<string, AttributeValue>;

const BATCH_ITEMS = 25;

let connected: { endpoint: string; client: ReturnType<typeof emulatorClient> } | undefined;

function rawClient() {
  const endpoint = process.env.DYNAMODB_ENDPOINT ?? '';
  if (connected?.endpoint !== endpoint) connected = { endpoint, client: emulatorClient(endpoint) };
  return connected.client;
}

/** All items of the table. */
export async function allItems(): Promise<RawItem[]> {
  const items: RawItem[] = [];
  const request = { TableName: app().config.tableName, ConsistentRead: true };
  for await (const page of paginateScan({ client: rawClient() }, request)) items.push(...(page.Items ?? []));
  return items;
}

/** Puts items into the table. */
export async function putItems(items: readonly RawItem[]): Promise<void> {
  const { tableName } = app().config;
  for (let start = 0; start < items.length; start += BATCH_ITEMS) {
    const requests = items.slice(start, start + BATCH_ITEMS).map((Item) => ({ PutRequest: { Item } }));
    await rawClient().send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
  }
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
