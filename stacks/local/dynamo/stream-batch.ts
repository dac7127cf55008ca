/**
 * Delivers a batch of stream records to a worker as Lambda does: what failed is tried again before anything after it, a
 * batch that fails is halved, and a record that keeps failing goes to the on-failure destination.
 */
import type { DynamoDBRecord } from 'aws-lambda';
import { getSequenceNumber } from './stream-reader.ts';

export type Delivery = {
  /** Runs the worker; its result may name records that failed. */
  invoke(records: DynamoDBRecord[]): Promise<unknown>;
  /** Called when everything up to a record is done. */
  onDone(record: DynamoDBRecord): void;
  /** Takes a record that failed at every attempt. */
  onGivenUp(record: DynamoDBRecord, attempts: number, error: unknown): Promise<void> | void;
  /** Waits before the next attempt; `failures`: how many attempts failed in a row. */
  pause(failures: number): Promise<void>;
  /** How often a single record is tried again. */
  retries: number;
  /** Ends the delivery before the next attempt. */
  signal?: AbortSignal;
};

/**
 * Delivers records in their order, and resolves when each has been processed or given up. Rejects when it is aborted, and
 * when a function of the delivery other than `invoke` rejects.
 */
export async function deliver(batch: readonly DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const pending: DynamoDBRecord[][] = [[...batch]];
  /** Failures since the last progress; `attempts` are those of a record by itself. */
  let failures = 0;
  let attempts = 0;
  const progress = (last: DynamoDBRecord) => {
    delivery.onDone(last);
    failures = 0;
    attempts = 0;
  };
  for (let records = pending.shift(); records !== undefined; records = pending.shift()) {
    delivery.signal?.throwIfAborted();
    const { count, error } = await process(records, delivery);
    const last = records[count - 1];
    if (last) progress(last);
    const rest = records.slice(count);
    const [failed] = rest;
    if (!failed) continue;
    failures += 1;
    if (records.length === 1) attempts += 1;
    if (attempts > delivery.retries) {
      await delivery.onGivenUp(failed, attempts, error);
      progress(failed);
      continue;
    }
    // What follows a partial failure is tried as a whole; halving does not count as an attempt of a record.
    pending.unshift(...(last ? [rest] : halves(rest)));
    await delivery.pause(failures);
  }
}

const halves = (records: DynamoDBRecord[]): DynamoDBRecord[][] => {
  const middle = Math.ceil(records.length / 2);
  return [records.slice(0, middle), records.slice(middle)].filter((half) => half.length > 0);
};

/** Runs the worker, and returns how many records it processed before the first that failed. */
async function process(records: DynamoDBRecord[], { invoke }: Delivery): Promise<{ count: number; error?: unknown }> {
  try {
    const failed = failedNumbers(await invoke(records));
    if (failed.length === 0) return { count: records.length };
    const error = new Error('The worker reported the record as failed.');
    const places = failed.map((number) => records.findIndex((record) => getSequenceNumber(record) === number));
    // A number that is not in the batch fails all of it.
    return { count: Math.max(0, Math.min(...places)), error };
  } catch (error) {
    return { count: 0, error };
  }
}

/** The sequence numbers in `batchItemFailures`; an entry without one is undefined. */
function failedNumbers(result: unknown): unknown[] {
  if (typeof result !== 'object' || result === null || !('batchItemFailures' in result)) return [];
  const failures = result.batchItemFailures;
  if (failures === null) return [];
  if (!Array.isArray(failures)) throw new Error('The worker returned batchItemFailures that are not a list.');
  return failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
}
