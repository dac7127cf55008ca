/** Deletions in tests: everything that is stored of a resource, and deletions that are interrupted at each of their steps. */
import type { App } from '#core/http/app.ts';
import { dyingAfter, limitedTo, withApp } from './faults.ts';
import { itemsMentioning, objectKeys } from './stored.ts';
import { cleanUp, finishDeletions, isInterrupted } from './sweeps.ts';

/** Everything in the table and the bucket that names an id, once all clean-ups were carried out. */
export async function listTraces(id: string): Promise<string[]> {
  await cleanUp();
  const [items, keysOfObjects] = await Promise.all([itemsMentioning(id), objectKeys()]);
  const kept = /^(?:IDEMPOTENCY#\S+ |SLUG#\S+ USAGE#)/;
  return [...items.filter((item) => !kept.test(item)), ...keysOfObjects.filter((key) => key.includes(id))];
}

/** Apps in which only the first `count` writes of the table, or changes of the bucket, succeed. */
const FAILING = {
  table:
    (count: number) =>
    ({ table }: App): Partial<App> => ({ table: { ...table, ...dyingAfter(count)(table) } }),
  bucket:
    (count: number) =>
    ({ bucket }: App): Partial<App> => {
      const limited = limitedTo(count);
      const { put, remove, removeSome } = bucket;
      const changes = { put: limited(put), remove: limited(remove), removeSome: limited(removeSome) };
      return { bucket: { ...bucket, ...changes } };
    },
};

type Interrupted<T> = {
  create: () => Promise<T>;
  remove: (created: T) => Promise<unknown>;
  expectGone: (created: T) => Promise<void>;
};

/**
 * Deletes something new, and interrupts the worker: the table, or the bucket, fails from its first change on, from its
 * second, and so on until it is not interrupted. Each deletion must leave nothing in the end. Returns how many
 * interruptions there were.
 */
export async function interruptedAtEveryStep<T>(
  of: keyof typeof FAILING,
  { create, remove, expectGone }: Interrupted<T>,
): Promise<number> {
  for (let step = 0; step < 100; step += 1) {
    const created = await create();
    await remove(created);
    const interrupted = await withApp(FAILING[of](step), isInterrupted);
    await finishDeletions();
    await expectGone(created);
    if (!interrupted) return step;
  }
  throw new Error('the deletion does not end');
}
