/**
 * An export of many responses × 30 questions through the real path: index, batch reads, workbook, multipart upload. The
 * worker runs in a process of its own and is killed twice on the way; the file is compared with the table, row by row.
 * Prints the rows per second, CPU and peak memory of the run that finished, then those of the writer alone for
 * 1,000,000 rows. The emulators run beside it and take most of the machine, so the rows per second are a lower bound.
 * Run by hand: `node test/bench/export-job.bench.ts [responses]`; 100,000 by default.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { startS3 } from '#stacks/local/s3/s3.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { compareWithTable, kill, seedForm, startWorker } from '#test/support/export-proof.ts';
import { askForExport, downloaded, readExport } from '#test/support/exports.ts';
import { newCast } from '#test/support/fixtures.ts';

const WRITER_ROWS = 1_000_000;
const CLAIM_SECONDS = 121;
const count = Number(process.argv[2] ?? 100_000);

const folder = mkdtempSync(join(tmpdir(), 'export-bench-'));
const dynamo = await startDynamo({ directory: null });
const s3 = await startS3({ directory: join(folder, 's3'), buckets: ['bench'], origins: () => [] });
Object.assign(process.env, newSecrets(), {
  TABLE_NAME: 'bench',
  BUCKET_NAME: 'bench',
  DYNAMODB_ENDPOINT: dynamo.endpoint,
  S3_ENDPOINT: s3.endpoint,
  S3_PUBLIC_ENDPOINT: s3.publicEndpoint,
  LOG: 'off',
});
try {
  await ensureTable(emulatorClient(dynamo.endpoint), 'bench');
  const cast = await newCast();
  const form = await timed(`${count} responses written`, () => seedForm(cast.alice, cast.slug, count));
  const job = await askForExport(cast.bob, form.formId, form.questionIds);
  for (const [runs, part] of [0.25, 0.6].entries()) {
    const worker = startWorker(runs * CLAIM_SECONDS);
    // Each state follows the one before.
    while ((await readExport(cast.bob, job)).processed < count * part) await sleep(50);
    await kill(worker);
    console.log('killed a worker', await readExport(cast.bob, job));
  }
  const { lines } = startWorker(2 * CLAIM_SECONDS);
  const run = JSON.parse((await lines.next()).value ?? '{}');
  console.log(await readExport(cast.bob, job));
  console.log('the run that finished', { rowsPerSecond: Math.round(count / run.seconds), ...run });
  const file = await downloaded(cast.bob, job);
  const rows = await timed('compared with the table', () => compareWithTable(file, cast.alice, form));
  console.log(`${rows} rows are equal`);
} finally {
  await s3.stop();
  await dynamo.stop();
  rmSync(folder, { recursive: true });
}
const script = join(import.meta.dirname, 'xlsx.bench.ts');
const writer = execFileSync(process.execPath, [script, 'writeXlsx', String(WRITER_ROWS)], { encoding: 'utf8' });
console.log(`the writer alone, ${WRITER_ROWS} rows`, JSON.parse(writer));
process.exit(0);

async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await run();
  console.log(`${name} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}
