/**
 * Runs workers in a test: delivers the stream of the test file's table when the test says so, in this process, also
 * doubled, out of order, and with workers that die in the middle of a batch.
 */
import type { DynamoDBRecord } from 'aws-lambda';
import type { workers } from '#core/api/workers.ts';
import { uploadInParts } from '#core/aws/s3-bucket.ts';
import { type App, app } from '#core/http/app.ts';
import { wrapPorts } from '#core/http/needs.ts';
import { divideIntoBatches } from '#stacks/local/dynamo/stream.ts';
import { deliver } from '#stacks/local/dynamo/stream-batch.ts';
import { compileFilters } from '#stacks/local/dynamo/stream-filter.ts';
import { isChange, openStream, type Position } from '#stacks/local/dynamo/stream-reader.ts';
import { emulatorBucketClient } from '#stacks/local/s3/client.ts';
import { scheduledEvent } from '#stacks/local/schedules.ts';
import { invoker } from '#stacks/local/workers.ts';
import { type WorkerRow, workerPlan } from '#stacks/plan.ts';
import { withApp } from './faults.ts';

type WorkerName = keyof typeof workers;

/**
 * The death of a worker at its n-th call of a port, or request of an upload, counted from 1: `before` the call, so that it has no effect, or
 * `after` it, so that only its result is lost. All calls of that invocation that follow fail too.
 */
export type Kill = { call: number; when: 'before' | 'after' };

/** What the workers did: how many calls of ports they made, and whether one was killed. */
export type Run = { calls: number; killed: boolean };

export type DeliverOptions = {
  /** All workers of the stream by default. What a worker has not received is delivered to it the next time. */
  only?: readonly WorkerName[];
  /** Delivers every batch twice, as DynamoDB streams and Lambda may. */
  twice?: boolean;
  /** Delivers in a random order: `keys` keeps the order of the changes of each item, as Lambda does; `all` does not. */
  shuffle?: 'keys' | 'all';
  /** Chooses the random order: from 0 up to 1. */
  random?: () => number;
  kill?: Kill;
};

/** Where each worker continues in the stream of each table. */
const positions = new Map<string, Position>();

/**
 * Delivers to the workers what was written to the table since the last time, and then what they wrote themselves, until
 * there is nothing more. A killed worker gets its batch again. Throws when a record fails at every attempt.
 */
export async function deliverStream(options: DeliverOptions = {}): Promise<Run> {
  const rows = workerPlan.filter(({ worker }) => options.only?.some((name) => name === worker) ?? true);
  const run: Run = { calls: 0, killed: false };
  let delivered: number;
  do {
    delivered = 0;
    // One after the other, so that a test is repeatable.
    for (const row of rows) delivered += await deliverTo(row, options, run);
  } while (delivered > 0);
  return run;
}

/** Runs a worker once, by default with the event of its schedule. A worker that is killed ends the run quietly. */
export async function runWorker(name: WorkerName, options: { event?: object; kill?: Kill } = {}): Promise<Run> {
  const row = workerPlan.find(({ worker }) => worker === name);
  if (!row) throw new Error(`The plan has no worker ${name}.`);
  const run: Run = { calls: 0, killed: false };
  try {
    await invokeMortal(row, options.event ?? scheduledEvent(name, app().now()), run, options.kill);
  } catch (error) {
    if (!(error instanceof WorkerKilled)) throw error;
  }
  return run;
}

/** Delivers everything new to one worker; the number of records that were new. */
async function deliverTo(row: WorkerRow, { twice = false, ...options }: DeliverOptions, run: Run): Promise<number> {
  const { source, worker } = row;
  if (source.type !== 'stream') return 0;
  const records = await newRecords(worker);
  const passes = compileFilters(source.filters);
  const wanted = inOrder(
    records.filter((record) => isChange(record) && passes(record)),
    options,
  );
  for (const batch of divideIntoBatches(wanted, source.batchSize).flatMap((each) => (twice ? [each, each] : [each]))) {
    await deliver(batch, {
      invoke: (Records) => invokeMortal(row, { Records }, run, options.kill),
      onDone: () => {},
      onGivenUp: (record, attempts, error) => {
        throw new Error(`${worker} failed ${attempts} times with ${JSON.stringify(record.dynamodb)}`, { cause: error });
      },
      pause: async () => {},
      retries: source.retries,
    });
  }
  return records.length;
}

async function newRecords(worker: string): Promise<DynamoDBRecord[]> {
  const { tableName } = app().config;
  const name = `${tableName} ${worker}`;
  const reader = await openStream(process.env.DYNAMODB_ENDPOINT ?? '', tableName, positions.get(name));
  const records: DynamoDBRecord[] = [];
  for (let read = await reader.next(1_000); read.length > 0; read = await reader.next(1_000)) {
    records.push(...read);
    const last = read.at(-1);
    if (last) positions.set(name, reader.after(last));
  }
  return records;
}

/** The records in the order in which they are delivered. */
function inOrder(
  records: readonly DynamoDBRecord[],
  { shuffle, random = Math.random }: DeliverOptions,
): DynamoDBRecord[] {
  const groupOf = (record: DynamoDBRecord, index: number) =>
    shuffle === 'all' ? String(index) : shuffle === 'keys' ? JSON.stringify(keyOf(record)) : '';
  const groups = [...Map.groupBy(records.entries(), ([index, record]) => groupOf(record, index)).values()];
  const shuffled: DynamoDBRecord[] = [];
  while (groups.length > 0) {
    const chosen = Math.floor(random() * groups.length);
    const [next] = groups[chosen]?.splice(0, 1) ?? [];
    if (next) shuffled.push(next[1]);
    else groups.splice(chosen, 1);
  }
  return shuffled;
}

const keyOf = ({ dynamodb }: DynamoDBRecord) => [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S];

class WorkerKilled extends Error {}

/** Wraps a function so that the worker may die at a call of it. */
type Mortal = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A) => R;

/** Uploads an object in parts, each request of which is a call: what a dead worker has sent stays, and is not aborted. */
const uploadInMortalParts =
  ({ config: { bucketName: Bucket, s3Endpoint = '' } }: App, mortal: Mortal): App['bucket']['upload'] =>
  async (Key, chunks, contentType) => {
    const client = emulatorBucketClient(s3Endpoint);
    Object.assign(client, { send: mortal(client.send.bind(client)) });
    await uploadInParts(client, { Bucket, Key }, chunks, contentType).finally(() => client.destroy());
  };

/** Runs a worker that dies at a call of a port. */
async function invokeMortal(row: WorkerRow, event: object, run: Run, kill: Kill | undefined): Promise<unknown> {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    run.killed = true;
    throw new WorkerKilled(`The worker ${row.worker} was killed.`);
  };
  const mortal: Mortal =
    (call) =>
    (...args) => {
      if (isDead) return die();
      run.calls += 1;
      if (run.calls !== kill?.call) return call(...args);
      const result = kill.when === 'after' ? call(...args) : undefined;
      return (result instanceof Promise ? result.then(die, die) : die()) as ReturnType<typeof call>;
    };
  const mortalApp = (current: App): App => {
    const wrapped = wrapPorts(current, (_need, call) => mortal(call));
    const upload = kill ? uploadInMortalParts(current, mortal) : wrapped.bucket.upload;
    return { ...wrapped, bucket: { ...wrapped.bucket, upload } };
  };
  const result = await withApp(mortalApp, () => invoker(row)(event));
  return isDead ? die() : result;
}
