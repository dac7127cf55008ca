/** Attempts new deliveries as soon as they are written. What fails is left to the worker `sweep`. */
import { workers } from '#core/api/workers.ts';
import { streamWorker } from '#core/http/worker.ts';
import { attemptDeliveries, loadDeliveries } from '#core/jobs/attempt.ts';
import { deliveryOf, isDue } from '#core/jobs/job.ts';
import { PROMPT_HANDLERS } from '#core/workers/kinds.ts';

export const handler = streamWorker(workers.deliver, async (app, records) => {
  const now = app.now();
  const keys = records.flatMap(({ after, key }) => {
    const delivery = deliveryOf(after);
    return delivery && isDue(delivery, now) ? [key] : [];
  });
  return { counts: await attemptDeliveries(app, await loadDeliveries(app, keys), PROMPT_HANDLERS) };
});
