/** Replaces files. */
import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file at once: a process that is killed leaves the old content or the new one. */
export function replaceFile(path: string, content: string | Uint8Array, options: { mode?: number } = {}): void {
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, content, options);
  renameSync(temporary, path);
}
