/**
 * Rate limits: how often something may be done in a window of time, by or to one person for example. Each use is one
 * conditional write of a small item, without a read before it, so concurrent uses are all counted. The items expire.
 */
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { keys } from './keys.ts';
import type { Ports } from './ports.ts';
import { wasWritten } from './retry.ts';

/** `name`: a short constant that tells this limit from others. At most `max` uses in each window of `seconds`. */
export type RateLimit = { name: string; max: number; seconds: number };

/** The end of the window of a limit, in epoch seconds. Windows begin at multiples of their length, for everybody at once. */
const windowEnd = (now: Date, { seconds }: RateLimit): number =>
  (Math.floor(epochSeconds(now) / seconds) + 1) * seconds;

/** Counts a use by a subject, such as a user id. Returns false when the limit is reached; such a use is not counted. */
export function isWithinLimit(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  limit: RateLimit,
  subject: string,
): Promise<boolean> {
  const end = windowEnd(now(), limit);
  return wasWritten(table, [
    {
      update: keys.rateLimit(limit.name, subject, end),
      set: { expiresAt: end },
      add: { uses: 1 },
      when: { below: { uses: limit.max } },
    },
  ]);
}

/** Counts a use like `isWithinLimit`. Throws 429 with `Retry-After` when the limit is reached. */
export async function countUse(ports: Pick<Ports, 'table' | 'now'>, limit: RateLimit, subject: string): Promise<void> {
  const now = ports.now();
  if (!(await isWithinLimit({ ...ports, now: () => now }, limit, subject)))
    throw problems.tooManyRequests(windowEnd(now, limit) - epochSeconds(now));
}
