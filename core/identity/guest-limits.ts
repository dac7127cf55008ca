/**
 * How many people without an account may start a form in a minute. Beyond that nobody is refused: each first lets their computer
 * work for a few seconds, or waits, so that nobody fills a form by a program for nothing. No network address is stored or counted: a
 * school has one.
 */
import { formKey, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { isWithinLimit, type RateLimit } from '#core/db/rate-limit.ts';
import { wasWritten } from '#core/db/retry.ts';
import { StorageBusy } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { IdentityPorts } from './ports.ts';

/** New guests of a form in a minute who need no proof. */
const FREE: RateLimit = { name: 'guests', max: 60, seconds: 60 };
/** New guests of a form in a minute who have waited in place of a proof. */
const WAITING: RateLimit = { name: 'guests-waiting', max: 60, seconds: 60 };

/** How long a challenge can be solved, and how long it is known to be used. */
const CHALLENGE_SECONDS = 600;
const USED_SECONDS = 900;
/** How long somebody waits whose browser solves no challenge. */
export const WAIT_SECONDS = 20;
/** The number of leading zero bits of the hash: 65,536 tries on average, some seconds in a browser. */
const BITS = 16;
const PURPOSE = 'guest-proof';

type LimitPorts = Pick<Ports, 'table' | 'now' | 'uuid'> & Pick<IdentityPorts, 'states'>;

/** A challenge with its solution, or without one by somebody who has waited. */
export type Proof = { challenge: string; solution?: string | undefined };

/**
 * Counts a new guest of a form. Throws 429 with a challenge when too many begin in this minute and there is no valid proof; each
 * proof works once.
 */
export async function requireNewGuest(app: LimitPorts, formId: string, proof: Proof | undefined): Promise<void> {
  if (proof && (await isProven(app, formId, proof))) return;
  // Counting is no condition: busy storage refuses nobody.
  const isFree = await isWithinLimit(app, FREE, formKey(formId)).catch(allowWhenBusy);
  if (!isFree) throw problems.proofNeeded(await newChallenge(app, formId), 1);
}

function allowWhenBusy(error: unknown): boolean {
  if (error instanceof StorageBusy) return true;
  throw error;
}

/** Makes a challenge for a new guest of a form. */
const newChallenge = ({ states, uuid, now }: LimitPorts, formId: string): Promise<string> =>
  states.sign(PURPOSE, { form: formKey(formId), id: uuid() }, CHALLENGE_SECONDS, now());

async function isProven(app: LimitPorts, formId: string, { challenge, solution }: Proof): Promise<boolean> {
  const { form, id, iat } = (await app.states.open(PURPOSE, challenge, app.now())) ?? {};
  if (form !== formKey(formId) || typeof id !== 'string' || typeof iat !== 'number') return false;
  if (solution === undefined) {
    if (epochSeconds(app.now()) - iat < WAIT_SECONDS) return false;
    if (!(await isWithinLimit(app, WAITING, formKey(formId)))) return false;
  } else if (!isSolution(challenge, solution)) return false;
  const expiresAt = epochSeconds(app.now()) + USED_SECONDS;
  return wasWritten(app.table, [{ put: { ...keys.usedState(id), expiresAt }, when: { absent: true } }]);
}

/** Whether the SHA-256 of a challenge, a full stop and the solution begins with enough zero bits. */
export const isSolution = (challenge: string, solution: string): boolean =>
  /^\d{1,12}$/.test(solution) &&
  Number.parseInt(sha256(`${challenge}.${solution}`, 'hex').slice(0, 8), 16) >>> (32 - BITS) === 0;
