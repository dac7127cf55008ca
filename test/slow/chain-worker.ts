/** A worker that writes the next item of a chain for each new one; another worker receives that. */
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { app } from '#core/http/app.ts';

export const CHAIN_LENGTH = 8;

/** The key of an item of the chain; the items with even and odd numbers have partitions of their own. */
export const chainKey = (number: number) => ({ pk: number % 2 === 0 ? 'CHAIN#even' : 'CHAIN#odd', sk: String(number) });

export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  for (const { dynamodb } of Records) {
    const next = Number(dynamodb?.Keys?.sk?.S) + 1;
    if (next <= CHAIN_LENGTH) await app().table.write([{ put: chainKey(next) }]);
  }
}
