/** Optimistic locking: read, decide, write on a condition, and retry after a concurrent write. */
import { setTimeout as sleep } from 'node:timers/promises';
import { remainingMs } from './request-context.ts';
import { StorageBusy, type Table, type Write, WriteConflict, WriteRefused } from './table.ts';

const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 250;
/** The time reserved for one attempt. */
const RESERVE_MS = 2_000;

/**
 * Runs `attempt` until its write succeeds; `first` is true for the first attempt. After WriteRefused or WriteConflict
 * the attempt must read and decide again. Throws other errors of `attempt`, and StorageBusy when too little of the
 * request's time is left or after 100 attempts.
 */
export async function untilWritten<T>(attempt: (first: boolean) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count === 1);
    } catch (error) {
      // What was read before a write is out of date.
      if (!(error instanceof WriteRefused || error instanceof WriteConflict)) throw error;
      const pauseMs = Math.random() * Math.min(5 * 2 ** count, MAX_PAUSE_MS);
      if (count >= MAX_ATTEMPTS || remainingMs() < pauseMs + RESERVE_MS) throw new StorageBusy(error);
      await sleep(pauseMs);
    }
  }
}

/**
 * Writes on conditions, again after a conflict with another transaction, which may itself fail. Returns whether it was
 * written: false when a condition does not hold. Throws StorageBusy like `untilWritten`.
 */
export const wasWritten = (table: Pick<Table, 'write'>, writes: readonly Write[]): Promise<boolean> =>
  untilWritten(async () => {
    try {
      await table.write(writes);
      return true;
    } catch (error) {
      if (error instanceof WriteRefused) return false;
      throw error;
    }
  });
