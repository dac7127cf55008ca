/**
 * Deletes what a form keeps for a limited time, as a job of the form that works once a day at most, or when the settings have changed:
 * submitted responses, and drafts after they were saved last; those of guests after 30 days unless the form says otherwise. A pass walks
 * the lists, which are sorted by when drafts were begun and responses submitted, until one is too young, in steps that can be repeated; it
 * continues until nothing is due. The job then sleeps until the next one is. Drafts that are kept for ever are walked past for those of
 * guests, and no more once there were none of these in two passes; the worker `tally` has the job look again with the next one. In a form without such settings it ends when there are no
 * drafts of guests: the worker `tally` queues it again with the next one.
 */
import { isGuestId, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import type { Item } from '#core/db/table.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { hasLimits, keptDays, shortenedFrom } from '#core/forms/keeping.ts';
import type { KeptDays } from '#core/forms/model.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import { EXPIRY_SECONDS, type Expiry } from '#core/jobs/expiry.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Response } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { deleteDue } from './marks.ts';

/** The number of responses that are listed at once. */
const BATCH = 100;
/** The number of responses that are read and deleted at once: each is a transaction. */
const PARALLEL = 10;
/** The number of batches in one step. */
const STEP_BATCHES = 20;
/** The time that one more batch may take. */
const BATCH_MS = 15_000;
/** How long after a pass that has found nothing the last one begins: indexes have settled by then. */
const SETTLED_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;

/** One after the other, because each reads and deletes many responses. */
export const expiries = attemptEach({ claimSeconds: 300, parallel: 1, minMs: BATCH_MS, attempt });

async function attempt(app: Ports, { key, data }: Job<Expiry>): Promise<JobOutcome> {
  const formKey = lastPart(key.pk);
  const [gateItem] = await app.table.read([keys.formGate(formKey)]);
  const gate = parseGate(gateItem);
  // The form is being deleted, with its responses.
  if (!gate) return DONE;
  const walked = await walk(app, gate, data);
  if (walked.partition !== undefined) return { result: 'continue', data: walked, seconds: 0 };
  const now = app.now();
  const next = earliest([walked.next, ...nextOfSettings(gate, now)]);
  if (next !== undefined) {
    const seconds = Math.max(Math.ceil((Date.parse(next) - now.getTime()) / 1_000), EXPIRY_SECONDS);
    const { guestless } = walked;
    return { result: 'continue', data: { ...findGoing(gate, new Date(timeAfter(now, seconds))), guestless }, seconds };
  }
  return data.phase === 'last' ? DONE : { result: 'continue', data: { phase: 'last' }, seconds: SETTLED_SECONDS };
}

/** Returns when something can be due that is not stored yet, and when shorter settings act. */
function nextOfSettings(gate: Gate, now: Date): string[] {
  const { submitted, drafts } = keptDays(gate, now);
  const days = [submitted, drafts].filter((count) => count !== null);
  return [
    ...(hasLimits(gate) ? days.map((count) => timeAfter(now, count * DAY_SECONDS)) : []),
    ...[shortenedFrom(gate, now)].filter((from) => from !== null),
  ];
}

/** Finds what the pass at a time deletes of what was submitted. */
function findGoing(gate: Gate, at: Date): Expiry {
  const { submitted } = keptDays(gate, at);
  return submitted === null ? {} : { going: timeAfter(at, -submitted * DAY_SECONDS) };
}

/** Returns when something of a time is deleted that is kept for some days; undefined if it is kept for ever. */
const addDays = (time: string, days: number | null): string | undefined =>
  days === null ? undefined : timeAfter(new Date(time), days * DAY_SECONDS);

/** For how many days a draft is kept. */
const draftDays = (kept: KeptDays, userId: string): number | null =>
  isGuestId(userId) ? kept.guestDrafts : kept.drafts;

/** When a response is deleted that nobody changes until then; undefined for one that is kept. */
const expiresAt = (kept: KeptDays, { progress, userId, submittedAt, updatedAt }: Response): string | undefined =>
  progress === 'SUBMITTED' && submittedAt !== null
    ? addDays(submittedAt, kept.submitted)
    : addDays(updatedAt, draftDays(kept, userId));

/** After so many passes that have found no draft of a guest none is looked for: the index of the first one may have lacked it. */
const GUESTLESS_PASSES = 2;

/** Walks some batches of the responses to a form and deletes what is due; `partition` is undefined at the end of the pass. */
async function walk(app: Ports, gate: Gate, data: Expiry): Promise<Expiry> {
  const lists = (['DRAFT', 'SUBMITTED'] as const).flatMap((progress) =>
    partitions.responsesOf(gate.formId, progress).map((shard) => ({ progress, shard })),
  );
  const kept = keptDays(gate, app.now());
  const { phase } = data;
  const { guestless = 0 } = data;
  const skipsDrafts = kept.drafts === null && guestless >= GUESTLESS_PASSES;
  let { partition = 0, after, next, hasGuests = false } = data;
  for (let batches = 0; partition < lists.length; ) {
    const list = lists[partition];
    if (!list) break;
    const days = list.progress === 'SUBMITTED' ? [kept.submitted] : [kept.drafts, kept.guestDrafts];
    const shortest = days.filter((count) => count !== null).toSorted((a, b) => a - b)[0];
    if (shortest === undefined || (skipsDrafts && list.progress === 'DRAFT')) {
      partition += 1;
      continue;
    }
    if (batches === STEP_BATCHES || remainingMs() < BATCH_MS)
      return { phase, partition, after, next, guestless, hasGuests };
    batches += 1;
    // Each batch continues where the one before it ended.
    const batch = await app.table.list({ ...list.shard, after, limit: BATCH });
    const entries = batch.items.flatMap((item) => toExpiring(item, list.progress, kept));
    hasGuests ||= list.progress === 'DRAFT' && entries.length > 0;
    const now = app.now().toISOString();
    // Whoever came later is younger still.
    const young = entries.map(({ time }) => addDays(time, shortest)).find((time) => time !== undefined && time > now);
    const old = entries.filter(({ expiry }) => expiry <= now).map(({ id }) => id);
    const later = entries.map(({ expiry }) => expiry).filter((expiry) => expiry > now);
    next = earliest([next, young, ...later, ...(await expire(app, gate.formId, old))]);
    after = batch.last ?? undefined;
    if (young !== undefined || after === undefined) [partition, after] = [partition + 1, undefined];
  }
  return { phase, next, guestless: hasGuests ? undefined : Math.min(guestless + 1, GUESTLESS_PASSES) };
}

/** Reads of an entry of a list when the response is deleted, unless it is changed meanwhile; nothing for one that is kept. */
function toExpiring({ pk, userId, gsi2sk = '' }: Item, progress: Response['progress'], kept: KeptDays) {
  const time = gsi2sk.slice(0, gsi2sk.indexOf('#'));
  const expiry = addDays(time, progress === 'SUBMITTED' ? kept.submitted : draftDays(kept, String(userId)));
  return expiry === undefined ? [] : [{ id: lastPart(pk), time, expiry }];
}

/** Deletes the responses among some that are due, and returns when the others are. */
async function expire(app: Ports, formId: string, ids: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  const deleted = { drafts: 0, submitted: 0 };
  for (let index = 0; index < ids.length; index += PARALLEL) {
    const group = ids.slice(index, index + PARALLEL);
    // With the settings of now: whoever has them keep something for longer, or takes back what was to come, may have just done so.
    const [gateItem, ...items] = await app.table.read([keys.formGate(formId), ...group.map(keys.response)]);
    const gate = parseGate(gateItem);
    if (!gate) return left;
    const kept = keptDays(gate, app.now());
    const isDue = (response: Response): boolean => (expiresAt(kept, response) ?? '~') <= app.now().toISOString();
    const stored = items.map(parseResponse).filter((response) => response !== undefined);
    const due = stored.filter(isDue);
    await deleteAll(due, (response) => deleteDue(app, response, { ...gate, isDue }));
    for (const { progress } of due) deleted[progress === 'DRAFT' ? 'drafts' : 'submitted'] += 1;
    left.push(...stored.filter((each) => !due.includes(each)).flatMap((each) => expiresAt(kept, each) ?? []));
  }
  if (deleted.drafts + deleted.submitted > 0) app.log({ level: 'info', receipt: 'expiry', formId, ...deleted });
  return left;
}

/** Deletes some responses at once; one after the other those with places, which change one item. */
async function deleteAll(responses: readonly Response[], remove: (response: Response) => Promise<void>): Promise<void> {
  const deletions = responses.filter(({ places }) => places === undefined).map(remove);
  await Promise.allSettled(deletions);
  await Promise.all(deletions);
  for (const response of responses.filter(({ places }) => places !== undefined)) {
    // Their transactions would refuse each other.
    await remove(response);
  }
}

/** Returns the earliest of some times; undefined without any. */
const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).toSorted()[0];
