/** The delivery of a batch: retries, partial failures, halves, and records that are given up. */
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { deliver } from '#stacks/local/dynamo/stream-batch.ts';
import { getSequenceNumber } from '#stacks/local/dynamo/stream-reader.ts';

const numbered = (number: number): DynamoDBRecord => ({ dynamodb: { SequenceNumber: String(number) } });
const upTo = (count: number): DynamoDBRecord[] => Array.from({ length: count }, (_, index) => numbered(index + 1));
const numbersOf = (records: readonly DynamoDBRecord[]): number[] =>
  records.map((each) => Number(getSequenceNumber(each)));

/** Delivers records 1 to `count` to a worker, and returns what it received, what was done, and what was given up. */
async function delivering(
  count: number,
  work: (numbers: number[], invocation: number) => unknown,
  { retries = 2, signal }: { retries?: number; signal?: AbortSignal } = {},
) {
  const received: number[][] = [];
  const done: number[] = [];
  const givenUp: { number: number; attempts: number; error: unknown }[] = [];
  const pauses: number[] = [];
  const delivery = {
    invoke: async (records: DynamoDBRecord[]) => {
      received.push(numbersOf(records));
      return work(numbersOf(records), received.length);
    },
    onDone: (record: DynamoDBRecord) => done.push(Number(getSequenceNumber(record))),
    onGivenUp: (record: DynamoDBRecord, attempts: number, error: unknown) => {
      givenUp.push({ number: Number(getSequenceNumber(record)), attempts, error });
    },
    pause: async (failures: number) => {
      pauses.push(failures);
    },
    retries,
    ...(signal && { signal }),
  };
  const ending = await deliver(upTo(count), delivery).catch((error: unknown) => error);
  return { received, done, givenUp, pauses, ending };
}

const fails = (numbers: number[], ...failing: number[]): void => {
  if (numbers.some((number) => failing.includes(number))) throw new Error('poison');
};
const reports = (...numbers: unknown[]) => ({
  batchItemFailures: numbers.map((itemIdentifier) => ({ itemIdentifier })),
});

test.for([
  undefined,
  null,
  {},
  { batchItemFailures: [] },
  { batchItemFailures: null },
])('a batch is done when the worker returns %j', async (result) => {
  expect(await delivering(3, () => result)).toMatchObject({ received: [[1, 2, 3]], done: [3], givenUp: [] });
});

/** Fails the first time. */
const failingOnce = (_: number[], invocation: number) => fails([invocation], 1);
/** Reports records the first time, or every time. */
const reporting =
  (...reported: unknown[]) =>
  (_: number[], invocation: number) =>
    invocation === 1 ? reports(...reported) : undefined;
const always = (numbers: number[]) => (numbers.includes(3) ? reports('3') : undefined);
const HALVES = '1234 12 34';

test.for<[what: string, work: Parameters<typeof delivering>[1], received: string, done: number[], gone: number[]]>([
  ['fails once is halved, in order, and nothing is skipped', failingOnce, HALVES, [2, 4], []],
  ['reports a record continues at the first that failed', reporting('4', '3'), '1234 34', [2, 4], []],
  ['reports a record always gives it up after its attempts', always, '1234 34 3 3 3 4', [2, 3, 4], [3]],
  ['reports an empty number fails as a whole', reporting(''), HALVES, [2, 4], []],
  ['reports null fails as a whole', reporting(null), HALVES, [2, 4], []],
  ['reports nothing by its name fails as a whole', reporting(undefined), HALVES, [2, 4], []],
  ['reports an unknown record fails as a whole', reporting('99'), HALVES, [2, 4], []],
  ['reports a known and an unknown record fails as a whole', reporting('3', '99'), HALVES, [2, 4], []],
])('a batch whose worker %s', async ([, work, received, done, gone]) => {
  const found = await delivering(4, work);
  expect(found.received.map((numbers) => numbers.join('')).join(' ')).toBe(received);
  expect(found.done).toEqual(done);
  expect(found.givenUp.map(({ number, attempts }) => [number, attempts])).toEqual(gone.map((number) => [number, 3]));
});

test('halving isolates the records that always fail; the others are processed once, in order', async () => {
  const processed: number[] = [];
  const { received, givenUp, done } = await delivering(100, (numbers) => {
    fails(numbers, 1, 37, 100);
    processed.push(...numbers);
  });
  expect(processed).toEqual(numbersOf(upTo(100)).filter((number) => ![1, 37, 100].includes(number)));
  const error = new Error('poison');
  expect(givenUp).toEqual([1, 37, 100].map((number) => ({ number, attempts: 3, error })));
  expect(received.filter((numbers) => numbers.length === 1 && numbers[0] === 37)).toHaveLength(3);
  expect(done.at(-1)).toBe(100);
});

test('the pauses grow with each failure until there is progress', async () => {
  const { pauses } = await delivering(4, (_, invocation) => {
    if (invocation < 4 || invocation === 5) throw new Error('a moment');
  });
  expect(pauses).toEqual([1, 2, 3, 1]);
});

test('an aborted delivery gives up nothing', async () => {
  const stopping = new AbortController();
  const work = () => {
    stopping.abort(new Error('stopped'));
    throw new Error('a moment');
  };
  const { received, done, givenUp, ending } = await delivering(1, work, { retries: 1, signal: stopping.signal });
  expect([received, done, givenUp]).toEqual([[[1]], [], []]);
  expect(ending).toEqual(new Error('stopped'));
});
