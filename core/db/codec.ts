/**
 * How an entity stands in an item: as one JSON text under `data`, beside the keys and the few attributes that
 * conditions need. It costs a fraction of marshalling a deep value, keeps free-form JSON exactly as it came
 * (DynamoDB maps stop at 32 levels) and makes an item's size the length of a text.
 */
import type { Item } from './table.ts';

/** The largest stored entity in bytes of JSON; DynamoDB ends at 400 KB (contract section 1). */
export const MAX_ENTITY_BYTES = 350 * 1_024;

/** The attribute that carries an entity. */
export const encode = (entity: object): { data: string } => ({ data: JSON.stringify(entity) });

/** The entity of an item, which only stores have written. */
export const decode = <T>(item: Item): T => JSON.parse(String(item.data)) as T;

/** The size of an entity as it is stored, in bytes. */
export const entityBytes = (entity: object): number => Buffer.byteLength(JSON.stringify(entity));
