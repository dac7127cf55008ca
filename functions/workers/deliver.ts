/** Attempts new deliveries as soon as they are written. What fails is left to the worker `sweep`. */
import { workers } from '#core/api/workers.ts';
import { streamWorker } from '#core/http/worker.ts';
import { attemptJobs, loadDueJobs } from '#core/jobs/attempt.ts';
import { isDue, parseJob } from '#core/jobs/job.ts';
import { PROMPT_HANDLERS } from '#core/workers/kinds.ts';

export const handler = streamWorker(workers.deliver, async (app, records) => {
  const now = app.now();
  const keys = records.flatMap(({ after, key }) => {
    const delivery = parseJob(after);
    return delivery && isDue(delivery, now) ? [key] : [];
  });
  return { counts: await attemptJobs(app, await loadDueJobs(app, keys), PROMPT_HANDLERS) };
});
