/**
 * Jobs: work that follows a write, stored as an item in the transaction of that write, so that it is done even if the
 * process dies right after. Workers claim an item by postponing
 * its due time, so that the item of a worker that died is due again without further action. A failed attempt postpones it
 * with growing pauses; after 72 hours, or three runs of an export, it is FAILED, with a reason, and repeated only on
 * request. A maintenance job, which nobody could request, is attempted until it succeeds.
 */
import { encode } from '#core/db/codec.ts';
import { indexKeys, type Key, keys, type Lane, lastPart } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { timeAfter } from '#core/schema/format.ts';
import { ATTEMPTED_HOURS, MAX_EXPORT_ATTEMPTS } from '#core/schema/limits.ts';

/** What is to be done. */
export type JobKind =
  | 'clean-up'
  | 'deletion'
  | 'recount'
  | 'expiry'
  | 'places'
  | 'due-deliveries'
  | 'response-mail'
  | 'export'
  | 'statistics'
  | 'export-mail'
  | 'member-mail'
  | 'retention-notice'
  | 'retention-mail'
  | 'invitation-sending'
  | 'invitation-mail'
  | 'guest-link-mail'
  | 'draft-reminder'
  | 'leaving'
  | 'notices'
  | 'notice-mail'
  | 'spreadsheet-row'
  | 'spreadsheet-backfill';

/** How jobs of a kind are attempted. */
type KindRules = {
  /** Jobs wait for a worker with those of the same lane only; `main` by default. */
  lane?: Lane;
  /** It takes a few seconds and should not wait for a sweep: it is attempted as soon as it is queued. */
  isPrompt?: boolean;
  /** It works on stored data alone, so nobody would notice and repeat one that was given up. */
  isMaintenance?: boolean;
  /** How often it is attempted at most, because an attempt takes long. */
  maxAttempts?: number;
};

/** All kinds of jobs; `core/workers/kinds.ts` has their handlers. */
export const JOB_KINDS: Readonly<Record<JobKind, KindRules>> = {
  'clean-up': { isPrompt: true, isMaintenance: true },
  deletion: { isMaintenance: true },
  recount: { isPrompt: true, isMaintenance: true },
  expiry: { isMaintenance: true },
  places: { isMaintenance: true },
  'due-deliveries': { isPrompt: true, isMaintenance: true },
  'response-mail': { isPrompt: true },
  export: { lane: 'exports', maxAttempts: MAX_EXPORT_ATTEMPTS },
  statistics: { lane: 'exports', maxAttempts: MAX_EXPORT_ATTEMPTS },
  'export-mail': { isPrompt: true },
  'member-mail': { isPrompt: true },
  'retention-notice': { isPrompt: true, isMaintenance: true },
  'retention-mail': { isPrompt: true },
  'invitation-sending': { isPrompt: true, isMaintenance: true },
  'invitation-mail': { isPrompt: true },
  'guest-link-mail': { isPrompt: true },
  'draft-reminder': { isPrompt: true },
  leaving: { isPrompt: true, isMaintenance: true },
  notices: { isPrompt: true, isMaintenance: true },
  'notice-mail': { isPrompt: true },
  'spreadsheet-row': { isPrompt: true },
  'spreadsheet-backfill': { isPrompt: true, isMaintenance: true },
};

/** QUEUED: due at some time. RUNNING: claimed. DONE: its item is kept as a record. FAILED: attempts have ended. */
export type JobState = 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED';

/** A job. `data` depends on the kind and never holds answers: a job uses what is stored when it runs. */
export type Job<T extends object = object> = {
  key: Key;
  kind: JobKind;
  state: JobState;
  /** When it was queued, or is first due, if that is later: attempts end 72 hours after it. */
  queuedAt: string;
  /** When its state or reason last changed. */
  updatedAt: string;
  /** When it is to be attempted next; while it is attempted, when the claim ends. */
  dueAt: string;
  /** How many attempts have begun. */
  attempts: number;
  /** Why the last attempt failed, as a code such as `no_address`. */
  reason?: string;
  data: T;
  /** Other attributes of its item: those of the list that it is in, and its TTL. */
  attributes: Readonly<Record<string, unknown>>;
};

/** A pause after the n-th failed attempt: 1, 2, 4, … minutes, at most an hour. */
const pauseSeconds = (attempts: number): number => Math.min(60 * 2 ** Math.max(attempts - 1, 0), 60 * 60);

type NewJob<T extends object> = Pick<Job<T>, 'key' | 'kind' | 'data'> & {
  attributes?: Job['attributes'];
  dueInSeconds?: number;
};

/** Creates a job, due at once or after some seconds. */
export function newJob<T extends object>({ dueInSeconds = 0, attributes = {}, ...job }: NewJob<T>, now: Date): Job<T> {
  const dueAt = timeAfter(now, dueInSeconds);
  return { ...job, attributes, state: 'QUEUED', queuedAt: dueAt, updatedAt: now.toISOString(), dueAt, attempts: 0 };
}

/** Builds the write that queues a job; it replaces an earlier job with the same key. */
export const queueJob = <T extends object>(job: NewJob<T>, now: Date): Write => ({
  put: toJobItem(newJob(job, now)),
});

function toJobItem({ key, data, reason, attributes, ...job }: Job): Item {
  return {
    ...attributes,
    ...key,
    ...buildIndexKeys(key, job),
    ...job,
    ...(reason === undefined ? {} : { reason }),
    ...encode(data),
  };
}

/** Builds the index keys of a job: among the due jobs until it ends, among the failed jobs of its form if it failed. */
function buildIndexKeys(
  key: Key,
  { state, kind, dueAt, queuedAt }: Pick<Job, 'state' | 'kind' | 'dueAt' | 'queuedAt'>,
) {
  if (isPending({ state })) return indexKeys.due(JOB_KINDS[kind].lane ?? 'main', dueAt, readResourceId(key));
  return state === 'FAILED' ? indexKeys.failedJob(kind, queuedAt, readResourceId(key)) : {};
}

/** The id of the resource of a job, by which due jobs are spread over shards. */
const readResourceId = (key: Key): string => lastPart(key.pk);

/** Parses the job of an item; undefined when there is none. */
export function parseJob<T extends object = object>(item: Item | undefined): Job<T> | undefined {
  if (!item) return undefined;
  const { pk, sk, gsi1pk: _, gsi1sk: __, kind, state, queuedAt, updatedAt, dueAt, attempts, reason, ...rest } = item;
  const { data, schema: ___, ...attributes } = rest;
  return {
    key: { pk, sk },
    kind: kind as JobKind,
    state: state as JobState,
    queuedAt: String(queuedAt),
    updatedAt: String(updatedAt),
    dueAt: String(dueAt),
    attempts: Number(attempts),
    ...(reason === undefined ? {} : { reason: String(reason) }),
    data: JSON.parse(String(data)) as T,
    attributes,
  };
}

/** Whether a job is still to be done. */
export const isPending = ({ state }: Pick<Job, 'state'>): boolean => state === 'QUEUED' || state === 'RUNNING';

/** Whether a job can be attempted now: it is due, or the worker that claimed it is presumed dead. */
export const isDue = ({ state, dueAt }: Pick<Job, 'state' | 'dueAt'>, now: Date): boolean =>
  isPending({ state }) && dueAt <= now.toISOString();

/**
 * Claims a job for some seconds: no other worker attempts it before they have passed. It fails if its worker died at the
 * last of its attempts.
 */
export const claimJob = <T extends object>(job: Job<T>, seconds: number, now: Date): Job<T> =>
  hasNoAttemptLeft(job)
    ? failJob(job, 'interrupted', now)
    : { ...job, state: 'RUNNING', attempts: job.attempts + 1, dueAt: timeAfter(now, seconds) };

/** Marks a job as done; its item stays as the record. */
export function completeJob<T extends object>({ reason: _previous, ...job }: Job<T>, now: Date): Job<T> {
  return { ...job, state: 'DONE', updatedAt: now.toISOString() };
}

/** Marks a job as failed: it is repeated only on request. */
export const failJob = <T extends object>(job: Job<T>, reason: string, now: Date): Job<T> => ({
  ...job,
  state: 'FAILED',
  reason,
  updatedAt: now.toISOString(),
});

/** Postpones a job after a failed attempt by a pause of at least `minSeconds`. */
export function postponeJob<T extends object>(job: Job<T>, reason: string, now: Date, minSeconds = 0): Job<T> {
  const dueAt = timeAfter(now, Math.max(pauseSeconds(job.attempts), minSeconds));
  return { ...job, state: 'QUEUED', reason, updatedAt: now.toISOString(), dueAt };
}

const hasNoAttemptLeft = ({ kind, attempts }: Job): boolean =>
  attempts >= (JOB_KINDS[kind].maxAttempts ?? Number.POSITIVE_INFINITY);

/** Whether a job may have no attempt after the present one. */
export const isAtLastAttempt = (job: Job, now: Date): boolean =>
  hasNoAttemptLeft(job) || now.getTime() - Date.parse(job.queuedAt) >= ATTEMPTED_HOURS * 3_600_000;

/**
 * Defers a job that could not be attempted because something else is under way: it is due again after some seconds. One
 * attempt stays counted, because the worker `deliver` treats jobs without any as new.
 */
export const deferJob = <T extends object>(job: Job<T>, seconds: number, now: Date): Job<T> => ({
  ...job,
  state: 'QUEUED',
  attempts: Math.max(1, job.attempts - 1),
  dueAt: timeAfter(now, seconds),
});

/** Continues a job later with new data, as its next step; its 72 hours restart. */
export const continueJob = <T extends object>(
  { key, kind, attributes }: Job<T>,
  data: T,
  seconds: number,
  now: Date,
): Job<T> => newJob({ key, kind, data, attributes, dueInSeconds: seconds }, now);

/**
 * Builds the write that stores the next state of a job, or a new job in place of another one, on the condition that nobody
 * changed it since. `before`: undefined when there must be none.
 */
export const replaceJob = (next: Job, before: Job | undefined): Write => ({
  put: toJobItem(next),
  when: before ? unchanged(before) : { absent: true },
});

/** Builds the condition that nobody changed a job since. */
export const checkJob = (before: Job): Write => ({ check: before.key, when: unchanged(before) });

/** Whether a job is as it was, so that `checkJob` holds. */
export const isSameJob = (current: Job | undefined, { state, dueAt, attempts }: Job): boolean =>
  current?.state === state && current.dueAt === dueAt && current.attempts === attempts;

/** Builds the condition that a resource is not being deleted: its id can be used again. */
export const checkNotBeingDeleted = (owner: Key): Write => ({ check: keys.deletion(owner), when: { absent: true } });

/** Builds the write that removes a job that is done, on the condition that nobody changed it since. */
export const removeJob = (before: Job): Write => ({ remove: before.key, when: unchanged(before) });

/** Every change of a pending job changes its state, its due time or its number of attempts. */
const unchanged = ({ state, dueAt, attempts }: Job) => ({ equals: { state, dueAt, attempts } });
