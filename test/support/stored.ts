/** All that is stored in a test file's table, to show that a refused request changed nothing. */
import { createHash } from 'node:crypto';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { app } from '#core/http/app.ts';
import { emulatorClient } from '#stacks/local/table.ts';

/** Every item: its key and a digest of what it holds. */
export async function everythingStored(): Promise<string[]> {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  const items: string[] = [];
  for await (const page of paginateScan({ client }, { TableName: app().config.tableName, ConsistentRead: true })) {
    items.push(...(page.Items ?? []).map((item) => `${item.pk?.S} ${item.sk?.S} ${digest(item)}`));
  }
  client.destroy();
  return items.sort();
}

const digest = (value: unknown): string => createHash('sha256').update(inOrder(value)).digest('base64url').slice(0, 12);

/** A value as text that does not depend on the order of its members. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
