/** Counts all responses that match, as a job: a run reads them one after the other, and stores what they count. */
import { loadCounters } from '#core/counts/counters.ts';
import { objects } from '#core/db/bucket.ts';
import type { Ports } from '#core/db/ports.ts';
import { attemptEach, type JobHandler } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { openCollector } from '#core/table/collect.ts';
import { statisticsOfAll } from '#core/table/statistics-data.ts';
import { listColumns } from '#core/table/table.ts';
import { MAX_RESULT_BYTES } from './counts.ts';
import type { CountData } from './counts-model.ts';
import { readRows } from './rows.ts';
import { attemptRun, beginRun, CLAIM_SECONDS, LARGE, type Limits, type Run, RunEnded, SMALL } from './run.ts';

const countWithin = (limits: Limits): JobHandler =>
  attemptEach<Ports, CountData>({
    claimSeconds: CLAIM_SECONDS,
    // Each takes all time that there is.
    parallel: 1,
    minMs: limits.reserveMs,
    attempt: (app, job, renew) => attemptRun(app, job, () => countAll(app, job, { renew, limits })),
  });

/** Counts in a function of its own. */
export const counts = countWithin(LARGE);

/** Counts few responses at once. */
export const smallCounts = countWithin(SMALL);

/** Counts the responses of a job and stores the result, which is the same whenever it is repeated. Returns the data of the finished job. */
async function countAll(app: Ports, job: Job<CountData>, run: Run<CountData>): Promise<CountData> {
  const { id, query } = job.data;
  const { timeZone = 'UTC', ...options } = query;
  const { structure, total, readInTime } = await beginRun(app, job, options, run);
  const columns = listColumns(structure).filter(({ question }) => question);
  const collector = openCollector(structure, columns, { timeZone, descending: false });
  const source = { structure, columns: [], options, isNamed: false };
  for await (const { response } of readInTime(readRows(app.table, source))) collector.add(response);
  const collected = collector.read();
  const counters = await loadCounters(app.table, structure.formId);
  const result = await statisticsOfAll(app, structure, { ...query, timeZone, counters }, collected);
  const bytes = Buffer.from(JSON.stringify(result));
  if (bytes.length > MAX_RESULT_BYTES) throw new RunEnded({ result: 'failed', reason: 'too_large' });
  await app.bucket.put(objects.export(id), bytes, 'application/json');
  return { ...job.data, structureVersion: structure.version, processed: collected.count, total };
}
