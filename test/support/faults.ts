/**
 * A world that fails or waits on purpose: another app for a while, storage that loses an answer, is busy, leaves keys
 * over or meets a transaction (the faults that DynamoDB really has), and a gate at which a write waits.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/db/table.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';

/** Runs something while the app of this process differs in some parts. */
export async function withApp<T>(change: (world: App) => Partial<App>, run: () => Promise<T>): Promise<T> {
  const before = app();
  replaceApp({ ...before, ...change(before) });
  try {
    return await run();
  } finally {
    replaceApp(before);
  }
}

/** Runs something while the configuration differs in some parts. */
export const withConfig = <T>(parts: Partial<App['config']>, run: () => Promise<T>): Promise<T> =>
  withApp(({ config }) => ({ config: { ...config, ...parts } }), run);

/** Runs something while the table differs in some verbs. */
export const withTable = <T>(change: (table: Table) => Partial<Table>, run: () => Promise<T>): Promise<T> =>
  withApp(({ table }) => ({ table: { ...table, ...change(table) } }), run);

/** A table of which only the first `count` writes of what runs go through; then the process is as good as dead. */
export const dyingAfter =
  (count: number) =>
  (table: Table): Partial<Table> => {
    let done = 0;
    return {
      write: async (writes, writeId) => {
        done += 1;
        if (done > count) throw new Error('the process died');
        await table.write(writes, writeId);
      },
    };
  };

/** A gate: `reached` comes true when somebody waits at it, `open` lets them through. */
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
 * the request; not calling it keeps it from the table, throwing after it loses its answer.
 */
export function aroundRequests<T extends DynamoDBDocumentClient>(
  client: T,
  around: (command: string, send: () => Promise<{ output: unknown }>) => Promise<{ output: unknown }>,
): T {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const sendOn: Send = next as unknown as Send;
      const answer = await around(String(context.commandName), () => sendOn(args as { request: unknown }));
      return answer as Awaited<ReturnType<typeof next>>;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'aroundRequests' },
  );
  return client;
}

/** An error as the SDK makes it of an answer of DynamoDB. */
export const storageError = (name: string, more: object = {}): Error =>
  Object.assign(new Error(`${name}, injected`), {
    name,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
    ...more,
  });

/** What the SDK throws when the connection broke before the answer came; it sends the request again. */
export const lostAnswer = (): Error => storageError('TimeoutError');
