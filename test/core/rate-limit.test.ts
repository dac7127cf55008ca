/** Rate limits: how many uses a window takes, for whom, and that concurrent uses are all counted. */
import { expect, test } from 'vitest';
import { countUse } from '#core/db/rate-limit.ts';
import { app } from '#core/http/app.ts';
import { Problem } from '#core/problems/problems.ts';

const LIMIT = { name: 'test', max: 3, seconds: 60 };

/** Counts uses by a subject at a time, all at once: `ok`, or the seconds after which to repeat a refused one. */
const uses = (subject: string, time: string, count: number): Promise<unknown[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      countUse({ ...app(), now: () => new Date(time) }, LIMIT, subject).then(
        () => 'ok',
        (error: unknown) =>
          error instanceof Problem ? [error.code, error.status, error.headers['retry-after']] : error,
      ),
    ),
  );

test('as many uses at once as the limit allows are accepted, the others are 429 with the rest of the window', async () => {
  const results = await uses('alice', '2026-05-01T12:00:15.500Z', 5);
  expect(results.filter((result) => result === 'ok')).toHaveLength(3);
  expect(results.filter((result) => result !== 'ok')).toEqual(Array(2).fill(['too_many_requests', 429, '45']));
});

test('the next window starts from zero', async () => {
  expect(await uses('bob', '2026-05-01T12:00:59.999Z', 3)).toEqual(['ok', 'ok', 'ok']);
  expect(await uses('bob', '2026-05-01T12:00:59.999Z', 1)).not.toEqual(['ok']);
  expect(await uses('bob', '2026-05-01T12:01:00.000Z', 3)).toEqual(['ok', 'ok', 'ok']);
});

test('another subject, and another limit, have counts of their own', async () => {
  const time = '2026-05-01T12:00:00.000Z';
  await uses('carol', time, 3);
  expect(await uses('dave', time, 1)).toEqual(['ok']);
  await countUse({ ...app(), now: () => new Date(time) }, { ...LIMIT, name: 'other' }, 'carol');
});
