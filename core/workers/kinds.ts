/** Maps each kind of job to its handler, and attempts the jobs that are due. */

import { recounts } from '#core/counts/recount.ts';
import { deletions } from '#core/deletion/job.ts';
import { cleanUps } from '#core/files/clean-up.ts';
import { type AttemptCounts, attemptJobs, type JobHandlers, readDueJobs } from '#core/jobs/attempt.ts';
import { exportMails } from '#core/mail/export-mail.ts';
import type { MailPorts } from '#core/mail/ports.ts';
import { responseMails } from '#core/mail/response-mail.ts';
import { spreadsheetBackfills } from '#core/sheets/backfill.ts';
import type { SheetPorts } from '#core/sheets/port.ts';
import { spreadsheetRows } from '#core/sheets/sync.ts';

/** What the kinds of jobs need together. */
export type WorkerPorts = MailPorts & SheetPorts;

/** What the worker `deliver` attempts at once: jobs that take a few seconds and should not wait for a sweep. */
export const PROMPT_HANDLERS = {
  'clean-up': cleanUps,
  recount: recounts,
  'response-mail': responseMails,
  'export-mail': exportMails,
  'spreadsheet-row': spreadsheetRows,
  'spreadsheet-backfill': spreadsheetBackfills,
} as const satisfies JobHandlers<WorkerPorts>;

/** What the worker `sweep` attempts. */
const HANDLERS = {
  ...PROMPT_HANDLERS,
  deletion: deletions,
} as const satisfies JobHandlers<WorkerPorts>;

/**
 * Attempts everything that is due, and what becomes due meanwhile, until `mayContinue` returns false. Returns how many
 * attempts had which result.
 */
export async function sweepJobs(app: WorkerPorts, mayContinue: () => boolean): Promise<AttemptCounts> {
  const total: AttemptCounts = {};
  let hasAttempted = true;
  // A round in which nothing was attempted is the last one: nothing was due, or other workers attempt it.
  while (hasAttempted && mayContinue()) {
    hasAttempted = false;
    for await (const jobs of readDueJobs(app)) {
      const counts = await attemptJobs(app, jobs, HANDLERS);
      const results = Object.entries(counts) as [keyof AttemptCounts, number][];
      for (const [result, count] of results) total[result] = (total[result] ?? 0) + count;
      hasAttempted ||= results.length > 0;
      if (!mayContinue()) break;
    }
  }
  return total;
}
