/**
 * The local DynamoDB: starts the dynoxide binary on a file, keeps it alive exactly as long as this process, and makes
 * up for what it lacks (expiry by TTL, a fast stream). Tables are made by whoever needs them; `run-lock.ts` keeps two
 * services from sharing one file.
 *
 * What was acknowledged survives a SIGKILL of dynoxide: it writes ahead and syncs before each answer. It has no option
 * that trades this for speed.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import manifest from '../../package.json' with { type: 'json' };

export interface DynamoOptions {
  /** Where the data stays; null keeps it in memory and forgets it at the end. */
  directory: string | null;
  /** A free one when it is not given. */
  port?: number;
  /** Told once when the emulator ends without having been stopped. */
  onExit?: (reason: string) => void;
}

export interface Dynamo {
  endpoint: string;
  pid: number;
  /** Forgets stream records older than that, as DynamoDB does after 24 hours; how many. The newest one stays. */
  trimStreams(olderThan: Date): number;
  /** Ends the emulator and waits until it is gone. What it stored stays in the directory. */
  stop(): Promise<void>;
}

const FILE_NAME = 'dynamodb.sqlite';
const START_PATIENCE_MS = 10_000;
const STOP_PATIENCE_MS = 3_000;
const PORT_ATTEMPTS = 3;
const LEAST_MEMORY_BYTES = 256 * 1024 * 1024;

type Emulator = ChildProcessByStdio<null, null, Readable>;

/**
 * Starts the emulator and answers when it takes requests. It ends with this process, however this process ends.
 * Throws when there is no binary for this platform, when the port is taken, or when it does not start.
 */
export async function startDynamo({ directory, port, onExit }: DynamoOptions): Promise<Dynamo> {
  const binary = findBinary();
  const home = directory === null ? mkdtempSync(join(memoryDirectory(), 'dynamo-')) : resolve(directory);
  const passing = directory === null ? home : null;
  const forget = () => passing !== null && rmSync(passing, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const file = join(home, FILE_NAME);
  const launched = await launch(binary, file, port, passing).catch((error: unknown) => {
    forget();
    throw error;
  });
  const { emulator, said } = launched;
  indexStreams(file);
  let isStopping = false;
  emulator.once('exit', (code, signal) => {
    if (!isStopping) onExit?.(`The DynamoDB emulator ended by itself (${signal ?? `exit code ${code}`}). ${said()}`);
  });
  return {
    endpoint: launched.endpoint,
    pid: launched.pid,
    trimStreams: (olderThan) => trimStreams(file, olderThan),
    async stop() {
      isStopping = true;
      await end(emulator);
      forget();
    },
  };
}

function findBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch (cause) {
    const version = manifest.optionalDependencies['@dynoxide/linux-x64'];
    throw new Error(
      `There is no local DynamoDB for ${process.platform}-${process.arch} here. Run \`npm i --no-save ${name}@${version}\` if ` +
        'that package exists, or set DYNAMODB_ENDPOINT to a DynamoDB (such as DynamoDB Local) that already runs.',
      { cause },
    );
  }
}

/**
 * Where Linux keeps files in memory, unless it is the 64 MB that a container gets. SQLite's own memory would be out of
 * reach of `indexStreams`.
 */
function memoryDirectory(): string {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return tmpdir();
  const { bavail, bsize } = statfsSync(shared);
  return bavail * bsize < LEAST_MEMORY_BYTES ? tmpdir() : shared;
}

async function launch(binary: string, file: string, port: number | undefined, passing: string | null) {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort());
    // A group of its own, so that Ctrl-C reaches only this process, which then ends things in their order.
    const args = ['serve', '--host', '127.0.0.1', '--port', String(chosen), '--db-path', file];
    const emulator = spawn(binary, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    if (emulator.pid !== undefined) guard(emulator, emulator.pid, passing);
    const said = lastWords(emulator.stderr);
    try {
      const pid = await untilListening(emulator, said);
      return { emulator, pid, said, endpoint: `http://127.0.0.1:${chosen}` };
    } catch (error) {
      emulator.kill('SIGKILL');
      // A free port may be taken by someone else in the moment between finding and using it.
      if (port !== undefined || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('this machine gave no free port');
}

/** What a stream said last, at most 4,000 characters, asked for at any time. */
function lastWords(stream: Readable): () => string {
  let said = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  return () => said.trim();
}

/** Waits for its own word that it listens: another program on the same port could answer a request just as well. */
async function untilListening(emulator: Emulator, said: () => string): Promise<number> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<number>();
  const fail = (why: string) => reject(new Error(`The DynamoDB emulator did not start: ${why}. ${said()}`));
  const timer = setTimeout(fail, START_PATIENCE_MS, `it was silent for ${START_PATIENCE_MS} ms`);
  const listen = () => {
    if (said().includes('listening on') && emulator.pid !== undefined) settle(emulator.pid);
  };
  emulator.stderr.on('data', listen);
  emulator.once('error', reject);
  emulator.once('close', (code) => fail(`it ended with exit code ${code}`));
  return promise.finally(() => {
    clearTimeout(timer);
    emulator.stderr.off('data', listen);
  });
}

/**
 * A process that ends the emulator when this one is gone, and with it data that was to pass. Even SIGKILL, which runs
 * no exit handler here, closes the pipe it waits on.
 */
function guard(emulator: Emulator, pid: number, passing: string | null): void {
  const script = 'read _; kill -TERM "$0" 2>/dev/null; [ -z "$1" ] || rm -rf "$1"';
  const watcher = spawn('sh', ['-c', script, String(pid), passing ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  emulator.once('exit', () => watcher.kill('SIGKILL'));
}

async function end(emulator: Emulator): Promise<void> {
  if (emulator.exitCode !== null || emulator.signalCode !== null) return;
  const ended = once(emulator, 'exit');
  emulator.kill('SIGTERM');
  const impatience = setTimeout(() => emulator.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(impatience);
}

/**
 * dynoxide looks for a stream's highest sequence number at each write, in all its records: 1 ms a write becomes 5 ms
 * after 10,000 writes, and grows on. With this index it stays at 1 ms.
 */
function indexStreams(file: string): void {
  withDatabase(file, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS local_stream_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
}

/** The newest record of a table stays, because the next sequence number is counted from it. */
function trimStreams(file: string, olderThan: Date): number {
  const statement =
    'DELETE FROM _stream_records WHERE created_at < ? AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)';
  const seconds = Math.floor(olderThan.getTime() / 1_000);
  return withDatabase(file, (database) => Number(database.prepare(statement).run(seconds).changes));
}

function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** DynamoDB leaves items alone whose time is further back than this: such a number is more likely not a time. */
const LONGEST_EXPIRED_SECONDS = 5 * 365 * 24 * 60 * 60;

/**
 * Deletes the items whose TTL attribute (seconds since 1970, a number) lies before `now`; how many. It is the
 * emulator's own job, so it may scan. An item that was given more time meanwhile stays.
 */
export async function sweepExpired(
  client: DynamoDBClient,
  tableName: string,
  attribute: string,
  now: Date,
): Promise<number> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  const keyNames = Table?.KeySchema?.flatMap(({ AttributeName }) => AttributeName ?? []) ?? [];
  const seconds = Math.floor(now.getTime() / 1_000);
  const isExpired = 'attribute_type(#ttl, :number) AND #ttl < :now AND #ttl > :oldest';
  const terms = {
    TableName: tableName,
    ExpressionAttributeNames: { '#ttl': attribute },
    ExpressionAttributeValues: {
      ':number': { S: 'N' },
      ':now': { N: String(seconds) },
      ':oldest': { N: String(seconds - LONGEST_EXPIRED_SECONDS) },
    },
  };
  let deleted = 0;
  for await (const page of paginateScan({ client }, { ...terms, FilterExpression: isExpired })) {
    for (const item of page.Items ?? []) {
      const Key = keyOf(item, keyNames);
      if (await deleteIf(client, new DeleteItemCommand({ ...terms, Key, ConditionExpression: isExpired })))
        deleted += 1;
    }
  }
  return deleted;
}

const keyOf = (item: Record<string, AttributeValue>, names: readonly string[]): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

async function deleteIf(client: DynamoDBClient, command: DeleteItemCommand): Promise<boolean> {
  try {
    await client.send(command);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
