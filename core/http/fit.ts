/**
 * Cuts a page of a list to what one answer can carry. The items of a page are few, but each may be as large as an item
 * of the table, and the platform answers 6 MB at most (contract section 1).
 */

/** The most bytes that the items of an answer may take, as the platform counts: JSON, as a text within JSON. */
const MAX_ITEM_BYTES = 5_000_000;

/** How many of some items fit one answer, counted from the first; at least one. */
export function countFitting(items: readonly unknown[]): number {
  let bytes = 0;
  const beyond = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(item)));
    return index > 0 && bytes > MAX_ITEM_BYTES;
  });
  return beyond === -1 ? items.length : beyond;
}

type Page<T> = {
  items: readonly T[];
  /** Where the list goes on behind the page, null at its end. */
  last: string | null;
  /** Where it would go on behind each item, by the item's id. */
  positions: ReadonlyMap<string, string>;
};

/** A page with as many of its items as fit one answer; the list goes on behind the last of them. */
export function fitPage<T extends { id: string }>({
  items,
  last,
  positions,
}: Page<T>): Pick<Page<T>, 'last'> & { items: T[] } {
  const shown = items.slice(0, countFitting(items));
  if (shown.length === items.length) return { items: shown, last };
  return { items: shown, last: positions.get(shown.at(-1)?.id ?? '') ?? null };
}
