/**
 * Workers that die while they write rows: before and after every write to the table and every call of the spreadsheet
 * API. Afterwards every row is there once, with the latest answers.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { sweepJobs } from '#core/workers/kinds.ts';
import { muteErrors } from '#test/support/console.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { cancel, respond, save, text } from '#test/support/responses.ts';
import { addressOf, answersIn, ownSheets, setSpreadsheet, sheetForm } from '#test/support/sheets.ts';
import { sweepIn } from '#test/support/sweeps.ts';

let cast: Cast;
const sheets = ownSheets();
muteErrors();
beforeAll(async () => {
  cast = await newCast();
});

type When = 'before' | 'after';

/** Refuses each request to write with this text, as Google refuses one that touches a protected row. */
const REFUSED = 'Protected';
const refuse = (call: string, body: string) =>
  call !== '/developerMetadata:search' && body.includes(REFUSED) ? ({ status: 400 } as const) : undefined;

/** A worker that dies at its n-th step, before the step or after it took effect. */
function mortalWorker(dieAt: number, when: When) {
  let steps = 0;
  const worker = { isDead: false, table: (table: Table): Table => dying(table) };
  const isLast = (): boolean => {
    steps += 1;
    return steps === dieAt;
  };
  const requireAlive = (): void => {
    if (worker.isDead) throw new Error('the worker is dead');
  };
  sheets().interfere((call, _, body) => {
    if (worker.isDead) return 'lose-request';
    if (!isLast()) return refuse(call, body);
    worker.isDead = true;
    return refuse(call, body) ?? (when === 'before' ? 'lose-request' : 'lose-response');
  });
  return worker;

  function dying(table: Table): Table {
    return {
      ...table,
      read: async (keys) => {
        requireAlive();
        return table.read(keys);
      },
      list: async (request) => {
        requireAlive();
        return table.list(request);
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

/** A form whose spreadsheet was not set for a while: one row was edited, one cancelled, one added, one is refused. */
async function resetForm() {
  const { alice, dave, slug } = cast;
  const form = await sheetForm(alice, slug);
  const answer = (lake: string) => [text(form.questionId, lake)];
  const ids = [];
  for (const lake of ['Ness', 'Awe', 'Oich']) ids.push(await respond(dave, form.formId, answer(lake)));
  for (const seconds of [0, 120]) await sweepIn(seconds);
  const [edited = '', cancelled = '', refused = ''] = ids;
  await setSpreadsheet(alice, form.formId, null);
  await save(dave, edited, answer('Ness II'));
  await cancel(dave, cancelled);
  await save(dave, refused, answer(REFUSED));
  await respond(dave, form.formId, answer('Tay'));
  await setSpreadsheet(alice, form.formId, addressOf(form.spreadsheetId));
  return form;
}

/** Lets a worker die at each of its steps; afterwards the rows of the form are as expected. Returns how many it had. */
async function dieAtEachStep(when: When, newForm: typeof busyForm, expected: readonly string[]): Promise<number> {
  let steps = 0;
  for (let hasDied = true; hasDied; steps += 1) {
    const form = await newForm();
    const worker = mortalWorker(steps + 1, when);
    const mortal = { ...app(), table: worker.table(app().table) };
    await sweepJobs(mortal, () => !worker.isDead).catch(() => undefined);
    hasDied = worker.isDead;
    sheets().interfere((call, _, body) => refuse(call, body));
    for (const minutes of [5, 10, 15]) await sweepIn(minutes * 60);
    expect(answersIn(sheets(), form).toSorted(), `${when} step ${steps + 1}`).toEqual(expected);
  }
  return steps;
}

test.for(['before', 'after'] as const)('a worker that dies %s any of its steps', async (when) => {
  const steps = await dieAtEachStep(when, busyForm, ['Lomond', 'Morar', 'Ness II', 'Tay']);
  // Claims, the lease, the ids of rows, three calls, notes and outcomes.
  expect(steps).toBeGreaterThan(15);
});

test.for([
  'before',
  'after',
] as const)('a worker that dies %s any step after the spreadsheet was set again', async (when) => {
  const steps = await dieAtEachStep(when, resetForm, ['Ness II', 'Oich', 'Tay']);
  expect(steps).toBeGreaterThan(15);
});
