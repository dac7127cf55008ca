/** Builds exports, as jobs: a run streams the rows of a form into a file in the bucket. */

import { objects } from '#core/db/bucket.ts';
import { keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { attemptEach, type JobHandler } from '#core/jobs/attempt.ts';
import { type Job, queueJob } from '#core/jobs/job.ts';
import { pickColumns } from '#core/table/table.ts';
import type { ExportData, ExportMail } from './model.ts';
import { FORMATS } from './options.ts';
import { type ExportRow, readRows } from './rows.ts';
import { attemptRun, beginRun, CLAIM_SECONDS, LARGE, type Limits, type Run, RunEnded, SMALL } from './run.ts';
import { writeExport } from './write.ts';

/** The ports of the domain, and the address of the service, for links. */
type ExportPorts = Ports & { config: { readonly publicUrl: string } };

const buildWithin = (limits: Limits): JobHandler<ExportPorts> =>
  attemptEach<ExportPorts, ExportData>({
    claimSeconds: CLAIM_SECONDS,
    // Each takes all memory and time that there is.
    parallel: 1,
    minMs: limits.reserveMs,
    attempt: (app, job, renew) => attemptRun(app, job, () => uploadFile(app, job, { renew, limits })),
    // The mail about the end; refused when the form was deleted, and the export is about to be.
    // Its item is removed with that of the export, if it has failed for good.
    onEnd: ({ key, attributes: { expiresAt } }, now) => {
      const exportId = lastPart(key.sk);
      const mail = {
        key: keys.exportMail(exportId),
        kind: 'export-mail' as const,
        data: { exportId },
        attributes: { expiresAt },
      };
      return [{ check: keys.formGate(exportId), when: { absent: false } }, queueJob<ExportMail>(mail, now)];
    },
  });

/** Builds exports in a function of their own. */
export const exports = buildWithin(LARGE);

/** Builds a small export at once, as long as it takes a few seconds. */
export const smallExports = buildWithin(SMALL);

/** Writes the file of a job into the bucket, and reports progress meanwhile. Returns the data of the finished export. */
async function uploadFile(app: ExportPorts, job: Job<ExportData>, run: Run<ExportData>): Promise<ExportData> {
  const { title, questionIds, options = {} } = job.data;
  const { structure, readInTime, keepAlive } = await beginRun(app, job, options, run);
  // A question that was removed meanwhile without answers has no column.
  const columns = pickColumns(structure, questionIds);
  const source = { title, structure, columns, options, publicUrl: app.config.publicUrl };
  let count = 0;
  async function* counted(): AsyncGenerator<ExportRow, void, undefined> {
    for await (const row of readInTime(readRows(app.table, source))) {
      count += 1;
      yield row;
    }
  }
  const { format = 'XLSX', reference: hasReference = false } = options;
  const createdAt = app.now();
  const exceed = (): never => {
    throw new RunEnded({ result: 'failed', reason: 'too_large' });
  };
  const archive = { columns, hasReference, bucket: app.bucket, createdAt, beforeFile: keepAlive, exceed };
  const chunks =
    format === 'ZIP'
      ? (await import('./files.ts')).writeFiles(archive, counted())
      : writeExport(source, counted(), createdAt);
  await app.bucket.upload(objects.export(lastPart(job.key.sk)), chunks, FORMATS[format].contentType);
  return { ...job.data, structureVersion: structure.version, processed: count, total: count };
}
