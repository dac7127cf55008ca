/** The lock that keeps one service per data directory, held by real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDirectory } from '#stacks/local/data-lock.ts';

const DATA_LOCK = JSON.stringify(new URL('../../stacks/local/data-lock.ts', import.meta.url).href);
const ADDRESS = 'http://127.0.0.1:4711';

/** Takes the lock, prints whether it got it, and holds it until it is killed. */
const HOLDER = `
  import { lockDirectory } from ${DATA_LOCK};
  try {
    lockDirectory(process.argv[1], { waitMs: 0 }).recordAddress('${ADDRESS}');
    console.log('locked');
    setInterval(() => {}, 1_000);
  } catch (error) {
    console.log('refused');
  }`;

let directory: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-lock-'));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a process that takes the lock, and waits for its output. */
async function startHolder(): Promise<{ child: ChildProcess; output: string }> {
  const args = ['--input-type=module', '-e', HOLDER, directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [output] = await once(child.stdout, 'data');
  return { child, output: String(output).trim() };
}

const lockNow = (where = directory) => lockDirectory(where, { waitMs: 0 });

test('a second run is refused and names the address of the first', async () => {
  await startHolder();
  expect(() => lockNow()).toThrow(`already running on ${directory} at ${ADDRESS}: stop it first`);
});

test('another directory is free, and created', async () => {
  await startHolder();
  lockNow(join(directory, 'elsewhere', 'deep')).release();
});

test('a killed run leaves the directory free, without its address', async () => {
  const { child } = await startHolder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = lockNow();
  expect(() => lockNow()).toThrow(`already running on ${directory}: stop it first`);
  lock.release();
});

test('of several runs that start at once after a killed one, exactly one gets the directory', async () => {
  const { child } = await startHolder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const rivals = await Promise.all([startHolder(), startHolder(), startHolder()]);
  expect(rivals.map(({ output }) => output).sort()).toEqual(['locked', 'refused', 'refused']);
});

test('a start waits for a run that is just ending', async () => {
  const { child } = await startHolder();
  spawn('sh', ['-c', 'sleep 0.3; kill -KILL "$0"', String(child.pid)]);
  lockDirectory(directory, { waitMs: 5_000 }).release();
});

test('a released directory can be taken again, and a late second release does not free it', () => {
  const first = lockNow();
  first.release();
  const second = lockNow();
  first.release();
  expect(() => lockNow()).toThrow('already running');
  second.release();
});
