/** Exports whose workers are killed, each in a process of its own or at any of their calls, have every response once in the end. */
import { expect, test } from 'vitest';
import { muteErrors } from '#test/support/console.ts';
import { compareWithTable, kill, seedForm, startWorker } from '#test/support/export-proof.ts';
import { askForExport, buildExports, downloaded, readExport } from '#test/support/exports.ts';
import { withApp } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { respond, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

muteErrors();
const ROWS = 5_000;
const cast = await newCast();

test('an export of 5,000 responses survives two killed workers', async () => {
  const form = await seedForm(cast.alice, cast.slug, ROWS);
  const job = await askForExport(cast.bob, form.formId, form.questionIds);
  const first = startWorker(0, 'progress');
  expect((await first.lines.next()).value).toBe('hangs');
  // It reports after 2,000 rows, at the end of a batch, whose size follows from the shards of the ids.
  const begun = await readExport(cast.bob, job);
  expect(begun).toMatchObject({ state: 'RUNNING', total: ROWS });
  expect([begun.processed >= 2_000, begun.processed < 4_000]).toEqual([true, true]);
  await kill(first);
  const second = startWorker(121, 'upload');
  expect((await second.lines.next()).value).toBe('hangs');
  const further = await readExport(cast.bob, job);
  expect([further.state, further.processed >= 4_000, further.processed <= ROWS]).toEqual(['RUNNING', true, true]);
  await kill(second);
  const third = startWorker(300);
  await third.lines.next();
  expect(await readExport(cast.bob, job)).toMatchObject({ state: 'DONE', processed: ROWS, total: ROWS });
  expect(await compareWithTable(await downloaded(cast.bob, job), cast.alice, form)).toBe(ROWS);
});

test.for([
  'before',
  'after',
] as const)('a small export is built although a worker is killed %s any of its calls', async (when) => {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  await respond(cast.dave, form.formId, [text(form.questionIds[0] ?? '', 'frogs')]);
  await deliverStream();
  let killed = true;
  for (let call = 1; killed; call += 1) {
    await cast.alice.client.forms.updateForm({
      params: { formId: form.formId },
      body: { title: `Ponds ${when} ${call}` },
    });
    const job = await askForExport(cast.bob, form.formId, form.questionIds);
    ({ killed } = await deliverStream({ only: ['deliver'], kill: { call, when } }));
    await withApp(() => ({ now: () => new Date(Date.now() + 121_000) }), buildExports);
    expect(await readExport(cast.alice, job), `call ${call}`).toMatchObject({ state: 'DONE' });
    expect(call).toBeLessThan(40);
  }
});
