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

test('a batch that failed once is tried again, in order, and nothing is skipped', async () => {
  const { received, done, givenUp } = await delivering(4, (_, invocation) => {
    if (invocation === 1) throw new Error('a moment');
  });
  expect(received).toEqual([
    [1, 2, 3, 4],
    [1, 2],
    [3, 4],
  ]);
  expect([done, givenUp]).toEqual([[2, 4], []]);
});

test('halving isolates a record that always fails; the others are processed once, in order', async () => {
  const processed: number[] = [];
  const { received, givenUp } = await delivering(100, (numbers) => {
    fails(numbers, 37);
    processed.push(...numbers);
  });
  expect(processed).toEqual(numbersOf(upTo(100)).filter((number) => number !== 37));
  expect(givenUp).toEqual([{ number: 37, attempts: 3, error: new Error('poison') }]);
  expect(received.filter((numbers) => numbers.length === 1 && numbers[0] === 37)).toHaveLength(3);
});

test('several such records are given up, each by itself', async () => {
  const { givenUp, done } = await delivering(10, (numbers) => fails(numbers, 1, 5, 10));
  expect(givenUp.map(({ number }) => number)).toEqual([1, 5, 10]);
  expect(done.at(-1)).toBe(10);
});

test('after a partial failure the delivery continues at the first record that failed', async () => {
  const { received, done } = await delivering(5, (_, invocation) => (invocation === 1 ? reports('4', '3') : undefined));
  expect(received).toEqual([
    [1, 2, 3, 4, 5],
    [3, 4, 5],
  ]);
  expect(done).toEqual([2, 5]);
});

test('a record that is reported every time is given up, and what follows is processed', async () => {
  const { givenUp, done } = await delivering(5, (numbers) => (numbers.includes(3) ? reports('3') : undefined));
  expect(givenUp.map(({ number, attempts }) => [number, attempts])).toEqual([[3, 3]]);
  expect(done.at(-1)).toBe(5);
});

test.for([
  [''],
  [null],
  [undefined],
  ['99'],
  ['3', '99'],
])('a batch fails as a whole when %j is reported', async (reported) => {
  const { received } = await delivering(4, (_, invocation) => (invocation === 1 ? reports(...reported) : undefined));
  expect(received).toEqual([
    [1, 2, 3, 4],
    [1, 2],
    [3, 4],
  ]);
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
