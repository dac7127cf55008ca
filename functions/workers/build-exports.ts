/** Builds the requested exports, and those whose worker stopped. */
import { workers } from '#core/api/workers.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { buildDueExports } from '#core/exports/build.ts';
import { worker } from '#core/http/worker.ts';

/** The least time of a run; the limits of exports are measured with it. */
const RUN_MS = 12 * 60_000;

export const handler = worker(workers.buildExports, (app) => buildDueExports(app, () => remainingMs() > RUN_MS));
