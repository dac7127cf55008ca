/**
 * The content of the data directory of `npm start`. A directory is used if it is new, empty, or marked by an earlier
 * start, and only the names below are ever deleted, so that `--data .` cannot destroy other files.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE, LOCK_FILES } from './data-lock.ts';
import { checkAccess } from './dynamo/data-file.ts';

/** Data of the service, and the assets that each start builds, in `dist`. `--fresh` deletes them. */
const DATA = ['dynamodb', 's3', 'mail', 'workers', 'dist', 'sheets.json', 'secrets.json'] as const;

/** Written before any data and removed with `SEEDED` in place: it identifies a directory whose first start was killed. */
const SEEDING = 'seeding';
/** Written last. It holds the version of the layout. */
const SEEDED = 'seeded';
/** Raise it when stored items, objects or secrets change so that the service cannot read the old ones. */
const LAYOUT_VERSION = '5';

/** The path of a part of the data. */
export const dataPath = (directory: string, name: (typeof DATA)[number]): string => join(directory, name);

/**
 * Checks that a directory may be used; nothing may be written to it before. Throws an error that names what the service
 * has not created in it or cannot write, and for a path that is not a directory.
 */
export function checkDirectory(directory: string): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (!status) {
    checkAccess(existingParent(directory));
    return;
  }
  if (!status.isDirectory()) throw new Error(`${directory} is not a directory: choose another one with --data.`);
  checkAccess(directory);
  const content = readdirSync(directory);
  const names = content.includes(LOCK_FILE) ? content.filter((name) => !LOCK_FILES.includes(name)) : content;
  const isMarked = names.includes(SEEDING) || names.includes(SEEDED);
  const foreign = names.filter((name) => !isMarked || !isOwnName(name)).sort();
  if (foreign.length === 0) {
    for (const name of content) checkAccess(join(directory, name));
    return;
  }
  const more = foreign.length > 3 ? ` and ${foreign.length - 3} more` : '';
  throw new Error(
    `${directory} contains ${foreign.slice(0, 3).join(', ')}${more}, which the service has not created: ` +
      'choose a new or empty directory with --data.',
  );
}

/** The closest directory above a path that is there. */
function existingParent(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : existingParent(parent);
}

/** Also accepts the temporary file of `replaceFile`, which a killed process leaves behind. */
function isOwnName(name: string): boolean {
  const complete = name.replace(/\.\d{1,10}\.new$/, '');
  return [SEEDING, SEEDED, ...DATA].includes(complete);
}

/** Whether a data directory has its demo. Throws when it was written in the layout of another version. */
export function isSeeded(directory: string): boolean {
  const marker = join(directory, SEEDED);
  if (!existsSync(marker)) return false;
  if (readFileSync(marker, 'utf8') === LAYOUT_VERSION) return true;
  throw new Error(
    `The data in ${directory} was written by another version of the service: --fresh deletes it and starts with the demo.`,
  );
}

/** Deletes the data of the service and marks the directory as being seeded. Everything else in it stays. */
export function beginSeeding(directory: string): void {
  writeFileSync(join(directory, SEEDING), '');
  for (const name of readdirSync(directory)) {
    if (name !== SEEDING && isOwnName(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Marks the directory as seeded. */
export function endSeeding(directory: string): void {
  writeFileSync(join(directory, SEEDED), LAYOUT_VERSION);
  rmSync(join(directory, SEEDING), { force: true });
}
