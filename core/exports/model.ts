/**
 * Exports: how they are stored, as jobs, and how they are returned. The file of one that is DONE is available for 7 days
 * after the request; then it is EXPIRED.
 */
import * as z from 'zod';
import { indexKeys, keys, lastPart } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { safeName, trimName } from '#core/files/download.ts';
import { type Job, parseJob, queueJob } from '#core/jobs/job.ts';
import { epochSeconds, type Language, timeAfter } from '#core/schema/format.ts';
import { EXPORT_FILE_DAYS, EXPORT_LISTED_DAYS } from '#core/schema/limits.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { type ExportFormat, type ExportOptions, FORMATS } from './options.ts';
import { type AsOf, isUnchanged, type Progress, REASONS, type Requested, readProgress } from './progress.ts';

export const ExportDocument = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      state: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'EXPIRED']),
      processed: z
        .int()
        .describe(
          'The responses that were read so far, and those in the file when it is done; it begins again when the job restarts.',
        ),
      total: z
        .int()
        .nullable()
        .describe('The submitted responses, and those in the file when it is done; null until they are counted.'),
      createdAt: Timestamp(),
      finishedAt: Timestamp().nullable(),
      downloadUrl: z.string().optional().describe('Of a DONE export: redirects to the file for those who may read it.'),
      reason: z
        .enum(REASONS)
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

/** The data of an export: what was requested, and its progress. */
export type ExportData = AsOf &
  Progress & {
    formId: string;
    /** Who asked for it. */
    userId: string;
    /** The title of the form, which names the file. */
    title: string;
    questionIds: string[];
    /** Undefined in what older code queued: all responses, as XLSX. */
    options?: ExportOptions;
    /** The language of the request, if known: of the mail. */
    language?: Language;
  };

/** An export as it is read. */
export type ExportJob = Requested<ExportData> & { id: string };

const DAY_SECONDS = 24 * 60 * 60;
/** How long the file is available. */
export const FILE_SECONDS = EXPORT_FILE_DAYS * DAY_SECONDS;

/** Builds the write that queues an export; its item is listed by its form, and removed by its TTL. */
export const queueExport = (id: string, data: ExportData, now: Date): Write =>
  queueJob<ExportData>(
    {
      key: keys.export(id),
      kind: 'export',
      data,
      attributes: {
        ...indexKeys.export(id, now.toISOString()),
        userId: data.userId,
        expiresAt: epochSeconds(now) + EXPORT_LISTED_DAYS * DAY_SECONDS,
      },
    },
    now,
  );

/** Parses the export of an item; undefined when there is none. */
export function parseExport(item: Item | undefined): ExportJob | undefined {
  const job = parseJob<ExportData>(item);
  return job && { ...readProgress(job), id: lastPart(job.key.sk) };
}

/** How long the file of a job is reused for the same request, if nothing has changed. */
const REUSED_SECONDS = DAY_SECONDS;

/** The fields by which two requests are equal; `editedAt`: when an edit of a submitted response began last. */
type ExportRequest = Pick<
  ExportData,
  'title' | 'userId' | 'questionIds' | 'options' | 'structureVersion' | 'changes' | 'newest'
> & {
  editedAt: string | null;
};

/**
 * Whether the file of a job can be reused for a request: of the same user, with the same columns and options, while the form and its
 * submitted responses have not changed since the job was requested, or nothing was read for it yet. Counters follow a change
 * later, so a job that was requested before the last edit, or soon after it began, is not reused.
 */
export function canReuse(job: ExportJob, request: ExportRequest, now: Date): boolean {
  const isSame =
    job.userId === request.userId &&
    job.title === request.title &&
    job.structureVersion === request.structureVersion &&
    job.questionIds.join() === request.questionIds.join() &&
    JSON.stringify(job.options ?? {}) === JSON.stringify(request.options ?? {});
  if (!isSame || job.state === 'FAILED') return false;
  if (job.attempts === 0) return true;
  // Mails fail, and are sent again, without a change of a response.
  if (request.options?.copies !== undefined) return false;
  return now.toISOString() < timeAfter(new Date(job.createdAt), REUSED_SECONDS) && isUnchanged(job, request);
}

/** Until when the file of a job is available. */
export const availableUntil = ({ createdAt }: Pick<ExportJob, 'createdAt'>): string =>
  timeAfter(new Date(createdAt), FILE_SECONDS);

/** The state of an export as people see it: the file of one that is DONE expires. */
export type ExportState = Job['state'] | 'EXPIRED';

/** Returns the state of an export at a time. */
export const stateAt = (job: ExportJob, now: Date): ExportState =>
  job.state === 'DONE' && availableUntil(job) <= now.toISOString() ? 'EXPIRED' : job.state;

/**
 * Builds the lasting link to the page of a job, for people: the page renews their session or asks them to sign in, and
 * tells when the file is not available.
 */
export const exportPageLink = (publicUrl: string, { id, formId }: Pick<ExportJob, 'id' | 'formId'>): string =>
  `${publicUrl}/review/${formId}/export/${id}`;

/** Builds the lasting link to the file of a job in the API, for programs. */
const downloadLink = (publicUrl: string, { id }: Pick<ExportJob, 'id'>): string =>
  `${publicUrl}/api/exports/${id}/download`;

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
    ...(state === 'DONE' ? { downloadUrl: downloadLink(publicUrl, job) } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The data of a mail about an export. */
export type ExportMail = { exportId: string };

// The file name of an export.

const MAX_NAME_CHARACTERS = 120;

/**
 * Builds the file name of an export: the form's title without control and bidi characters, path separators and other
 * characters that Windows refuses, leading and trailing spaces and dots.
 * @returns at most 120 characters and the extension of the format; `responses.xlsx` when nothing of the title remains.
 */
export function exportFileName(title: string, format: ExportFormat = 'XLSX'): string {
  const { extension } = FORMATS[format];
  const withoutExtension = safeName(title).replace(/\.(?:xlsx|csv|json|zip)$/i, '');
  const name = trimName([...withoutExtension].slice(0, MAX_NAME_CHARACTERS).join(''));
  if (name === '') return `responses${extension}`;
  return (RESERVED.test(name) ? `_${name}` : name) + extension;
}

/** Device names of Windows, which are reserved with any extension. */
export const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
