/** The files of the local service: reads JSON, and says why a file cannot be used. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** The content of a JSON file. Throws an error that names the file when it cannot be read or does not match. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw fileError(file, error);
  }
}

/** Throws an error that names a file or directory, and why, when this process cannot read and write it. */
export function checkAccess(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const code = isCoded(cause) ? String(cause.code) : '';
    throw new Error(
      `${path} cannot be written: ${REASONS[code] ?? (code || String(cause))}. ` +
        'Change its owner or permissions, or choose another directory with --data.',
      { cause },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = { EACCES: 'permission denied', EROFS: 'read-only file system' };

/** An error with the name of the file that it concerns, the reason, and what to do. */
export function fileError(file: string, cause: unknown): Error {
  try {
    checkAccess(existsSync(file) ? file : dirname(file));
  } catch (error) {
    if (error instanceof Error) return error;
  }
  const reason =
    cause instanceof z.ZodError ? 'its content is not valid' : cause instanceof Error ? cause.message : String(cause);
  const advice = isDamage(cause) ? ' Restore it, or delete all local data with --fresh.' : '';
  return new Error(`${file} cannot be used: ${reason}.${advice}`, { cause });
}

const isCoded = (error: unknown): error is Error & { code: unknown; errcode?: unknown } =>
  error instanceof Error && 'code' in error;

/** SQLITE_CORRUPT and SQLITE_NOTADB, with or without an extended code in the upper bits. */
const DAMAGED = [11, 26];

/** Whether an error says that the content of a file is wrong, rather than that it cannot be read or written now. */
const isDamage = (cause: unknown): boolean =>
  cause instanceof z.ZodError ||
  cause instanceof SyntaxError ||
  (isCoded(cause) && typeof cause.errcode === 'number' && DAMAGED.includes(cause.errcode & 0xff));
