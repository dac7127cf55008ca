/**
 * How many people without an account may start a form in a minute. Beyond that nobody is refused: each first lets their computer
 * work for a few seconds, or waits, so that nobody fills a form by a program for nothing. So does whoever begins like a program,
 * and everybody where files can be stored. No network address is stored or counted: a school has one.
 */
import { formKey, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { isWithinLimit, type RateLimit } from '#core/db/rate-limit.ts';
import { wasWritten } from '#core/db/retry.ts';
import { StorageBusy } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Structure } from '#core/structure/structure.ts';
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

/** How long somebody reads the page of a form before they begin it, at least. */
const READING_SECONDS = 2;
/** How long the page can stay open. */
const VISIT_SECONDS = 24 * 60 * 60;
const VISIT_PURPOSE = 'guest-visit';

/** A challenge with its solution, or without one by somebody who has waited. */
export type Proof = { challenge: string; solution?: string | undefined };

/**
 * Counts a new guest of a form. Throws 429 with a challenge when there is no valid proof, and too many begin in this minute or
 * `needsProof` says so; each proof works once.
 */
export async function requireNewGuest(
  app: LimitPorts,
  formId: string,
  { proof, needsProof }: { proof: Proof | undefined; needsProof: boolean },
): Promise<void> {
  if (proof && (await isProven(app, formId, proof))) return;
  // Counting is no condition: busy storage refuses nobody.
  const isFree = !needsProof && (await isWithinLimit(app, FREE, formKey(formId)).catch(allowWhenBusy));
  if (!isFree) throw problems.proofNeeded(await newChallenge(app, formId), 1);
}

/** Whether everybody who begins a form without an account needs a proof: they could store files. */
export const takesFiles = ({ sections }: Structure): boolean =>
  sections.some(({ questions }) => questions.some(({ type }) => type === 'UPLOAD_FILE'));

/** Signs the time at which somebody sees the page of a form. */
export const signVisit = ({ states, now }: Pick<LimitPorts, 'states' | 'now'>, formId: string): Promise<string> =>
  states.sign(VISIT_PURPOSE, { form: formKey(formId) }, VISIT_SECONDS, now());

/** Whether somebody has seen the page of a form for some time, as a reader does. */
export async function hasRead(
  { states, now }: Pick<LimitPorts, 'states' | 'now'>,
  formId: string,
  visit: string,
): Promise<boolean> {
  const { form, iat } = (await states.open(VISIT_PURPOSE, visit, now())) ?? {};
  return form === formKey(formId) && typeof iat === 'number' && epochSeconds(now()) - iat >= READING_SECONDS;
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
