/**
 * Attempts deliveries: claims them, runs the handler of their kind, and stores the outcome. A delivery is attempted at
 * least once; handlers make its effect happen once.
 */

import { duePagesOf } from '#core/db/batches.ts';
import { type Key, keyText, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten, writeUnlessRefused } from '#core/db/retry.ts';
import { type Item, StorageBusy } from '#core/db/table.ts';
import {
  claimed,
  continued,
  type Delivery,
  type DeliveryKind,
  deliveryOf,
  endsAttempts,
  isDue,
  parked,
  postponed,
  removeDelivery,
  replaceDelivery,
  sent,
  waiting,
} from './job.ts';

/**
 * The outcome of an attempt.
 * - `done`: the item is removed.
 * - `sent`: the item stays as the record of what was done, with other data if given.
 * - `failed`: parked at once; repeating it without a change would fail again.
 * - `retry`: attempted again after a pause, of at least `minSeconds`; parked after 72 hours, except for upkeep.
 * - `wait`: not attempted, because something else is under way; due again after some seconds.
 * - `continue`: attempted again with other data after some seconds, as the next step of a longer job.
 */
export type Outcome =
  | { result: 'done' }
  | { result: 'sent'; data?: object }
  | { result: 'failed'; reason: string }
  | { result: 'retry'; reason: string; minSeconds?: number }
  | { result: 'wait'; seconds: number }
  | { result: 'continue'; data: object; seconds: number };

export const DONE: Outcome = { result: 'done' };
export const SENT: Outcome = { result: 'sent' };

/** How deliveries of a kind are attempted. */
export type DeliveryHandler<P extends Ports = Ports> = {
  /** How long a claim lasts: longer than an attempt takes. */
  claimSeconds: number;
  /** Attempts deliveries that were claimed, and returns an outcome for each, in their order. An error is a `retry`. */
  attempt(app: P, deliveries: readonly Delivery[]): Promise<readonly Outcome[]>;
};

export type DeliveryHandlers<P extends Ports> = Readonly<Partial<Record<DeliveryKind, DeliveryHandler<P>>>>;

/** How each delivery of a kind is attempted by itself. */
type Each<P extends Ports, T extends object> = {
  claimSeconds: number;
  /** How many are attempted at once: too many would time out while they wait for a connection. */
  parallel: number;
  /** The time that must be left to begin one. */
  minMs: number;
  attempt(app: P, delivery: Delivery<T>): Promise<Outcome>;
};

/** When a delivery for which too little time was left is due: the sweep that had no time left has ended then. */
const NEXT_SWEEP_SECONDS = 60;

/** A handler that attempts each delivery by itself: an error is a `retry` of this delivery only. */
export const attemptEach = <P extends Ports, T extends object>(each: Each<P, T>): DeliveryHandler<P> => ({
  claimSeconds: each.claimSeconds,
  async attempt(app, deliveries) {
    const outcomes: Outcome[] = [];
    for (let index = 0; index < deliveries.length; index += each.parallel) {
      const some = deliveries.slice(index, index + each.parallel) as Delivery<T>[];
      // One group after the other: `parallel` limits what runs at once.
      outcomes.push(...(await Promise.all(some.map((delivery) => attemptOne(app, delivery, each)))));
    }
    return outcomes;
  },
});

async function attemptOne<P extends Ports, T extends object>(
  app: P,
  delivery: Delivery<T>,
  { minMs, attempt }: Each<P, T>,
): Promise<Outcome> {
  if (remainingMs() < minMs) return { result: 'wait', seconds: NEXT_SWEEP_SECONDS };
  return attempt(app, delivery).catch((error: unknown) => retryAfter(app, [delivery], error));
}

/** The outcome of deliveries whose attempt has thrown an error, which is logged. */
function retryAfter(app: Ports, deliveries: readonly Delivery[], error: unknown): Outcome {
  const [first] = deliveries;
  app.log({
    level: 'error',
    delivery: first?.kind,
    key: first?.key.pk,
    count: deliveries.length,
    cause: causeOf(error),
  });
  return { result: 'retry', reason: 'internal_error' };
}

const causeOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** The number of due deliveries that are read from each shard. */
const PAGE = 25;

/**
 * All deliveries that are due, in batches of up to 100; the next one is read when it is asked for. Indexes lag, so each
 * delivery is read from the table, and a batch may be empty although others follow.
 */
export async function* dueDeliveries(app: Ports): AsyncGenerator<Delivery[]> {
  const now = app.now();
  let shards = partitions.due().map((shard) => duePagesOf(app.table, { ...shard, limit: PAGE }, now));
  while (shards.length > 0) {
    const pages = await Promise.all(shards.map((shard) => shard.next()));
    shards = shards.filter((_, index) => !pages[index]?.done);
    yield loadDeliveries(
      app,
      pages.flatMap(({ done, value }) => (done ? [] : value)),
    );
  }
}

/** The deliveries of some keys that are due, each once. */
export async function loadDeliveries(app: Ports, keys: readonly Key[]): Promise<Delivery[]> {
  const distinct = new Map(keys.map(({ pk, sk }) => [keyText({ pk, sk }), { pk, sk }]));
  const items: (Item | undefined)[] = await app.table.read([...distinct.values()]);
  const now = app.now();
  return items
    .map((item) => deliveryOf(item))
    .filter((delivery) => delivery !== undefined && isDue(delivery, now)) as Delivery[];
}

/** How many attempts had which result. */
export type AttemptCounts = Partial<Record<Outcome['result'] | 'lost', number>>;

/**
 * Claims deliveries, attempts them kind by kind, and stores the outcomes. Returns how many had which result. Those of a
 * kind without a handler are left alone. Throws the first error of storage, after everything else is done.
 */
export async function attemptDeliveries<P extends Ports>(
  app: P,
  deliveries: readonly Delivery[],
  handlers: DeliveryHandlers<P>,
): Promise<AttemptCounts> {
  const results = await allDone(
    [...Map.groupBy(deliveries, ({ kind }) => kind)].map(([kind, group]) => {
      const handler = handlers[kind];
      return handler ? attemptGroup(app, group, handler) : Promise.resolve([]);
    }),
  );
  const counts: AttemptCounts = {};
  for (const result of results.flat()) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

type Result = Outcome['result'] | 'lost';

/** Like Promise.all, but when one fails, the others are not left running: Lambda would suspend them, and resume them later. */
async function allDone<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function attemptGroup<P extends Ports>(
  app: P,
  group: readonly Delivery[],
  handler: DeliveryHandler<P>,
): Promise<Result[]> {
  const claims = await Promise.all(group.map((delivery) => claim(app, delivery, handler.claimSeconds)));
  const own = claims.filter((delivery) => delivery !== undefined);
  if (own.length === 0) return [];
  const outcomes = await handler.attempt(app, own).catch((error: unknown) => {
    const outcome = retryAfter(app, own, error);
    return own.map(() => outcome);
  });
  return allDone(own.map((delivery, index) => store(app, delivery, outcomes[index])));
}

/**
 * The claimed delivery; undefined when another worker has it, it was changed since, or storage is busy. Then it is due
 * again by itself, and those that were claimed with it are attempted.
 */
async function claim(app: Ports, delivery: Delivery, seconds: number): Promise<Delivery | undefined> {
  const own = claimed(delivery, seconds, app.now());
  try {
    return (await wasWritten(app.table.write([replaceDelivery(own, delivery)]))) ? own : undefined;
  } catch (error) {
    if (!(error instanceof StorageBusy)) throw error;
    return undefined;
  }
}

/** Stores an outcome, unless the delivery was replaced meanwhile; the newer one is attempted by itself. */
async function store(app: Ports, delivery: Delivery, outcome: Outcome | undefined): Promise<Result> {
  if (!outcome) throw new Error(`the handler of ${delivery.kind} returned too few outcomes`);
  const next = nextOf(delivery, outcome, app.now());
  const write = next ? replaceDelivery(next, delivery) : removeDelivery(delivery);
  if (!(await writeUnlessRefused(app.table, [write]))) return 'lost';
  const isOverdue = outcome.result === 'retry' && endsAttempts(delivery, app.now());
  if (next?.state === 'FAILED' || isOverdue) {
    app.log({ level: 'error', parkedDelivery: delivery.kind, key: delivery.key.pk, reason: next?.reason });
  }
  return next?.state === 'FAILED' ? 'failed' : outcome.result;
}

/** The next state of a delivery; undefined to remove it. */
function nextOf(delivery: Delivery, outcome: Outcome, now: Date): Delivery | undefined {
  switch (outcome.result) {
    case 'done':
      return undefined;
    case 'sent':
      return sent({ ...delivery, data: outcome.data ?? delivery.data }, now);
    case 'failed':
      return parked(delivery, outcome.reason, now);
    case 'retry':
      return postponed(delivery, outcome.reason, now, outcome.minSeconds);
    case 'wait':
      return waiting(delivery, outcome.seconds, now);
    case 'continue':
      return continued(delivery, outcome.data, outcome.seconds, now);
  }
}
