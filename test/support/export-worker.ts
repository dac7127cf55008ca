/**
 * The worker `buildExports` in a process of its own, which tests and the bench kill: runs it once and prints what it
 * took. `clock`: the seconds by which its clock is ahead, to see the claims of killed workers end. `hang`: where it stops
 * for ever and prints `hangs`: after the first report of progress, or after the upload and before the end is stored.
 * Usage: `node test/support/export-worker.ts <clock> [progress|upload]`, with the configuration of the service.
 */
import type { Table } from '#core/db/table.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { buildExports } from './exports.ts';

const [clock = '0', hang] = process.argv.slice(2);

const hangForEver = (): Promise<never> => {
  console.log('hangs');
  // A pending promise alone does not keep a process alive.
  setInterval(() => undefined, 1_000);
  return new Promise(() => undefined);
};

const { table, bucket, ...rest } = app();
const write: Table['write'] = async (writes) => {
  await table.write(writes);
  const [first] = writes;
  const item = first && 'put' in first ? first.put : undefined;
  const { processed = 0 } = JSON.parse(String(item?.data ?? '{}')) as { processed?: number };
  if (hang === 'progress' && processed > 0) await hangForEver();
};
const upload: typeof bucket.upload = async (...args) => {
  await bucket.upload(...args);
  if (hang === 'upload') await hangForEver();
};
const now = () => new Date(Date.now() + Number(clock) * 1_000);
replaceApp({ ...rest, now, table: { ...table, write }, bucket: { ...bucket, upload } });

const startedAt = performance.now();
await buildExports();
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const seconds = (performance.now() - startedAt) / 1_000;
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
console.log(JSON.stringify({ seconds, cpuSeconds, peakMb: Math.round(maxRSS / 1_024) }));
process.exit(0);
