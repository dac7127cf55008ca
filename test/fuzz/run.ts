/**
 * A fuzz run: schedules requests for all operations, sends eight at a time, replaces what they act on now and then, and
 * collects violations. Everything generated follows from one seed. Each kind of violation is shrunk and reported once.
 */
import fc from 'fast-check';
import { isSlow, violationOf } from './checks.ts';
import type { Documented } from './document.ts';
import { documented } from './document.ts';
import { type Ground, learn, newGround, replaceForms, replacePlace } from './ground.ts';
import { prepare, type Template, templatesOf } from './requests.ts';
import { type Exchange, type Runtime, startRuntime } from './runtime.ts';

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
/** After how many rounds the forms are replaced, and the whole place. */
const FORMS_EVERY = 20;
const PLACE_EVERY = 200;
const SHRINK_MS = 8_000;
const MAX_FAILURES = 25;

/** Runs all requests of a seed. */
export async function run(settings: Settings): Promise<Report> {
  const startedAt = performance.now();
  const runtime = await startRuntime(CONCURRENT);
  const report: Report = { settings, responses: 0, succeeded: 0, byOperation: new Map(), failures: [], seconds: 0 };
  for (const { id } of documented) report.byOperation.set(id, { reached: 0, statuses: new Map(), slowestMs: 0 });
  try {
    const ground = await newGround();
    await runAll({ runtime, ground, report, reported: new Set() }, schedule(settings));
  } finally {
    await runtime.stop();
  }
  report.seconds = (performance.now() - startedAt) / 1_000;
  return report;
}

type Run = { runtime: Runtime; ground: Ground; report: Report; reported: Set<string> };
type Planned = { operation: Documented; seed: number };

/** The operations to call, each equally often, in an order that follows from the seed. */
function schedule({ seed, requests }: Settings): Planned[] {
  const indexes = Array.from({ length: requests }, (_, index) => index);
  const [order = []] = fc.sample(fc.shuffledSubarray(indexes, { minLength: requests }), { seed, numRuns: 1 });
  return order.flatMap((at, index) => {
    const operation = documented[at % documented.length];
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
    if (round % PLACE_EVERY === PLACE_EVERY - 1) await replacePlace(run.ground);
    else if (round % FORMS_EVERY === FORMS_EVERY - 1) await replaceForms(run.ground);
    const batch = planned.slice(start, start + CONCURRENT);
    const attempts = await Promise.all(batch.map((each) => attemptPlanned(run, each)));
    for (const { exchange } of attempts) {
      learn(run.ground, exchange);
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
async function attempt({ runtime, ground }: Run, operation: Documented, template: Template): Promise<Attempt> {
  const { sent, by, pathIsMutated } = await prepare(operation, template, ground);
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
