/** All that is stored in a test file's table, to show that a refused request changed nothing. */
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { app } from '#core/http/app.ts';
import { emulatorClient } from '#stacks/local/table.ts';

/** Every item as text, in the order of its keys. */
export async function everythingStored(): Promise<string[]> {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  const items: string[] = [];
  for await (const page of paginateScan({ client }, { TableName: app().config.tableName, ConsistentRead: true })) {
    items.push(...(page.Items ?? []).map((item) => `${item.pk?.S} ${item.sk?.S} ${JSON.stringify(sorted(item))}`));
  }
  client.destroy();
  return items.sort();
}

const sorted = (item: Record<string, unknown>): [string, unknown][] =>
  Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
