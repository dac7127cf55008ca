/** Items in errors: the document client unmarshals results, but not the items of failed conditions. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '#core/db/table.ts';

/** The unmarshalled item of an error; undefined when the error has none. */
export function itemOfError(marshalled: unknown): Item | undefined {
  if (typeof marshalled !== 'object' || marshalled === null) return undefined;
  return unmarshall(marshalled as Record<string, AttributeValue>) as Item;
}
