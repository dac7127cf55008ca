/**
 * `Idempotency-Key` (contract section 1): the first request with a key runs and leaves its answer for 24 hours;
 * the same request again gets that answer, another one 409, and one that arrives meanwhile 409 with `Retry-After`.
 * A run that died is taken over after a minute, and one that failed at once, with the same ids (see `repeatable`):
 * what the first run had made is recognized, so nothing is made twice.
 */
import { createHash } from 'node:crypto';
import { MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { type Item, WriteRefused } from '#core/db/table.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { type App, repeatable } from './app.ts';

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
    scope: app.uuid(),
    startedAt: now.getTime(),
    expiresAt: Math.floor(now.getTime() / 1_000) + KEPT_SECONDS,
  };
  const claimed = await claim(app, running);
  if ('earlier' in claimed) {
    const { earlier } = claimed;
    return { ...earlier, headers: { ...earlier.headers, 'idempotency-replayed': 'true' } };
  }
  const record = { ...running, scope: claimed.scope };
  try {
    const answer = await run(repeatable(app, `${key.pk}\n${hash}\n${claimed.scope}`));
    await keep(app, record, JSON.stringify(answer));
    return answer;
  } catch (error) {
    await release(app, record, error).catch(() => undefined);
    throw error;
  }
}

/** Keeps an answer. One too large to keep is made again when it is asked for again, from what the first run made. */
async function keep(app: App, record: Item, answer: string): Promise<void> {
  const kept = Buffer.byteLength(answer) <= MAX_ENTITY_BYTES ? { answer } : { startedAt: 0 };
  await app.table.write([{ put: { ...record, ...kept } }]);
}

/** A refusal changed nothing, so its key is free again. After a failure nobody knows: the next run takes over. */
async function release(app: App, { pk, sk, startedAt }: Item, error: unknown): Promise<void> {
  const when = { equals: { startedAt: Number(startedAt) } };
  const key = { pk, sk };
  await app.table.write([
    error instanceof Problem ? { remove: key, when } : { update: key, set: { startedAt: 0 }, when },
  ]);
}

/** Takes the key for this run, or answers what its first run answered. Throws 409. */
async function claim(app: App, running: Item): Promise<{ earlier: HttpAnswer } | { scope: string }> {
  try {
    await app.table.write([{ put: running, when: { absent: true } }]);
    return { scope: String(running.scope) };
  } catch (error) {
    const found = error instanceof WriteRefused ? error.found : undefined;
    if (!found) throw error;
    const now = app.now().getTime();
    const expired = Number(found.expiresAt) * 1_000 <= now;
    if (!expired && found.hash !== running.hash) throw problems.keyReused();
    if (!expired && typeof found.answer === 'string') return { earlier: JSON.parse(found.answer) };
    if (!expired && Number(found.startedAt) + ABANDONED_AFTER_MS > now) throw problems.keyInProgress();
    // A run of a day ago is another request than this one: what it made must not be taken for this one's.
    const scope = String(expired ? running.scope : found.scope);
    await takeOver(app, { ...running, scope }, Number(found.startedAt));
    return { scope };
  }
}

async function takeOver(app: App, running: Item, startedAt: number): Promise<void> {
  try {
    await app.table.write([{ put: running, when: { equals: { startedAt } } }]);
  } catch (error) {
    throw error instanceof WriteRefused ? problems.keyInProgress() : error;
  }
}
