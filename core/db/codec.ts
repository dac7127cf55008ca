/**
 * Entities are stored as JSON text in the attribute `data`, next to the keys and the attributes that conditions and
 * indexes need. Free-form JSON is kept exactly (DynamoDB maps have at most 32 levels), marshalling is cheap, and the
 * size of an item follows from the length of the text. The attribute `schema` has the version in which it was written.
 */
import type { Item } from './table.ts';

/** The largest stored entity in bytes of JSON; the limit of DynamoDB is 400 KB per item. */
export const MAX_ENTITY_BYTES = 350 * 1_024;

/**
 * The version of the schema in which items are written. Raise it when an entity changes after a release, and let its
 * reader fill in what older items lack. `test/slow/stored-shapes.test.ts` fails when a shape differs from the released one.
 */
const SCHEMA_VERSION = 1;

/** Returns the attributes that hold an entity and the version of its schema. */
export const encode = (entity: object): { data: string; schema: number } => ({
  data: JSON.stringify(entity),
  schema: SCHEMA_VERSION,
});

/** Parses the entity of an item. It is not validated: only stores write items. */
export const decode = <T>(item: Item): T => JSON.parse(String(item.data)) as T;

/** Returns the stored size of an entity in bytes. */
export const entityBytes = (entity: object): number => Buffer.byteLength(JSON.stringify(entity));
