/**
 * Archives at their limits: more than 4 GiB with a flat memory, as many files as one may have and one more, and the end of the worker's
 * time. What storage returns is made when it is read, what it is sent goes to a file with holes, and Python's zipfile reads the result.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadInParts } from '#core/aws/s3-bucket.ts';
import type { Bucket } from '#core/db/bucket.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import { app } from '#core/http/app.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { sweepExports } from '#core/workers/kinds.ts';
import { readArchive } from '#test/support/archives.ts';
import { muteErrors } from '#test/support/console.ts';
import { askForExport, buildExports, readExport } from '#test/support/exports.ts';
import { gate, withApp } from '#test/support/faults.ts';
import { type Built, expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { store, submissionOf } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await newCast();
const ownMail = ownSes();
muteErrors();

const MB = 1_000_000;
const GIB = 1_024 ** 3;

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'archives-'));
});
beforeEach(() => {
  path = join(directory, `${app().uuid()}.zip`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const PAGE = 65_536;
const NOTHING = Buffer.alloc(PAGE);

/** Writes bytes to a place of a file, except for pages of zeros, which stay holes. */
async function writeWithHoles(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let start = 0; start < bytes.length; start += PAGE) {
    const page = bytes.subarray(start, start + PAGE);
    if (!NOTHING.subarray(0, page.length).equals(page)) await file.write(page, 0, page.length, position + start);
  }
}

const PART_BYTES = 5 * 1_024 * 1_024;

/** What happened in storage, and the most bytes that were in memory: read and not sent yet, and by the count of the process. */
type Storage = {
  bucket: Pick<Bucket, 'inspect' | 'upload'>;
  seen: { reads: number; read: number; sent: number; unsent: number; memory: number; ends: string[] };
};

/**
 * Storage whose files are made when they are read: the name of each, then zeros. `files`: by their ids; one that is not among them is
 * gone. `onRead`: called before each.
 */
function storage(files: ReadonlyMap<string, UploadedFile>, onRead: (reads: number) => void = () => undefined): Storage {
  const seen: Storage['seen'] = { reads: 0, read: 0, sent: 0, unsent: 0, memory: 0, ends: [] };
  const measure = (): void => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    seen.memory = Math.max(seen.memory, arrayBuffers + heapUsed);
    seen.unsent = Math.max(seen.unsent, seen.read - seen.sent);
  };
  const inspect: Bucket['inspect'] = async (key) => {
    onRead(seen.reads);
    const file = files.get(key.slice(key.lastIndexOf('/') + 1));
    if (!file) return undefined;
    const start = Buffer.alloc(file.size);
    start.write(file.originalFilename);
    seen.reads += 1;
    seen.read += file.size;
    measure();
    return { size: file.size, contentType: file.contentType, sha256: undefined, start };
  };
  const upload: Bucket['upload'] = async (Key, chunks, contentType) => {
    const file = await open(path, 'w');
    const send = async (command: unknown): Promise<object> => {
      if (command instanceof CreateMultipartUploadCommand) return { UploadId: 'one' };
      if (command instanceof UploadPartCommand) {
        const { Body, PartNumber = 0 } = command.input;
        await writeWithHoles(file, Body as Uint8Array, (PartNumber - 1) * PART_BYTES);
        seen.sent += (Body as Uint8Array).length;
        measure();
        return { ETag: String(PartNumber) };
      }
      if (command instanceof CompleteMultipartUploadCommand) {
        await file.truncate(seen.sent);
        seen.ends.push('completed');
      }
      if (command instanceof AbortMultipartUploadCommand) seen.ends.push('aborted');
      return {};
    };
    const client = Object.assign(new S3Client({ region: 'local' }), { send });
    await uploadInParts(client, { Bucket: 'b', Key }, chunks, contentType).finally(() => file.close());
  };
  return { bucket: { inspect, upload }, seen };
}

const NAMES = [
  'photo.jpg',
  'photo.JPG',
  '照片.jpg',
  'é.jpg',
  'e\u0301.jpg',
  '😀.png',
  'CON.txt',
  '../../x.txt',
  'C:\\y',
  'a b.pdf',
];
const uploadFile = { allowedFileTypes: ['JPG' as const], maxFileAmount: 10, maxFileSizeLimit: 10_485_760 };

type Stored = { form: Built; files: Map<string, UploadedFile> };

/** A form with responses a minute apart, each with files of some sizes. */
async function storedFiles(sizes: readonly (readonly number[])[]): Promise<Stored> {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'UPLOAD_FILE', title: 'Your photos', uploadFile }]]);
  const [questionId = ''] = form.questionIds;
  const files = new Map<string, UploadedFile>();
  const responses = sizes.map((ofResponse, index) => {
    const value = ofResponse.map((size, place): UploadedFile => {
      const originalFilename = NAMES[place % NAMES.length] ?? '';
      return { fileId: app().uuid(), originalFilename, contentType: 'image/jpeg', size };
    });
    for (const file of value) files.set(file.fileId, file);
    const at = minute(index);
    return submissionOf(form, cast.dave.id, at, { [questionId]: { type: 'UPLOAD_FILE', value } });
  });
  await store(responses);
  return { form, files };
}

const BEGIN = Date.UTC(2026, 2, 1);
const minute = (index: number): string => new Date(BEGIN + index * 60_000).toISOString();

/** Asks for the archive of a form, and has it written. */
async function archive(
  { form }: Stored,
  { bucket }: Storage,
  options: { from?: string; to?: string } = {},
  run: () => Promise<unknown> = buildExports,
) {
  const { formId, questionIds } = form;
  const job = await askForExport(cast.bob, formId, { questionIds, format: 'ZIP', ...options });
  await withApp((current) => ({ bucket: { ...current.bucket, ...bucket } }), run);
  return readExport(cast.bob, job);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('an archive', () => {
  test('of 2,000 files and 6 GB is written with a flat memory, and read by another program', async () => {
    const stored = await storedFiles(times(200, times(10, 3 * MB)));
    const [gone = ''] = stored.files.keys();
    const there = new Map([...stored.files].filter(([id]) => id !== gone));
    const made = storage(there);
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    expect(await archive(stored, made)).toMatchObject({ state: 'DONE', processed: 200, total: 200 });
    const { seen } = made;
    expect([seen.reads, seen.read, seen.ends]).toEqual([1_999, 5_997 * MB, ['completed']]);
    // Three files, the one that is being sent, and three parts.
    expect(seen.unsent).toBeLessThan(40 * MB);
    // A twelfth of what went through: what was sent is let go.
    expect(seen.memory - arrayBuffers - heapUsed).toBeLessThan(500 * MB);
    console.info(`archive: ${Math.round(seen.read / MB)} MB read, ${Math.round(seen.unsent / MB)} MB unsent at most`);
    console.info(`archive: ${Math.round((seen.memory - arrayBuffers - heapUsed) / MB)} MB more in memory at most`);
    const read = await readArchive(path);
    expect(read).toMatchObject({ entries: 2_000, different: 2_000, wrong: [], unsafe: [] });
    expect(read).toMatchObject({ listed: 2_000, withoutPath: 1, unlisted: ['files.csv'], last: 'files.csv' });
    expect(read.total).toBeGreaterThan(5_997 * MB);
    expect(read.total).toBeGreaterThan(4 * GIB);
    expect(read.isBeyond4GiB).toBe(true);
  });

  test('has 10,000 files; with one more it fails, says what to do, and leaves nothing', async () => {
    const stored = await storedFiles([...times(1_000, times(10, 1_000)), [1_000]]);
    const most = storage(stored.files);
    expect(await archive(stored, most, { to: minute(1_000) })).toMatchObject({ state: 'DONE', processed: 1_000 });
    expect(await readArchive(path)).toMatchObject({ entries: 10_001, different: 10_001, wrong: [], listed: 10_000 });
    const more = storage(stored.files);
    const job = await archive(stored, more);
    expect(job).toMatchObject({ state: 'FAILED', reason: 'too_large' });
    expect([more.seen.reads, more.seen.ends]).toEqual([10_000, ['aborted']]);
    const { detail } = await expectProblem(cast.bob.client.exports.downloadExport({ params: { exportId: job.id } }));
    expect(detail).toContain('at most 10000 files and 20 GB');
    const page = textOf(await pagesOf(cast.bob).show(`/review/${stored.form.formId}/export/${job.id}`));
    expect(page).toContain('An archive has at most 10,000 files and 20 GB. Filter the responses by the day');
    await deliverStream();
    const [mail] = mailsTo(ownMail(), cast.bob).filter(({ subject }) => subject.startsWith('Your export failed'));
    expect(mail?.text).toContain('An archive has at most 10,000 files and 20 GB.');
  });

  test('of more than 20 GB fails before it reads more', async () => {
    const stored = await storedFiles([[1_000], times(10, 2_000 * MB), [1_000]]);
    const made = storage(stored.files);
    expect(await archive(stored, made)).toMatchObject({ state: 'FAILED', reason: 'too_large' });
    expect([made.seen.reads, made.seen.ends]).toEqual([1, ['aborted']]);
  });

  test('ends when the time of its worker does, and the next one is written', async () => {
    const stored = await storedFiles(times(4, times(10, 1_000)));
    const context = { calls: 0, capacityUnits: 0, deadline: performance.now() + 800_000 };
    const late = storage(stored.files, (reads) => {
      if (reads === 20) context.deadline = performance.now() + 15_000;
    });
    const run = () => inRequestContext(context, () => sweepExports(app(), () => true));
    expect(await archive(stored, late, {}, run)).toMatchObject({ state: 'FAILED', reason: 'too_large' });
    expect(late.seen.ends).toEqual(['aborted']);
    expect(late.seen.reads).toBeLessThan(40);
    const half = storage(stored.files);
    expect(await archive(stored, half, { to: minute(2) })).toMatchObject({ state: 'DONE', processed: 2 });
    expect(await readArchive(path)).toMatchObject({ entries: 21, wrong: [] });
  });

  test('that storage does not take fails, also while files are read', async () => {
    const stored = await storedFiles(times(2, times(10, 3 * MB)));
    const { bucket, seen } = storage(stored.files);
    const reading = gate();
    const inspect: Bucket['inspect'] = async (...args) => {
      if (seen.reads >= 3) await reading.wait();
      return bucket.inspect(...args);
    };
    const upload: Bucket['upload'] = async (_key, chunks) => {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes < 9 * MB) continue;
        await reading.reached;
        // The next files come when nobody reads the archive any more.
        setImmediate(reading.open);
        throw new Error('storage has failed');
      }
    };
    expect(await archive(stored, { bucket: { inspect, upload }, seen })).toMatchObject({ state: 'QUEUED' });
    expect(seen.reads).toBe(6);
  });
});
