/**
 * Maps each kind of job to its handler, and attempts the jobs that are due, in two lanes: exports, which take minutes, have
 * a function of their own, so that nothing else waits for them.
 */

import type { Key, Lane } from '#core/db/keys.ts';
import {
  type AttemptCounts,
  attemptJobs,
  type JobHandler,
  type JobHandlers,
  loadDueJobs,
  readDueJobs,
} from '#core/jobs/attempt.ts';
import { JOB_KINDS, type Job, type JobKind } from '#core/jobs/job.ts';
import type { MailPorts } from '#core/mail/ports.ts';
import type { SheetPorts } from '#core/sheets/port.ts';

/** What the kinds of jobs need together. */
type WorkerPorts = MailPorts & SheetPorts;

const loadExports = () => import('#core/exports/build.ts');
const loadCounts = () => import('#core/exports/count.ts');

/** The handler of each kind; loaded on demand, because most batches have few kinds. */
const HANDLERS: Readonly<Record<JobKind, () => Promise<JobHandler<WorkerPorts>>>> = {
  'clean-up': async () => (await import('#core/files/clean-up.ts')).cleanUps,
  deletion: async () => (await import('#core/deletion/purge.ts')).deletions,
  recount: async () => (await import('#core/counts/recount.ts')).recounts,
  expiry: async () => (await import('#core/deletion/expiry.ts')).expiries,
  places: async () => (await import('#core/counts/places.ts')).placeCounts,
  'due-deliveries': async () => (await import('#core/responses/due-deliveries.ts')).dueDeliveries,
  'response-mail': async () => (await import('#core/mail/response-mail.ts')).responseMails,
  export: async () => (await loadExports()).exports,
  statistics: async () => (await loadCounts()).counts,
  'export-mail': async () => (await import('#core/mail/export-mail.ts')).exportMails,
  'member-mail': async () => (await import('#core/mail/member-mail.ts')).memberMails,
  'retention-notice': async () => (await import('#core/mail/retention-mail.ts')).retentionNotices,
  'retention-mail': async () => (await import('#core/mail/retention-mail.ts')).retentionMails,
  'invitation-sending': async () => (await import('#core/invitations/sending.ts')).invitationSendings,
  'invitation-mail': async () => (await import('#core/mail/invitation-mail.ts')).invitationMails,
  'guest-link-mail': async () => (await import('#core/mail/guest-link-mail.ts')).guestLinkMails,
  'draft-reminder': async () => (await import('#core/mail/reminder-mail.ts')).reminderMails,
  leaving: async () => (await import('#core/organizations/leaving.ts')).leavings,
  notices: async () => (await import('#core/mail/notices.ts')).notices,
  'notice-mail': async () => (await import('#core/mail/notices.ts')).noticeMails,
  'spreadsheet-row': async () => (await import('#core/sheets/sync.ts')).spreadsheetRows,
  'spreadsheet-backfill': async () => (await import('#core/sheets/backfill.ts')).spreadsheetBackfills,
};

/** Loads the handlers of some jobs. */
async function loadHandlers(jobs: readonly Pick<Job, 'kind'>[]): Promise<JobHandlers<WorkerPorts>> {
  const kinds = [...new Set(jobs.map(({ kind }) => kind))];
  return Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await HANDLERS[kind]()] as const)));
}

/**
 * Attempts jobs that were queued just now. Exports come last, and one at most, a small one: it delays the jobs that are
 * queued after it by seconds, and those that were queued with it not at all. The others wait for their own function.
 */
export async function attemptNewJobs(app: WorkerPorts, keys: readonly Key[]): Promise<AttemptCounts> {
  const jobs = await loadDueJobs(app, keys);
  const prompt = jobs.filter(({ kind }) => JOB_KINDS[kind].isPrompt);
  const counts = await attemptJobs(app, prompt, await loadHandlers(prompt));
  const waiting = jobs.filter(({ kind }) => JOB_KINDS[kind].lane === 'exports');
  if (waiting.length === 0) return counts;
  const { isSmallRun } = await import('#core/exports/run.ts');
  const small = waiting.filter(isSmallRun).slice(0, 1);
  return addCounts(counts, await attemptJobs(app, small, await loadSmall(small)));
}

/** Loads the handler of a job that is done at once because it is small. */
async function loadSmall([job]: readonly Job[]): Promise<JobHandlers<WorkerPorts>> {
  if (job?.kind === 'export') return { export: (await loadExports()).smallExports };
  return job?.kind === 'statistics' ? { statistics: (await loadCounts()).smallCounts } : {};
}

/** Attempts all jobs that are due, except for exports, like `sweep`. */
export const sweepJobs = (app: WorkerPorts, mayContinue: () => boolean): Promise<AttemptCounts> =>
  sweep(app, 'main', mayContinue);

/** Builds all exports that are due, one after the other, like `sweep`. */
export const sweepExports = (app: WorkerPorts, mayContinue: () => boolean): Promise<AttemptCounts> =>
  sweep(app, 'exports', mayContinue);

/**
 * Attempts everything that is due in a lane, and what becomes due meanwhile, until `mayContinue` returns false. Returns how
 * many attempts had which result.
 */
async function sweep(app: WorkerPorts, lane: Lane, mayContinue: () => boolean): Promise<AttemptCounts> {
  let total: AttemptCounts = {};
  let hasAttempted = true;
  // A round in which nothing was attempted is the last one: nothing was due, or other workers attempt it.
  while (hasAttempted && mayContinue()) {
    hasAttempted = false;
    for await (const jobs of readDueJobs(app, lane)) {
      const counts = await attemptJobs(app, jobs, await loadHandlers(jobs));
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
