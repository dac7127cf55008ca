/** What feeds a worker from the stream: order, contents, filter, checkpoints, and records that cannot be processed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type StreamSubscription, type StreamWorker, subscribe } from '#stacks/local/dynamo/stream.ts';
import { deleteTable, emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { muteErrors } from '#test/support/console.ts';
import { ROOT } from '#test/support/sources.ts';

muteErrors();
const endpoint = process.env.DYNAMODB_ENDPOINT ?? '';
const client = emulatorClient(endpoint);
let tableName: string;
let directory: string;
let subscriptions: StreamSubscription[];

beforeEach(async () => {
  tableName = `stream-${crypto.randomUUID()}`;
  directory = mkdtempSync(join(tmpdir(), 'stream-test-'));
  subscriptions = [];
  await ensureTable(client, tableName);
});

afterEach(async () => {
  for (const { stop } of subscriptions) await stop();
  await deleteTable(client, tableName);
  rmSync(directory, { recursive: true, force: true });
});

afterAll(() => client.destroy());

const keyOf = (sk: string, pk = 'p') => ({ pk: { S: pk }, sk: { S: sk } });
const put = (sk: string, text = '', pk = 'p') =>
  client.send(new PutItemCommand({ TableName: tableName, Item: { ...keyOf(sk, pk), text: { S: text } } }));
const remove = (sk: string) => client.send(new DeleteItemCommand({ TableName: tableName, Key: keyOf(sk) }));

const skOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.Keys?.sk?.S ?? '';

/** Feeds a worker that collects its batches; the stream is read when the test drains it. */
function collect(worker: Partial<StreamWorker> = {}, pollMs = 3_600_000) {
  const batches: DynamoDBRecord[][] = [];
  const subscription = subscribe(
    {
      name: 'collector',
      filters: [{}],
      batchSize: 100,
      retries: 0,
      ...worker,
      invoke: async (event) => {
        const result = await worker.invoke?.(event);
        batches.push(event.Records);
        return result;
      },
    },
    { endpoint, tableName, directory, pollMs },
  );
  subscriptions.push(subscription);
  return { ...subscription, batches, records: () => batches.flat() };
}

test('a record has what Lambda passes on', async () => {
  await put('a', 'one');
  await put('a', 'two');
  await remove('a');
  const { drain, records } = collect();
  await drain();
  const image = (text: string) => ({ ...keyOf('a'), text: { S: text } });
  const common = {
    eventSource: 'aws:dynamodb',
    eventSourceARN: expect.stringContaining(`table/${tableName}/stream/`),
    eventID: expect.any(String),
  };
  const always = {
    Keys: keyOf('a'),
    SequenceNumber: expect.stringMatching(/^\d+$/),
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    ApproximateCreationDateTime: expect.any(Number),
  };
  expect(records()).toMatchObject([
    { ...common, eventName: 'INSERT', dynamodb: { ...always, NewImage: image('one') } },
    { ...common, eventName: 'MODIFY', dynamodb: { ...always, OldImage: image('one'), NewImage: image('two') } },
    { ...common, eventName: 'REMOVE', dynamodb: { ...always, OldImage: image('two') } },
  ]);
  expect(new Set(records().map(({ eventID }) => eventID)).size).toBe(3);
});

test('what is written between two looks at the stream is one batch', async () => {
  const pollMs = 50;
  const startedAt = performance.now();
  const { batches, records, stop } = collect({}, pollMs);
  for (let change = 1; change <= 100; change += 1) await put('a', String(change));
  while (records().length < 100) await put('b');
  await stop();
  const looks = (performance.now() - startedAt) / pollMs;
  expect(batches.length).toBeLessThanOrEqual(Math.ceil(looks) + 1);
});

test('the changes of each item arrive in their order, in batches of at most the declared size', async () => {
  const readChanges = async (pk: string) => {
    for (let change = 1; change <= 40; change += 1) await put(`${pk}-item`, String(change), pk);
  };
  await Promise.all(['a', 'b', 'c'].map(readChanges));
  const { drain, batches, records } = collect({ batchSize: 7 });
  await drain();
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(7);
  for (const pk of ['a', 'b', 'c']) {
    const texts = records().flatMap(({ dynamodb }) =>
      dynamodb?.Keys?.pk?.S === pk ? [Number(dynamodb.NewImage?.text?.S)] : [],
    );
    expect(texts).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  }
});

test('a write that changes nothing has no record', async () => {
  await put('a', 'one');
  await put('a', 'one');
  await put('a', 'two');
  const { drain, records } = collect();
  await drain();
  expect(records().map(({ dynamodb }) => dynamodb?.NewImage?.text?.S)).toEqual(['one', 'two']);
});

test('a worker receives the records that pass its filter only, and each worker its own', async () => {
  for (const sk of ['x1', 'y1', 'x2']) await put(sk);
  const filters = [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'x' }] } } } }];
  const [some, all] = [collect({ name: 'some', filters }), collect({ name: 'all' })];
  await Promise.all([some.drain(), all.drain()]);
  expect(some.records().map(skOf)).toEqual(['x1', 'x2']);
  expect(all.records().map(skOf)).toEqual(['x1', 'y1', 'x2']);
});

test('an unsupported filter is refused at once', () => {
  const filter = JSON.parse('{"eventName":[{"anything-but":"INSERT"}]}');
  expect(() => collect({ filters: [filter] })).toThrow('only values, exists and prefix are supported');
});

test('a worker that is started again continues where it ended', async () => {
  await put('a');
  const first = collect();
  await first.drain();
  await first.stop();
  await put('b');
  const second = collect();
  await second.drain();
  expect(second.records().map(skOf)).toEqual(['b']);
});

test('a table that is created again is read from its beginning', async () => {
  await put('a');
  const first = collect();
  await first.drain();
  await first.stop();
  await deleteTable(client, tableName);
  await ensureTable(client, tableName);
  await put('b');
  const second = collect();
  await second.drain();
  // dynoxide keeps the records of the deleted table too.
  expect(second.records().map(skOf)).toContain('b');
});

test('a stop waits for the batch that is being processed, and begins no other', async () => {
  for (const sk of ['a', 'b']) await put(sk);
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { drain, stop, records } = collect({
    batchSize: 1,
    invoke: async () => {
      started.resolve();
      await finish.promise;
    },
  });
  const draining = drain().catch((error: unknown) => error);
  await started.promise;
  const stopping = stop();
  finish.resolve();
  await stopping;
  expect(records().map(skOf)).toEqual(['a']);
  expect(await draining).toEqual(new Error('The worker collector was stopped.'));
  const next = collect();
  await next.drain();
  expect(next.records().map(skOf)).toEqual(['b']);
});

test('a record that cannot be processed becomes a file, and those around it are processed', async () => {
  for (const sk of ['a', 'poison', 'b']) await put(sk);
  const { drain, records } = collect({
    invoke: async ({ Records }) => {
      if (Records.some((record) => skOf(record) === 'poison')) throw new Error('I cannot');
    },
  });
  await drain();
  expect(records().map(skOf)).toEqual(['a', 'b']);
  const [file = '', ...others] = globSync(join(directory, 'failed-batches/collector/*.json'));
  expect(others).toEqual([]);
  const { requestContext, DDBStreamBatchInfo, payload } = JSON.parse(readFileSync(file, 'utf8'));
  expect(requestContext).toMatchObject({ condition: 'RetryAttemptsExhausted', approximateInvokeCount: 1 });
  expect(DDBStreamBatchInfo).toMatchObject({ batchSize: 1, streamArn: expect.stringContaining(tableName) });
  const [record] = JSON.parse(payload).Records;
  expect(record.dynamodb).toMatchObject({
    SequenceNumber: DDBStreamBatchInfo.startSequenceNumber,
    Keys: keyOf('poison'),
  });
});

test('a record that could not even be written to a file is delivered again', async () => {
  for (const sk of ['a', 'poison', 'b']) await put(sk);
  const obstacle = join(directory, 'failed-batches');
  writeFileSync(obstacle, '');
  let isPoison = true;
  const { drain, records } = collect({
    batchSize: 1,
    invoke: async ({ Records }) => {
      if (isPoison && Records.some((record) => skOf(record) === 'poison')) throw new Error('I cannot');
    },
  });
  await expect(drain()).rejects.toThrow(obstacle);
  isPoison = false;
  await drain();
  expect(records().map(skOf)).toEqual(['a', 'poison', 'b']);
});

test('a worker whose process is killed gets the batch again that it was processing, and all that follow', async () => {
  for (const sk of ['1', '2', '3', '4', '5', '6', '7']) await put(sk);
  expect(await printedUntil('2')).toEqual(['1', '2']);
  expect(await printedUntil('5')).toEqual(['1', '2', '3', '4', '5']);
  expect(await printedUntil('7')).toEqual(['4', '5', '6', '7']);
});

/** Feeds a worker in another process, in batches of 3, and kills it while it processes a certain record. */
async function printedUntil(last: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(ROOT, 'test/slow/stream-child.ts'), endpoint, tableName, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (line === last) child.kill('SIGKILL');
    else child.stdin.write('\n');
  }
  await exited;
  return printed;
}
