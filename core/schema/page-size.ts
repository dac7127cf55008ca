/**
 * Limits a batch of a list to the size of one HTTP response: each item can be as large as an item of the table, and
 * Lambda returns at most 6 MB.
 */

/** The most bytes of items in a response, as counted by `wireBytes`: 6 MB less room for headers and other members. */
export const MAX_ITEM_BYTES = 5_000_000;

/**
 * Counts the bytes of an item in a Lambda result. The body is a JSON string inside JSON, so each quote and backslash of the
 * item's JSON is escaped again and counts twice.
 */
export function wireBytes(item: unknown): number {
  const json = JSON.stringify(item);
  let bytes = Buffer.byteLength(json);
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE || unit === BACKSLASH) bytes += 1;
  }
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The most bytes that a UTF-16 unit of a text takes: a control character is `\\u0001`. */
const MAX_UNIT_BYTES = 7;
/** The most bytes of a number, a boolean or null. */
const MAX_SCALAR_BYTES = 24;

/** Returns a bound of `wireBytes`, without writing the item: nearly all lists are far below the size of a response. */
export function boundWireBytes(item: unknown): number {
  if (typeof item === 'string') return item.length * MAX_UNIT_BYTES + 4;
  if (typeof item !== 'object' || item === null) return MAX_SCALAR_BYTES;
  let bytes = 2;
  if (Array.isArray(item)) for (const element of item) bytes += boundWireBytes(element) + 1;
  else for (const [key, value] of Object.entries(item)) bytes += boundWireBytes(key) + boundWireBytes(value) + 2;
  return bytes;
}

/** Counts the items, from the first, that fit in one response; at least one. */
export function countFitting(items: readonly unknown[]): number {
  if (boundWireBytes(items) <= MAX_ITEM_BYTES) return items.length;
  let bytes = 0;
  const firstTooMany = items.findIndex((item, index) => {
    bytes += wireBytes(item);
    return index > 0 && bytes > MAX_ITEM_BYTES;
  });
  return firstTooMany === -1 ? items.length : firstTooMany;
}

/** A batch of a list, of which a response may have to leave out the end. */
export type ListBatch<T> = {
  items: T[];
  /** The position after which the next batch starts, or null at the end of the list. */
  last: string | null;
  /** The position of each item, by the item's id. */
  positions: ReadonlyMap<string, string>;
};

/** Keeps as many items of a batch as fit in one response; the list continues after the last of them. */
export function fitBatch<T extends { id: string }>({
  items,
  last,
  positions,
}: ListBatch<T>): Pick<ListBatch<T>, 'items' | 'last'> {
  const fitting = items.slice(0, countFitting(items));
  if (fitting.length === items.length) return { items: fitting, last };
  return { items: fitting, last: positions.get(fitting.at(-1)?.id ?? '') ?? null };
}
