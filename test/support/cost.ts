/** What a request costs: its round trips to storage, calls, and capacity units. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { requestContext } from '#core/db/request-context.ts';
import type { App } from '#core/http/app.ts';
import { withApp } from './faults.ts';

export type Cost = {
  /** Calls to the table and the bucket that wait for one another; calls that could be made together are one. */
  roundTrips: number;
  /** Calls to the table, and their capacity units. */
  calls: number;
  capacityUnits: number;
};

/**
 * The cost of one request. Calls that begin while others run end together with them, so the number of round trips does
 * not depend on how long each takes. Signing is local and does not count.
 */
export async function measureCost<T>(run: () => Promise<T>): Promise<{ cost: Cost; result: T }> {
  const cost = { roundTrips: 0, calls: 0, capacityUnits: 0 };
  let running = 0;
  let trip = Promise.withResolvers<void>();
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (running === 0) {
        cost.roundTrips += 1;
        trip = Promise.withResolvers();
      }
      running += 1;
      const { promise, resolve } = trip;
      try {
        return await call(...args);
      } finally {
        running -= 1;
        if (running === 0) resolve();
        await promise;
        const { calls = 0, capacityUnits = 0 } = requestContext() ?? {};
        Object.assign(cost, { calls, capacityUnits });
      }
    };
  const change = ({ table, bucket }: App): Partial<App> => {
    const read = counted(table.read);
    return {
      table: {
        // An empty list is not read.
        read: (keys, consistency) => (keys.length === 0 ? table.read(keys) : read(keys, consistency)),
        list: counted(table.list),
        count: counted(table.count),
        write: counted(table.write),
        remove: counted(table.remove),
      },
      bucket: { ...bucket, inspect: counted(bucket.inspect), put: counted(bucket.put), remove: counted(bucket.remove) },
    };
  };
  return { result: await withApp(change, run), cost };
}

/** The read and write units that calls have used. */
export type Meter = { reads: number; writes: number };

/** Adds the units of every call of a client to a meter. */
export function measure(client: DynamoDBClient, meter: Meter): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        const consumed: unknown = Reflect.get(result.output, 'ConsumedCapacity');
        const isRead = /^(?:Get|BatchGet|Query)/.test(commandName);
        for (const part of Array.isArray(consumed) ? consumed : [consumed]) {
          meter[isRead ? 'reads' : 'writes'] += Number(part?.CapacityUnits ?? 0);
        }
        return result;
      },
    { step: 'initialize', name: 'measure' },
  );
}
