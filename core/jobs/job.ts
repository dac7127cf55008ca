/**
 * Delivery items: work that follows a write, stored in the transaction of that write, so that it is done even if the
 * process dies right after. Workers claim an item by postponing its due time, so that the item of a worker that died is
 * due again by itself. A failed attempt postpones it with growing pauses; after 72 hours it is parked: FAILED, with a
 * reason, and repeated only on request. Upkeep, which nobody could request, is attempted until it succeeds.
 */
import { encode } from '#core/db/codec.ts';
import { indexKeys, type Key, keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { timeAfter } from '#core/schema/format.ts';

/** What is to be done; `core/workers/kinds.ts` has a handler for each kind. */
export type DeliveryKind =
  | 'clean-up'
  | 'deletion'
  | 'recount'
  | 'response-mail'
  | 'export-mail'
  | 'spreadsheet-row'
  | 'spreadsheet-backfill';

/** QUEUED: due at some time. SENT: done. FAILED: parked. */
type DeliveryState = 'QUEUED' | 'SENT' | 'FAILED';

/** A delivery item. `data` depends on the kind and never holds answers: a delivery uses what is stored when it runs. */
export type Delivery<T extends object = object> = {
  key: Key;
  kind: DeliveryKind;
  state: DeliveryState;
  /** When it was queued, or is first due, if that is later: attempts end 72 hours after it. */
  queuedAt: string;
  /** When its state or reason last changed. */
  updatedAt: string;
  /** When it is to be attempted next; while it is attempted, when the claim ends. */
  dueAt: string;
  /** The number of attempts that were begun. */
  attempts: number;
  /** Why the last attempt failed, as a code such as `no_address`. */
  reason?: string;
  data: T;
};

/** Work on stored data alone. Giving it up would leave something undone that nobody misses. */
const UPKEEP: ReadonlySet<DeliveryKind> = new Set(['clean-up', 'deletion', 'recount', 'spreadsheet-backfill']);

/** A pause after the n-th failed attempt: 1, 2, 4, … minutes, at most an hour. */
const pauseSeconds = (attempts: number): number => Math.min(60 * 2 ** Math.max(attempts - 1, 0), 60 * 60);

/** How long a delivery is attempted. */
const ATTEMPTED_SECONDS = 72 * 60 * 60;

type New<T extends object> = { key: Key; kind: DeliveryKind; data: T; dueInSeconds?: number };

/** The item of a new delivery, due at once or after some seconds. */
export function newDelivery<T extends object>({ key, kind, data, dueInSeconds = 0 }: New<T>, now: Date): Delivery<T> {
  const dueAt = timeAfter(now, dueInSeconds);
  return { key, kind, state: 'QUEUED', queuedAt: dueAt, updatedAt: now.toISOString(), dueAt, attempts: 0, data };
}

/** The write that queues a delivery; it replaces an earlier delivery with the same key. */
export const queueDelivery = <T extends object>(delivery: New<T>, now: Date): Write => ({
  put: deliveryItem(newDelivery(delivery, now)),
});

function deliveryItem({ key, data, reason, ...delivery }: Delivery): Item {
  return {
    ...key,
    ...placeOf(key, delivery),
    ...delivery,
    ...(reason === undefined ? {} : { reason }),
    ...encode(data),
  };
}

/** The index keys of a delivery: with what is due while it is queued, with what is parked of its form when it failed. */
function placeOf(key: Key, { state, kind, dueAt, queuedAt }: Pick<Delivery, 'state' | 'kind' | 'dueAt' | 'queuedAt'>) {
  if (state === 'QUEUED') return indexKeys.due(dueAt, idOf(key));
  return state === 'FAILED' ? indexKeys.parked(kind, queuedAt, idOf(key)) : {};
}

/** The id of what a delivery is about, by which due deliveries are spread over shards. */
const idOf = (key: Key): string => lastPart(key.pk);

/** The delivery of an item; undefined when there is none. */
export function deliveryOf<T extends object = object>(item: Item | undefined): Delivery<T> | undefined {
  if (!item) return undefined;
  return {
    key: { pk: item.pk, sk: item.sk },
    kind: item.kind as DeliveryKind,
    state: item.state as DeliveryState,
    queuedAt: String(item.queuedAt),
    updatedAt: String(item.updatedAt),
    dueAt: String(item.dueAt),
    attempts: Number(item.attempts),
    ...(item.reason === undefined ? {} : { reason: String(item.reason) }),
    data: JSON.parse(String(item.data)) as T,
  };
}

/** Whether a delivery can be attempted now. */
export const isDue = ({ state, dueAt }: Pick<Delivery, 'state' | 'dueAt'>, now: Date): boolean =>
  state === 'QUEUED' && dueAt <= now.toISOString();

/** A delivery claimed for some seconds: no other worker attempts it before they have passed. */
export const claimed = <T extends object>(delivery: Delivery<T>, seconds: number, now: Date): Delivery<T> => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  dueAt: timeAfter(now, seconds),
});

/** A delivery that is done and stays as the record of it. */
export function sent<T extends object>({ reason: _previous, ...delivery }: Delivery<T>, now: Date): Delivery<T> {
  return { ...delivery, state: 'SENT', updatedAt: now.toISOString() };
}

/** A parked delivery. */
export const parked = <T extends object>(delivery: Delivery<T>, reason: string, now: Date): Delivery<T> => ({
  ...delivery,
  state: 'FAILED',
  reason,
  updatedAt: now.toISOString(),
});

/**
 * A delivery after a failed attempt: due after a pause of at least `minSeconds`; parked after 72 hours, except for upkeep.
 */
export function postponed<T extends object>(
  delivery: Delivery<T>,
  reason: string,
  now: Date,
  minSeconds = 0,
): Delivery<T> {
  if (endsAttempts(delivery, now) && !UPKEEP.has(delivery.kind)) return parked(delivery, reason, now);
  const dueAt = timeAfter(now, Math.max(pauseSeconds(delivery.attempts), minSeconds));
  return { ...delivery, reason, updatedAt: now.toISOString(), dueAt };
}

/** Whether the time for attempts is over: one that fails now is the last one, or upkeep that somebody has to look at. */
export const endsAttempts = ({ queuedAt }: Pick<Delivery, 'queuedAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(queuedAt) >= ATTEMPTED_SECONDS * 1_000;

/**
 * A delivery that could not be attempted because something else is under way; it is due again after some seconds. One
 * attempt stays counted, because the worker `deliver` takes those without any for new ones.
 */
export const waiting = <T extends object>(delivery: Delivery<T>, seconds: number, now: Date): Delivery<T> => ({
  ...delivery,
  attempts: Math.max(1, delivery.attempts - 1),
  dueAt: timeAfter(now, seconds),
});

/** A delivery that continues later with new data, as the next step of a longer job; its 72 hours begin anew. */
export const continued = <T extends object>(
  { key, kind }: Delivery<T>,
  data: T,
  seconds: number,
  now: Date,
): Delivery<T> => newDelivery({ key, kind, data, dueInSeconds: seconds }, now);

/** The write that stores the next state of a delivery, on the condition that nobody changed it since. */
export const replaceDelivery = (next: Delivery, before: Delivery): Write => ({
  put: deliveryItem(next),
  when: unchanged(before),
});

/** The write that removes a delivery that is done, on the condition that nobody changed it since. */
export const removeDelivery = (before: Delivery): Write => ({ remove: before.key, when: unchanged(before) });

/** Every change of a QUEUED delivery changes its due time or its number of attempts. */
const unchanged = ({ state, dueAt, attempts }: Delivery) => ({ equals: { state, dueAt, attempts } });

// Clean-ups of stored objects, as deliveries: each removes one object from a time on, unless it is referenced then. They
// are queued in the transaction that announces an upload or detaches a file, so that a crash leaves no unreferenced
// objects.

/** `object`: the key of the object. */
export type CleanUp = { object: string };

/**
 * The write that schedules the removal of an object after some seconds, if it is not referenced then. `owner`: the key of
 * the response or form to which the object belongs; its deletion removes the clean-up too.
 */
export const scheduleCleanUp = (
  { now, uuid }: Pick<Ports, 'now' | 'uuid'>,
  owner: Key,
  object: string,
  seconds = 0,
): Write =>
  queueDelivery<CleanUp>(
    { key: keys.cleanUp(owner, uuid()), kind: 'clean-up', data: { object }, dueInSeconds: seconds },
    now(),
  );
