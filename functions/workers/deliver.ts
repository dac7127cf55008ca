/** Attempts new jobs as soon as they are written. The workers `sweep` and `buildExports` repeat those that fail. */
import { workers } from '#core/api/workers.ts';
import { streamWorker } from '#core/http/worker.ts';
import { isDue, parseJob } from '#core/jobs/job.ts';
import { attemptNewJobs } from '#core/workers/kinds.ts';

export const handler = streamWorker(workers.deliver, async (app, records) => {
  const now = app.now();
  const keys = records.flatMap(({ after, key }) => {
    const job = parseJob(after);
    return job && isDue(job, now) ? [key] : [];
  });
  return { counts: await attemptNewJobs(app, keys) };
});
