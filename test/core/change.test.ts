/** The optimistic write decides again on the newest state, and writes nothing that was decided on an old one. */
import { expect, test } from 'vitest';
import { change, type Decision } from '#core/db/change.ts';
import type { Table, Write } from '#core/db/table.ts';
import { WriteConflict, WriteRefused } from '#core/db/table.ts';

const REFUSED = new WriteRefused([{ index: 1, found: undefined }]);
const CONFLICT = new WriteConflict('another transaction');
const WRITE: Write = { remove: { pk: 'a', sk: 'a' } };
const FIRST: Write = { remove: { pk: 'b', sk: 'b' } };

/** Runs a change of a number that goes up by one with every read; `failures` are those of its first writes. */
async function run(failures: readonly Error[], decision: Partial<Decision<number>> = {}, loaded?: number) {
  const remaining = [...failures];
  const written: (readonly Write[])[] = [];
  const decided: number[] = [];
  let newest = loaded ?? 0;
  const write: Table['write'] = async (writes) => {
    const failure = writes.includes(FIRST) ? undefined : remaining.shift();
    if (failure) throw failure;
    written.push(writes);
  };
  const result = await change(
    { table: { write } as Table },
    {
      ...(loaded === undefined ? {} : { loaded }),
      reload: async () => {
        newest += 1;
        return newest;
      },
      decide: (current) => {
        decided.push(current);
        return { writes: [WRITE], result: current, ...decision };
      },
    },
  ).catch((error: unknown) => error);
  return { result, written, decided };
}

test('decides on what was loaded, without a read', async () => {
  expect(await run([], {}, 7)).toEqual({ result: 7, written: [[WRITE]], decided: [7] });
});

test('reads first when nothing was loaded', async () => {
  expect(await run([])).toEqual({ result: 1, written: [[WRITE]], decided: [1] });
});

test.each([
  ['a refused condition', REFUSED],
  ['a conflict', CONFLICT],
])('after %s it reads and decides again', async (_name, failure) => {
  expect(await run([failure, failure], {}, 7)).toEqual({ result: 9, written: [[WRITE]], decided: [7, 8, 9] });
});

test('writes nothing for no change', async () => {
  expect(await run([], { writes: [], firstWrites: [FIRST] }, 7)).toEqual({ result: 7, written: [], decided: [7] });
});

test('does the first writes before the others, again with each attempt', async () => {
  const { written } = await run([CONFLICT], { firstWrites: [FIRST] }, 7);
  expect(written).toEqual([[FIRST], [FIRST], [WRITE]]);
});

test('a problem of a refused write ends the change', async () => {
  const gone = new Error('gone');
  const onRefused = ({ index }: WriteRefused): void => {
    if (index === 1) throw gone;
  };
  expect(await run([REFUSED], { onRefused }, 7)).toEqual({ result: gone, written: [], decided: [7] });
  // Another transaction says nothing about the condition.
  expect(await run([CONFLICT], { onRefused }, 7)).toMatchObject({ result: 8 });
});

test('says once that it is written, and not before', async () => {
  let times = 0;
  const onWritten = (): void => {
    times += 1;
  };
  await run([REFUSED, CONFLICT], { onWritten }, 7);
  expect(times).toBe(1);
  await run([new Error('no storage')], { onWritten }, 7);
  expect(times).toBe(1);
});
