/** The estimated bill follows from the measured units. */
import { expect, test } from 'vitest';
import { ASSUMPTIONS, estimateBill, type Measurements, type Month, PRICES } from '#stacks/operate/bill.ts';
import { MEASURED } from '#stacks/operate/measured.ts';

const measured: Measurements = {
  journeys: { api: { requests: 7, reads: 15, writes: 20 }, pages: { requests: 17, reads: 35, writes: 60 } },
  workers: { plain: { runs: 2, reads: 5, writes: 4 }, mail: { runs: 4, reads: 5, writes: 10 } },
  guest: { reads: -3, writes: 2 },
  invitation: { reads: 0, writes: 0 },
  addressed: { requests: 6, runs: 3, reads: 8, writes: 9 },
  lineBytes: 500,
  idleMinute: { reads: 0, writes: 0, runs: 2, memoryGb: 2.25 },
};
const dollarsOf = (item: string, month: Partial<Month>, changed: Partial<Measurements> = {}): number =>
  estimateBill({ submissions: 100_000, journey: 'api', mails: true, ...month }, { ...measured, ...changed }).find(
    (line) => line.item === item,
  )?.dollars ?? Number.NaN;

test('capacity units cost what the price list says', () => {
  const { reads, writes } = ASSUMPTIONS.otherUnits;
  const others = ASSUMPTIONS.otherRequests * (reads * PRICES.dynamoReads + writes * PRICES.dynamoWrites);
  const each = (read: number, written: number) => read * PRICES.dynamoReads + written * PRICES.dynamoWrites + others;
  const item = 'DynamoDB reads and writes';
  expect(dollarsOf(item, {})).toBeCloseTo(100_000 * each(20, 30));
  expect(dollarsOf(item, { mails: false })).toBeCloseTo(100_000 * each(20, 24));
  expect(dollarsOf(item, { journey: 'pages' })).toBeCloseTo(100_000 * each(40, 70));
  expect(dollarsOf(item, { guests: 'ANYONE' })).toBeCloseTo(100_000 * each(17, 32));
  expect(dollarsOf(item, { guests: 'EMAIL' })).toBeCloseTo(100_000 * each(28, 39));
  // Ten more requests read the guest.
  expect(dollarsOf(item, { guests: 'EMAIL', journey: 'pages' })).toBeCloseTo(100_000 * each(58, 79));
});

test('requests cost at the API; workers that find nothing to do cost something too; mails only where they are sent', () => {
  const million = { submissions: 1_000_000 };
  expect(dollarsOf('API Gateway', million)).toBeCloseTo((7 + ASSUMPTIONS.otherRequests) * 1.2);
  expect(dollarsOf('API Gateway', { ...million, journey: 'pages' })).toBeCloseTo(
    (17 + ASSUMPTIONS.otherRequests) * 1.2,
  );
  expect([dollarsOf('SES', {}), dollarsOf('SES', { mails: false })]).toEqual([10, 0]);
  expect(dollarsOf('SES', { mails: false, guests: 'EMAIL' })).toBe(10);
  expect(dollarsOf('API Gateway', { ...million, guests: 'EMAIL' })).toBeCloseTo((13 + ASSUMPTIONS.otherRequests) * 1.2);
  const none = { submissions: 0 };
  const withoutSchedules = { idleMinute: { reads: 0, writes: 0, runs: 0, memoryGb: 0 } };
  const minutes = 43_800;
  const gbSeconds = (minutes * 2.25 * ASSUMPTIONS.workerMs) / 1_000;
  expect(dollarsOf('Lambda', none)).toBeCloseTo(2 * minutes * PRICES.lambdaRequest + gbSeconds * PRICES.lambdaGbSecond);
  expect(dollarsOf('Lambda', none, withoutSchedules)).toBe(0);
  expect(dollarsOf('EventBridge Scheduler', none)).toBeCloseTo(0.0876);
});

test('a hundred thousand responses without mail cost at most 15 dollars by the API and 20 by pages', () => {
  const total = (journey: 'api' | 'pages'): number =>
    estimateBill({ submissions: 100_000, journey, mails: false }, MEASURED).reduce(
      (sum, { dollars }) => sum + dollars,
      0,
    );
  expect(total('api')).toBeLessThanOrEqual(15);
  expect(total('pages')).toBeLessThanOrEqual(20);
});
