/**
 * What a request costs at DynamoDB: how many calls, and how many capacity units they consumed. Counted at the SDK
 * client, so that nothing escapes it; the log line of a request tells it, and benchmarks hold it against the budgets.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The calls and capacity units of one request so far. */
export type Meter = { calls: number; capacityUnits: number };

const running = new AsyncLocalStorage<Meter>();

export const newMeter = (): Meter => ({ calls: 0, capacityUnits: 0 });

/** Runs `work` so that the calls it makes are counted on `meter`. */
export const withMeter = <T>(meter: Meter, work: () => Promise<T>): Promise<T> => running.run(meter, work);

/** Makes a client ask for the capacity of each call and count it on the meter of the request that made it. */
export function countCapacity(client: DynamoDBDocumentClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const };
      const result = await next({ ...args, input });
      const meter = running.getStore();
      if (meter) {
        meter.calls += 1;
        meter.capacityUnits += unitsOf(result.output);
      }
      return result;
    },
    { step: 'initialize', name: 'countCapacity', priority: 'low' },
  );
}

function unitsOf(output: object): number {
  const consumed: unknown = Reflect.get(output, 'ConsumedCapacity');
  const parts = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'CapacityUnits') : undefined;
    return sum + (typeof units === 'number' ? units : 0);
  }, 0);
}
