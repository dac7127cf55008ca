/**
 * Sends 12,000 requests to the local runtime over HTTP: the valid request of each operation with one mutation or none.
 * `npm run test:fuzz`. Another `FUZZ_SEED` sends others, `FUZZ_REQUESTS` changes their number.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Report, run } from './run.ts';

const seed = Number(process.env.FUZZ_SEED ?? 1);
const requests = Number(process.env.FUZZ_REQUESTS ?? 12_000);
/** The least number of requests that must reach each operation. */
const LEAST_REACHED = Math.floor((60 * requests) / 10_000);

let report: Report;
let operations: { name: string; reached: number; succeeded: number }[];

beforeAll(async () => {
  console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
  report = await run(seed, requests);
  const sum = (counts: readonly [number, number][]) => counts.reduce((total, [, times]) => total + times, 0);
  operations = [...report.statuses].map(([name, statuses]) => {
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
  const succeeded = operations.reduce((sum, operation) => sum + operation.succeeded, 0);
  expect(succeeded / requests).toBeGreaterThanOrEqual(1 / 3);
});

test('every operation is reached often enough', () => {
  const seldom = operations.filter(({ reached }) => reached < LEAST_REACHED);
  expect(seldom).toEqual([]);
});

test('every operation succeeds at least once', () => {
  const never = operations.filter(({ succeeded }) => succeeded === 0);
  expect(never).toEqual([]);
});
