/**
 * Export jobs: how they are returned, and their life cycle as pure functions. QUEUED → RUNNING → DONE, or FAILED. A worker
 * claims a job until a time and renews the claim with each report of progress; a job whose claim has ended is started
 * again from the beginning. Its file is available for 7 days after the request; then it is EXPIRED.
 */
import * as z from 'zod';
import type { Language } from '#core/schema/format.ts';
import { timeAfter } from '#core/schema/format.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';

const EXPORT_REASONS = ['interrupted', 'storage_busy', 'too_large', 'internal_error'] as const;
export type ExportReason = (typeof EXPORT_REASONS)[number];

export const ExportDocument = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      state: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'EXPIRED']),
      processed: z.int().describe('The responses that are written so far; it begins anew when the job starts again.'),
      total: z.int().nullable().describe('The submitted responses; null until they are counted.'),
      createdAt: Timestamp(),
      finishedAt: Timestamp().nullable(),
      downloadUrl: z.string().optional().describe('Of a DONE export: redirects to the file for those who may read it.'),
      reason: z
        .enum(EXPORT_REASONS)
        .optional()
        .describe(
          'Of a FAILED export. interrupted: it was stopped three times. storage_busy: try again later. too_large: it has too many responses or answers for one run. internal_error: report it.',
        ),
    })
    .meta({ id: 'ExportJob' }),
);
export type ExportDocument = Infer<typeof ExportDocument>;

export const ExportList = schema(() =>
  z.object({ exports: z.array(ExportDocument()), nextCursor: z.string().nullable() }).meta({ id: 'ExportList' }),
);

/** An export job as it is stored. */
export type ExportJob = {
  id: string;
  formId: string;
  /** Who asked for it. */
  userId: string;
  /** The title of the form, which names the file. */
  title: string;
  questionIds: string[];
  structureVersion: number;
  /** The language of the request, if known: of the mail. */
  language?: Language;
  /** The change number of the form's submitted responses at the request; null without counters. */
  changes: number | null;
  /** The position of the newest submission at the request; null without any. Counters follow later than the index. */
  newest: string | null;
  state: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED';
  /** How often it was started. */
  starts: number;
  processed: number;
  total: number | null;
  createdAt: string;
  finishedAt: string | null;
  reason?: ExportReason;
  /** When it is to be started; while it runs, when the claim ends. Null when it is finished. */
  dueAt: string | null;
  /** Counts the changes; the condition of every write. */
  version: number;
};

/** A worker that reports no progress for this long is presumed dead. */
export const CLAIM_SECONDS = 120;
/** How often a job is started. */
const MAX_STARTS = 3;
const RETRY_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * 60;
/** How long the file is available. */
export const FILE_SECONDS = 7 * DAY_SECONDS;
/** How long the job is listed. */
export const JOB_SECONDS = 30 * DAY_SECONDS;

type NewExport = Pick<
  ExportJob,
  | 'id'
  | 'formId'
  | 'userId'
  | 'title'
  | 'questionIds'
  | 'structureVersion'
  | 'language'
  | 'changes'
  | 'newest'
  | 'total'
>;

/** Creates a job, due at once. */
export function newExport(input: NewExport, now: Date): ExportJob {
  const createdAt = now.toISOString();
  const progress = { starts: 0, processed: 0, finishedAt: null };
  return { ...input, ...progress, state: 'QUEUED', createdAt, dueAt: createdAt, version: 1 };
}

const withChanges = (job: ExportJob, changes: Partial<ExportJob>): ExportJob => ({
  ...job,
  ...changes,
  version: job.version + 1,
});

/** Whether a worker may start a job now. */
export const isReadyToStart = ({ dueAt }: ExportJob, now: Date): boolean =>
  dueAt !== null && dueAt <= now.toISOString();

/** Whether a job must not be started again. */
export const hasNoStartsLeft = ({ starts }: ExportJob): boolean => starts >= MAX_STARTS;

/** Starts a job, which claims it. */
export const startExport = (job: ExportJob, now: Date): ExportJob =>
  withChanges(job, { state: 'RUNNING', starts: job.starts + 1, processed: 0, dueAt: timeAfter(now, CLAIM_SECONDS) });

/** Records the progress of a running job, which renews its claim. */
export const recordProgress = (
  job: ExportJob,
  progress: Partial<Pick<ExportJob, 'processed' | 'total' | 'structureVersion'>>,
  now: Date,
): ExportJob => withChanges(job, { ...progress, dueAt: timeAfter(now, CLAIM_SECONDS) });

/** Finishes a job whose file is stored. */
export const finishExport = (job: ExportJob, rows: number, now: Date): ExportJob =>
  withChanges(job, { state: 'DONE', processed: rows, total: rows, finishedAt: now.toISOString(), dueAt: null });

/** Ends a job that failed for good. */
export const failExport = (job: ExportJob, reason: ExportReason, now: Date): ExportJob =>
  withChanges(job, { state: 'FAILED', reason, finishedAt: now.toISOString(), dueAt: null });

/** Ends a start that failed: the job is started again after a minute, up to three times in all. */
export const interruptExport = (job: ExportJob, reason: ExportReason, now: Date): ExportJob =>
  hasNoStartsLeft(job)
    ? failExport(job, reason, now)
    : withChanges(job, { state: 'QUEUED', processed: 0, dueAt: timeAfter(now, RETRY_SECONDS) });

/** How long the file of a job is reused for the same request, if nothing has changed. */
const REUSED_SECONDS = DAY_SECONDS;

/** What makes two requests the same export. */
type ExportRequest = Pick<ExportJob, 'title' | 'userId' | 'questionIds' | 'structureVersion' | 'changes' | 'newest'>;

/**
 * Whether the file of a job can be reused for a request: of the same user, with the same columns, while the form and its
 * submitted responses have not changed since the job was requested, or nothing was read for it yet.
 */
export function canReuse(job: ExportJob, request: ExportRequest, now: Date): boolean {
  const isSame =
    job.userId === request.userId &&
    job.title === request.title &&
    job.structureVersion === request.structureVersion &&
    job.questionIds.join() === request.questionIds.join();
  if (!isSame || job.state === 'FAILED') return false;
  if (job.starts === 0) return true;
  const isRecent = now.toISOString() < timeAfter(new Date(job.createdAt), REUSED_SECONDS);
  return isRecent && request.changes !== null && job.changes === request.changes && job.newest === request.newest;
}

/** Until when the file of a job is available. */
export const availableUntil = ({ createdAt }: Pick<ExportJob, 'createdAt'>): string =>
  timeAfter(new Date(createdAt), FILE_SECONDS);

/** Returns the presented state of a job at a time. */
export const stateAt = (job: ExportJob, now: Date): ExportDocument['state'] =>
  job.state === 'DONE' && availableUntil(job) <= now.toISOString() ? 'EXPIRED' : job.state;

/** Builds the lasting link to the file of a job, at the address of the service. */
export const exportLink = (publicUrl: string, { id }: Pick<ExportJob, 'id'>): string =>
  `${publicUrl.replace(/\/$/, '')}/api/exports/${id}/download`;

/** Presents a job as the API returns it. */
export function presentExport(job: ExportJob, now: Date, publicUrl: string): ExportDocument {
  const { id, formId, processed, total, createdAt, finishedAt, reason } = job;
  const state = stateAt(job, now);
  return {
    id,
    formId,
    state,
    processed,
    total,
    createdAt,
    finishedAt,
    ...(state === 'DONE' ? { downloadUrl: exportLink(publicUrl, job) } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The data of a mail about an export. */
export type ExportMail = { exportId: string };
