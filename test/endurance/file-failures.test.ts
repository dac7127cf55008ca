/**
 * Storage that fails at each of the calls of a request, before or after the call takes effect: an answer never names a
 * file without bytes, repeating the request completes it, and clean-up leaves nothing else.
 */
import { describe, expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import type { App } from '#core/http/app.ts';
import { newKey } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { dyingAfter, withApp, withTable } from '#test/support/faults.ts';
import {
  about,
  announce,
  clearFiles,
  complete,
  expectTidy,
  filePlace,
  listFileIds,
  listFileNames,
  listObjects,
  local,
  type Place,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { newCast } from '#test/support/fixtures.ts';
import { cleanUp } from '#test/support/sweeps.ts';

const cast = await newCast();
muteErrors();

const [a, b, old] = [local('a.txt', 'one'), local('b.txt', 'two'), local('old.txt')];

const MODES = ['does not take effect', 'takes effect, but its result is lost'] as const;
type Mode = (typeof MODES)[number];

/** An app whose n-th call of storage fails; `isReached` tells whether there were that many. */
function failing(n: number, mode: Mode) {
  let calls = 0;
  const wrap =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls += 1;
      if (calls !== n) return call(...args);
      if (mode !== 'does not take effect') await call(...args);
      throw new Error('storage is down');
    };
  const change = ({ bucket, table }: App): Partial<App> => ({
    bucket: {
      ...bucket,
      signPut: wrap(bucket.signPut),
      inspect: wrap(bucket.inspect),
      put: wrap(bucket.put),
      remove: wrap(bucket.remove),
    },
    table: { ...table, read: wrap(table.read), write: wrap(table.write) },
  });
  return { change, isReached: () => calls >= n };
}

/** A request with what it needs; `before` and `after` are the names of the answer's files. */
type Case = {
  arrange(): Promise<{ at: Place; before: string[]; call: () => Promise<unknown> }>;
  after: string[];
};

/** Makes a request fail at each of its calls in turn, then repeats it. Returns how many calls there are. */
async function failAtEachCall({ arrange, after }: Case, mode: Mode): Promise<number> {
  const { dave } = cast;
  for (let n = 1; ; n += 1) {
    const { at, before, call } = await arrange();
    const { change, isReached } = failing(n, mode);
    const outcome = await withApp(change, () =>
      call().then(
        () => 'done',
        (error: unknown) => error,
      ),
    );
    if (!isReached()) return n - 1;
    const names = await listFileNames(dave, at);
    const note = `call ${n} failed: ${outcome}`;
    if (outcome === 'done') expect(names, note).toEqual(after);
    else expect(mode === 'does not take effect' ? [before] : [before, after], note).toContainEqual(names);
    expect(await listObjects(at), note).toEqual(expect.arrayContaining(await objectsOfAnswer(at)));
    await call();
    await cleanUp();
    expect(await listFileNames(dave, at), note).toEqual(after);
    expect(await listObjects(at), note).toEqual(await objectsOfAnswer(at));
  }
}

const objectsOfAnswer = async (at: Place): Promise<string[]> =>
  (await listFileIds(cast.dave, at)).map((fileId) => objects.file(at.responseId, fileId)).sort();

async function withOldFile(): Promise<Place> {
  const at = await filePlace(cast);
  await uploaded(cast.dave, at, old);
  return at;
}

const CASES: Record<string, Case> = {
  'a multipart upload with an Idempotency-Key': {
    arrange: async () => {
      const at = await withOldFile();
      const headers = { 'idempotency-key': newKey() };
      return { at, before: ['old.txt'], call: () => upload(cast.dave, at, [a, b], headers) };
    },
    after: ['a.txt', 'b.txt'],
  },
  'a complete': {
    arrange: async () => {
      const at = await withOldFile();
      const fileIds = await sentDirectly(cast.dave, at, a);
      return { at, before: ['old.txt'], call: () => complete(cast.dave, at, fileIds) };
    },
    after: ['a.txt'],
  },
  'clearing files': {
    arrange: async () => {
      const at = await withOldFile();
      return { at, before: ['old.txt'], call: () => clearFiles(cast.dave, at) };
    },
    after: [],
  },
  'an announcement with an Idempotency-Key': {
    arrange: async () => {
      const at = await withOldFile();
      const headers = { 'idempotency-key': newKey() };
      return { at, before: ['old.txt'], call: () => announce(cast.dave, at, [about(a)], headers) };
    },
    after: ['old.txt'],
  },
};

describe.each(MODES)('a call of storage that %s', (mode) => {
  test.for(Object.entries(CASES))('can be any one of %s', async ([, each]) => {
    expect(await failAtEachCall(each, mode)).toBeGreaterThanOrEqual(2);
  });
});

test('a process that dies at any write of a request loses no attached file and leaks no bytes', async () => {
  const { dave } = cast;
  const requests: ((at: Place) => Promise<unknown>)[] = [
    (at) => upload(dave, at, [a, b]),
    async (at) => complete(dave, at, await sentDirectly(dave, at, a)),
    (at) => clearFiles(dave, at),
  ];
  for (const request of requests) {
    for (const writes of [0, 1]) {
      const at = await withOldFile();
      await withTable(dyingAfter(writes), () => request(at)).catch(() => undefined);
      await expectTidy(dave, at, await listFileNames(dave, at));
    }
  }
});

test('a clean-up that dies between the removal and its own write is repeated', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  await uploaded(dave, at, a);
  await clearFiles(dave, at);
  await expect(withTable(dyingAfter(0), () => cleanUp(0))).rejects.toThrow('the process died');
  await uploaded(dave, at, b);
  await expectTidy(dave, at, ['b.txt']);
});
