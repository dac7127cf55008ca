/**
 * One running service per data directory: an exclusive SQLite lock on a file in it, held while the process runs. The kernel
 * releases it when the process ends, however it ends, so no stale lock remains.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkAccess, fileError } from './dynamo/data-file.ts';

export interface DataLock {
  /** Records the address of the service, to name it to a second start. */
  recordAddress(url: string): void;
  /** Frees the directory; harmless when repeated. */
  release(): void;
}

export const LOCK_FILE = 'lock.sqlite';
const ADDRESS_FILE = 'address';

/** The files of the lock. */
export const LOCK_FILES: readonly string[] = [LOCK_FILE, `${LOCK_FILE}-journal`, ADDRESS_FILE];

/**
 * Takes the directory for this process, and creates it if it is missing. Waits up to `waitMs` (blocking this process)
 * for a run that is just ending. Throws "already running" when it does not end.
 */
export function lockDirectory(directory: string, { waitMs = 2_000 }: { waitMs?: number } = {}): DataLock {
  mkdirSync(directory, { recursive: true });
  const addressFile = join(directory, ADDRESS_FILE);
  const database = openExclusively(join(directory, LOCK_FILE), waitMs);
  if (!database) {
    const where = existsSync(addressFile) ? ` at ${readFileSync(addressFile, 'utf8')}` : '';
    throw new Error(
      `The service is already running on ${directory}${where}: stop it first, or choose another directory with --data.`,
    );
  }
  rmSync(addressFile, { force: true });
  return {
    recordAddress: (url) => writeFileSync(addressFile, url),
    release() {
      if (!database.isOpen) return;
      rmSync(addressFile, { force: true });
      database.close();
    },
  };
}

/**
 * A database on which this connection holds the exclusive lock; undefined while another process uses it. Throws an error
 * that names the file when it is no database or cannot be written.
 */
export function openExclusively(file: string, waitMs: number): DatabaseSync | undefined {
  // SQLite opens a file that it may not write without an error.
  if (existsSync(file)) checkAccess(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: waitMs });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw fileError(file, error);
  }
}

/** SQLITE_BUSY (5), with or without an extended code in the upper bits. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
