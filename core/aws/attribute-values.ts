/**
 * Items as DynamoDB represents them. Nearly all attributes are texts and numbers; a few are sets of texts, lists and
 * maps. Members that are undefined are left out.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#core/db/table.ts';

/** An item or key with the type of each attribute. */
export type Attributes = Record<string, AttributeValue>;

/** Converts a value to an attribute. Throws an Error for a number that is not finite and for other kinds of values. */
export function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Set) return { SS: [...value].map(String) };
  if (Array.isArray(value)) return { L: value.filter((member) => member !== undefined).map(toAttribute) };
  if (isPlain(value)) return { M: toAttributes(value) };
  throw new Error(`DynamoDB has no attribute for ${String(value)}`);
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Converts an item or key to attributes. */
export function toAttributes(item: object): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

/** Parses the value of an attribute. Throws an Error for binary values and sets of numbers, which no item has. */
function parseAttribute(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL) return null;
  if (attribute.SS) return new Set(attribute.SS);
  if (attribute.L) return attribute.L.map(parseAttribute);
  if (attribute.M) return parseAttributes(attribute.M);
  throw new Error(`an attribute has a type that the service does not write: ${Object.keys(attribute).join()}`);
}

function parseAttributes(attributes: Attributes): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) members[name] = parseAttribute(attribute);
  return members;
}

/** Parses an item from its attributes; only the table port writes items, so they have keys. */
export const parseItem = (attributes: Attributes): Item => parseAttributes(attributes) as Item;
