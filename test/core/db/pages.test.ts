/** Reading pages ahead: the next one is under way while one is processed. */
import { expect, test } from 'vitest';
import { readAhead } from '#core/db/batches.ts';

/** Pages 1, 2, … that note when they are read, the last of which may fail. */
async function* pages(reads: number[], count: number, failure?: Error): AsyncGenerator<number> {
  for (let page = 1; page <= count; page += 1) {
    reads.push(page);
    yield page;
  }
  if (failure) throw failure;
}

test('a page is read while the one before it is processed, and no further', async () => {
  const reads: number[] = [];
  const seen: [page: number, read: number][] = [];
  for await (const page of readAhead(pages(reads, 4))) {
    await new Promise(setImmediate);
    seen.push([page, reads.length]);
  }
  expect(seen).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 4],
  ]);
});

test('a page that cannot be read is an error after the pages before it, or none when the reader has stopped', async () => {
  const failing = () => readAhead(pages([], 2, new Error('the table is unavailable')));
  const seen: number[] = [];
  const reading = async () => {
    for await (const page of failing()) seen.push(page);
  };
  await expect(reading()).rejects.toThrow('the table is unavailable');
  expect(seen).toEqual([1, 2]);
  for await (const page of failing()) if (page === 2) break;
  await new Promise(setImmediate);
});
