/** The table port: the few operations of DynamoDB that the domain uses, as plain data. */
import type { IndexKeys, Key } from './keys.ts';

/** An item: its keys and attributes. */
export type Item = Key & IndexKeys & Record<string, unknown>;

/** The condition of a write on the stored item; all members must hold. */
export type Condition = {
  /** True: there is no such item. False: there is one. */
  absent?: boolean;
  /** There is no such item, or its TTL (epoch seconds) is not after this; DynamoDB deletes expired items late. */
  absentOrExpired?: number;
  /** Attributes that must have exactly these values. */
  equals?: Record<string, string | number>;
  /** Attributes that must be greater than these numbers. */
  above?: Record<string, number>;
  /** Maps that must have fewer members than these numbers. */
  smaller?: Record<string, number>;
  /** Attributes that must be absent or less than these numbers. */
  below?: Record<string, number>;
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

/** Whether a read has all writes before it, or may lack those of the last second and costs half. */
export type Consistency = 'strong' | 'eventual';

/** A batch to read: of one partition of the table or of an index, in the order of its sort key. */
export type ItemListRequest = {
  index?: string;
  pk: string;
  /** Only sort keys with this prefix. */
  begins?: string;
  /** Only sort keys after this one, in reading order. */
  after?: string | undefined;
  /** Reads from the greatest sort key down. */
  descending?: boolean;
  limit: number;
  /**
   * Only index entries whose attribute is absent, null or not after this text. `limit` counts these only; the batch ends
   * early once `examined` entries have been read.
   */
  notAfter?: { attribute: string; text: string; examined: number };
  /** Of the table: strong unless it says otherwise. Indexes are read eventually. */
  consistency?: Consistency;
};

/** A batch of a partition; `last` is the sort key after which the next batch starts, or null at the end. */
export type ItemBatch = { items: Item[]; last: string | null };

/** A condition that did not hold: the position of the write, and the stored item if there is one. */
export type Refusal = { index: number; found: Item | undefined };

/** Thrown when writes were certainly not stored. */
export class NotStored extends Error {}

/** Thrown by `write` when a condition did not hold; nothing was written. */
export class WriteRefused extends NotStored {
  /** The first write that was refused. */
  readonly index: number;
  /** The stored item of that write, if there is one. */
  readonly found: Item | undefined;
  /** All refused writes of a transaction. */
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly [Refusal, ...Refusal[]]) {
    const [{ index, found }] = refusals;
    super(`the condition of write ${index} did not hold`);
    this.name = 'WriteRefused';
    this.index = index;
    this.found = found;
    this.refusals = refusals;
  }
}

/** Thrown by `write` after a conflict with another transaction; nothing was written. Callers read and decide again. */
export class WriteConflict extends NotStored {
  constructor(cause: unknown) {
    super('another transaction was writing one of the items', { cause });
    this.name = 'WriteConflict';
  }
}

/** Thrown when storage stays throttled or slow after all retries; the caller may try again later. */
export class StorageBusy extends Error {
  /** Whether a request was sent, so that its writes may be stored although nobody was told. */
  readonly wasSent: boolean;

  constructor(cause: unknown, wasSent = true) {
    super('storage did not accept the request after retries', { cause });
    this.name = 'StorageBusy';
    this.wasSent = wasSent;
  }
}

export type Table = {
  /**
   * Reads items by key, strongly consistent unless it says otherwise; batches of 100 keys in parallel. Returns them in the
   * order of the keys.
   */
  read(keys: readonly Key[], consistency?: Consistency): Promise<(Item | undefined)[]>;
  /** Reads one batch of a partition. Items of an index hold keys and the projected attributes. */
  list(request: ItemListRequest): Promise<ItemBatch>;
  /** Counts a partition, up to `limit` items if given. */
  count(request: { index?: string; pk: string; begins?: string; limit?: number }): Promise<number>;
  /**
   * Writes all or nothing (up to 100 items): one item as a single conditional write, several as a transaction. Writes
   * are idempotent: each call has a write id, by which retries of the SDK detect a successful first attempt. An empty
   * list does nothing. Throws WriteRefused, WriteConflict, StorageBusy. `isSentOnce`: one write that the SDK does not retry,
   * for a number that must not be added twice: between two attempts another write can hide the first.
   */
  write(writes: readonly Write[], isSentOnce?: 'once'): Promise<void>;
  /** Removes items that need not be removed together, without conditions; absent ones are ignored. Throws StorageBusy. */
  remove(keys: readonly Key[]): Promise<void>;
};
