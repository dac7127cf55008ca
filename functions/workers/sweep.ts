/** Attempts all jobs that are due: those that failed before, and those scheduled for later. */
import { workers } from '#core/api/workers.ts';
import { hasTime, worker } from '#core/http/worker.ts';
import { sweepJobs } from '#core/workers/kinds.ts';

export const handler = worker(workers.sweep, (app) => sweepJobs(app, hasTime));
