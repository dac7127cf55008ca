/**
 * The run: deals requests to all operations, sends them eight at a time, learns from the answers, collects what is
 * wrong with them. Everything drawn follows from one seed; a failure is drawn again, shrunk, and told once.
 */
import fc from 'fast-check';
import type { Documented } from './document.ts';
import { documented } from './document.ts';
import { complaintOf, isSlow } from './judge.ts';
import { learn } from './learn.ts';
import { prepare, type Template, templatesOf } from './requests.ts';
import { type Desk, newcomers, refill, setTheScene } from './scene.ts';
import { type Exchange, startRuntime } from './wire.ts';

export type Settings = { seed: number; requests: number };

/** How the requests to an operation went: how many reached it, and how many of each status. */
export type Tally = { reached: number; statuses: Map<number, number>; slowestMs: number };

export type Report = {
  settings: Settings;
  answers: number;
  /** Answers of 200 to 299. */
  well: number;
  byOperation: Map<string, Tally>;
  /** Each kind of failure once, told in full. */
  failures: string[];
  seconds: number;
};

const CONCURRENT = 8;
/** Every operation is dealt this many of 10,000 requests at least; some go elsewhere because their path is spoilt. */
const LEAST_OF_10_000 = 80;
const REFILL_EVERY = 40;
const SHRINK_MS = 8_000;
const MOST_FAILURES = 25;

/** Weights of the rest: operations that make what others need. */
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

/** Runs the requests of a seed. */
export async function run(settings: Settings): Promise<Report> {
  const startedAt = performance.now();
  const runtime = await startRuntime(CONCURRENT);
  const report: Report = { settings, answers: 0, well: 0, byOperation: new Map(), failures: [], seconds: 0 };
  for (const { id } of documented) report.byOperation.set(id, { reached: 0, statuses: new Map(), slowestMs: 0 });
  try {
    const seen = await newcomers();
    const world: World = { runtime, seen, report, told: new Set(), saw: (exchange) => see(world, exchange) };
    await setTheScene(world);
    await runAll(world, dealt(settings));
  } finally {
    await runtime.stop();
  }
  report.seconds = (performance.now() - startedAt) / 1_000;
  return report;
}

type World = Desk & { report: Report; told: Set<string> };

/** What the scene asks for is learned from, and judged but for its time, like all else. */
function see(world: World, exchange: Exchange): void {
  learn(world.seen, exchange);
  const complaint = isSlow(exchange) ? null : complaintOf(exchange, false);
  if (complaint === null) return;
  const attempt = { exchange, complaint, pathIsSpoilt: false };
  const kind = kindOf(attempt);
  if (!world.told.has(kind)) world.report.failures.push(`${kind}\n${describe(attempt)}`);
  world.told.add(kind);
}
type Dealt = { operation: Documented; seed: number };

/** Which operations are asked, in an order that follows from the seed. */
function dealt({ seed, requests }: Settings): Dealt[] {
  const least = Math.floor((LEAST_OF_10_000 * requests) / 10_000);
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

async function runAll(world: World, deal: readonly Dealt[]): Promise<void> {
  for (let start = 0, round = 0; start < deal.length; start += CONCURRENT, round += 1) {
    if (round % REFILL_EVERY === REFILL_EVERY - 1) await refill(world, (round / REFILL_EVERY) | 0);
    const batch = deal.slice(start, start + CONCURRENT);
    const attempts = await Promise.all(batch.map((each) => attemptDealt(world, each)));
    for (const { exchange } of attempts) {
      learn(world.seen, exchange);
      count(world.report, exchange);
    }
    for (const [index, attempt] of attempts.entries()) {
      const each = batch[index];
      const judged = isSlow(attempt.exchange) ? await again(world, attempt) : attempt;
      if (judged.complaint !== null && each) await tell(world, each, judged);
    }
    if (world.report.failures.length >= MOST_FAILURES) return;
  }
}

type Attempt = { exchange: Exchange; complaint: string | null; pathIsSpoilt: boolean };

function attemptDealt(world: World, { operation, seed }: Dealt): Promise<Attempt> {
  const [template] = fc.sample(drawnFrom(operation), { seed, numRuns: 1 });
  if (!template) throw new Error('nothing was drawn');
  return attempt(world, operation, template);
}

/** Sends a request and judges its answer. */
async function attempt({ runtime, seen }: World, operation: Documented, template: Template): Promise<Attempt> {
  const { sent, by, pathIsSpoilt } = prepare(operation, template, seen);
  const exchange = await runtime.exchange(sent, by);
  return { exchange, complaint: complaintOf(exchange, pathIsSpoilt), pathIsSpoilt };
}

/** Sends a request that took too long once more, alone: the machine, or its neighbours, may have had a bad moment. */
async function again({ runtime }: World, { exchange: { sent, by }, pathIsSpoilt }: Attempt): Promise<Attempt> {
  const exchange = await runtime.exchange(sent, by);
  return { exchange, complaint: complaintOf(exchange, pathIsSpoilt), pathIsSpoilt };
}

function count(report: Report, { answer, asked, handlerMs = 0 }: Exchange): void {
  const isWell = answer.status >= 200 && answer.status < 400;
  report.answers += 1;
  if (isWell) report.well += 1;
  const tally = report.byOperation.get(asked?.operation.id ?? '');
  if (!tally) return;
  tally.reached += 1;
  tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1);
  tally.slowestMs = Math.max(tally.slowestMs, handlerMs);
}

/** Tells a failure of a new kind: shrunk as far as it still fails, or as it was when it does not fail again. */
async function tell(world: World, { operation, seed }: Dealt, first: Attempt): Promise<void> {
  const kind = kindOf(first);
  if (world.told.has(kind)) return;
  world.told.add(kind);
  let smallest = first;
  const fails = fc.asyncProperty(drawnFrom(operation), async (template) => {
    const again = await attempt(world, operation, template);
    if (again.complaint !== null) smallest = again;
    return again.complaint === null;
  });
  await fc.check(fails, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
  world.report.failures.push(`${kind}\n${describe(smallest)}`);
}

/** Failures of one operation that differ in numbers only are of one kind. */
const kindOf = ({ exchange: { asked, sent }, complaint }: Attempt): string =>
  `${asked?.operation.id ?? sent.method}: ${complaint?.slice(0, 60).replace(/\d{4,}/g, 'n')}`;

function describe({ exchange: { sent, answer, by, handlerMs }, complaint }: Attempt): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `  ${name}: ${cut(value, 200)}`);
  return [
    `${complaint}`,
    `${sent.method} ${cut(sent.path, 500)}   as ${by?.email ?? 'nobody'}, ${Math.round(handlerMs ?? 0)} ms`,
    ...headers,
    `  ${cut(sent.body?.toString() ?? '', 2_000)}`,
    `→ ${answer.status} ${JSON.stringify(answer.headers)}`,
    `  ${cut(answer.bytes.toString(), 1_500)}`,
    '',
  ].join('\n');
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;

/** A report as it is printed: the seed first, then a line for each operation. */
export function summaryOf({ settings, answers, well, byOperation, seconds, failures }: Report): string {
  const share = ((100 * well) / Math.max(answers, 1)).toFixed(1);
  const lines = [...byOperation].map(([id, { reached, statuses, slowestMs }]) => {
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}×${times}`);
    return `  ${id.padEnd(28)} ${String(reached).padStart(5)}  ${String(Math.round(slowestMs)).padStart(5)} ms  ${counts.join(' ')}`;
  });
  return [
    `FUZZ_SEED=${settings.seed} FUZZ_REQUESTS=${settings.requests}: ${answers} answers in ${seconds.toFixed(0)} s, ${share} % of them 2xx, ${failures.length} kinds of failure`,
    ...lines,
  ].join('\n');
}
