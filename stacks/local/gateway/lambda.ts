/** Runs handlers in this process as Lambda does: event and result pass through JSON, and the time is limited. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';

export type LambdaHandler<E> = (event: E, context: Context) => Promise<unknown>;

/** A function as it is deployed, for events of type E. */
export type LambdaFunction<E> = { name: string; handler: LambdaHandler<E>; timeoutMs: number; memoryMb?: number };

/** The handler that a file of the project exports, loaded at its first call. */
export function loadHandler<E>(file: string): LambdaHandler<E> {
  let loaded: Promise<LambdaHandler<E>> | undefined;
  return async (event, context) => {
    loaded ??= load(file);
    return (await loaded)(event, context);
  };
}

async function load<E>(file: string): Promise<LambdaHandler<E>> {
  const url = new URL(`../../../${file}`, pathToFileURL(import.meta.filename));
  const module: { handler?: LambdaHandler<E> } = await import(url.href);
  if (!module.handler) throw new Error(`${file} exports no handler`);
  return module.handler;
}

export const TIMED_OUT = Symbol('timed out');

/**
 * Runs a function with an event in JSON. Returns its result in JSON, or TIMED_OUT when it takes longer than its timeout;
 * unlike on Lambda it then continues, because it cannot be stopped. Throws what the handler throws.
 */
export async function runLambda<E>(lambda: LambdaFunction<E>, payload: string): Promise<string | typeof TIMED_OUT> {
  const timeout = Promise.withResolvers<typeof TIMED_OUT>();
  const timer = setTimeout(timeout.resolve, lambda.timeoutMs, TIMED_OUT);
  const run = async () => JSON.stringify(await lambda.handler(JSON.parse(payload), newContext(lambda))) ?? 'null';
  return Promise.race([run(), timeout.promise]).finally(() => clearTimeout(timer));
}

function newContext({ name, timeoutMs, memoryMb = 1_024 }: Omit<LambdaFunction<never>, 'handler'>): Context {
  const endsAt = performance.now() + timeoutMs;
  return {
    awsRequestId: randomUUID(),
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:local',
    memoryLimitInMB: String(memoryMb),
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, Math.ceil(endsAt - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
