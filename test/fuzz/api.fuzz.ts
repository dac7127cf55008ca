/**
 * Sends 12,000 requests to the local runtime over HTTP: the valid request of each operation with one mutation or none.
 * `npm run test:fuzz`. Another `FUZZ_SEED` sends others, `FUZZ_REQUESTS` changes their number.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Declaration } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { nameOf } from '#test/support/requests.ts';
import { isSlow, violationOf } from './checks.ts';
import { type Draw, newDraws } from './draw.ts';
import { addWideForms, learn, newForms, newGround, type Shown, validRequest } from './ground.ts';
import { mutate } from './mutations.ts';
import { type Draft, draftOf, toSent } from './request.ts';
import { type Exchange, startRuntime } from './runtime.ts';

const seed = Number(process.env.FUZZ_SEED ?? 1);
const requests = Number(process.env.FUZZ_REQUESTS ?? 12_000);
/** The least number of requests that must reach each operation. */
const LEAST_REACHED = Math.floor((60 * requests) / 10_000);

let report: Report;
let tallies: { name: string; reached: number; succeeded: number }[];

beforeAll(async () => {
  console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
  report = await run();
  const sum = (counts: readonly [number, number][]) => counts.reduce((total, [, times]) => total + times, 0);
  tallies = [...report.statuses].map(([name, statuses]) => {
    const counts = [...statuses].sort(([a], [b]) => a - b);
    console.log(name.padEnd(28), counts.map(([status, times]) => `${status}×${times}`).join(' '));
    return { name, reached: sum(counts), succeeded: sum(counts.filter(([status]) => status < 400)) };
  });
}, 600_000);

test('no response is a 5xx or differs from its declaration, and no handler runs longer than a second', () => {
  const failures = [...report.failures].map(([kind, description]) => `${kind}\n${description}`);
  expect(failures.slice(0, 25).join('\n'), `repeat with FUZZ_SEED=${seed}`).toBe('');
});

test('the requested number of requests is sent', () => {
  expect(report.responses).toBe(requests);
});

test('at least a third of all requests succeed, so that they reach deep states', () => {
  const succeeded = tallies.reduce((sum, tally) => sum + tally.succeeded, 0);
  expect(succeeded / requests).toBeGreaterThanOrEqual(1 / 3);
});

test('every operation is reached often enough', () => {
  const seldom = tallies.filter(({ reached }) => reached < LEAST_REACHED);
  expect(seldom).toEqual([]);
});

test('every operation succeeds at least once', () => {
  const never = tallies.filter(({ succeeded }) => succeeded === 0);
  expect(never).toEqual([]);
});

type Report = {
  responses: number;
  /** How often each operation returned each status. */
  statuses: Map<string, Map<number, number>>;
  /** Requests with their responses, by what is wrong with them. */
  failures: Map<string, string>;
};

const CONCURRENT = 8;
/** After how many requests the forms are replaced, and the whole ground. */
const FORMS_EVERY = 160;
const GROUND_EVERY = 1_600;

/** Sends the requests, eight at a time, and collects what is wrong with responses. Each operation gets equally many, in another order in every round. */
async function run(): Promise<Report> {
  const rounds = { seed, numRuns: Math.ceil(requests / operations.length) };
  const order = fc.sample(fc.shuffledSubarray([...operations], { minLength: operations.length }), rounds).flat();
  const draws = newDraws(seed, requests);
  const planned = draws.flatMap((draw, index) => (order[index] ? [{ declaration: order[index], draw }] : []));
  const statuses = new Map(operations.map((each) => [nameOf(each), new Map<number, number>()]));
  const report: Report = { responses: 0, statuses, failures: new Map() };
  const runtime = await startRuntime(CONCURRENT);
  const shown: Shown = { etags: [], cursors: [], nextPages: new Map() };
  let ground = await newGround();
  await addWideForms(ground.place);
  let isDamaged = false;

  async function prepare(declaration: Declaration, draw: Draw): Promise<Draft> {
    const valid = await validRequest(ground, declaration, draw).catch(async () => {
      isDamaged = true;
      return validRequest(await newGround(), declaration, draw);
    });
    return mutate(await draftOf(valid), { ground, shown, draw });
  }

  for (let start = 0; start < planned.length; start += CONCURRENT) {
    if (isDamaged || start % GROUND_EVERY === GROUND_EVERY - CONCURRENT) ground = await newGround(ground.ids);
    else if (start % FORMS_EVERY === 0) ground.forms = await newForms(ground.place);
    isDamaged = false;
    const batch = planned.slice(start, start + CONCURRENT).map(async ({ declaration, draw }) => {
      const draft = await prepare(declaration, draw);
      return { draft, exchange: await runtime.exchange(toSent(draft)) };
    });
    for (const { draft, exchange } of await Promise.all(batch)) {
      if (exchange.received.status < 400) learn(shown, draft, exchange.received);
      count(report, exchange);
      // Others at the same time may have used what counts as used by this one.
      const judged = isSlow(exchange) ? await runtime.exchange(exchange.sent) : exchange;
      const violation = violationOf(judged, draft.pathIsMutated);
      if (violation !== null) report.failures.set(kindOf(judged, violation), describe(judged, violation));
    }
  }
  await runtime.stop();
  return report;
}

function count(report: Report, { routed, received: { status } }: Exchange): void {
  report.responses += 1;
  const tally = routed && report.statuses.get(nameOf(routed));
  tally?.set(status, (tally.get(status) ?? 0) + 1);
}

/** Violations of one operation that differ only in numbers are of one kind, and are reported once. */
const kindOf = ({ routed, sent }: Exchange, violation: string): string =>
  `${routed ? nameOf(routed) : sent.method}: ${violation.slice(0, 60).replace(/\d{4,}/g, 'n')}`;

const describe = ({ sent, received, took }: Exchange, violation: string): string =>
  [
    violation,
    `${sent.method} ${cut(sent.path, 500)}   ${Math.round(took?.ms ?? 0)} ms`,
    ...Object.entries(sent.headers).map(([name, value]) => `  ${name}: ${cut(value, 500)}`),
    `  ${cut(sent.body?.toString() ?? '', 2_000)}`,
    `→ ${received.status} ${JSON.stringify(received.headers)}`,
    `  ${cut(received.bytes.toString(), 1_500)}\n`,
  ].join('\n');

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
