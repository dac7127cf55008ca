/**
 * Items inside the errors of DynamoDB. The document client reads the items of answers, but those that a refused
 * condition brings along it leaves in wire form.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '#core/db/table.ts';

/** The item that an error carries, or undefined when it carries none. */
export function itemOfError(carried: unknown): Item | undefined {
  if (typeof carried !== 'object' || carried === null) return undefined;
  return unmarshall(carried as Record<string, AttributeValue>) as Item;
}
