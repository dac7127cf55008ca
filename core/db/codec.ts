/**
 * Entities are stored as JSON text in the attribute `data`, next to the keys and the attributes that conditions and
 * indexes need. Free-form JSON is kept exactly (DynamoDB maps have at most 32 levels), marshalling is cheap, and the
 * size of an item follows from the length of the text.
 */
import type { Item } from './table.ts';

/** The largest stored entity in bytes of JSON; the limit of DynamoDB is 400 KB per item. */
export const MAX_ENTITY_BYTES = 350 * 1_024;

/** The attribute that holds an entity. */
export const encode = (entity: object): { data: string } => ({ data: JSON.stringify(entity) });

/** The entity of an item. It is not validated: only stores write items. */
export const decode = <T>(item: Item): T => JSON.parse(String(item.data)) as T;

/** The stored size of an entity in bytes. */
export const entityBytes = (entity: object): number => Buffer.byteLength(JSON.stringify(entity));
