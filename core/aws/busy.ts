/** When storage is busy: which errors say so, and how long to wait before trying again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageBusy } from '#core/db/table.ts';

/** How often we ourselves try what the SDK does not try again. */
export const ATTEMPTS = 8;

const BUSY: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'TransactionConflictException',
  'TransactionInProgressException',
  // Those of S3.
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'TimeoutError',
]);

/** Runs a call and says in our words when storage stayed busy after all retries. */
export async function busy<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && BUSY.has(error.name)) throw new StorageBusy(error);
    throw error;
  }
}

/** Waits before attempt n+1: up to 20 ms doubled each time, at random so that rivals part. */
export const pause = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(20 * 2 ** attempt, 1_000));
