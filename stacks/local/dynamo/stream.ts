/**
 * Feeds a worker from the table's stream as an event source mapping of Lambda does: batches in the order of the stream,
 * each record at least once, beginning with the oldest. It looks at the stream five times a second, so that what is written
 * in between is one batch, as in the batching window of a mapping.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { FilterPattern } from '#core/api/workers.ts';
import { every } from '../every.ts';
import { type Delivery, deliver } from './stream-batch.ts';
import { compileFilters } from './stream-filter.ts';
import { isChange, openStream, type StreamReader } from './stream-reader.ts';
import { readCheckpoint, writeCheckpoint, writeFailedBatch } from './stream-state.ts';

/** A worker and the records that it receives. */
export type StreamWorker = {
  name: string;
  filters: readonly FilterPattern[];
  batchSize: number;
  /** How often a record that fails by itself is tried again, before it is written to a file instead. */
  retries: number;
  /** Runs the worker. Its result may name failed records in `batchItemFailures`; a rejection fails the whole batch. */
  invoke(event: DynamoDBStreamEvent): Promise<unknown>;
};

export type StreamOptions = {
  endpoint: string;
  tableName: string;
  /** Where the position of each worker, and the records that it could not process, are kept. */
  directory: string;
  /** Milliseconds between two looks at a stream without new records. */
  pollMs?: number;
};

export type StreamSubscription = {
  /** Resolves when everything that was written before the call has been processed or given up. Rejects after a stop. */
  drain(): Promise<void>;
  /** The number of records read so far, with those that the filter leaves out. */
  count(): number;
  /** Ends the delivery; waits for a batch that is being processed. */
  stop(): Promise<void>;
};

const READ_RECORDS = 100;
const POLL_MS = 200;
const REOPEN_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** Starts to feed a worker, one batch at a time. Throws when its filter is not supported. */
export function subscribe(worker: StreamWorker, options: StreamOptions): StreamSubscription {
  const stopping = new AbortController();
  const { signal } = stopping;
  const feed = feeder(worker, options, signal);
  let reading: Promise<void> = Promise.resolve();
  const read = (fewest: number): Promise<void> => {
    reading = reading.catch(() => {}).then(() => feed.readWhile(fewest));
    return reading;
  };
  const drain = (): Promise<void> => read(1);
  const poll = async (): Promise<void> => {
    try {
      await read(READ_RECORDS);
    } catch (error) {
      if (signal.aborted) return;
      await wait(REOPEN_MS, undefined, { signal }).catch(() => {});
      throw error;
    }
  };
  const stopPolling = every(options.pollMs ?? POLL_MS, `Reading the stream for ${worker.name}`, poll);
  return {
    drain,
    count: feed.count,
    async stop() {
      stopping.abort(new Error(`The worker ${worker.name} was stopped.`));
      await stopPolling();
      await reading.catch(() => {});
    },
  };
}

/** Reads the stream from the checkpoint on and delivers what it reads. */
function feeder(worker: StreamWorker, { endpoint, tableName, directory }: StreamOptions, signal: AbortSignal) {
  const passes = compileFilters(worker.filters);
  let count = 0;
  let reader: StreamReader | undefined;
  const delivery: Omit<Delivery, 'onDone'> = {
    invoke: (Records) => worker.invoke({ Records }),
    onGivenUp: (record, attempts, error) => writeFailedBatch(directory, worker.name, { record, attempts, error }),
    pause: (failures) => wait(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS), undefined, { signal }),
    retries: worker.retries,
    signal,
  };

  /** Reads and delivers records, and returns their number. */
  async function readNext(from: StreamReader): Promise<number> {
    const records = await from.next(READ_RECORDS);
    const last = records.at(-1);
    if (!last) return 0;
    const onDone = (record: DynamoDBRecord) => writeCheckpoint(directory, worker.name, from.after(record));
    const wanted = records.filter((record) => isChange(record) && passes(record));
    // One batch after the other, in the order of the stream.
    for (const batch of divideIntoBatches(wanted, worker.batchSize)) await deliver(batch, { ...delivery, onDone });
    onDone(last);
    count += records.length;
    return records.length;
  }

  return {
    count: () => count,
    /** Reads as long as it finds at least `fewest` records at once: with 1, to the end of the stream. */
    async readWhile(fewest: number): Promise<void> {
      signal.throwIfAborted();
      try {
        reader ??= await openStream(endpoint, tableName, readCheckpoint(directory, worker.name));
        while ((await readNext(reader)) >= fewest) signal.throwIfAborted();
      } catch (error) {
        // The next attempt begins at the checkpoint: the reader may be ahead of what was processed.
        reader = undefined;
        throw error;
      }
    },
  };
}

/** Divides records into batches of at most `size`. */
export function divideIntoBatches<T>(records: readonly T[], size: number): T[][] {
  const count = Math.ceil(records.length / size);
  return Array.from({ length: count }, (_, index) => records.slice(index * size, (index + 1) * size));
}
