/**
 * Ten thousand requests drawn from the OpenAPI document against the local runtime over HTTP, valid ones and spoilt
 * ones: `npm run test:fuzz`. `FUZZ_SEED` and `FUZZ_REQUESTS` repeat or extend a run.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Report, run, summaryOf } from './run.ts';

const settings = {
  seed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff)),
  requests: Number(process.env.FUZZ_REQUESTS ?? 10_000),
};
/** How many requests must reach each operation. */
const LEAST_REACHED = Math.floor((60 * settings.requests) / 10_000);

let report: Report;
beforeAll(async () => {
  console.log(`FUZZ_SEED=${settings.seed}`);
  report = await run(settings);
  console.log(summaryOf(report));
}, 600_000);

test('no answer is a 5xx, has an undeclared status or another body than declared, and no handler runs past a second', () => {
  expect(report.failures.join('\n'), `repeat with FUZZ_SEED=${settings.seed}`).toBe('');
});

test('as many requests as asked for are answered', () => {
  expect(report.answers).toBeGreaterThanOrEqual(settings.requests);
});

test('at least a third of all answers are 2xx, so that requests reach deep states', () => {
  expect(report.well / report.answers).toBeGreaterThanOrEqual(1 / 3);
});

test('every operation is reached often enough', () => {
  const seldom = [...report.byOperation].filter(([, { reached }]) => reached < LEAST_REACHED);
  expect(seldom.map(([name, { reached }]) => `${name} ${reached}`)).toEqual([]);
});

test('every operation goes well at least once', () => {
  const never = [...report.byOperation].filter(
    ([, { statuses }]) => ![...statuses.keys()].some((status) => status < 400),
  );
  expect(never.map(([name]) => name)).toEqual([]);
});
