/**
 * Rate limits: how often something may be done in a window of time, by one person for example. Each use is one
 * conditional write of a small item, without a read before it, so concurrent uses are all counted. The items expire.
 */
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { keys } from './keys.ts';
import type { Ports } from './ports.ts';
import { WriteRefused } from './table.ts';

/** `name`: a short constant that tells this limit from others. At most `max` uses in each window of `seconds`. */
export type RateLimit = { name: string; max: number; seconds: number };

/**
 * Counts a use by a subject, such as a user id. Windows begin at multiples of their length, for everybody at once.
 * Throws 429 with `Retry-After` when the limit is reached; such a use is not counted.
 */
export async function countUse(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  { name, max, seconds }: RateLimit,
  subject: string,
): Promise<void> {
  const time = epochSeconds(now());
  const end = (Math.floor(time / seconds) + 1) * seconds;
  try {
    await table.write([
      {
        update: keys.rateLimit(name, subject, end),
        set: { expiresAt: end },
        add: { uses: 1 },
        when: { below: { uses: max } },
      },
    ]);
  } catch (error) {
    throw error instanceof WriteRefused ? problems.tooManyRequests(end - time) : error;
  }
}
