/**
 * The context that all storage calls of a request share: its cost so far and its deadline. It is kept in an
 * AsyncLocalStorage, so that it need not be passed through every function.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The storage calls and capacity units of a request so far; `deadline` in milliseconds of `performance.now()`. */
type RequestContext = { calls: number; capacityUnits: number; deadline: number };

const storage = new AsyncLocalStorage<RequestContext>();

/** Returns the context of the current request; undefined outside of one. */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** Runs a request in its context. */
export const inRequestContext = <T>(context: RequestContext, run: () => Promise<T>): Promise<T> =>
  storage.run(context, run);

/** Milliseconds until the deadline of the request; Infinity outside of one. */
export const remainingMs = (): number => {
  const context = storage.getStore();
  return context ? context.deadline - performance.now() : Number.POSITIVE_INFINITY;
};
