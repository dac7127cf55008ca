/**
 * Maps each kind of job to its handler, and attempts the jobs that are due, in two lanes: exports, which take minutes, have
 * a function of their own, so that nothing else waits for them.
 */

import { recounts } from '#core/counts/recount.ts';
import type { Key, Lane } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { deletions } from '#core/deletion/purge.ts';
import { cleanUps } from '#core/files/clean-up.ts';
import {
  type AttemptCounts,
  attemptJobs,
  attemptPlanned,
  type JobHandler,
  type JobHandlers,
  loadDueJobs,
  readDueJobs,
} from '#core/jobs/attempt.ts';
import type { JobKind } from '#core/jobs/job.ts';
import { exportMails } from '#core/mail/export-mail.ts';
import type { MailPorts } from '#core/mail/ports.ts';
import { responseMails } from '#core/mail/response-mail.ts';
import { type DueChange, dueDeliveries, planDeliveries, removeReminder } from '#core/responses/due-deliveries.ts';
import { spreadsheetBackfills } from '#core/sheets/backfill.ts';
import type { SheetPorts } from '#core/sheets/port.ts';
import { spreadsheetRows } from '#core/sheets/sync.ts';

/** What the kinds of jobs need together. */
export type WorkerPorts = MailPorts & SheetPorts;

/** What is attempted at once: jobs that take a few seconds and should not wait for a sweep. */
export const PROMPT_HANDLERS = {
  'clean-up': cleanUps,
  recount: recounts,
  'due-deliveries': dueDeliveries,
  'response-mail': responseMails,
  'export-mail': exportMails,
  'spreadsheet-row': spreadsheetRows,
  'spreadsheet-backfill': spreadsheetBackfills,
} as const satisfies JobHandlers<WorkerPorts>;

/** What is attempted in the lane `exports`; loaded on demand, because most batches have none. */
const loadExports = () => import('#core/exports/build.ts');

/** What is attempted in the lane `main`. */
const mainHandlers = (): Record<Exclude<JobKind, 'export'>, JobHandler<WorkerPorts>> => ({
  ...PROMPT_HANDLERS,
  deletion: deletions,
});

/**
 * Attempts jobs that were queued just now, and the deliveries that changes of responses have made due. Exports come last,
 * and one at most, a small one: it delays the jobs that are queued after it by seconds, and those that were queued with it
 * not at all. The others wait for their own function.
 */
export async function attemptNewJobs(
  app: WorkerPorts,
  keys: readonly Key[],
  changes: readonly DueChange[] = [],
): Promise<AttemptCounts> {
  const [jobs, deliveries] = await Promise.all([
    loadDueJobs(app, keys),
    planDeliveries(
      app,
      changes.flatMap(({ due }) => due),
    ),
  ]);
  const stored = jobs.map((job) => ({ job, replaces: job }));
  const counts = await attemptPlanned(app, [...stored, ...deliveries], PROMPT_HANDLERS);
  await Promise.all(changes.map(({ reminder }) => removeReminder(app.table, reminder)));
  if (!jobs.some(({ kind }) => kind === 'export')) return counts;
  const { isSmallExport, smallExports } = await loadExports();
  const small = jobs.filter(isSmallExport).slice(0, 1);
  return addCounts(counts, await attemptJobs(app, small, { export: smallExports }));
}

/** Attempts all jobs that are due, except for exports, like `sweep`. */
export const sweepJobs = (app: WorkerPorts, mayContinue: () => boolean): Promise<AttemptCounts> =>
  sweep(app, 'main', mainHandlers(), mayContinue);

/** Builds all exports that are due, one after the other, like `sweep`. */
export async function sweepExports(app: Ports, mayContinue: () => boolean): Promise<AttemptCounts> {
  const { exports } = await loadExports();
  return sweep(app, 'exports', { export: exports }, mayContinue);
}

/**
 * Attempts everything that is due in a lane, and what becomes due meanwhile, until `mayContinue` returns false. Returns how
 * many attempts had which result.
 */
async function sweep<P extends Ports>(
  app: P,
  lane: Lane,
  handlers: JobHandlers<P>,
  mayContinue: () => boolean,
): Promise<AttemptCounts> {
  let total: AttemptCounts = {};
  let hasAttempted = true;
  // A round in which nothing was attempted is the last one: nothing was due, or other workers attempt it.
  while (hasAttempted && mayContinue()) {
    hasAttempted = false;
    for await (const jobs of readDueJobs(app, lane)) {
      const counts = await attemptJobs(app, jobs, handlers);
      total = addCounts(total, counts);
      hasAttempted ||= Object.keys(counts).length > 0;
      if (!mayContinue()) break;
    }
  }
  return total;
}

function addCounts(a: AttemptCounts, b: AttemptCounts): AttemptCounts {
  const sum = { ...a };
  for (const [result, count] of Object.entries(b) as [keyof AttemptCounts, number][])
    sum[result] = (sum[result] ?? 0) + count;
  return sum;
}
