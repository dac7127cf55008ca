/** The estimated bill follows from the measured units. */
import { expect, test } from 'vitest';
import { ASSUMPTIONS, estimateBill, type Measurements, PRICES } from '#stacks/operate/bill.ts';

const measured: Measurements = {
  submission: { reads: 20, writes: 30 },
  requests: 7,
  workerRuns: 3,
  loggedBytes: 5_000,
  idleMinute: { reads: 0, writes: 0, runs: 2, memoryGb: 2.25 },
};
const dollarsOf = (item: string, submissions: number, changed: Partial<Measurements> = {}): number =>
  estimateBill(submissions, { ...measured, ...changed }).find((line) => line.item === item)?.dollars ?? Number.NaN;

test('capacity units cost what the price list says', () => {
  const { reads, writes } = ASSUMPTIONS.otherUnits;
  const others = ASSUMPTIONS.otherRequests * (reads * PRICES.dynamoReads + writes * PRICES.dynamoWrites);
  const each = 20 * PRICES.dynamoReads + 30 * PRICES.dynamoWrites + others;
  expect(dollarsOf('DynamoDB reads and writes', 100_000)).toBeCloseTo(100_000 * each);
  const twice = { submission: { reads: 40, writes: 60 } };
  expect(dollarsOf('DynamoDB reads and writes', 1, twice)).toBeCloseTo(2 * each - others, 10);
});

test('requests cost at the API; workers that find nothing to do cost something too', () => {
  expect(dollarsOf('API Gateway', 1_000_000)).toBeCloseTo((7 + ASSUMPTIONS.otherRequests) * 1.2);
  const withoutSchedules = { idleMinute: { reads: 0, writes: 0, runs: 0, memoryGb: 0 } };
  const minutes = 43_800;
  const gbSeconds = (minutes * 2.25 * ASSUMPTIONS.workerMs) / 1_000;
  expect(dollarsOf('Lambda', 0)).toBeCloseTo(2 * minutes * PRICES.lambdaRequest + gbSeconds * PRICES.lambdaGbSecond);
  expect(dollarsOf('Lambda', 0, withoutSchedules)).toBe(0);
  expect(dollarsOf('EventBridge Scheduler', 0)).toBeCloseTo(0.0876);
});
