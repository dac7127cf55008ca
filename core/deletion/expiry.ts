/**
 * Deletes what a form keeps for a limited time, as a job of the form that works once a day at most: drafts of guests, 30 days
 * after they were saved last. A pass walks the list of drafts, which is sorted by when they were begun, until one is too
 * young, in steps that can be repeated; it continues until nothing is due. The job then sleeps until the next one is, and ends
 * when there are none: the worker `tally` queues it again with the next draft.
 */
import { isGuestId, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import { EXPIRY_SECONDS, type Expiry } from '#core/jobs/expiry.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Response } from '#core/responses/model.ts';
import { loadResponses, type ResponseEntry } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import { deleteDueDraft } from './marks.ts';

/** The number of drafts that are read at once. */
const BATCH = 100;
/** The number of drafts that are deleted at once: each is a transaction. */
const PARALLEL = 10;
/** The number of batches in one step. */
const STEP_BATCHES = 20;
/** The time that one more batch may take. */
const BATCH_MS = 15_000;
/** How long after a pass that has found nothing the last one begins: indexes have settled by then. */
const SETTLED_SECONDS = 60 * 60;

/** One after the other, because each reads and deletes many responses. */
export const expiries = attemptEach({ claimSeconds: 300, parallel: 1, minMs: BATCH_MS, attempt });

async function attempt(app: Ports, { key, data }: Job<Expiry>): Promise<JobOutcome> {
  const formKey = lastPart(key.pk);
  const [gate] = await app.table.read([keys.formGate(formKey)]);
  // The form is being deleted, with its drafts.
  if (!gate) return DONE;
  const walked = await walk(app, formKey, data);
  const { next, partition } = walked;
  if (partition !== undefined) return { result: 'continue', data: walked, seconds: 0 };
  if (next !== undefined) {
    const seconds = (Date.parse(next) - app.now().getTime()) / 1_000;
    return { result: 'continue', data: {}, seconds: Math.max(Math.ceil(seconds), EXPIRY_SECONDS) };
  }
  return data.phase === 'last' ? DONE : { result: 'continue', data: { phase: 'last' }, seconds: SETTLED_SECONDS };
}

/** When a draft is deleted that nobody saves or submits after a time; undefined for one that is kept. */
const expiresAt = ({ userId }: Pick<ResponseEntry, 'userId'>, savedAt: string): string | undefined =>
  isGuestId(userId) ? timeAfter(new Date(savedAt), GUEST_DRAFT_DAYS * 24 * 60 * 60) : undefined;

/** Walks some batches of the drafts of a form and deletes what is due; `partition` is undefined at the end of the pass. */
async function walk(app: Ports, formKey: string, data: Expiry): Promise<Expiry> {
  const shards = partitions.responsesOf(formKey, 'DRAFT');
  const { phase } = data;
  let { partition = 0, after, next } = data;
  for (let batches = 0; partition < shards.length; batches += 1) {
    const shard = shards[partition];
    if (!shard) break;
    if (batches === STEP_BATCHES || remainingMs() < BATCH_MS) return { phase, partition, after, next };
    // Each batch continues where the one before it ended.
    const batch = await app.table.list({ ...shard, after, limit: BATCH });
    const begun = batch.items.map(({ pk, userId, createdAt }) => ({
      id: lastPart(pk),
      expiry: expiresAt({ userId: String(userId) }, String(createdAt)),
    }));
    const time = app.now().toISOString();
    const young = begun.find(({ expiry }) => expiry !== undefined && expiry > time);
    const old = begun.filter(({ expiry }) => expiry !== undefined && expiry <= time);
    const kept = await expire(app, old);
    next = earliest([next, young?.expiry, ...kept]);
    after = batch.last ?? undefined;
    // Whoever began later is younger still.
    if (young || after === undefined) [partition, after] = [partition + 1, undefined];
  }
  return { phase, next };
}

/** Deletes the drafts among some responses that are due, and returns when the others are. */
async function expire(app: Ports, old: readonly { id: string }[]): Promise<string[]> {
  const stored = await loadResponses(
    app.table,
    old.map(({ id }) => id),
  );
  const drafts = stored.filter(({ progress }) => progress === 'DRAFT');
  const dueAt = (draft: Response): string | undefined => expiresAt(draft, draft.updatedAt);
  const isDue = (draft: Response): boolean => (dueAt(draft) ?? '~') <= app.now().toISOString();
  const due = drafts.filter(isDue);
  for (let index = 0; index < due.length; index += PARALLEL) {
    const group = due.slice(index, index + PARALLEL).map((draft) => deleteDueDraft(app, draft, isDue));
    await Promise.allSettled(group);
    await Promise.all(group);
  }
  if (due.length > 0) app.log({ level: 'info', receipt: 'expiry', formId: due[0]?.formId, drafts: due.length });
  return drafts.filter((draft) => !isDue(draft)).flatMap((draft) => dueAt(draft) ?? []);
}

/** Returns the earliest of some times; undefined without any. */
const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).toSorted()[0];
