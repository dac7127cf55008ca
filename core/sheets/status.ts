/** Tells the editors of forms whether submissions reach their spreadsheets. The status is written when it changes. */

import { loadAccount } from '#core/accounts/accounts.ts';
import { change } from '#core/db/change.ts';
import { clearedSheet, formKey, type Key, keys, lastPart, partitions } from '#core/db/keys.ts';
import { countUse } from '#core/db/rate-limit.ts';
import type { Gate } from '#core/forms/gate.ts';
import { loadSheetOwner, parseSpreadsheetStatus, READY, replaceStatus } from '#core/forms/spreadsheet.ts';
import { parseSpreadsheetId, SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { isFinalFailure, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import { problems } from '#core/problems/problems.ts';
import { SheetFailure, type SheetPorts } from './port.ts';

/**
 * Updates the status of each form after attempts to write its rows that began at `startedAt`; `gates` are those of the forms, by
 * form key.
 */
export async function updateStatuses(
  app: SheetPorts,
  gates: ReadonlyMap<string, Gate>,
  outcomes: ReadonlyMap<Job, JobOutcome>,
  startedAt: string,
): Promise<void> {
  const forms = [...gates].flatMap(([form, { formId, spreadsheetId }]) =>
    spreadsheetId === null ? [] : [{ form, formId, spreadsheetId }],
  );
  const items = await app.table.read(forms.map(({ formId }) => keys.formSpreadsheet(formId)));
  await Promise.all(
    forms.map(({ form, formId, spreadsheetId }, index) => {
      const formOutcomes = [...outcomes].filter(
        ([{ key }]) => formKey(lastPart(key.pk)) === form && isInSpreadsheet(key, spreadsheetId),
      );
      return change(
        { table: app.table },
        {
          loaded: parseSpreadsheetStatus(items[index]),
          reload: async () => parseSpreadsheetStatus((await app.table.read([keys.formSpreadsheet(formId)]))[0]),
          decide: async (before) => {
            const next = await nextStatus(app, { formId, spreadsheetId, startedAt }, before, formOutcomes);
            const isChanged = next.state !== before.state || next.reason !== before.reason;
            return { writes: isChanged ? [replaceStatus(formId, next, before)] : [], result: undefined };
          },
        },
      );
    }),
  );
}

/** Whether a row is in the present spreadsheet of its form: rows to be cleared may be in an earlier one. */
const isInSpreadsheet = (key: Pick<Key, 'pk'>, spreadsheetId: string): boolean =>
  (clearedSheet(key) ?? spreadsheetId) === spreadsheetId;

/** The largest number of failed rows that are read. */
const MAX_FAILED_ROWS = 100;

async function nextStatus(
  app: SheetPorts,
  { formId, spreadsheetId, startedAt }: { formId: string; spreadsheetId: string; startedAt: string },
  before: SpreadsheetStatus,
  outcomes: readonly (readonly [Job, JobOutcome])[],
): Promise<SpreadsheetStatus> {
  const now = app.now();
  const since = now.toISOString();
  let next = before;
  for (const [job, outcome] of outcomes) {
    if (outcome.result !== 'failed' && outcome.result !== 'retry') continue;
    if (isFinalFailure(job, outcome, now)) return { state: 'FAILED', reason: toStatusReason(outcome.reason), since };
    if (before.state !== 'FAILED') next = { state: 'RETRYING', reason: toStatusReason(outcome.reason), since };
  }
  const isWritten = outcomes.some(([, { result }]) => result === 'done');
  if (next !== before || !isWritten) return next;
  // A failure since then is newer than what was written.
  if (before.since !== null && before.since > startedAt) return before;
  if (before.state !== 'FAILED') return READY;
  const { items } = await app.table.list({
    ...partitions.failedJobs(formId, 'spreadsheet-row'),
    limit: MAX_FAILED_ROWS,
  });
  // The index may still name rows that were written just now.
  const jobs = (await app.table.read(items)).map((item) => parseJob(item));
  const hasFailedRow = jobs.some((row) => row?.state === 'FAILED' && isInSpreadsheet(row.key, spreadsheetId));
  return hasFailedRow ? before : READY;
}

const toStatusReason = (code: string): SpreadsheetStatus['reason'] => {
  const parsed = SpreadsheetStatus().shape.reason.safeParse(code);
  return parsed.success ? parsed.data : 'internal_error';
};

// Checks for a person whether the submissions of their forms can be sent to a spreadsheet.

/** The quota of the spreadsheet service is shared by everybody. */
const CHECKS = { name: 'verify-spreadsheet', max: 10, seconds: 60 };

/**
 * Whether an address is that of a spreadsheet that the service can change now, and that belongs to no organization but
 * those of the person. Throws 429 beyond ten checks in a minute, 503 while the spreadsheet service limits requests.
 */
export async function verifySpreadsheet(app: SheetPorts, userId: string, address: string): Promise<boolean> {
  await countUse(app, CHECKS, userId);
  const spreadsheetId = parseSpreadsheetId(address);
  if (spreadsheetId === null) return false;
  const [owner, account] = await Promise.all([
    loadSheetOwner(app.table, spreadsheetId),
    loadAccount(app.table, userId),
  ]);
  if (owner !== undefined && account?.memberships[owner] === undefined) return false;
  try {
    return await app.sheets.canWrite(spreadsheetId);
  } catch (error) {
    if (!(error instanceof SheetFailure)) throw error;
    if (error.reason === 'rate_limited') throw problems.spreadsheetsBusy(error);
    app.log({ level: 'warn', spreadsheet: error.reason, why: error.message });
    return false;
  }
}
