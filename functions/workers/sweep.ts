/** Attempts all deliveries that are due: those that failed before, and those scheduled for later. */
import { workers } from '#core/api/workers.ts';
import { hasTime, worker } from '#core/http/worker.ts';
import { sweepDeliveries } from '#core/workers/kinds.ts';

export const handler = worker(workers.sweep, (app) => sweepDeliveries(app, hasTime));
