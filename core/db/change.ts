/**
 * The optimistic write: read, decide, write on the condition that nothing has changed. After a concurrent write the
 * newest state is read and decided again, so that no change is lost and no rule is judged on old data.
 */
import { Problem } from '#core/problems/problems.ts';
import type { ChangePorts, Ports } from './ports.ts';
import { untilWritten } from './retry.ts';
import { NotStored, StorageBusy, type Write, WriteRefused } from './table.ts';

/**
 * An edit of a state `T` as the pure functions of the domain return it: the next state, the same one for no change; the
 * body of the result; further writes of the same transaction.
 */
export type Edit<T, B = undefined> = { next: T; body: B; alsoWrites?: readonly Write[] };

/**
 * Something in a counter that many changes share, which is taken before the writes of a change and given back if they are not stored:
 * together in one transaction, most of many changes at once would be refused.
 */
export type Reservation = {
  taking?: {
    /** Written right before the writes, again with each attempt: a doubled take loses something, until that is found. */
    take: Write;
    /** Throws the problem of a take that was refused. */
    refuse: (refusal: WriteRefused) => Promise<never>;
    /** Sent once if the writes are not stored: what is given back twice is taken by two. */
    giveBack: Write;
    /** Whether the writes are stored, where their outcome is unknown. */
    isStored: () => Promise<boolean>;
  };
  /** Sent once after the writes: gives back what the state had before. */
  release?: Write;
};

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
  /** What the change takes from a shared counter, and gives back to it. */
  reserve?: Reservation | undefined;
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
    const { writes, result, firstWrites = [], reserve, onRefused, onWritten } = await decide(current);
    if (writes.length === 0) return result;
    if (firstWrites.length > 0) await app.table.write(firstWrites);
    const { taking, release } = reserve ?? {};
    if (taking) await takeFrom(app, taking);
    try {
      await (app.commit ? app.commit(writes, result) : app.table.write(writes));
    } catch (error) {
      if (taking && !(await mayBeStored(error, taking))) await sendOnce(app, taking.giveBack);
      if (error instanceof WriteRefused) onRefused?.(error);
      throw error;
    }
    onWritten?.();
    if (release) await sendOnce(app, release);
    return result;
  });

type Taking = NonNullable<Reservation['taking']>;

async function takeFrom({ table }: Pick<Ports, 'table'>, { take, refuse }: Taking): Promise<void> {
  try {
    await table.write([take]);
  } catch (error) {
    if (error instanceof WriteRefused) await refuse(error);
    throw error;
  }
}

/** Whether writes may be stored although they have failed: what storage refused is not, of the rest only a read tells. */
async function mayBeStored(error: unknown, { isStored }: Taking): Promise<boolean> {
  if (error instanceof NotStored || error instanceof Problem) return false;
  if (error instanceof StorageBusy && !error.wasSent) return false;
  return isStored().catch(() => true);
}

/** Sends a write that must not be doubled; one that is lost is found by whoever compares the counter with what it counts. */
const sendOnce = ({ table }: Pick<Ports, 'table'>, write: Write): Promise<void> =>
  table.write([write], 'once').catch(() => undefined);
