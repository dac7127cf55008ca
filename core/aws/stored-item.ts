/**
 * Items inside the errors of DynamoDB. The document client reads the items of answers, but those that a refused
 * condition brings along it leaves in wire form; this reads the types that our items are made of.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#core/db/table.ts';

/** The item that an error carries, or undefined when it carries none. */
export function itemOfError(carried: unknown): Item | undefined {
  if (typeof carried !== 'object' || carried === null) return undefined;
  const entries = Object.entries(carried as Record<string, AttributeValue>);
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)])) as Item;
}

function plain(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.SS !== undefined) return new Set(attribute.SS);
  if (attribute.L !== undefined) return attribute.L.map(plain);
  if (attribute.M !== undefined) return itemOfError(attribute.M);
  throw new Error(`an item holds a type that the service does not store: ${Object.keys(attribute).join()}`);
}
