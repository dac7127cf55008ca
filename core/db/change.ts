/**
 * The optimistic write: read, decide, write on the condition that nothing has changed. After a concurrent write the
 * newest state is read and decided again, so that no change is lost and no rule is judged on old data.
 */
import type { ChangePorts, Ports } from './ports.ts';
import { untilWritten } from './retry.ts';
import { type Write, WriteRefused } from './table.ts';

/**
 * An edit of a state `T` as the pure functions of the domain return it: the next state, the same one for no change; the
 * body of the result; further writes of the same transaction.
 */
export type Edit<T, B = undefined> = { next: T; body: B; alsoWrites?: readonly Write[] };

/** What follows from the current state. */
export type Decision<R> = {
  /** Written together, on conditions; empty for no change. */
  writes: readonly Write[];
  /** What the change returns; with an `Idempotency-Key` it is recorded with the writes. */
  result: R;
  /** Done before the others; they must do no harm if the others are then refused. */
  firstWrites?: readonly Write[];
  /** Throws the problem of a write that would be refused again; after other refusals the change is decided again. */
  onRefused?: (refusal: WriteRefused) => void;
  /** Called when the writes are stored: to update what a warm function remembers. */
  onWritten?: () => void;
};

/** A change of a state `T` with the result `R`. */
export type Change<T, R> = {
  /** The state that was read before, for the first attempt; without it, the first attempt reads too. */
  loaded?: T;
  /** Reads the newest state. Throws a problem when it was deleted. */
  reload(): Promise<T>;
  /** Decides on a state, without effects. Throws a problem to refuse. */
  decide(current: T): Decision<R> | Promise<Decision<R>>;
};

/**
 * Applies a change and returns its result. Throws what `reload`, `decide` and `onRefused` throw, and StorageBusy like
 * `untilWritten`.
 */
export const change = <T, R>(
  app: Pick<Ports, 'table'> & Partial<Pick<ChangePorts, 'commit'>>,
  { loaded, reload, decide }: Change<T, R>,
): Promise<R> =>
  untilWritten(async (first) => {
    const current = first && loaded !== undefined ? loaded : await reload();
    const { writes, result, firstWrites = [], onRefused, onWritten } = await decide(current);
    if (writes.length === 0) return result;
    if (firstWrites.length > 0) await app.table.write(firstWrites);
    try {
      await (app.commit ? app.commit(writes, result) : app.table.write(writes));
    } catch (error) {
      if (error instanceof WriteRefused) onRefused?.(error);
      throw error;
    }
    onWritten?.();
    return result;
  });
