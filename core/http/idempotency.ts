/**
 * `Idempotency-Key` (contract section 1): the first request with a key runs and leaves its answer for 24 hours;
 * the same request again gets that answer, another one 409, and one that arrives meanwhile 409 with `Retry-After`.
 * A run that died is taken over after a minute, with the same ids (see `repeatable`), so nothing is made twice.
 */
import { createHash } from 'node:crypto';
import { keys } from '#core/db/keys.ts';
import { type Item, WriteRefused } from '#core/db/table.ts';
import { type App, repeatable } from './app.ts';
import { problems } from './problems.ts';

const KEPT_SECONDS = 24 * 60 * 60;
const ABANDONED_AFTER_MS = 60_000;

/** An answer as API Gateway takes it. */
export type HttpAnswer = {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
};

type Asked = { userId: string; key: string; request: string };

/** Runs a request once for its key, or replays the answer of its first run. Throws 400 for a key that is none. */
export async function once(app: App, asked: Asked, run: (app: App) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  if (asked.key.length < 1 || asked.key.length > 255) {
    throw problems.invalid([{ pointer: '/header/Idempotency-Key', detail: 'must have 1 to 255 characters' }]);
  }
  const key = keys.idempotency(asked.userId, createHash('sha256').update(asked.key).digest('hex'));
  const hash = createHash('sha256').update(asked.request).digest('base64');
  const now = app.now();
  const running: Item = {
    ...key,
    hash,
    startedAt: now.getTime(),
    expiresAt: Math.floor(now.getTime() / 1_000) + KEPT_SECONDS,
  };
  const earlier = await claim(app, running);
  if (earlier) return { ...earlier, headers: { ...earlier.headers, 'idempotency-replayed': 'true' } };
  try {
    const answer = await run(repeatable(app, `${key.pk}\n${hash}`));
    await app.table.write([{ put: { ...running, answer: JSON.stringify(answer) } }]);
    return answer;
  } catch (error) {
    // A refusal changed nothing: the key is free again, so that the caller may mend the cause and repeat.
    await app.table.write([{ remove: key, when: { equals: { startedAt: now.getTime() } } }]).catch(() => undefined);
    throw error;
  }
}

/** Takes the key for this run; answers the kept answer when there is one. Throws 409. */
async function claim(app: App, running: Item): Promise<HttpAnswer | undefined> {
  try {
    await app.table.write([{ put: running, when: { absent: true } }]);
    return undefined;
  } catch (error) {
    const found = error instanceof WriteRefused ? error.found : undefined;
    if (!found) throw error;
    const now = app.now().getTime();
    const expired = Number(found.expiresAt) * 1_000 <= now;
    if (!expired && found.hash !== running.hash) throw problems.keyReused();
    if (!expired && typeof found.answer === 'string') return JSON.parse(found.answer);
    if (!expired && Number(found.startedAt) + ABANDONED_AFTER_MS > now) throw problems.keyInProgress();
    await takeOver(app, running, Number(found.startedAt));
    return undefined;
  }
}

async function takeOver(app: App, running: Item, startedAt: number): Promise<void> {
  try {
    await app.table.write([{ put: running, when: { equals: { startedAt } } }]);
  } catch (error) {
    throw error instanceof WriteRefused ? problems.keyInProgress() : error;
  }
}
