/** Keeps the counters of responses and of selected choices, and the stored bytes of organizations. */
import { workers } from '#core/api/workers.ts';
import { tallyChanges } from '#core/counts/tally.ts';
import { streamWorker } from '#core/http/worker.ts';

export const handler = streamWorker(workers.tally, async (app, records) => {
  const { failed, tallied } = await tallyChanges(app, records);
  return { failed, counts: { tallied } };
});
