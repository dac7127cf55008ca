/**
 * Taking turns between processes: one at a time has the turn of a name, and one that dies gives it back by dying. A
 * file alone cannot do that; the lock that SQLite holds on one can, on every system.
 */
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
const PATIENCE_MS = 30_000;

/** Runs something while no other process of this user does so for the same directory. Throws when its turn never comes. */
export async function inTurn<T>(directory: string, run: () => Promise<T>): Promise<T> {
  const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 32);
  const file = new DatabaseSync(join(tmpdir(), `form-service-${userInfo().uid}-${name}.turn`));
  try {
    await begin(file, directory);
    return await run();
  } finally {
    // Ends the transaction as well.
    file.close();
  }
}

async function begin(file: DatabaseSync, directory: string): Promise<void> {
  for (let waitedMs = 0; waitedMs <= PATIENCE_MS; waitedMs += POLL_MS) {
    try {
      file.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await pause(POLL_MS);
  }
  throw new Error(`other starts on ${directory} do not come to an end: end them, or use another directory`);
}

/** SQLITE_BUSY, whatever its extension. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
