/**
 * The local DynamoDB: starts the dynoxide binary on a SQLite file and ends it with this process. `dynamo-file.ts` adds
 * what it lacks; `table.ts` creates the table; `data-lock.ts` keeps two services from sharing one file. Acknowledged
 * writes survive a SIGKILL of dynoxide: it syncs its log before each response.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { openExclusively } from '../data-lock.ts';
import { expiredKeys, type ItemKey, indexStreams, trimStreams } from './dynamo-file.ts';

export interface DynamoOptions {
  /** Where the data is kept; null keeps it in memory and removes it at the end. */
  directory: string | null;
  /** A free port by default. */
  port?: number;
  /** Called once when the emulator ends without having been stopped. */
  onExit?: (reason: string) => void;
}

export interface Dynamo {
  endpoint: string;
  pid: number;
  /**
   * Keys of items whose TTL lies before `now`, at most `limit`. It reads an index of the file, so its cost does not
   * grow with the table. Deleting them then counts as done by DynamoDB, which the stream records say.
   */
  expiredKeys(tableName: string, now: Date, limit: number): ItemKey[];
  /** Removes stream records older than that, as DynamoDB does after 24 hours, and returns how many. */
  trimStreams(olderThan: Date): number;
  /** Ends the emulator and waits until its process has ended. Its data stays in the directory. */
  stop(): Promise<void>;
}

const FILE_NAME = 'dynamodb.sqlite';
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 3_000;
const PORT_ATTEMPTS = 3;
const MIN_SHARED_MEMORY_BYTES = 256 * 1024 * 1024;

type Emulator = ChildProcessByStdio<null, null, Readable>;

/**
 * Starts the emulator and resolves when it takes requests. It ends with this process, however this process ends.
 * Throws when there is no binary for this platform, when the port is taken, or when it does not start.
 */
export async function startDynamo({ directory, port, onExit }: DynamoOptions): Promise<Dynamo> {
  const binary = findBinary();
  const home = directory === null ? mkdtempSync(join(memoryDirectory(), 'dynamo-')) : resolve(directory);
  const temporary = directory === null ? home : null;
  const removeTemporary = () => temporary !== null && rmSync(temporary, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const file = join(home, FILE_NAME);
  const launched = await launch(binary, file, port, temporary).catch((error: unknown) => {
    removeTemporary();
    throw error;
  });
  const { emulator, output } = launched;
  indexStreams(file);
  let isStopping = false;
  emulator.once('exit', (code, signal) => {
    if (isStopping) return;
    removeTemporary();
    onExit?.(`The DynamoDB emulator has ended (${signal ?? `exit code ${code}`}). ${output()}`);
  });
  return {
    endpoint: launched.endpoint,
    pid: launched.pid,
    expiredKeys: (tableName, now, limit) => expiredKeys(file, tableName, now, limit),
    trimStreams: (olderThan) => trimStreams(file, olderThan),
    async stop() {
      isStopping = true;
      await end(emulator);
      removeTemporary();
    },
  };
}

/**
 * Waits until no emulator has the data of a directory open: that of a killed run ends a moment after it, and must not
 * meet a new file in the place of its own. Throws when it does not end.
 */
export function waitForEmulatorEnd(directory: string): void {
  const file = join(directory, FILE_NAME);
  if (!existsSync(file)) return;
  const database = openExclusively(file, STOP_TIMEOUT_MS);
  if (!database)
    throw new Error(`Another process still uses ${file}: end it, or choose another directory with --data.`);
  database.close();
}

function findBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch (cause) {
    throw new Error(
      `There is no local DynamoDB for ${process.platform}-${process.arch}. Run \`npm run dynamodb\` in another terminal (it ` +
        'needs Docker), then start this again with DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
      { cause },
    );
  }
}

/**
 * Where Linux keeps files in memory, unless it is as small as in a default container (64 MB). An in-memory database of
 * SQLite could not be opened from this process.
 */
function memoryDirectory(): string {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return tmpdir();
  const { bavail, bsize } = statfsSync(shared);
  return bavail * bsize < MIN_SHARED_MEMORY_BYTES ? tmpdir() : shared;
}

async function launch(binary: string, file: string, port: number | undefined, temporary: string | null) {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort());
    // Its own process group, so that Ctrl-C reaches only this process, which ends the emulator after the server.
    const args = ['serve', '--host', '127.0.0.1', '--port', String(chosen), '--db-path', file];
    const emulator = spawn(binary, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    if (emulator.pid !== undefined) guard(emulator, emulator.pid, temporary);
    const output = lastOutput(emulator.stderr);
    try {
      const pid = await untilListening(emulator, output);
      return { emulator, pid, output, endpoint: `http://127.0.0.1:${chosen}` };
    } catch (error) {
      emulator.kill('SIGKILL');
      // Another process may have taken the free port since it was found.
      if (port !== undefined || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** Finds a port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('no free port was found');
}

/** Collects the last 4,000 characters of a stream. */
function lastOutput(stream: Readable): () => string {
  let output = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000);
  });
  return () => output.trim();
}

/** Waits for the line that says that it listens: a probe of the port could reach another program. */
async function untilListening(emulator: Emulator, output: () => string): Promise<number> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<number>();
  const fail = (why: string) => reject(new Error(`The DynamoDB emulator did not start: ${why}. ${output()}`));
  const timer = setTimeout(fail, START_TIMEOUT_MS, `it was not ready after ${START_TIMEOUT_MS} ms`);
  const listen = () => {
    if (output().includes('listening on') && emulator.pid !== undefined) settle(emulator.pid);
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
 * Starts a shell that ends the emulator and removes temporary data when this process has ended: even SIGKILL, which runs no
 * exit handler, closes the pipe that the shell reads.
 */
function guard(emulator: Emulator, pid: number, temporary: string | null): void {
  const script = 'read _; kill -TERM "$0" 2>/dev/null; [ -z "$1" ] || rm -rf "$1"';
  const watcher = spawn('sh', ['-c', script, String(pid), temporary ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  emulator.once('exit', () => watcher.kill('SIGKILL'));
}

async function end(emulator: Emulator): Promise<void> {
  if (emulator.exitCode !== null || emulator.signalCode !== null) return;
  const ended = once(emulator, 'exit');
  emulator.kill('SIGTERM');
  const timer = setTimeout(() => emulator.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
