/** Which directories `npm start` uses, and what it deletes in them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginSeeding, checkDirectory, endSeeding, isSeeded } from '#stacks/local/data-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Writes files, with the directories in which they are. */
function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), 'content');
  }
}

/** Starts to seed the directory, and writes files of its own. */
function startSeeding(...paths: string[]): void {
  beginSeeding(directory);
  write(...paths);
}

const content = (): string[] => readdirSync(directory).sort();

/** The data of a complete run. */
const DATA = [
  ...['dynamodb/a.sqlite', 's3/objects/a', 'mail/a.json', 'workers/a', 'dist/assets/a', 'sheets.json', 'secrets.json'],
];

describe('a directory is used', () => {
  test.for([
    ['that is missing', () => rmSync(directory, { recursive: true })],
    ['that is empty', () => write()],
    ['in which a killed start has written only the lock', () => write('lock.sqlite', 'lock.sqlite-journal', 'address')],
    ['whose seeding was killed', () => startSeeding('lock.sqlite', 'dynamodb/a.sqlite')],
    ['that has the demo', () => startSeeding('lock.sqlite', ...DATA, 'seeded')],
    ['with the temporary file of a killed write', () => startSeeding('sheets.json.4711.new')],
  ] satisfies [string, () => void][])('%s', ([, prepare]) => {
    prepare();
    expect(() => checkDirectory(directory)).not.toThrow();
  });
});

describe('a directory is refused', () => {
  test.for([
    ['with a file', ['thesis.txt'], 'contains thesis.txt, which'],
    ['with a directory', ['photos/a.jpg'], 'contains photos, which'],
    ['with a name of our own but no mark', ['mail/inbox'], 'contains mail, which'],
    ['with the address of nobody', ['address'], 'contains address, which'],
    ['with a hidden file beside the lock', ['lock.sqlite', '.git/HEAD'], 'contains .git, which'],
    ['with a foreign file beside our data', ['seeding', ...DATA, 'notes.md'], 'contains notes.md, which'],
    ['with many files', ['a', 'b', 'c', 'd', 'e'], 'contains a, b, c and 2 more, which'],
  ] as const)('%s', ([, paths, message]) => {
    write(...paths);
    const before = content();
    expect(() => checkDirectory(directory)).toThrow(message);
    expect(content()).toEqual(before);
  });

  test('that is a file', () => {
    const file = join(directory, 'file');
    write('file');
    expect(() => checkDirectory(file)).toThrow(`${file} is not a directory: choose another one with --data`);
  });
});

test('seeding deletes the data of the service and nothing else', () => {
  write('lock.sqlite', 'address', 'seeded', ...DATA, 'thesis.txt', 'photos/a.jpg');
  beginSeeding(directory);
  expect(content()).toEqual(['address', 'lock.sqlite', 'photos', 'seeding', 'thesis.txt']);
  expect(readFileSync(join(directory, 'photos/a.jpg'), 'utf8')).toBe('content');
});

test('a directory has its demo from the end of seeding on', () => {
  expect(isSeeded(directory)).toBe(false);
  beginSeeding(directory);
  expect(isSeeded(directory)).toBe(false);
  endSeeding(directory);
  expect(isSeeded(directory)).toBe(true);
  expect(content()).toEqual(['seeded']);
  beginSeeding(directory);
  expect(isSeeded(directory)).toBe(false);
});
