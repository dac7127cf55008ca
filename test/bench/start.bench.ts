/**
 * How fast the functions start that respondents call most: the size of their bundles, and the time from loading the
 * module in a fresh process to the response of its first request, as a ratio to a plain bundle of the same handler
 * (esbuild's defaults for Node, minified, in one file). Rounds alternate, so that the machine's moods hit both alike; on
 * a busy machine, compare the CPU.
 *
 * Run by hand: `node test/bench/start.bench.ts [rounds] [part of an operation]`, 16 rounds of all operations at most, since a person has
 * 100 responses to a form; with `all`, it writes the size of every bundle into `docs/costs.md` instead.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Need } from '#core/api/declare.ts';
import { type Bundle, bundle } from '#stacks/build/bundle.ts';
import { writePart } from '#stacks/build/docs.ts';
import { allFunctions, apiFunctions } from '#stacks/functions.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { toEvent } from '#stacks/local/gateway/http-to-event.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { pageFile, pageNamed } from '#test/support/declared-pages.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { hotFunctions } from '#test/support/hot-functions.ts';
import { branchedForm, start, text } from '#test/support/responses.ts';

const ROOT = join(import.meta.dirname, '../..');

const kilobytes = (bytes: number): number => Math.round(bytes / 1_000);

/** A table of the sizes of bundles: the functions by KB of 1,000 bytes that they load at the start. */
function sizesTable(bundles: readonly Bundle[]): string {
  const sizes = bundles.flatMap(({ file, startBytes, pageBytes }) =>
    pageBytes.size === 0
      ? [{ file, bytes: startBytes }]
      : [...pageBytes].map(([page, bytes]) => ({ file: page, bytes })),
  );
  const bySize = Map.groupBy(sizes, ({ bytes }) => kilobytes(bytes));
  const rows = [...bySize].toSorted(([a], [b]) => a - b);
  const name = ({ file }: { file: string }): string => file.replace(/^functions\/(.+)\.ts$/, '$1');
  return [
    '| KB | Functions, and pages with what their function loads for them |',
    '|---|---|',
    ...rows.map(([size, group]) => `| ${size} | ${group.map(name).sort().join(', ')} |`),
  ].join('\n');
}

/** Bundles a handler with esbuild's defaults for Node. */
async function plainBundle(file: string, outdir: string): Promise<string> {
  const outfile = join(outdir, 'plain', file.replace('.ts', '.mjs'));
  // CommonJS packages in an ES module require builtins.
  const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
  await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    banner: { js: banner },
    logLevel: 'warning',
  });
  return outfile;
}

/** What the process that is measured runs. */
const FIRST_REQUEST = `
  const { module, event } = JSON.parse(process.env.FIRST_REQUEST);
  const begin = performance.now();
  const cpuAtBegin = process.cpuUsage();
  const { handler } = await import(module);
  const { statusCode } = await handler(event, { getRemainingTimeInMillis: () => 15_000 });
  const { user, system } = process.cpuUsage(cpuAtBegin);
  console.log(JSON.stringify({ ms: performance.now() - begin, cpuMs: (user + system) / 1_000, statusCode }));`;

type Start = { ms: number; cpuMs: number };

/** Milliseconds from loading a module to the response of its first request, in a fresh process. */
async function firstRequest(file: string, event: object): Promise<Start> {
  const env = { ...process.env, FIRST_REQUEST: JSON.stringify({ module: pathToFileURL(file).href, event }) };
  const args = ['--input-type=module', '--eval', FIRST_REQUEST];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const { statusCode, ...start }: Start & { statusCode: number } = JSON.parse(stdout);
  if (statusCode >= 400) throw new Error(`the first request of ${file} failed with ${statusCode}`);
  return start;
}

/** Makes the events of first requests to a form whose path depends on a pattern. */
async function requestsTo({ alice, bob, dave, slug }: Cast) {
  const TEXT = { type: 'SHORT_TEXT' } as const;
  const sections = { first: [TEXT], yes: [TEXT], no: [TEXT] };
  const { formId, asked } = await branchedForm({ person: alice, slug }, sections);
  const bodies: Record<string, object> = {
    'responses.updateAnswers': { answers: [text(asked, 'yes')] },
    'responses.submitResponse': { answers: [text(asked, 'yes')] },
  };
  return async ({ operation, method, path }: Started): Promise<object> => {
    const responseId = operation in bodies ? await start(dave, formId) : '';
    const body = JSON.stringify(bodies[operation] ?? {});
    const pathParameters = { formId, responseId };
    const url = path.replace('{formId}', formId).replace('{responseId}', responseId);
    const isPage = !path.startsWith('/api/');
    const headers: [string, string][] = isPage
      ? [['cookie', `access_token=${bob.token}`]]
      : [['authorization', `Bearer ${dave.token}`]];
    const http = { remoteAddress: '127.0.0.1', httpVersion: '1.1' };
    const request = { method, url, headers, body: Buffer.from(method === 'GET' ? '' : body), ...http };
    return toEvent(
      request,
      { routeKey: `${isPage ? 'ANY' : method} ${path}`, pathParameters },
      new Date(),
      crypto.randomUUID(),
    );
  };
}

type Started = {
  operation: string;
  method: string;
  path: string;
  file: string;
  needs: readonly Need[];
  /** The file of the page, in a function of pages. */
  page?: string | undefined;
};

/** The functions whose start is measured: the hot ones, and pages of every audience. */
const STARTED: readonly Started[] = [
  ...hotFunctions,
  ...[
    pageNamed('showLanding'),
    pageNamed('showResponses'),
    pageNamed('showStatistics'),
    pageNamed('showHome'),
    pageNamed('showQuestions'),
  ].map((declaration) => {
    const { method, path } = declaration;
    const route = `${method} ${path}`;
    const found = apiFunctions.find(({ routes }) => routes.includes(`ANY ${path}`));
    if (!found) throw new Error(`no function has the page ${path}`);
    const page = pageFile(declaration);
    return { operation: route, method, path, page, file: found.file, needs: found.needs };
  }),
];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function measureStarts(rounds: number, outdir: string): Promise<void> {
  const dynamo = await startDynamo({ directory: null });
  // No request reaches the bucket; its name is part of the policy of pages that show pictures.
  const storage = { TABLE_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint, BUCKET_NAME: 'bench' };
  const settings = { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' };
  Object.assign(process.env, newSecrets(), settings);
  await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
  const eventOf = await requestsTo(await newCast());
  const started = STARTED.filter(({ operation }) => operation.includes(wanted));
  const bundles = new Map((await bundle(started, outdir)).map((each) => [each.file, each]));
  const table: object[] = [];
  for (const row of started) {
    const ours = bundles.get(row.file);
    if (!ours) throw new Error(`there is no bundle of ${row.file}`);
    const plain = await plainBundle(row.file, outdir);
    const times: { ours: Start; plain: Start }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const plainStart = await firstRequest(plain, await eventOf(row));
      const oursStart = await firstRequest(join(ours.directory, 'index.mjs'), await eventOf(row));
      times.push({ ours: oursStart, plain: plainStart });
    }
    table.push({
      operation: row.operation,
      'KB loaded': kilobytes((row.page && ours.pageBytes.get(row.page)) || ours.startBytes),
      'plain KB': kilobytes((await stat(plain)).size),
      'start + first ms': Math.round(median(times.map(({ ours }) => ours.ms))),
      'plain ms': Math.round(median(times.map(({ plain }) => plain.ms))),
      'median of paired ratios': median(times.map(({ ours, plain }) => ours.ms / plain.ms)).toFixed(2),
      'of CPU': median(times.map(({ ours, plain }) => ours.cpuMs / plain.cpuMs)).toFixed(2),
    });
  }
  console.table(table);
  await dynamo.stop();
}

const [argument = '16', wanted = ''] = process.argv.slice(2);
// Below node_modules, so that plain bundles find RE2, which they do not have inside.
const outdir = await mkdtemp(join(ROOT, 'node_modules', '.bundles-'));
if (argument === 'all') writePart('costs.md', 'bundles', sizesTable(await bundle(allFunctions, outdir)));
else await measureStarts(Number(argument), outdir);
await rm(outdir, { recursive: true });
process.exit(0);
