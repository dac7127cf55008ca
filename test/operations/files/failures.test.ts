/**
 * Storage that fails at each of the calls that a request makes, before the call is carried out or after (contract
 * section 8): never is a file in an answer whose bytes are missing, and the same request again does what was asked.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '#core/http/app.ts';
import { withApp } from '#test/support/faults.ts';
import {
  about,
  announce,
  answerOf,
  clearFiles,
  complete,
  download,
  everything,
  expectTidy,
  fileIdsOf,
  filePlace,
  later,
  local,
  type Place,
  sendTo,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { newKey } from '#test/support/keyed.ts';
import { objectKeys } from '#test/support/objects.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Cast, newCast, type Person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  cast = await newCast();
});
afterAll(() => {
  vi.restoreAllMocks();
});

const [a, b, old] = [local('a.txt', 'one'), local('b.txt', 'two'), local('old.txt')];
/** A failed run with an Idempotency-Key is taken over after a minute. */
const TAKEN_OVER = 61;

type Mode = 'is not carried out' | 'is carried out, and its answer is lost';
const MODES: Mode[] = ['is not carried out', 'is carried out, and its answer is lost'];

/** A world whose n-th call of storage fails; `met` says whether there were that many. */
function failing(n: number, mode: Mode) {
  let calls = 0;
  const wrap =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls += 1;
      if (calls !== n) return call(...args);
      if (mode !== 'is not carried out') await call(...args);
      throw new Error('storage is away');
    };
  const change = ({ bucket, table }: App): Partial<App> => ({
    bucket: {
      ...bucket,
      signPut: wrap(bucket.signPut),
      inspect: wrap(bucket.inspect),
      put: wrap(bucket.put),
      copy: wrap(bucket.copy),
      remove: wrap(bucket.remove),
    },
    table: { ...table, read: wrap(table.read), write: wrap(table.write) },
  });
  return { change, met: () => calls >= n };
}

/** A request with what must be there for it, and what the answer is once it was carried out. */
type Case = {
  arrange(): Promise<{ at: Place; before: string[]; call: (person: Person) => Promise<unknown> }>;
  after: string[];
  /** With an Idempotency-Key: what was done may be answered with an error, when the answer cannot be kept. */
  keyed?: true;
};

/** Makes a request fail at each of its calls in turn, then repeats it. */
async function failAtEachCall({ arrange, after, keyed }: Case, mode: Mode): Promise<number> {
  for (let n = 1; ; n += 1) {
    const { at, before, call } = await arrange();
    const { change, met } = failing(n, mode);
    const outcome = await withApp(change, () =>
      call(cast.dave).then(
        () => 'done',
        (error: unknown) => error,
      ),
    );
    if (!met()) return n - 1;
    const names = await answerOf(cast.dave, at);
    const what = `call ${n} failed: ${outcome}`;
    if (outcome === 'done') expect(names, what).toEqual(after);
    else expect([before, ...(mode === 'is not carried out' && !keyed ? [] : [after])], what).toContainEqual(names);
    for (const fileId of await fileIdsOf(cast.dave, at)) {
      expect((await download(cast.dave, fileId)).status, what).toBe(200);
    }
    await later(TAKEN_OVER, cast.dave, call);
    expect(await answerOf(cast.dave, at), what).toEqual(after);
    for (const fileId of await fileIdsOf(cast.dave, at)) {
      expect((await download(cast.dave, fileId)).status, what).toBe(200);
    }
    await expectNoStrayItems(at);
  }
}

/** No item of a file that the answer does not name. */
async function expectNoStrayItems(at: Place): Promise<void> {
  const fileIds = await fileIdsOf(cast.dave, at);
  const items = (await everythingStored()).filter((line) => line.startsWith(`FILE#${at.formId.slice(0, 18)}`));
  expect(items.map((line) => line.split(' ')[0]).sort()).toEqual(fileIds.map((id) => `FILE#${id}`).sort());
}

const CASES: Record<string, Case> = {
  'a multipart upload': {
    arrange: async () => {
      const at = await filePlace(cast);
      await uploaded(cast.dave, at, old);
      return { at, before: ['old.txt'], call: (person) => upload(person, at, [a, b]) };
    },
    after: ['a.txt', 'b.txt'],
  },
  'a multipart upload with an Idempotency-Key': {
    arrange: async () => {
      const at = await filePlace(cast);
      await uploaded(cast.dave, at, old);
      const headers = { 'idempotency-key': newKey() };
      return { at, before: ['old.txt'], call: (person) => upload(person, at, [a, b], headers) };
    },
    after: ['a.txt', 'b.txt'],
    keyed: true,
  },
  'completing uploads': {
    arrange: async () => {
      const at = await filePlace(cast);
      await uploaded(cast.dave, at, old);
      const fileIds = await sentDirectly(cast.dave, at, a, b);
      return { at, before: ['old.txt'], call: (person) => complete(person, at, fileIds) };
    },
    after: ['a.txt', 'b.txt'],
  },
  'clearing files': {
    arrange: async () => {
      const at = await filePlace(cast);
      await uploaded(cast.dave, at, a, b);
      return { at, before: ['a.txt', 'b.txt'], call: (person) => clearFiles(person, at) };
    },
    after: [],
  },
  'announcing uploads': {
    arrange: async () => {
      const at = await filePlace(cast);
      await uploaded(cast.dave, at, old);
      const headers = { 'idempotency-key': newKey() };
      const call = (person: Person) => announce(person, at, [about(a), about(b)], headers);
      return { at, before: ['old.txt'], call };
    },
    after: ['old.txt'],
  },
};

describe.each(MODES)('a call of storage that %s', (mode) => {
  test.for(Object.entries(CASES))('may be any of those of %s', async ([, each]) => {
    expect(await failAtEachCall(each, mode)).toBeGreaterThanOrEqual(3);
  });
});

test('uploads that were announced in the second attempt can be sent and completed', async () => {
  const { dave } = cast;
  for (const mode of MODES) {
    const at = await filePlace(cast);
    const headers = { 'idempotency-key': newKey() };
    const signPut = () => Promise.reject(new Error('storage is away'));
    const call = (person: Person) => announce(person, at, [about(a)], headers);
    const world = ({ bucket }: App): Partial<App> => ({ bucket: { ...bucket, signPut } });
    await expect(withApp(mode === MODES[0] ? world : failing(3, mode).change, () => call(dave))).rejects.toThrow();
    const [entry] = (await call(dave)).body.files;
    if (!entry) throw new Error('nothing was announced');
    expect((await sendTo(entry, a.bytes)).status).toBe(200);
    await complete(dave, at, [entry.fileId]);
    await expectTidy(dave, at, ['a.txt']);
  }
});

test('multipart of which one file cannot be stored leaves none of the others behind', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  await uploaded(dave, at, old);
  const before = await everything();
  let puts = 0;
  const put: App['bucket']['put'] = async (key, bytes, type) => {
    puts += 1;
    if (puts === 1) throw new Error('storage is away');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await real(key, bytes, type);
  };
  let real: App['bucket']['put'] = put;
  const world = ({ bucket }: App): Partial<App> => {
    real = bucket.put;
    return { bucket: { ...bucket, put } };
  };
  await expect(withApp(world, () => upload(dave, at, [a, b]))).rejects.toMatchObject({ status: 500 });
  expect(await everything()).toEqual(before);
});

test('completing of which one file cannot be copied attaches none, and again attaches all', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const fileIds = await sentDirectly(dave, at, a, b);
  const before = await everythingStored();
  const copy: App['bucket']['copy'] = () => Promise.reject(new Error('storage is away'));
  const call = withApp(
    ({ bucket }) => ({ bucket: { ...bucket, copy } }),
    () => complete(dave, at, fileIds),
  );
  await expect(call).rejects.toMatchObject({ status: 500 });
  expect(await everythingStored()).toEqual(before);
  await complete(dave, at, fileIds);
  await expectTidy(dave, at, ['a.txt', 'b.txt']);
});

test('bytes that cannot be removed fail no request; they go with the response', async () => {
  const { alice, dave } = cast;
  const at = await filePlace(cast);
  await uploaded(dave, at, old);
  const remove = () => Promise.reject(new Error('storage is away'));
  await withApp(
    ({ bucket }) => ({ bucket: { ...bucket, remove } }),
    async () => {
      expect((await upload(dave, at, [a])).status).toBe(201);
      expect((await clearFiles(dave, at)).status).toBe(204);
    },
  );
  expect(await objectKeys(`files/${at.responseId}`)).toHaveLength(2);
  const { formId, responseId } = at;
  await alice.client.responses.deleteResponse({ params: { formId, responseId } });
  expect(await objectKeys(`files/${at.responseId}`)).toEqual([]);
});
