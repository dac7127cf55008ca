/**
 * The two jobs that read everything of a form, the count for the statistics and the archive of its files, whose workers die before and
 * after each of their calls, each request of an upload included; whose form, organization or responses are deleted at each of them;
 * and several workers at once. What is requested is there once and whole, or has failed and says so, and nothing stays behind.
 */
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '#core/db/bucket.ts';
import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { muteErrors } from '#test/support/console.ts';
import { buildExports } from '#test/support/exports.ts';
import { gate, withApp } from '#test/support/faults.ts';
import {
  type Built,
  clientWith,
  expectProblem,
  newForm,
  newOrganization,
  type Person,
} from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, pass, store, submissionOf } from '#test/support/responses.ts';
import { allItems, hasUnfinishedUploads, itemsMentioning, objectKeys } from '#test/support/stored.ts';
import { finishDeletions, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream, type Kill, type Run, runWorker } from '#test/support/workers.ts';

const BEGIN = '2026-03-01T00:00:00.000Z';
const HOUR = 3_600;
const cast = await castAt('2026-05-01T18:00:00.000Z');
const ownMail = ownSes();
muteErrors();

/** A person of the cast with a token of the present time. */
async function now({ id, email }: Person): Promise<Person> {
  const token = await app().tokens.sign({ id, roles: ['USER'] }, app().now());
  return { id, email, token, client: clientWith(token) };
}

const minute = (index: number): string => new Date(Date.parse(BEGIN) + index * 60_000).toISOString();

/** A query that no request had before, and that selects the same: from some time before the first response on. */
let queries = 0;
const newFrom = (): string => {
  queries += 1;
  return new Date(Date.parse(BEGIN) - queries * 1_000).toISOString();
};

// The count.

type Counted = Built & { colour: string; age: string; responseIds: string[] };

/** Twelve responses, of which the first, the fourth, the seventh and the tenth are red, with the numbers from 0 on. */
async function colours(slug = cast.slug): Promise<Counted> {
  const questions = [
    { type: 'SHORT_TEXT' as const, title: 'Colour' },
    { type: 'SHORT_TEXT' as const, title: 'Age', text: { format: 'NUMBER' as const } },
  ];
  const form = await newForm(cast.alice, slug, [questions]);
  const [colour = '', age = ''] = form.questionIds;
  const responses = Array.from({ length: 12 }, (_, index) =>
    submissionOf(form, cast.dave.id, minute(index), {
      [colour]: { type: 'SHORT_TEXT', value: index % 3 === 0 ? 'red' : 'blue' },
      [age]: { type: 'SHORT_TEXT', value: String(index) },
    }),
  );
  await store(responses);
  return { ...form, colour, age, responseIds: responses.map(({ id }) => id) };
}

/** Requests the count of the red ones. */
const requestCount = async ({ formId, colour }: Counted): Promise<void> => {
  const body = { filters: [{ questionId: colour, contains: 'red' }], from: newFrom() };
  await (await now(cast.bob)).client.responses.countStatistics({ params: { formId }, body });
};

const readCount = async ({ formId }: Pick<Built, 'formId'>) =>
  (await (await now(cast.bob)).client.responses.getStatisticsCount({ params: { formId } })).body;

/** The job in the first place of a form. */
async function countJob({ formId }: Pick<Built, 'formId'>) {
  const job = parseJob<{ id: string }>((await app().table.read([keys.counting(formId, 0)]))[0]);
  if (!job) throw new Error('the form has no job');
  return job;
}

/** What a count has found: the matches, and the numbers among their answers. */
async function found(form: Counted) {
  const { state, statistics } = await readCount(form);
  const ages = statistics?.questions.find(({ questionId }) => questionId === form.age)?.numbers;
  return { state, count: statistics?.matches?.count, ages };
}

const ALL_RED = {
  ...{ state: 'DONE', count: 4 },
  ages: { count: 4, mean: 4.5, readCount: 4, min: 0, max: 9, median: 4.5 },
};
/** Without the fourth response, whose number is 3. */
const WITHOUT_ONE = {
  ...{ state: 'DONE', count: 3 },
  ages: { count: 3, mean: (0 + 6 + 9) / 3, readCount: 3, min: 0, max: 9, median: 6 },
};

// The archive.

type Archived = Built & { responseIds: string[] };

const TEXT_OF = 'What is in';
const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 5, maxFileSizeLimit: 1_000 };

/** Three responses with two files each. */
async function photos(slug = cast.slug): Promise<Archived> {
  const form = await newForm(cast.alice, slug, [[{ type: 'UPLOAD_FILE', title: 'Photos', uploadFile }]]);
  const [questionId = ''] = form.questionIds;
  const responses = [0, 1, 2].map((index) => {
    const value = ['a', 'b'].map((letter): UploadedFile => {
      const originalFilename = `${letter}${index}.txt`;
      const size = `${TEXT_OF} ${originalFilename}`.length;
      return { fileId: app().uuid(), originalFilename, contentType: 'text/plain', size };
    });
    return submissionOf(form, cast.dave.id, minute(index), { [questionId]: { type: 'UPLOAD_FILE', value } });
  });
  await store(responses);
  for (const { id, answers } of responses) {
    for (const { fileId, originalFilename } of answers[questionId]?.value as UploadedFile[]) {
      const bytes = Buffer.from(`${TEXT_OF} ${originalFilename}`);
      await app().bucket.put(objects.file(id, fileId), bytes, 'text/plain');
    }
  }
  return { ...form, responseIds: responses.map(({ id }) => id) };
}

/** Requests the archive; the id of the export. */
async function requestArchive({ formId, questionIds }: Archived): Promise<string> {
  const body = { questionIds, format: 'ZIP' as const, from: newFrom() };
  const { body: job } = await (await now(cast.bob)).client.exports.downloadTable({ params: { formId }, body });
  if (job instanceof Uint8Array) throw new Error('the archive was returned directly');
  return job.id;
}

const readArchive = async (exportId: string) =>
  (await (await now(cast.bob)).client.exports.getExport({ params: { exportId } })).body;

/** The texts of the files in an archive by their paths, and the lines of its list. */
async function entriesOf(exportId: string): Promise<{ files: Record<string, string>; lines: string[] }> {
  const stored = await app().bucket.inspect(objects.export(exportId), 1_000_000);
  const { 'files.csv': list = new Uint8Array(), ...rest } = unzipSync(new Uint8Array(stored?.start ?? []));
  const files = Object.fromEntries(Object.entries(rest).map(([path, bytes]) => [path, strFromU8(bytes)]));
  return { files, lines: strFromU8(list).trim().split('\r\n').slice(1) };
}

/** What the archive has of some of the responses. */
const filesOf = ({ responseIds }: Archived, indexes: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    indexes.flatMap((index) =>
      ['a', 'b'].map((letter) => [
        `2026-03-01 ${responseIds[index]}/01 Photos/${letter}${index}.txt`,
        `What is in ${letter}${index}.txt`,
      ]),
    ),
  );

/** The TTL of each item that is a job of this kind. */
const expiryOf = async (kind: string): Promise<unknown[]> =>
  (await allItems()).filter((item) => item.kind?.S === kind).map(({ expiresAt }) => Number(expiresAt?.N));

const MAX_CALLS = 100;
/** Tried are the first call of a worker and, from there, each third one in every run, and each one in the nightly run. */
const STEP = IS_NIGHTLY ? 1 : 3;

type Attempt<T> = {
  request: () => Promise<T>;
  /** Runs the worker that dies. */
  attempt: (kill: Kill) => Promise<Run>;
  expectDone: (job: T, where: string) => Promise<void>;
};

/** Kills a worker at its calls, and lets another one do the rest when its claim has ended. Returns the last call that is tried. */
async function killAtEachCall<T>(when: Kill['when'], { request, attempt, expectDone }: Attempt<T>): Promise<number> {
  for (let call = 1; call <= MAX_CALLS; call += STEP) {
    const job = await request();
    const { killed } = await attempt({ call, when });
    pass(121);
    await runWorker('buildExports');
    await expectDone(job, `${when} call ${call}`);
    if (!killed) return call - STEP;
  }
  throw new Error('the worker makes more calls than are tried');
}

const WHEN = ['before', 'after'] as const;

describe('a worker that dies while it counts', () => {
  test.for(WHEN)('%s any of its calls: each response is counted once', async (when) => {
    const form = await colours();
    await deliverStream();
    const kills = await killAtEachCall(when, {
      request: () => requestCount(form),
      attempt: (kill) => runWorker('buildExports', { kill }),
      expectDone: async (_, where) => expect(await found(form), where).toEqual(ALL_RED),
    });
    // What is due, the claim, the form, the responses, the progress, the result.
    expect(kills).toBeGreaterThan(15);
    pass(26 * HOUR);
    await runWorker('sweep');
    expect(await objectKeys('exports/')).toEqual([]);
    expect((await readCount(form)).state).toBe('NONE');
    for (const expiresAt of await expiryOf('statistics')) expect(expiresAt).toBeGreaterThan(0);
  });

  test.for(WHEN)('%s any of its calls, as soon as it is requested', async (when) => {
    const form = await colours();
    await deliverStream();
    const kills = await killAtEachCall(when, {
      request: () => requestCount(form),
      attempt: (kill) => deliverStream({ only: ['deliver'], kill }),
      expectDone: async (_, where) => expect(await found(form), where).toEqual(ALL_RED),
    });
    expect(kills).toBeGreaterThan(10);
  });

  test('three times has failed, says so on the page, and counts when it is asked again', async () => {
    const form = await colours();
    await deliverStream();
    const path = `/review/${form.formId}/statistics?has-${form.colour}=red`;
    const show = async () => textOf(await pagesOf(await now(cast.bob)).show(`${path}&all=1`));
    const press = async () => (await pagesOf(await now(cast.bob)).post(path)).status;
    expect(await press()).toBe(303);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await runWorker('buildExports', { kill: { call: 15, when: 'after' } })).killed).toBe(true);
      expect(await countJob(form)).toMatchObject({ state: 'RUNNING', attempts: attempt + 1 });
      expect(await show()).toContain('Counting all responses');
      pass(121);
    }
    await runWorker('buildExports');
    expect(await readCount(form)).toMatchObject({ state: 'FAILED', reason: 'interrupted' });
    expect(await show()).toContain('The count failed. It was interrupted 3 times. Try again later.');
    expect(await press()).toBe(303);
    expect(await readCount(form)).toMatchObject({ state: 'QUEUED', processed: 0 });
    await runWorker('buildExports');
    expect(await show()).toContain('These statistics are of 4 responses that match.');
  });
});

describe('a worker that dies while it writes an archive', () => {
  test.for(WHEN)('%s any of its calls: each file is there once, and one mail says so', async (when) => {
    const form = await photos();
    await deliverStream();
    const before = mailsTo(ownMail(), cast.bob).length;
    const jobs: string[] = [];
    const kills = await killAtEachCall(when, {
      request: () => requestArchive(form),
      attempt: (kill) => runWorker('buildExports', { kill }),
      expectDone: async (job, where) => {
        jobs.push(job);
        expect(await readArchive(job), where).toMatchObject({ state: 'DONE', processed: 3, total: 3 });
        const { files, lines } = await entriesOf(job);
        expect(files, where).toEqual(filesOf(form, [0, 1, 2]));
        expect(lines, where).toHaveLength(6);
      },
    });
    // Beside what a count does: six files, and three requests of the upload.
    expect(kills).toBeGreaterThan(20);
    await deliverStream({ twice: true });
    expect(mailsTo(ownMail(), cast.bob).length - before).toBe(jobs.length);
    pass(8 * 24 * HOUR);
    await runWorker('sweep');
    expect(await objectKeys('exports/')).toEqual([]);
    for (const expiresAt of await expiryOf('export')) expect(expiresAt).toBeGreaterThan(0);
    // A dead worker aborts nothing: the rule of the bucket does, after a day.
    while ((await app().bucket.removeSome('files/')) > 0);
    expect(await hasUnfinishedUploads()).toBe(true);
  });
});

/** Runs something once, right before a call of the table or the bucket. Returns whether there was such a call. */
async function meanwhileAt(
  call: number,
  meanwhile: () => Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<boolean> {
  let [calls, isMeanwhile] = [0, false];
  const around =
    <A extends unknown[], R>(original: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (!isMeanwhile) calls += 1;
      if (!isMeanwhile && calls === call) {
        isMeanwhile = true;
        await meanwhile();
        isMeanwhile = false;
      }
      return original(...args);
    };
  await withApp(({ table, bucket }) => {
    const { read, list, write } = table;
    const { inspect, put, upload } = bucket;
    return {
      table: { ...table, read: around(read), list: around(list), write: around(write) },
      bucket: { ...bucket, inspect: around(inspect), put: around(put), upload: around(upload) },
    };
  }, run);
  return calls >= call;
}

/** Does something at the calls of a worker that does a job of a new form. Returns the last call at which it was done. */
async function atEachCall<T>(
  begin: () => Promise<T>,
  meanwhile: (begun: T) => Promise<unknown>,
  expectEnd: (begun: T, where: string) => Promise<void>,
): Promise<number> {
  for (let call = 1; call <= MAX_CALLS; call += STEP) {
    const begun = await begin();
    const hasRun = await meanwhileAt(call, () => meanwhile(begun), buildExports);
    if (!hasRun) return call - STEP;
    await expectEnd(begun, `call ${call}`);
  }
  throw new Error('the worker makes more calls than are tried');
}

const deleteForm = async ({ formId }: Built) => (await now(cast.alice)).client.forms.deleteForm({ params: { formId } });
const deleteOrganization = async (slug: string) =>
  (await now(cast.alice)).client.orgs.deleteOrganization({ params: { slug } });

describe('a form that is deleted at any call of the worker', () => {
  test.for(['form', 'organization'] as const)('with its %s leaves nothing of a count', async (what) => {
    const ids: string[] = [];
    const forms: Counted[] = [];
    const expectGone = async () => {
      for (const form of forms) expect((await expectProblem(readCount(form))).status).toBe(404);
    };
    const times = await atEachCall(
      async () => {
        const { slug } = what === 'form' ? cast : await newOrganization(cast.alice, cast.bob);
        const form = await colours(slug);
        await requestCount(form);
        ids.push((await countJob(form)).data.id);
        return { slug, form };
      },
      ({ slug, form }) => (what === 'form' ? deleteForm(form) : deleteOrganization(slug)),
      async ({ form }) => void forms.push(form),
    );
    expect(times).toBeGreaterThan(15);
    // A form is gone at once, those of an organization within minutes.
    if (what === 'form') await expectGone();
    await finishDeletions();
    await expectGone();
    await buildExports();
    for (const id of ids.slice(0, -1)) {
      expect(await objectKeys(objects.export(id))).toEqual([]);
      const rest = await itemsMentioning(id);
      // Which job was the last one of the person, until it expires.
      expect(rest.filter((item) => item !== `USER#${cast.bob.id} COUNTING`)).toEqual([]);
    }
  });

  test.for(['form', 'organization'] as const)('with its %s leaves nothing of an archive', async (what) => {
    const ids: string[] = [];
    const times = await atEachCall(
      async () => {
        const { slug } = what === 'form' ? cast : await newOrganization(cast.alice, cast.bob);
        const form = await photos(slug);
        const job = await requestArchive(form);
        ids.push(job);
        return { slug, form, job };
      },
      ({ slug, form }) => (what === 'form' ? deleteForm(form) : deleteOrganization(slug)),
      async () => undefined,
    );
    expect(times).toBeGreaterThan(20);
    const deleted = ids.slice(0, -1);
    const expectGone = async () => {
      for (const id of deleted) expect((await expectProblem(readArchive(id))).status).toBe(404);
    };
    if (what === 'form') await expectGone();
    await finishDeletions();
    await expectGone();
    await deliverStream();
    for (const id of deleted) {
      expect(await objectKeys(objects.export(id))).toEqual([]);
      expect(await itemsMentioning(id)).toEqual([]);
    }
  });
});

describe('a response that is deleted at any call of the worker', () => {
  const deleteOne = async ({ formId, responseIds }: Built & { responseIds: string[] }, index: number) => {
    const params = { formId, responseId: responseIds[index] ?? '' };
    await (await now(cast.alice)).client.responses.deleteResponse({ params });
    // Its files too.
    await sweepIn(1);
  };

  test('is counted as it was, or not at all', async () => {
    const seen = new Set<number | undefined>();
    const times = await atEachCall(
      async () => {
        const form = await colours();
        await requestCount(form);
        return form;
      },
      (form) => deleteOne(form, 3),
      async (form, where) => {
        const result = await found(form);
        seen.add(result.count);
        expect([ALL_RED, WITHOUT_ONE], where).toContainEqual(result);
      },
    );
    expect(times).toBeGreaterThan(15);
    expect(seen).toEqual(new Set([3, 4]));
  });

  test('is in the archive, or only in its list, or not at all; the others are', async () => {
    const seen = new Set<number>();
    const times = await atEachCall(
      async () => {
        const form = await photos();
        return { form, job: await requestArchive(form) };
      },
      ({ form }) => deleteOne(form, 1),
      async ({ form, job }, where) => {
        expect(await readArchive(job), where).toMatchObject({ state: 'DONE' });
        const { files, lines } = await entriesOf(job);
        expect(files, where).toMatchObject(filesOf(form, [0, 2]));
        const all = filesOf(form, [0, 1, 2]);
        for (const [path, content] of Object.entries(files)) expect(content, where).toBe(all[path]);
        seen.add(Object.keys(files).length);
        const listed = lines.filter((line) => line.startsWith(form.responseIds[1] ?? ''));
        expect([0, 2], where).toContain(listed.length);
        const withPath = listed.filter((line) => line.includes(`${form.responseIds[1]}/01 Photos/`));
        expect(withPath, where).toHaveLength(Object.keys(files).length - 4);
      },
    );
    expect(times).toBeGreaterThan(20);
    // Of its two files, which are read at once, one may have been there.
    for (const count of [4, 6]) expect(seen).toContain(count);
    for (const count of seen) expect(count).toBeLessThanOrEqual(6);
  });
});

describe('workers that are woken at once', () => {
  test('count once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const form = await colours();
      await requestCount(form);
      await Promise.all([buildExports(), buildExports(), buildExports()]);
      expect(await found(form)).toEqual(ALL_RED);
      expect(await countJob(form)).toMatchObject({ state: 'DONE', attempts: 1 });
    }
  });

  test('write an archive once, with one mail', async () => {
    await deliverStream();
    const before = mailsTo(ownMail(), cast.bob).length;
    for (let round = 0; round < 5; round += 1) {
      const form = await photos();
      const job = await requestArchive(form);
      await Promise.all([buildExports(), buildExports(), buildExports()]);
      expect((await entriesOf(job)).files).toEqual(filesOf(form, [0, 1, 2]));
      await deliverStream({ twice: true });
      expect(mailsTo(ownMail(), cast.bob).length - before).toBe(round + 1);
    }
  });

  test('one that was only slow changes nothing of the result', async () => {
    const form = await colours();
    await requestCount(form);
    const waiting = gate();
    const slow: Bucket['put'] = async (...args) => {
      await waiting.wait();
      await app().bucket.put(...args);
    };
    const run = withApp(
      ({ bucket }) => ({ bucket: { ...bucket, put: slow } }),
      async () => {
        const running = buildExports();
        await waiting.reached;
        return { running };
      },
    );
    const { running } = await run;
    pass(121);
    await buildExports();
    const done = await readCount(form);
    expect(await found(form)).toEqual(ALL_RED);
    pass(60);
    waiting.open();
    await running;
    expect(await readCount(form)).toEqual(done);
    expect(await countJob(form)).toMatchObject({ state: 'DONE', attempts: 2 });
  });
});
