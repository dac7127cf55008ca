/**
 * Workers that die while they write rows: before and after every write to the table and every call of the spreadsheet
 * API. Afterwards every row is there once, with the latest answers.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Table } from '#core/db/table.ts';
import { sweepDeliveries } from '#core/delivery/handlers.ts';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { cancel, respond, save, text } from '#test/support/responses.ts';
import { answersIn, ownSheets, sheetForm } from '#test/support/sheets.ts';
import { sweepIn } from '#test/support/sweeps.ts';

let cast: Cast;
const sheets = ownSheets();
muteErrors();
beforeAll(async () => {
  cast = await newCast();
});

/** A worker that dies at its n-th step, before the step or after it took effect. */
function mortalWorker(dieAt: number, when: 'before' | 'after') {
  let steps = 0;
  const worker = { isDead: false, table: (table: Table): Table => dying(table) };
  const isLast = (): boolean => {
    steps += 1;
    return steps === dieAt;
  };
  const requireAlive = (): void => {
    if (worker.isDead) throw new Error('the worker is dead');
  };
  sheets().interfere(() => {
    if (worker.isDead) return 'lose-request';
    if (!isLast()) return undefined;
    worker.isDead = true;
    return when === 'before' ? 'lose-request' : 'lose-response';
  });
  return worker;

  function dying(table: Table): Table {
    return {
      ...table,
      read: async (keys) => {
        requireAlive();
        return table.read(keys);
      },
      page: async (request) => {
        requireAlive();
        return table.page(request);
      },
      write: async (writes) => {
        requireAlive();
        const last = isLast();
        if (!last || when === 'after') await table.write(writes);
        worker.isDead = worker.isDead || last;
        requireAlive();
      },
    };
  }
}

/** A form with a row that is edited, one that is cancelled, and three that are not there yet. */
async function busyForm() {
  const { alice, dave, slug } = cast;
  const form = await sheetForm(alice, slug);
  const answer = (lake: string) => [text(form.questionId, lake)];
  const edited = await respond(dave, form.formId, answer('Ness'));
  const cancelled = await respond(dave, form.formId, answer('Awe'));
  for (const seconds of [0, 120]) await sweepIn(seconds);
  expect(answersIn(sheets(), form).toSorted()).toEqual(['Awe', 'Ness']);
  await save(dave, edited, answer('Ness II'));
  await cancel(dave, cancelled);
  for (const lake of ['Lomond', 'Morar', 'Tay']) await respond(dave, form.formId, answer(lake));
  return form;
}

test.for(['before', 'after'] as const)('a worker that dies %s any of its steps', async (when) => {
  let steps = 0;
  for (let hasDied = true; hasDied; steps += 1) {
    const form = await busyForm();
    const worker = mortalWorker(steps + 1, when);
    await sweepDeliveries({ ...app(), table: worker.table(app().table) }, () => !worker.isDead).catch(() => undefined);
    hasDied = worker.isDead;
    sheets().interfere(() => undefined);
    for (const minutes of [5, 10, 15]) await sweepIn(minutes * 60);
    expect(answersIn(sheets(), form).toSorted(), `${when} step ${steps + 1}`).toEqual([
      'Lomond',
      'Morar',
      'Ness II',
      'Tay',
    ]);
  }
  // Claims, the lease, the ids of rows, three calls, notes and outcomes.
  expect(steps).toBeGreaterThan(15);
});
