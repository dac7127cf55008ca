/**
 * A fuzz run: schedules requests for all operations, sends eight at a time, adds responses to the pool and collects
 * violations. Everything generated follows from one seed. Each kind of violation is shrunk and reported once.
 */
import fc from 'fast-check';
import { isSlow, violationOf } from './checks.ts';
import type { Documented } from './document.ts';
import { documented } from './document.ts';
import { learn } from './learn.ts';
import { prepare, type Template, templatesOf } from './requests.ts';
import { type Exchange, startRuntime } from './runtime.ts';
import { buildScene, type Context, initialPool, refill } from './scene.ts';

export type Settings = { seed: number; requests: number };

/** Counts of one operation: the requests that reached it, by status. */
export type Tally = { reached: number; statuses: Map<number, number>; slowestMs: number };

export type Report = {
  settings: Settings;
  responses: number;
  /** Responses with a status of 200 to 399. */
  succeeded: number;
  byOperation: Map<string, Tally>;
  /** A description of each kind of violation. */
  failures: string[];
  seconds: number;
};

const CONCURRENT = 8;
/** The number of requests per operation, of 10,000; those with a mutated path may miss it. */
const MIN_OF_10_000 = 80;
const REFILL_EVERY = 40;
const SHRINK_MS = 8_000;
const MAX_FAILURES = 25;

/** Operations that get the remaining requests, because others depend on what they create. */
const EXTRA: readonly string[] = [
  'forms.createForm',
  'forms.publishForm',
  'workflow.createNode',
  'workflow.updateWorkflow',
  'questions.createQuestion',
  'questions.updateQuestion',
  'responses.startResponse',
  'responses.updateAnswers',
  'responses.submitResponse',
  'views.createView',
  'exports.downloadTable',
  'responses.filterResponses',
];

/** Runs all requests of a seed. */
export async function run(settings: Settings): Promise<Report> {
  const startedAt = performance.now();
  const runtime = await startRuntime(CONCURRENT);
  const report: Report = { settings, responses: 0, succeeded: 0, byOperation: new Map(), failures: [], seconds: 0 };
  for (const { id } of documented) report.byOperation.set(id, { reached: 0, statuses: new Map(), slowestMs: 0 });
  try {
    const pool = await initialPool();
    const run: Run = { runtime, pool, report, reported: new Set(), onExchange: (exchange) => see(run, exchange) };
    await buildScene(run);
    await runAll(run, schedule(settings));
  } finally {
    await runtime.stop();
  }
  report.seconds = (performance.now() - startedAt) / 1_000;
  return report;
}

type Run = Context & { report: Report; reported: Set<string> };

/** Requests of the scene are learned from and checked too, except for their time. */
function see(run: Run, exchange: Exchange): void {
  learn(run.pool, exchange);
  const violation = isSlow(exchange) ? null : violationOf(exchange, false);
  if (violation === null) return;
  const attempt = { exchange, violation, pathIsMutated: false };
  const kind = kindOf(attempt);
  if (!run.reported.has(kind)) run.report.failures.push(`${kind}\n${describe(attempt)}`);
  run.reported.add(kind);
}
type Planned = { operation: Documented; seed: number };

/** The operations to call, in an order that follows from the seed. */
function schedule({ seed, requests }: Settings): Planned[] {
  const least = Math.floor((MIN_OF_10_000 * requests) / 10_000);
  const extra = documented.filter(({ id }) => EXTRA.includes(id));
  const even = documented.flatMap((operation) => Array.from({ length: least }, () => operation));
  const rest = Array.from({ length: Math.max(0, requests - even.length) }, (_, index) => extra[index % extra.length]);
  const all = [...even, ...rest]
    .filter((operation) => operation !== undefined)
    .slice(0, Math.max(requests, even.length));
  const [order = []] = fc.sample(
    fc.shuffledSubarray(
      all.map((_, index) => index),
      { minLength: all.length },
    ),
    { seed, numRuns: 1 },
  );
  return order.flatMap((at, index) => {
    const operation = all[at];
    return operation ? [{ operation, seed: (seed + index * 7_919) | 0 }] : [];
  });
}

const templates = new Map<string, fc.Arbitrary<Template>>();

function drawnFrom(operation: Documented): fc.Arbitrary<Template> {
  const known = templates.get(operation.id) ?? templatesOf(operation);
  templates.set(operation.id, known);
  return known;
}

async function runAll(run: Run, planned: readonly Planned[]): Promise<void> {
  for (let start = 0, round = 0; start < planned.length; start += CONCURRENT, round += 1) {
    if (round % REFILL_EVERY === REFILL_EVERY - 1) await refill(run, (round / REFILL_EVERY) | 0);
    const batch = planned.slice(start, start + CONCURRENT);
    const attempts = await Promise.all(batch.map((each) => attemptPlanned(run, each)));
    for (const { exchange } of attempts) {
      learn(run.pool, exchange);
      count(run.report, exchange);
    }
    for (const [index, attempt] of attempts.entries()) {
      const each = batch[index];
      const judged = isSlow(attempt.exchange) ? await again(run, attempt) : attempt;
      if (judged.violation !== null && each) await reportFailure(run, each, judged);
    }
    if (run.report.failures.length >= MAX_FAILURES) return;
  }
}

type Attempt = { exchange: Exchange; violation: string | null; pathIsMutated: boolean };

function attemptPlanned(run: Run, { operation, seed }: Planned): Promise<Attempt> {
  const [template] = fc.sample(drawnFrom(operation), { seed, numRuns: 1 });
  if (!template) throw new Error('fast-check generated no template');
  return attempt(run, operation, template);
}

/** Sends a request and checks its response. */
async function attempt({ runtime, pool }: Run, operation: Documented, template: Template): Promise<Attempt> {
  const { sent, by, pathIsMutated } = prepare(operation, template, pool);
  const exchange = await runtime.exchange(sent, by);
  return { exchange, violation: violationOf(exchange, pathIsMutated), pathIsMutated };
}

/** Repeats a slow request on its own, because the machine may have been busy. */
async function again({ runtime }: Run, { exchange: { sent, by }, pathIsMutated }: Attempt): Promise<Attempt> {
  const exchange = await runtime.exchange(sent, by);
  return { exchange, violation: violationOf(exchange, pathIsMutated), pathIsMutated };
}

function count(report: Report, { received, routed, handlerMs = 0 }: Exchange): void {
  const isSuccess = received.status >= 200 && received.status < 400;
  report.responses += 1;
  if (isSuccess) report.succeeded += 1;
  const tally = report.byOperation.get(routed?.operation.id ?? '');
  if (!tally) return;
  tally.reached += 1;
  tally.statuses.set(received.status, (tally.statuses.get(received.status) ?? 0) + 1);
  tally.slowestMs = Math.max(tally.slowestMs, handlerMs);
}

/** Reports a new kind of violation, with the smallest request that still shows it. */
async function reportFailure(run: Run, { operation, seed }: Planned, first: Attempt): Promise<void> {
  const kind = kindOf(first);
  if (run.reported.has(kind)) return;
  run.reported.add(kind);
  let smallest = first;
  const fails = fc.asyncProperty(drawnFrom(operation), async (template) => {
    const again = await attempt(run, operation, template);
    if (again.violation !== null) smallest = again;
    return again.violation === null;
  });
  await fc.check(fails, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
  run.report.failures.push(`${kind}\n${describe(smallest)}`);
}

/** Violations of one operation that differ only in numbers are of one kind. */
const kindOf = ({ exchange: { routed, sent }, violation }: Attempt): string =>
  `${routed?.operation.id ?? sent.method}: ${violation?.slice(0, 60).replace(/\d{4,}/g, 'n')}`;

function describe({ exchange: { sent, received, by, handlerMs }, violation }: Attempt): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `  ${name}: ${cut(value, 200)}`);
  return [
    `${violation}`,
    `${sent.method} ${cut(sent.path, 500)}   as ${by?.email ?? 'nobody'}, ${Math.round(handlerMs ?? 0)} ms`,
    ...headers,
    `  ${cut(sent.body?.toString() ?? '', 2_000)}`,
    `→ ${received.status} ${JSON.stringify(received.headers)}`,
    `  ${cut(received.bytes.toString(), 1_500)}`,
    '',
  ].join('\n');
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;

/** The report as text: the seed first, then a line per operation. */
export function summaryOf({ settings, responses, succeeded, byOperation, seconds, failures }: Report): string {
  const share = ((100 * succeeded) / Math.max(responses, 1)).toFixed(1);
  const lines = [...byOperation].map(([id, { reached, statuses, slowestMs }]) => {
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}×${times}`);
    return `  ${id.padEnd(28)} ${String(reached).padStart(5)}  ${String(Math.round(slowestMs)).padStart(5)} ms  ${counts.join(' ')}`;
  });
  return [
    `FUZZ_SEED=${settings.seed} FUZZ_REQUESTS=${settings.requests}: ${responses} responses in ${seconds.toFixed(0)} s, ${share} % of them successful, ${failures.length} kinds of failure`,
    ...lines,
  ].join('\n');
}
