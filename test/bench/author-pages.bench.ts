/**
 * What the pages of authors cost for a form of 30 sections, 200 questions and 100 rules: time of the CPU, round trips, size.
 * The emulator runs beside it. Run by hand: `node test/bench/author-pages.bench.ts [rounds]`; it writes the
 * table of `docs/costs.md`.
 */
import { brotliCompressSync } from 'node:zlib';
import { writePart } from '#stacks/build/docs.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { measureCost } from '#test/support/cost.ts';
import { newCast } from '#test/support/fixtures.ts';
import { listAuthorPages, newLargeForm } from '#test/support/large-form.ts';
import { pagesOf } from '#test/support/pages.ts';

const HEADER = '| Page | First, ms | Again, ms | Round trips | KB |';
const [rounds = '40'] = process.argv.slice(2);
const dynamo = await startDynamo({ directory: null });
// No request reaches the bucket; its address is part of the policy of pages that show pictures.
const storage = { TABLE_NAME: 'bench', BUCKET_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint };
const settings = { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' };
Object.assign(process.env, newSecrets(), settings);
await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Milliseconds of the CPU that this process uses for some work. */
async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const { alice, slug } = await newCast();
const form = await newLargeForm(alice, slug);
const { show } = pagesOf(alice);
const rows: string[] = [];
for (const [name, path] of listAuthorPages(form)) {
  const times: number[] = [];
  const first = await measureCpu(() => show(path));
  for (let round = 0; round < Number(rounds); round += 1) times.push(await measureCpu(() => show(path)));
  const { cost, result } = await measureCost(() => show(path));
  const kilobytes = (brotliCompressSync(result).length / 1_000).toFixed(1);
  rows.push(`| ${name} | ${Math.round(first)} | ${Math.round(median(times))} | ${cost.roundTrips} | ${kilobytes} |`);
  console.log(rows.at(-1));
}
writePart('costs.md', 'authors', [HEADER, '|---|---|---|---|---|', ...rows].join('\n'));
await dynamo.stop();
process.exit(0);
