/** The ports of the domain to storage, time, randomness and the log. Adapters are in `core/aws`. */
import type { Language } from '#core/schema/format.ts';
import type { Bucket } from './bucket.ts';
import type { Table, Write } from './table.ts';

export type LogEntry = { level: 'info' | 'warn' | 'error' } & Record<string, unknown>;

export type Ports = {
  table: Table;
  bucket: Bucket;
  now(): Date;
  /** A fresh random UUID of version 4. */
  uuid(): string;
  /** Writes a log line. Never pass answers, tokens or addresses. */
  log(entry: LogEntry): void;
};

/** The ports of a request that changes something. */
export type ChangePorts = Ports & {
  /**
   * Throws 409 unless `If-Match` contains this version; does nothing without the header. `undefined`: what has the versions is
   * not there any more.
   */
  ifMatch(version: number | undefined): void;
  /** The language that the caller reads, if the request says so: of texts that follow from the change. */
  language?: Language | undefined;
  /** The time zone of the caller, if the request says so: of times in such texts. */
  timeZone?: string | undefined;
  /**
   * Writes all or nothing. With an `Idempotency-Key`, the result of the operation is recorded in the same transaction.
   * Returns the result. Throws like `Table.write`.
   */
  commit<R>(writes: readonly Write[], result: R): Promise<R>;
};

type AsyncMethod = (...args: never[]) => Promise<unknown>;

/**
 * Creates a port that `load` makes at the first call of one of its methods: clients of services are large, and most
 * functions call few of them. `methods`: all of the port. `around` runs each call.
 */
export function lazyPort<P extends Record<keyof P, AsyncMethod>>(
  load: () => Promise<P>,
  methods: Readonly<Record<keyof P, true>>,
  around: <T>(call: () => Promise<T>) => Promise<T> = (call) => call(),
): P {
  let loaded: Promise<P> | undefined;
  const callLater =
    (name: keyof P): AsyncMethod =>
    (...args) =>
      around(async () => {
        loaded ??= load();
        return (await loaded)[name](...args);
      });
  return Object.fromEntries((Object.keys(methods) as (keyof P)[]).map((name) => [name, callLater(name)])) as P;
}
