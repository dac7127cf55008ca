/** Damaged files of the local data: an error names the file, and what is not needed is left out. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockDirectory } from '#stacks/local/data-lock.ts';
import { fileError } from '#stacks/local/dynamo/data-file.ts';
import { waitForEmulatorEnd } from '#stacks/local/dynamo/dynamo.ts';
import { readCheckpoint, writeCheckpoint } from '#stacks/local/dynamo/stream-state.ts';
import { loadSecrets } from '#stacks/local/environment.ts';
import { openMailbox, type StoredMail } from '#stacks/local/mail/mailbox.ts';
import { startSheets } from '#stacks/local/sheets/sheets.ts';
import { ROOT } from '#test/support/sources.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-faults-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

const pathOf = (name: string): string => join(directory, name);
const message = (name: string): string => `${pathOf(name)} cannot be used: `;
const RESTORE = / Restore it, or delete all local data with --fresh\.$/;

describe('a damaged file stops the start with its name', () => {
  test.for(['', '{"TOKEN_KEY', 'null', '{}'])('secrets.json with %j', (content) => {
    writeFileSync(pathOf('secrets.json'), content);
    expect(() => loadSecrets(directory)).toThrow(message('secrets.json'));
    expect(() => loadSecrets(directory)).toThrow(RESTORE);
  });

  test.for(['', '[["a', '{}', '[1]'])('sheets.json with %j', async (content) => {
    writeFileSync(pathOf('sheets.json'), content);
    await expect(startSheets({ file: pathOf('sheets.json') })).rejects.toThrow(message('sheets.json'));
  });

  test('lock.sqlite', () => {
    writeFileSync(pathOf('lock.sqlite'), 'x'.repeat(5_000));
    expect(() => lockDirectory(directory, { waitMs: 0 })).toThrow(message('lock.sqlite'));
  });

  test('dynamodb.sqlite', () => {
    writeFileSync(pathOf('dynamodb.sqlite'), 'x'.repeat(5_000));
    expect(() => waitForEmulatorEnd(directory)).toThrow(message('dynamodb.sqlite'));
    expect(() => waitForEmulatorEnd(directory)).toThrow(RESTORE);
  });
});

test('what fails for another reason than damage does not advise to delete the data', () => {
  writeFileSync(pathOf('sheets.json'), '{}');
  const { message: text } = fileError(pathOf('sheets.json'), new Error('disk I/O error'));
  expect(text).toBe(`${pathOf('sheets.json')} cannot be used: disk I/O error.`);
});

describe('a place that cannot be written is said to be so', () => {
  /** Runs code of a module as a user without rights: tests may run as root, who may write everywhere. Returns its error. */
  function runUnprivileged(module: string, call: string): string {
    const script = `const loaded = await import(${JSON.stringify(join(ROOT, module))});
      process.getuid() === 0 && process.setuid(65534);
      try { loaded.${call} } catch (error) { console.log(error.message) }`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
  }
  const denied = (path: string): string =>
    `${path} cannot be written: permission denied. Change its owner or permissions, or choose another directory with --data.`;

  test.for([
    ['the directory', '', ''],
    ['a file in it', 'secrets.json', 'secrets.json'],
    ['the place of a new directory', 'new/one', ''],
  ])('%s', ([, path = '', named = '']) => {
    chmodSync(directory, 0o777);
    const target = path.startsWith('new') ? pathOf(path) : directory;
    writeFileSync(pathOf('seeded'), '5');
    writeFileSync(pathOf('secrets.json'), '{}');
    for (const name of ['seeded', 'secrets.json']) chmodSync(pathOf(name), 0o666);
    chmodSync(named ? pathOf(named) : directory, 0o555);
    const call = `checkDirectory(${JSON.stringify(target)})`;
    expect(runUnprivileged('stacks/local/data-directory.ts', call)).toBe(denied(named ? pathOf(named) : directory));
  });

  test('a database', () => {
    chmodSync(directory, 0o777);
    new DatabaseSync(pathOf('dynamodb.sqlite')).close();
    chmodSync(pathOf('dynamodb.sqlite'), 0o444);
    const call = `openExclusively(${JSON.stringify(pathOf('dynamodb.sqlite'))}, 0)`;
    expect(runUnprivileged('stacks/local/data-lock.ts', call)).toBe(denied(pathOf('dynamodb.sqlite')));
  });
});

test('a mail that cannot be read is left out, and named', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const mail: StoredMail = {
    id: '00000000-0000-4000-8000-000000000001',
    from: 'forms@example.org',
    to: ['dave@example.org'],
    replyTo: [],
    subject: 'Kept',
    sentAt: '2026-05-01T12:00:00.000Z',
    text: '',
    html: '',
    tags: {},
    headers: {},
  };
  openMailbox(directory).add(mail, '');
  writeFileSync(pathOf('broken.json'), '{"id": "\u0000');
  writeFileSync(pathOf('other.json'), '{"id": 1}');
  expect(openMailbox(directory).list()).toEqual([mail]);
  expect(error.mock.calls).toEqual([
    ['The inbox leaves out a mail.', expect.stringContaining(message('broken.json'))],
    ['The inbox leaves out a mail.', expect.stringContaining(message('other.json'))],
  ]);
});

describe('a checkpoint', () => {
  const position = { streamArn: 'arn', shardId: 'shard', sequenceNumber: '1' };

  test('is read as it was written', () => {
    writeCheckpoint(directory, 'tally', position);
    expect(readCheckpoint(directory, 'tally')).toEqual(position);
  });

  test.for(['', '{"stre', 'null', '{"streamArn":1}'])('of %j is dropped once, and named', (content) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    mkdirSync(pathOf('checkpoints'));
    const file = pathOf('checkpoints/tally.json');
    writeFileSync(file, content);
    expect(readCheckpoint(directory, 'tally')).toBeUndefined();
    expect(readCheckpoint(directory, 'tally')).toBeUndefined();
    expect(error.mock.calls).toEqual([[`tally reads the stream from its beginning: ${file} is not a checkpoint`]]);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
