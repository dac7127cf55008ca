/** What a request costs: its round trips to the table, calls, and capacity units. */
import { requestContext } from '#core/db/request-context.ts';
import type { Table } from '#core/db/table.ts';
import { app, replaceApp } from '#core/http/app.ts';

export type Cost = { roundTrips: number; calls: number; capacityUnits: number };

/** The cost of one request: calls that overlap are one round trip. */
export async function costOf<T>(run: () => Promise<T>): Promise<{ cost: Cost; result: T }> {
  const cost = { roundTrips: 0, calls: 0, capacityUnits: 0 };
  let running = 0;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (running === 0) cost.roundTrips += 1;
      running += 1;
      try {
        return await call(...args);
      } finally {
        running -= 1;
        const { calls = 0, capacityUnits = 0 } = requestContext() ?? {};
        Object.assign(cost, { calls, capacityUnits });
      }
    };
  const before = app();
  const { read, page, count, write } = before.table;
  const table: Partial<Table> = {
    read: counted(read),
    page: counted(page),
    count: counted(count),
    write: counted(write),
  };
  replaceApp({ ...before, table: { ...before.table, ...table } });
  try {
    const result = await run();
    return { cost, result };
  } finally {
    replaceApp(before);
  }
}
