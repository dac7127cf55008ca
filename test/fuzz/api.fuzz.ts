/**
 * Sends 10,000 valid and mutated requests, generated from the OpenAPI document, to the local runtime over HTTP:
 * `npm run test:fuzz`. Another `FUZZ_SEED` sends others, `FUZZ_REQUESTS` changes their number.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Report, run, summaryOf } from './run.ts';

const settings = {
  seed: Number(process.env.FUZZ_SEED ?? 1),
  requests: Number(process.env.FUZZ_REQUESTS ?? 10_000),
};
/** The least number of requests that must reach each operation. */
const LEAST_REACHED = Math.floor((60 * settings.requests) / 10_000);

let report: Report;
beforeAll(async () => {
  console.log(`FUZZ_SEED=${settings.seed}`);
  report = await run(settings);
  console.log(summaryOf(report));
}, 600_000);

test('no response is a 5xx or differs from its declaration, and no handler runs longer than a second', () => {
  expect(report.failures.join('\n'), `repeat with FUZZ_SEED=${settings.seed}`).toBe('');
});

test('the requested number of requests is sent', () => {
  expect(report.responses).toBeGreaterThanOrEqual(settings.requests);
});

test('at least a third of all requests succeed, so that they reach deep states', () => {
  expect(report.succeeded / report.responses).toBeGreaterThanOrEqual(1 / 3);
});

test('every operation is reached often enough', () => {
  const seldom = [...report.byOperation].filter(([, { reached }]) => reached < LEAST_REACHED);
  expect(seldom.map(([name, { reached }]) => `${name} ${reached}`)).toEqual([]);
});

test('every operation succeeds at least once', () => {
  const never = [...report.byOperation].filter(
    ([, { statuses }]) => ![...statuses.keys()].some((status) => status < 400),
  );
  expect(never.map(([name]) => name)).toEqual([]);
});
