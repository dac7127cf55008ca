/**
 * One running service per data directory. A lock file says which processes belong to the run; the next start reads it,
 * refuses while that run is alive, and ends what a killed one left behind, and nothing else: a process is known by its
 * pid together with the moment it began, so that a recycled pid is never mistaken for it.
 * Linux is read from /proc, macOS through `ps`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { type Infer, schema } from '#core/schema/schema.ts';
import { inTurn } from './turn.ts';

const Process = schema(() => z.object({ pid: z.number().int().positive(), began: z.string() }));
type Process = Infer<typeof Process>;

const Run = schema(() =>
  z.object({
    server: Process(),
    /** The `npm start` above the server; null when it was started without npm. */
    npm: Process().nullable(),
    dynamo: Process().nullable(),
    port: z.number().int().nullable(),
  }),
);
type Run = Infer<typeof Run>;

export interface RunLock {
  /** Notes what became known after the lock was taken, so that the next start can name or end it. */
  record(facts: { dynamoPid?: number; port?: number }): void;
  /** Gives the directory free; harmless when it is no longer ours. Synchronous, so an exit handler may call it. */
  release(): void;
}

export interface LockOptions {
  /** How long a left-over process may take to end after SIGTERM before it gets SIGKILL. */
  patienceMs?: number;
}

/** The lock's name in the directory; whoever empties the directory while holding the lock leaves it there. */
export const LOCK_FILE = 'running.json';

const POLL_MS = 20;
const HALF_WRITTEN_MS = 500;

/**
 * Takes the directory for this process, and makes it if it is missing.
 * An orphaned run (its `npm start` was killed) and the emulator of a killed one are ended first, and are really gone,
 * with their ports free, when this resolves.
 * Throws "already running" while another run is alive, or when a left-over process cannot be ended.
 */
export async function acquireLock(directory: string, { patienceMs = 3_000 }: LockOptions = {}): Promise<RunLock> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, LOCK_FILE);
  let run: Run = { server: identify(process.pid), npm: findNpm(), dynamo: null, port: null };
  // One after the other: between reading a lock that is over and removing it another start could take it.
  await inTurn(directory, async () => {
    while (!create(file, run)) await clear(file, patienceMs);
  });
  return {
    record({ dynamoPid, port }) {
      run = { ...run, ...(dynamoPid && { dynamo: identify(dynamoPid) }), ...(port !== undefined && { port }) };
      writeFileSync(`${file}.new`, JSON.stringify(run));
      renameSync(`${file}.new`, file);
    },
    release() {
      if (isSame(read(file).run?.server, run.server)) rmSync(file, { force: true });
    },
  };
}

/**
 * Calls `onOrphaned` once when the npm process above this one is gone. npm passes a signal on to its shell only, and a
 * SIGKILL not at all; either would leave this process behind with the port. Does nothing without npm.
 * Returns how to stop watching; the watch never keeps the process alive.
 */
export function watchParent(onOrphaned: () => void, { everyMs = 500 }: { everyMs?: number } = {}): () => void {
  const npm = findNpm();
  if (npm === null) return () => {};
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    onOrphaned();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether the file could be made: false when it is there already. */
function create(file: string, run: Run): boolean {
  try {
    writeFileSync(file, JSON.stringify(run), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a lock whose run is over, having ended what is left of it. */
async function clear(file: string, patienceMs: number): Promise<void> {
  let found = read(file);
  if (found.run === undefined && found.text !== undefined) {
    // Perhaps its owner is writing it at this moment; later it can only be rubbish.
    await pause(HALF_WRITTEN_MS);
    found = read(file);
  }
  if (found.run) await endLeftOvers(found.run, patienceMs);
  rmSync(file, { force: true });
}

function read(file: string): { text?: string; run?: Run } {
  try {
    const text = readFileSync(file, 'utf8');
    const run = parse(text);
    return run ? { text, run } : { text };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}

function parse(text: string): Run | undefined {
  try {
    return Run().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function endLeftOvers({ server, npm, dynamo, port }: Run, patienceMs: number): Promise<void> {
  if (isAlive(server)) {
    if (npm === null || isAlive(npm)) {
      const where = port === null ? '' : ` at http://127.0.0.1:${port}`;
      throw new Error(`already running${where} (pid ${server.pid}): stop it first, or use another directory`);
    }
    await end(server, patienceMs);
  }
  if (dynamo && isAlive(dynamo) && look(dynamo.pid)?.command.includes('dynoxide')) await end(dynamo, patienceMs);
}

/** SIGTERM, SIGKILL when that is not enough, and back only when the process is gone. */
async function end(target: Process, patienceMs: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(signal, target);
    for (let waited = 0; waited <= patienceMs; waited += POLL_MS) {
      if (!isAlive(target)) return;
      await pause(POLL_MS);
    }
  }
  throw new Error(`process ${target.pid} of an earlier run does not end: end it by hand, or use another directory`);
}

function send(signal: NodeJS.Signals, { pid }: Process): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return;
    throw new Error(`process ${pid} of an earlier run cannot be ended: end it by hand, or use another directory`, {
      cause: error,
    });
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const identify = (pid: number): Process => ({ pid, began: look(pid)?.began ?? 'unknown' });

const isAlive = ({ pid, began }: Process): boolean => look(pid)?.began === began;

const isSame = (one: Process | undefined, other: Process): boolean =>
  one?.pid === other.pid && one.began === other.began;

const SHELL = /^\S*\b(sh|bash|dash|zsh|ash)(\s|$)/;
const RUNNER = /(^|[\s/])(npm|npx|pnpm|yarn|bun)(-cli)?(\.[cm]?js)?(\s|$)/;
const ANCESTOR_LEVELS = 4;

/** The npm (or its like) that started this process: node ← sh ← npm. Null when npm did not, or is gone already. */
function findNpm(): Process | null {
  if (!process.env.npm_lifecycle_event && !process.env.npm_config_user_agent) return null;
  let pid = process.ppid;
  for (let level = 0; level < ANCESTOR_LEVELS && pid > 0; level += 1) {
    const seen = look(pid);
    if (!seen) return null;
    if (RUNNER.test(seen.command) && !SHELL.test(seen.command)) return { pid, began: seen.began };
    pid = seen.parent;
  }
  return null;
}

interface Seen {
  parent: number;
  /** Equal for the same process, different for a later one with the same pid. */
  began: string;
  command: string;
}

/** What the system says of a living process; a zombie, which only waits to be read, counts as gone. */
function look(pid: number): Seen | undefined {
  return process.platform === 'linux' ? lookInProc(pid) : lookThroughPs(pid);
}

function lookInProc(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last `)` may hold spaces; after it come state (field 3), parent (4), …, start in ticks (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent = '0'] = fields;
    if ('ZXx'.includes(state)) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll(/\0+/g, ' ').trim();
    return { parent: Number(parent), began: `${bootOf()} ${fields[19]}`, command };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** Ticks count from the start of the machine, so the same pid and ticks may come again after the next one. */
function bootOf(): string {
  const file = '/proc/sys/kernel/random/boot_id';
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function lookThroughPs(pid: number): Seen | undefined {
  try {
    const columns = ['-o', 'ppid=,stat=,lstart=,command=', '-p', String(pid)];
    const env = { ...process.env, LC_ALL: 'C' };
    const line = execFileSync('ps', columns, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [, parent, state, began, command] = /^\s*(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/m.exec(line) ?? [];
    if (!parent || !began || !command || state?.startsWith('Z')) return undefined;
    return { parent: Number(parent), began, command };
  } catch {
    // ps answers "no such process" with a failure.
    return undefined;
  }
}
