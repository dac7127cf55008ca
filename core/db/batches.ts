/** Writes more items than one transaction takes. */
import type { Table, Write } from './table.ts';

/** The largest number of items in one write. */
export const MAX_WRITES = 100;

/** Performs writes in order that need not be atomic together. */
export async function writeInBatches(table: Table, writes: readonly Write[]): Promise<void> {
  for (let index = 0; index < writes.length; index += MAX_WRITES) {
    await table.write(writes.slice(index, index + MAX_WRITES));
  }
}
