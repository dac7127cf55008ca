/** Retries: which errors mean that storage is busy, and how long to wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { remainingMs } from '#core/db/request-context.ts';
import { StorageBusy } from '#core/db/table.ts';

/** How often unprocessed keys are requested, which the SDK does not retry. */
export const MAX_ATTEMPTS = 8;

/** How long one attempt of a storage call may take. */
export const ATTEMPT_MS = 1_000;
/** How often the SDK attempts a call. */
export const SDK_ATTEMPTS = 3;
/** A call that is sent once needs this much time. */
export const ONCE_RESERVE_MS = ATTEMPT_MS + 500;
/** A call needs this much time: all its attempts must end before the timeout of the function. */
const CALL_RESERVE_MS = SDK_ATTEMPTS * ATTEMPT_MS + 500;

const BUSY: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'TransactionInProgressException',
  // S3
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  // SDK
  'TimeoutError',
]);
const NOT_IMPLEMENTED = 501;
const CONNECTION_ERRORS: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Runs a storage call. Throws StorageBusy when storage is still busy after all retries, or too little time is left. */
export async function callStorage<T>(call: () => Promise<T>, reserveMs = CALL_RESERVE_MS): Promise<T> {
  if (remainingMs() < reserveMs) throw new StorageBusy(new Error('the request ran out of time'), false);
  try {
    return await call();
  } catch (error) {
    if (isBusy(error)) throw new StorageBusy(error);
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (BUSY.has(error.name) || ('code' in error && CONNECTION_ERRORS.has(error.code)) || isServerError(error));

/**
 * Whether the response was a server error, with any body: a store with a full disk, or a proxy before
 * it, sends none that the SDK can read, and the name of such an error does not tell its kind.
 */
const isServerError = (error: Error): boolean => {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return false;
  const status = Number(metadata.httpStatusCode);
  return status >= 500 && status !== NOT_IMPLEMENTED;
};

/** Waits before attempt n+1: up to 20 ms, doubled each time, with jitter. */
export const pause = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(20 * 2 ** attempt, 1_000));
