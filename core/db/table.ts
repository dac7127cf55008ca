/**
 * The few verbs we use of DynamoDB, as plain data: read some keys at once, read a page, write some items
 * together or not at all. `core/aws/dynamo-table.ts` carries them out; stores are written against this file.
 */
import type { IndexKeys, Key } from './keys.ts';

/** What an item holds beside its keys. */
export type Item = Key & IndexKeys & Record<string, unknown>;

/** What must hold of the item as it is stored for a write to happen; all of it. */
export type Condition = {
  /** True: there is no such item. False: there is one. */
  absent?: boolean;
  /** Attributes that must have exactly these values. */
  equals?: Record<string, string | number>;
  /** Attributes that must be greater than these numbers. */
  above?: Record<string, number>;
  /** String sets that must have exactly these members; none of them means that there is no such attribute. */
  sameSet?: Record<string, ReadonlySet<string>>;
};

/** One write. Paths such as `memberships.<id>` reach one level into a map. */
export type Write =
  | { put: Item; when?: Condition }
  | {
      update: Key;
      set?: Record<string, unknown>;
      unset?: readonly string[];
      add?: Record<string, number | Set<string>>;
      when?: Condition;
    }
  | { remove: Key; when?: Condition }
  | { check: Key; when: Condition };

/** A page to read: one partition of the table or of an index, in the order of its sort key. */
export type PageRequest = {
  index?: string;
  pk: string;
  /** Only sort keys that begin so. */
  begins?: string;
  /** Only sort keys behind this one, in the direction of reading. */
  after?: string;
  /** True: from the greatest sort key down. */
  descending?: boolean;
  limit: number;
};

/** A page of a partition; `last` is the sort key to go on after, or null at the end. */
export type Page = { items: Item[]; last: string | null };

/** Thrown by `write` when a condition did not hold; nothing was written. */
export class WriteRefused extends Error {
  /** Which of the writes was refused, first of them. */
  readonly index: number;
  /** The item as it is stored, if there is one. */
  readonly found: Item | undefined;

  constructor(index: number, found: Item | undefined) {
    super(`write ${index} was refused by its condition`);
    this.name = 'WriteRefused';
    this.index = index;
    this.found = found;
  }
}

/** Thrown when storage is throttled or in conflict after all retries; the caller may try again later. */
export class StorageBusy extends Error {
  constructor(cause: unknown) {
    super('storage did not take the request after retries', { cause });
    this.name = 'StorageBusy';
  }
}

export type Table = {
  /** Reads items by key, consistently, in one round trip (up to 100 keys); answers them in the order asked. */
  read(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  /** Reads one page of a partition. Items of an index hold keys only. */
  page(request: PageRequest): Promise<Page>;
  /** Counts a partition. */
  count(request: { index?: string; pk: string; begins?: string }): Promise<number>;
  /**
   * Writes all or nothing (up to 100 items): one item as a single conditional write, several as a transaction.
   * Safe to repeat: a write whose answer was lost and that is found to have happened counts as done; one that
   * somebody else has overwritten meanwhile cannot be found and is refused. No writes at all are nothing to do.
   * `writeId` (a UUID, by default a fresh one) is how a write recognizes itself. Throws WriteRefused, StorageBusy.
   */
  write(writes: readonly Write[], writeId?: string): Promise<void>;
};
