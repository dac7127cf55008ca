/** Damaged files of the local data: an error names the file, and what is not needed is left out. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockDirectory } from '#stacks/local/data-lock.ts';
import { waitForEmulatorEnd } from '#stacks/local/dynamo/dynamo.ts';
import { readCheckpoint, writeCheckpoint } from '#stacks/local/dynamo/stream-state.ts';
import { openMailbox, type StoredMail } from '#stacks/local/mail/mailbox.ts';
import { loadSecrets } from '#stacks/local/settings.ts';
import { startSheets } from '#stacks/local/sheets/sheets.ts';

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

describe('a damaged file stops the start with its name', () => {
  test.for(['', '{"TOKEN_KEY', 'null', '{}'])('secrets.json with %j', (content) => {
    writeFileSync(pathOf('secrets.json'), content);
    expect(() => loadSecrets(directory)).toThrow(message('secrets.json'));
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
