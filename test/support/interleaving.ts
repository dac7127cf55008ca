/**
 * Requests that are interrupted at a chosen write: by storage that fails, or by another request that is done between the
 * reads and the first write of the first one.
 */
import { StorageBusy, type Table } from '#core/db/table.ts';
import { withTable } from './faults.ts';

/** A table whose n-th write from now on fails as busy storage does; the others pass. */
export function failingAt(nth: number): (table: Table) => Partial<Table> {
  let count = 0;
  return (table) => ({
    write: async (writes) => {
      count += 1;
      if (count === nth) throw new StorageBusy(new Error('injected'));
      await table.write(writes);
    },
  });
}

/** Runs a request and, right before its first write, once something else. */
export async function beforeFirstWrite<T>(request: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  let isFirst = true;
  return withTable(
    (table) => ({
      write: async (writes) => {
        if (isFirst) {
          isFirst = false;
          await meanwhile();
        }
        await table.write(writes);
      },
    }),
    request,
  );
}
