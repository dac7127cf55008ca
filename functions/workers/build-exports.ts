/** Builds the exports that are due: large ones, and those whose last run failed or died. */
import { workers } from '#core/api/workers.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { worker } from '#core/http/worker.ts';
import { sweepExports } from '#core/workers/kinds.ts';

/** The least time of a run; the limits of exports are measured with it. */
const RUN_MS = 12 * 60_000;

export const handler = worker(workers.buildExports, (app) => sweepExports(app, () => remainingMs() > RUN_MS));
