/**
 * Rows of spreadsheets. Every change of a submitted response queues the delivery of its row, without a copy of the
 * answers. The row item of a response, which only the worker writes, holds the id of its row in a spreadsheet.
 */
import { keys, lastPart } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { type Job, queueJob } from './job.ts';

/**
 * The data of a row's delivery. `version`: of a row that was written, the version of the response that it shows. `rowId`: of a
 * row that is to be cleared because its response was deleted.
 */
export type RowDelivery = { spreadsheetId: string; version?: number; rowId?: number };

/** Builds the write that queues the row of a response, due at once or after some seconds. */
export const queueRow = (responseId: string, spreadsheetId: string, now: Date, dueInSeconds = 0): Write =>
  queueJob<RowDelivery>(
    { key: keys.delivery(responseId, 'spreadsheet'), kind: 'spreadsheet-row', data: { spreadsheetId }, dueInSeconds },
    now,
  );

/** Builds the write that queues a failed row again. */
export const requeueRow = ({ key, kind, data }: Job<RowDelivery>, now: Date): Write =>
  queueJob<RowDelivery>({ key, kind, data }, now);

/** Builds the write that queues the clearing of a row whose response was deleted. */
export const queueClearing = ({ responseId, spreadsheetId, rowId }: StoredRow, now: Date): Write =>
  queueJob<RowDelivery>(
    {
      key: keys.sheetClear(responseId, spreadsheetId, rowId),
      kind: 'spreadsheet-row',
      data: { spreadsheetId, rowId },
    },
    now,
  );

/** `isWritten`: the row was added; if it is not in the spreadsheet, somebody deleted it. */
export type StoredRow = { responseId: string; spreadsheetId: string; rowId: number; isWritten: boolean };

/** Parses the row of an item; undefined for other items. */
export function parseStoredRow(item: Item | undefined): StoredRow | undefined {
  if (!item?.sk.startsWith('ROW#')) return undefined;
  const spreadsheetId = item.sk.slice('ROW#'.length);
  const responseId = lastPart(item.pk);
  return { responseId, spreadsheetId, rowId: Number(item.rowId), isWritten: item.isWritten === true };
}

/** Builds the write that gives a response its row. */
export const createRow = ({ responseId, spreadsheetId, rowId }: StoredRow): Write => ({
  put: { ...keys.sheetRow(responseId, spreadsheetId), rowId },
  when: { absent: true },
});

/** Builds the write that records that a row was added; refused when its response was deleted since. */
export const markRowWritten = ({ responseId, spreadsheetId }: StoredRow): Write => ({
  update: keys.sheetRow(responseId, spreadsheetId),
  set: { isWritten: true },
  when: { absent: false },
});

/**
 * The data of a backfill: its step, and after which position of its list it continues. The step `FAILED` queues the rows that
 * failed; `SUBMITTED` those that do not show their response as it is, or `all`, because somebody may have changed the
 * spreadsheet while it was not set; `SETTLED`, a minute later, those that do not show their response as it is by then.
 */
export type Backfill = { step: 'FAILED' | 'SUBMITTED' | 'SETTLED'; startedAt: string; all: boolean; after?: string };

/** Builds the write that queues the rows of the submitted responses of a form, and its failed rows. */
export const queueBackfill = (formId: string, all: boolean, now: Date): Write =>
  queueJob<Backfill>(
    {
      key: keys.formBackfill(formId),
      kind: 'spreadsheet-backfill',
      data: { step: 'FAILED', startedAt: now.toISOString(), all },
    },
    now,
  );
