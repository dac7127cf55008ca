/** The job of a form with limits that counts the places that are taken. It exists while something is to be counted. */
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { newJob, parseJob, queueJob, replaceJob } from './job.ts';

/**
 * The data of the job.
 * - `count`: takes a place for each response that has none of a limit that is younger than its submission, and switches the
 *   condition of the limit on.
 * - `idle`: nothing is to be done before the job is due.
 * - `quiet`: waits until nothing has changed for a while; `writes`: of the places, when that was looked at last.
 * - `walk`: counts the responses that have places.
 * - `settle`: waits once more, then corrects the places, if they are still the same.
 */
export type PlacesCount = {
  phase: 'count' | 'idle' | 'quiet' | 'walk' | 'settle';
  writes?: number | undefined;
  /** The counters that are compared, while they are. */
  counters?: readonly string[] | undefined;
  /** What was counted so far. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** Where the pass continues: the partition of submitted responses, and the position in it. */
  partition?: number | undefined;
  after?: string | undefined;
};

/** The value of a counter from which on its places are being counted: any number of places can be taken from there. */
export const UNCOUNTED = -1_000_000_000;
/** Whether the places of a counter with this value are still being counted. */
export const isUncounted = (value: number): boolean => value < UNCOUNTED / 2;

/** When the count begins: requests that know nothing of the limit have ended by then. */
const BEGIN_SECONDS = 60;
/** How long a count that nobody asked for waits. */
const IDLE_SECONDS = 24 * 60 * 60;

const jobOf = (formId: string, data: PlacesCount, dueInSeconds: number) => ({
  ...{ key: keys.placesCount(formId), kind: 'places' as const },
  ...{ data, dueInSeconds },
});

/**
 * Builds the writes by which limits take effect that are younger than responses to the form: until the places are counted, any number
 * of them can be taken.
 */
export const beginCount = (formId: string, counters: readonly string[], now: Date): Write[] => [
  {
    update: keys.places(formId),
    set: Object.fromEntries(counters.map((counter) => [counter, UNCOUNTED])),
    add: { writes: 1 },
  },
  queueJob<PlacesCount>(jobOf(formId, { phase: 'count' }, BEGIN_SECONDS), now),
];

/**
 * Builds the write by which the places of a form are compared with its responses, a process may have died between the two: `soon`
 * when somebody found no place, otherwise within a day. None if that is under way. `item`: that of the job.
 */
export function ensureComparison(formId: string, item: Item | undefined, now: Date, soon = false): Write[] {
  const job = parseJob<PlacesCount>(item);
  if (job && (job.data.phase !== 'idle' || !soon)) return [];
  const next = soon ? jobOf(formId, { phase: 'quiet' }, 0) : jobOf(formId, { phase: 'idle' }, IDLE_SECONDS);
  return [replaceJob(newJob<PlacesCount>(next, now), job)];
}
