/** The status of a spreadsheet is that of the newest attempt, also when an earlier one ends after it. */
import { expect, test } from 'vitest';
import { keys, keyText } from '#core/db/keys.ts';
import { withTable } from '#test/support/faults.ts';
import { pass, respond } from '#test/support/responses.ts';
import { readStatus } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { sheetScene } from './sheet-scene.ts';

const { cast, sheets, newSheetForm, answer, answers } = await sheetScene();

test('a slow worker does not replace a newer failure', async () => {
  const { bob, dave, erin } = cast;
  const form = await newSheetForm();
  await runSweep();
  sheets().interfere(() => ({ status: 503 }));
  await respond(dave, form.formId, answer(form, 'Ness'));
  await deliverStream({ only: ['deliver'] });
  expect(await readStatus(bob, form.formId)).toMatchObject({ state: 'RETRYING' });
  sheets().interfere(() => undefined);
  pass(120);
  const statusKey = keyText(keys.formSpreadsheet(form.formId));
  let hasFailed = false;
  await withTable(
    ({ read }) => ({
      read: async (requested) => {
        const items = await read(requested);
        if (hasFailed || !requested.some((key) => keyText(key) === statusKey)) return items;
        hasFailed = true;
        // The first worker has written its row and released the spreadsheet. Access to it ends.
        pass(1);
        sheets().interfere(() => ({ status: 403 }));
        await respond(erin, form.formId, answer(form, 'Awe'));
        await deliverStream({ only: ['deliver'] });
        return items;
      },
    }),
    runSweep,
  );
  expect(hasFailed).toBe(true);
  expect(answers(form)).toEqual(['Ness']);
  expect(await readStatus(bob, form.formId)).toMatchObject({ state: 'FAILED', reason: 'no_access' });
});
