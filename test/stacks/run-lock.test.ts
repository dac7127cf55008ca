/**
 * The lock that keeps one service per data directory, with real processes: a small server that takes the lock, a
 * stand-in for npm above it, a stand-in for dynoxide beside it, each spawned by its test and ended after it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock, LOCK_FILE } from '#stacks/local/run-lock.ts';

const RUN_LOCK = JSON.stringify(new URL('../../stacks/local/run-lock.ts', import.meta.url).href);
const IDLE = 'setInterval(() => {}, 1_000);';

/** Takes the lock on its first argument, listens on a free port, records both, says "ready <pid> <port>". */
const SERVER = `
  import { createServer } from 'node:net';
  import { acquireLock, watchParent } from ${RUN_LOCK};
  const [directory, dynamoPid, manners] = process.argv.slice(1);
  const lock = await acquireLock(directory).catch((error) => {
    console.log('refused', error.message);
    process.exit(0);
  });
  if (manners === 'stubborn') process.on('SIGTERM', () => {});
  if (manners === 'watching') watchParent(() => { console.log('orphaned'); process.exit(0); }, { everyMs: 20 });
  const server = createServer().listen(0, '127.0.0.1', () => {
    lock.record({ dynamoPid: Number(dynamoPid), port: server.address().port });
    console.log('ready', process.pid, server.address().port);
  });`;

/** Runs the rest of its arguments below it and takes npm's name, as npm does. */
const NPM = `
  process.title = 'npm start';
  require('node:child_process').spawn(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });`;

let directory: string;
let spawned: (() => void)[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'run-lock-'));
  spawned = [];
});

afterEach(() => {
  for (const end of spawned) end();
  rmSync(directory, { recursive: true, force: true });
});

const withoutNpm = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')));

function node(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { env: withoutNpm(), stdio: ['ignore', 'pipe', 'inherit'] });
  spawned.push(() => child.kill('SIGKILL'));
  return child;
}

/** A process whose command line says `name`, as the emulator's says dynoxide. */
function idle(name: string): { child: ChildProcess; pid: number; ended: Promise<unknown> } {
  const child = node('-e', IDLE, name);
  return { child, pid: child.pid ?? 0, ended: once(child, 'exit') };
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Waits until the child has printed a line with `word` and answers the numbers in that line. */
function said(child: ChildProcess, word: string): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    const line = text.split('\n').find((one) => one.startsWith(word));
    if (line !== undefined && text.includes('\n')) resolve([...line.matchAll(/\d+/g)].map(Number));
  });
  child.once('close', () => reject(new Error(`ended without saying ${word}: ${text}`)));
  return promise;
}

const serverArgs = (...rest: string[]): string[] => ['--input-type=module', '-e', SERVER, directory, ...rest];

/** A server under a stand-in for npm; both are ended after the test, whatever became of them. */
async function startUnderNpm(dynamoPid: number, manners = 'polite') {
  const npm = node('-e', NPM, '--', ...serverArgs(String(dynamoPid), manners));
  const [serverPid = 0, port = 0] = await said(npm, 'ready');
  spawned.push(() => tryKill(serverPid));
  return { npm, serverPid, port };
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already, as it should be.
  }
}

async function listenOn(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test('a second run on the same directory is told where the first one is', async () => {
  const server = node(...serverArgs(String(process.pid)));
  const [pid, port] = await said(server, 'ready');
  await expect(acquireLock(directory)).rejects.toThrow(
    `already running at http://127.0.0.1:${port} (pid ${pid}): stop it first, or use another directory`,
  );
  expect(isRunning(server)).toBe(true);
});

test('a second run is refused as well while the npm of the first one lives', async () => {
  const { npm, port } = await startUnderNpm(process.pid);
  await expect(acquireLock(directory)).rejects.toThrow(`already running at http://127.0.0.1:${port}`);
  expect(isRunning(npm)).toBe(true);
});

test('another directory is free', async () => {
  await said(node(...serverArgs(String(process.pid))), 'ready');
  const lock = await acquireLock(join(directory, 'elsewhere', 'deep'));
  lock.release();
});

test('the dynoxide of a killed server is ended, and nothing else', async () => {
  const dynoxide = idle('dynoxide');
  const bystander = idle('dynoxide');
  const server = node(...serverArgs(String(dynoxide.pid)));
  await said(server, 'ready');
  await kill(server);
  expect(isRunning(dynoxide.child)).toBe(true);
  const lock = await acquireLock(directory);
  await dynoxide.ended;
  expect(isRunning(bystander.child)).toBe(true);
  lock.release();
});

test('a process that only inherited the pid of a dead dynoxide is left alone', async () => {
  const heir = idle('dynoxide');
  const server = node(...serverArgs(String(heir.pid)));
  await said(server, 'ready');
  await kill(server);
  const file = join(directory, LOCK_FILE);
  const run = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...run, dynamo: { ...run.dynamo, began: 'earlier' } }));
  const lock = await acquireLock(directory);
  expect(isRunning(heir.child)).toBe(true);
  lock.release();
});

test('a recorded process that is no dynoxide is left alone', async () => {
  const stranger = idle('something-else');
  const server = node(...serverArgs(String(stranger.pid)));
  await said(server, 'ready');
  await kill(server);
  const lock = await acquireLock(directory);
  expect(isRunning(stranger.child)).toBe(true);
  lock.release();
});

test.each([
  'polite',
  'stubborn',
])('a %s server whose npm was killed is ended with its dynoxide, and its port is free at once', async (manners) => {
  const dynoxide = idle('dynoxide');
  const { npm, port } = await startUnderNpm(dynoxide.pid, manners);
  await kill(npm);
  const lock = await acquireLock(directory, { patienceMs: 300 });
  await listenOn(port);
  await dynoxide.ended;
  lock.release();
});

test('a server notices by itself that its npm was killed', async () => {
  const { npm, port } = await startUnderNpm(process.pid, 'watching');
  const orphaned = said(npm, 'orphaned');
  npm.kill('SIGKILL');
  await orphaned;
  await once(npm, 'close');
  await listenOn(port);
});

test('a server whose npm lives is not called an orphan', async () => {
  const { npm } = await startUnderNpm(process.pid, 'watching');
  const orphaned = said(npm, 'orphaned').then(() => 'orphaned');
  const fifteenPolls = new Promise((resolve) => setTimeout(resolve, 300, 'still watching'));
  expect(await Promise.race([orphaned, fifteenPolls])).toBe('still watching');
  orphaned.catch(() => {});
});

test('of several runs that start at once after a killed one, one gets the directory', async () => {
  const killed = node(...serverArgs(String(process.pid)));
  await said(killed, 'ready');
  await kill(killed);
  const rivals = Array.from({ length: 3 }, () => node(...serverArgs(String(process.pid))));
  const outcomes = await Promise.all(
    rivals.map((rival) =>
      Promise.any([said(rival, 'ready').then(() => 'ready'), said(rival, 'refused').then(() => 'refused')]),
    ),
  );
  expect(outcomes.toSorted()).toEqual(['ready', 'refused', 'refused']);
});

test('a released directory can be taken again and holds no trace', async () => {
  const lock = await acquireLock(directory);
  lock.record({ port: 4_000 });
  lock.release();
  expect(readdirSync(directory)).toEqual([]);
  (await acquireLock(directory)).release();
});

test('a process that holds the lock is refused a second one', async () => {
  const lock = await acquireLock(directory);
  await expect(acquireLock(directory)).rejects.toThrow(`already running (pid ${process.pid})`);
  lock.release();
});

test('releasing late does not take away the lock of the next run', async () => {
  const late = await acquireLock(directory);
  late.release();
  const server = node(...serverArgs(String(process.pid)));
  await said(server, 'ready');
  late.release();
  await expect(acquireLock(directory)).rejects.toThrow('already running');
});

test.each([
  '',
  '{"server":',
  'null',
  '{"server":{"pid":-1}}',
])('a lock file of rubbish is replaced: %j', async (rubbish) => {
  writeFileSync(join(directory, LOCK_FILE), rubbish);
  const lock = await acquireLock(directory);
  lock.release();
});
