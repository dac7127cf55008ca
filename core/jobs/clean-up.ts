/**
 * Clean-ups of stored objects, as jobs: each removes one object from a time on, unless it is referenced then. They are
 * queued in the transaction that announces an upload or detaches a file, so that a crash leaves no unreferenced objects.
 */
import { type Key, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { queueJob } from './job.ts';

/** `object`: the key of the object. */
export type CleanUp = { object: string };

/**
 * Builds the write that schedules the removal of an object after some seconds, unless it is referenced then. `owner`: key of
 * the response or form to which the object belongs; its deletion removes the clean-up too.
 */
export const scheduleCleanUp = (
  { now, uuid }: Pick<Ports, 'now' | 'uuid'>,
  owner: Key,
  object: string,
  seconds = 0,
): Write =>
  queueJob<CleanUp>(
    { key: keys.cleanUp(owner, uuid()), kind: 'clean-up', data: { object }, dueInSeconds: seconds },
    now(),
  );
