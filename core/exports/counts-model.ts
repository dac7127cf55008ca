/**
 * Statistics over all responses that match, counted by a job: how it is stored and returned. A form has five places for such
 * jobs, so that no more of them read it at once; a person has one job at a time, and a new one takes the place of the last.
 */
import * as z from 'zod';
import { type Key, keys, lastPart } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { isPending, type Job, newJob, parseJob, replaceJob } from '#core/jobs/job.ts';
import { epochSeconds, timeAfter } from '#core/schema/format.ts';
import { COUNT_HOURS, MAX_COUNTS } from '#core/schema/limits.ts';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { Statistics, type StatisticsInput } from '#core/table/statistics-model.ts';
import { toExportOptions } from './options.ts';
import { type AsOf, isUnchanged, type Progress, REASONS, type Requested, readProgress } from './progress.ts';

const COUNT_SECONDS = COUNT_HOURS * 3_600;

/** What is counted: which responses, and where their days begin. */
export type CountQuery = Infer<typeof StatisticsInput>;

/** The data of a job. */
export type CountData = AsOf &
  Progress & {
    /** Of the job, and of the object with its result. */
    id: string;
    formId: string;
    userId: string;
    query: CountQuery;
  };

/** A job as it is read, with its item. */
export type Count = Requested<CountData> & { job: Job<CountData> };

/** Lists the keys of the places of a form. */
export const countKeys = (formId: string): Key[] =>
  Array.from({ length: MAX_COUNTS }, (_, place) => keys.counting(formId, place));

/** Returns the place of a job in its form. */
export const placeOf = ({ job }: Pick<Count, 'job'>): number => Number(lastPart(job.key.sk));

/** Parses the job of an item; undefined for none, and for one whose result has expired. */
export function parseCount(item: Item | undefined, now: Date): Count | undefined {
  const job = parseJob<CountData>(item);
  if (!job) return undefined;
  const hasExpired = timeAfter(new Date(job.queuedAt), COUNT_SECONDS) <= now.toISOString();
  return hasExpired && !isPending(job) ? undefined : { ...readProgress(job), job };
}

/** Builds the write that queues a job in a place of its form; `before`: the job that was there. */
export function queueCount(place: number, data: CountData, before: Job | undefined, now: Date): Write {
  const attributes = { userId: data.userId, expiresAt: epochSeconds(now) + 2 * COUNT_SECONDS };
  return replaceJob(
    newJob({ key: keys.counting(data.formId, place), kind: 'statistics', data, attributes }, now),
    before,
  );
}

/** Returns a query without what is not given; equal queries are written equally. */
export const normalizeQuery = ({ timeZone = 'UTC', ...query }: CountQuery): CountQuery => {
  const { filters = [], ...others } = toExportOptions(query);
  return { filters, ...others, timeZone };
};

/** Whether a job counts what a person asks for. */
export const isSameCount = (
  count: Pick<Count, 'userId' | 'query'> | undefined,
  { userId, query }: { userId: string; query: CountQuery },
): boolean => count?.userId === userId && JSON.stringify(count.query) === JSON.stringify(normalizeQuery(query));

/** Whether nothing of the form has changed since a job began, as far as is known. */
export const isOfNow = (count: Count, now: AsOf & { editedAt: string | null }): boolean =>
  // Mails fail, and are sent again, without a change of a response.
  count.query.copies === undefined && count.structureVersion === now.structureVersion && isUnchanged(count, now);

export const CountDocument = schema(() =>
  z
    .object({
      state: z
        .enum(['NONE', 'QUEUED', 'RUNNING', 'DONE', 'FAILED'])
        .describe('NONE: nothing was counted for the person in the last 24 hours.'),
      processed: z.int().describe('The responses that were read so far; it begins again when the job restarts.'),
      total: z.int().nullable().describe('The submitted responses of the form; null until they are counted.'),
      createdAt: Timestamp()
        .nullable()
        .describe('The statistics are as of this time: a response that changed later may be counted or not.'),
      finishedAt: Timestamp().nullable(),
      reason: z.enum(REASONS).optional().describe('Of a FAILED job, as of an export.'),
      statistics: Statistics().optional().describe('The result, when a job is read that is DONE.'),
    })
    .meta({ id: 'StatisticsCount' }),
);
export type CountDocument = Infer<typeof CountDocument>;
