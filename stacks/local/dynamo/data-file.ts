/** Reads the JSON files of the local service. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** The content of a JSON file. Throws an error that names the file when it cannot be read or does not match. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw fileError(file, error);
  }
}

/** An error with the name of the file that it concerns, and what to do. */
export function fileError(file: string, cause: unknown): Error {
  const reason =
    cause instanceof z.ZodError ? 'its content is not valid' : cause instanceof Error ? cause.message : String(cause);
  return new Error(`${file} cannot be used: ${reason}. Restore it, or delete all local data with --fresh.`, { cause });
}
