/**
 * The process of the local DynamoDB: acknowledged writes survive a stop, a SIGKILL of the emulator and a SIGKILL of the
 * process that started it, and it ends with that process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Dynamo, type DynamoOptions, startDynamo, waitForEmulatorEnd } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';

const TABLE = 'numbers';

let directory: string;
let cleanUps: (() => unknown)[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dynamo-test-'));
  cleanUps = [];
});

afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  rmSync(directory, { recursive: true, force: true });
});

function clientOf(endpoint: string): DynamoDBClient {
  const client = emulatorClient(endpoint);
  cleanUps.push(() => client.destroy());
  return client;
}

async function start(options: DynamoOptions): Promise<Dynamo & { client: DynamoDBClient }> {
  const dynamo = await startDynamo(options);
  cleanUps.push(() => dynamo.stop());
  return { ...dynamo, client: clientOf(dynamo.endpoint) };
}

const createTable = (client: DynamoDBClient) => ensureTable(client, TABLE);

const put = (client: DynamoDBClient, number: number) =>
  client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'n' }, sk: { S: String(number) } } }));

/** All stored numbers, in ascending order. */
async function stored(client: DynamoDBClient): Promise<number[]> {
  const numbers: number[] = [];
  for await (const page of paginateScan({ client }, { TableName: TABLE, ConsistentRead: true })) {
    for (const item of page.Items ?? []) numbers.push(Number(item.sk?.S));
  }
  return numbers.toSorted((a, b) => a - b);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Waits until nothing listens there. */
async function untilSilent(endpoint: string): Promise<void> {
  const responds = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  while (await responds()) await pause(10);
}

test('data survives a stop and a start, on the same port', async () => {
  const first = await start({ directory });
  await createTable(first.client);
  for (const number of upTo(10)) await put(first.client, number);
  await first.stop();
  await untilSilent(first.endpoint);
  const again = await start({ directory, port: Number(new URL(first.endpoint).port) });
  expect(again.endpoint).toBe(first.endpoint);
  expect(await stored(again.client)).toEqual(upTo(10));
});

test('acknowledged writes survive a SIGKILL of the emulator in the middle of writes', async () => {
  const ended = Promise.withResolvers<string>();
  const first = await start({ directory, onExit: ended.resolve });
  await createTable(first.client);
  const acknowledged: number[] = [];
  const writer = async (from: number) => {
    for (let number = from; ; number += 4) {
      await put(first.client, number);
      acknowledged.push(number);
      if (acknowledged.length === 100) process.kill(first.pid, 'SIGKILL');
    }
  };
  await Promise.allSettled(upTo(4).map(writer));
  expect(await ended.promise).toContain('SIGKILL');
  const again = await start({ directory });
  expect(acknowledged.length).toBeGreaterThanOrEqual(100);
  expect(await stored(again.client)).toEqual(expect.arrayContaining(acknowledged));
});

/** Starts a process that starts the emulator and waits to be killed. */
async function startElsewhere(where: string | null) {
  const script = `
    import { startDynamo } from ${JSON.stringify(new URL('../../stacks/local/dynamo/dynamo.ts', import.meta.url).href)};
    const { endpoint, pid } = await startDynamo({ directory: ${JSON.stringify(where)} });
    console.log(JSON.stringify({ endpoint, pid }));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUps.push(() => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const { endpoint, pid }: { endpoint: string; pid: number } = JSON.parse(String(line));
  return { parent, endpoint, pid };
}

/** The directory of the database file of an emulator. */
function homeOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return dirname(words[words.indexOf('--db-path') + 1] ?? '');
}

test('a SIGKILL of the process that started it ends the emulator and loses nothing', async () => {
  const { parent, endpoint } = await startElsewhere(directory);
  const client = clientOf(endpoint);
  await createTable(client);
  for (const number of upTo(20)) await put(client, number);
  parent.kill('SIGKILL');
  await untilSilent(endpoint);
  const again = await start({ directory });
  expect(await stored(again.client)).toEqual(upTo(20));
});

test('a stop is not reported as an unexpected end, and a second stop is harmless', async () => {
  const reports: string[] = [];
  const dynamo = await start({ directory, onExit: (reason) => reports.push(reason) });
  await dynamo.stop();
  await dynamo.stop();
  expect(reports).toEqual([]);
});

test('without a directory nothing is left behind by a stop', async () => {
  const dynamo = await start({ directory: null });
  await createTable(dynamo.client);
  await put(dynamo.client, 1);
  expect(await stored(dynamo.client)).toEqual([1]);
  const home = homeOf(dynamo.pid);
  expect(existsSync(home)).toBe(true);
  await dynamo.stop();
  expect(existsSync(home)).toBe(false);
});

test('without a directory nothing is left behind by a SIGKILL of the emulator', async () => {
  const ended = Promise.withResolvers<string>();
  const dynamo = await start({ directory: null, onExit: ended.resolve });
  const home = homeOf(dynamo.pid);
  process.kill(dynamo.pid, 'SIGKILL');
  await ended.promise;
  expect(existsSync(home)).toBe(false);
});

test('without a directory nothing is left behind by a SIGKILL of the process that started it', async () => {
  const { parent, endpoint, pid } = await startElsewhere(null);
  const home = homeOf(pid);
  parent.kill('SIGKILL');
  await untilSilent(endpoint);
  while (existsSync(home)) await pause(10);
});

test('a port that another program uses is an error', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  cleanUps.push(() => other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(startDynamo({ directory, port })).rejects.toThrow(/did not start.*in use/is);
});

test('a start waits until the emulator of a killed run has closed its data', async () => {
  const { parent, pid } = await startElsewhere(directory);
  process.kill(pid, 'SIGSTOP');
  parent.kill('SIGKILL');
  // The wait blocks this process, so another one lets the emulator continue and end.
  spawn('sh', ['-c', 'sleep 0.3; kill -CONT "$0"', String(pid)]);
  const startedAt = performance.now();
  waitForEmulatorEnd(directory);
  expect(performance.now() - startedAt).toBeGreaterThan(200);
});
