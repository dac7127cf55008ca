/** An export whose worker is killed twice, each in a process of its own, has every response once in the end. */
import { beforeAll, expect, test } from 'vitest';
import { compareWithTable, kill, seedForm, startWorker } from '#test/support/export-proof.ts';
import { askForExport, downloaded, exportOf } from '#test/support/exports.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';

const ROWS = 5_000;
let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

test('an export of 5,000 responses survives two killed workers', async () => {
  const form = await seedForm(cast.alice, cast.slug, ROWS);
  const job = await askForExport(cast.bob, form.formId, form.questionIds);
  const first = startWorker(0, 'progress');
  expect((await first.lines.next()).value).toBe('hangs');
  expect(await exportOf(cast.bob, job)).toMatchObject({ state: 'RUNNING', processed: 2_000, total: ROWS });
  await kill(first);
  const second = startWorker(121, 'upload');
  expect((await second.lines.next()).value).toBe('hangs');
  expect(await exportOf(cast.bob, job)).toMatchObject({ state: 'RUNNING', processed: 4_000 });
  await kill(second);
  const third = startWorker(300);
  await third.lines.next();
  expect(await exportOf(cast.bob, job)).toMatchObject({ state: 'DONE', processed: ROWS, total: ROWS });
  expect(await compareWithTable(await downloaded(cast.bob, job), cast.alice, form)).toBe(ROWS);
});
