/**
 * Fault injection: another app for a while, storage that loses a response, is busy, leaves keys unprocessed or meets
 * another transaction, and a gate at which a call waits.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { type Table, WriteConflict } from '#core/db/table.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';

/** Runs something while the app of this process differs in some parts. */
export async function withApp<T>(change: (current: App) => Partial<App>, run: () => Promise<T>): Promise<T> {
  const before = app();
  replaceApp({ ...before, ...change(before) });
  try {
    return await run();
  } finally {
    replaceApp(before);
  }
}

/** Gives a test file a service of its own, and an app that uses it. */
export function ownService<T extends { stop(): Promise<void> }>(
  start: () => Promise<T>,
  change: (service: T) => Partial<App>,
): () => T {
  let service: T | undefined;
  let before: App | undefined;
  beforeAll(async () => {
    service = await start();
    before = replaceApp({ ...app(), ...change(service) });
  });
  afterAll(async () => {
    if (before) replaceApp(before);
    await service?.stop();
  });
  return () => {
    if (!service) throw new Error('the service is started before the first test');
    return service;
  };
}

/** Runs something while the configuration differs in some parts. */
export const withConfig = <T>(parts: Partial<App['config']>, run: () => Promise<T>): Promise<T> =>
  withApp(({ config }) => ({ config: { ...config, ...parts } }), run);

/** Runs something while the table differs in some functions. */
export const withTable = <T>(change: (table: Table) => Partial<Table>, run: () => Promise<T>): Promise<T> =>
  withApp(({ table }) => ({ table: { ...table, ...change(table) } }), run);

/** Wraps functions of which only the first `count` calls happen, in all, as when the process dies after them. */
export function limitedTo(count: number) {
  let done = 0;
  return <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      done += 1;
      if (done > count) throw new Error('the process died');
      return call(...args);
    };
}

/** A table of which only the first `count` writes and removals succeed. */
export const dyingAfter =
  (count: number) =>
  ({ write, remove }: Table): Partial<Table> => {
    const limited = limitedTo(count);
    return { write: limited(write), remove: limited(remove) };
  };

/** A table whose first writes are done by something around them. */
const aroundFirst =
  (times: number, around: (write: () => Promise<void>) => Promise<void>) =>
  ({ write }: Table): Partial<Table> => {
    let count = 0;
    return {
      write: (...args) => {
        count += 1;
        return count <= times ? around(() => write(...args)) : write(...args);
      },
    };
  };

/** Runs a request and, right before its first write, once something else. */
export const beforeFirstWrite = <T>(request: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> =>
  withTable(
    aroundFirst(1, async (write) => {
      await meanwhile();
      await write();
    }),
    request,
  );

/** A table whose first writes conflict with another transaction; with `meanwhile`, which runs before. */
export const conflicting = (times: number, meanwhile: () => Promise<unknown> = async () => undefined) =>
  aroundFirst(times, async () => {
    await meanwhile();
    throw new WriteConflict(new Error('injected'));
  });

/** A table whose first writes are stored, but whose responses are lost. */
export const losingResponses = (times: number) =>
  aroundFirst(times, async (write) => {
    await write();
    throw new Error('the response was lost');
  });

/** A gate: `reached` resolves when a call waits at it, `open` lets it through. */
export function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const wait = async (): Promise<void> => {
    reached.resolve();
    await opened.promise;
  };
  return { reached: reached.promise, open: opened.resolve, wait };
}

type Send = (args: { request: unknown }) => Promise<{ output: unknown }>;

/**
 * Does something around every single request of a client to DynamoDB, each attempt of the SDK by itself. `send` sends
 * the request; not calling it keeps it from the table, throwing after it loses its response.
 */
export function aroundRequests<T extends DynamoDBClient>(
  client: T,
  around: (command: string, send: () => Promise<{ output: unknown }>) => Promise<{ output: unknown }>,
): T {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const sendOn: Send = next as unknown as Send;
      const response = await around(String(context.commandName), () => sendOn(args as { request: unknown }));
      return response as Awaited<ReturnType<typeof next>>;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'aroundRequests' },
  );
  return client;
}

/** An error as the SDK throws it. */
export const storageError = (name: string, more: object = {}): Error =>
  Object.assign(new Error(`${name}, injected`), {
    name,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
    ...more,
  });
