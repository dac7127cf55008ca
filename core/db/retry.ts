/** Optimistic writing: read, decide, write on condition, and again from the start when somebody was faster. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageBusy, WriteRefused } from './table.ts';

const ATTEMPTS = 24;

/** Runs `attempt` until its write is taken; `first` is true once. Throws what it throws, and StorageBusy in the end. */
export async function untilWritten<T>(attempt: (first: boolean) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count === 1);
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      if (count >= ATTEMPTS) throw new StorageBusy(error);
      await sleep(Math.random() * Math.min(5 * 2 ** count, 250));
    }
  }
}
