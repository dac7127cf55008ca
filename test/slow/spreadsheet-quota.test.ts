/** The quota of the spreadsheet service, which all forms and all people who check spreadsheets share. */
import { expect, test } from 'vitest';
import { GOOGLE_QUOTA } from '#stacks/local/sheets/sheets.ts';
import { expectProblem, person } from '#test/support/fixtures.ts';
import { castAt, pass, respond, text } from '#test/support/responses.ts';
import { addressOf, answersIn, ownSheets, readStatus, type SheetForm, sheetForm } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';

const cast = await castAt();
const sheets = ownSheets(GOOGLE_QUOTA);

test('people who check spreadsheets as often as they may leave the quota to the rows', async () => {
  const { alice, dave, slug } = cast;
  const form = await sheetForm(alice, slug);
  const people = await Promise.all(Array.from({ length: 9 }, (_, index) => person(`checker${index}`)));
  for (const { client } of people) {
    const addresses = Array.from({ length: 10 }, (_, index) => addressOf(`checked-${index}`));
    // One after another: a write that is repeated because the machine is late counts twice.
    for (const spreadsheetUrl of addresses) {
      const { body } = await client.forms.verifySpreadsheet({ body: { spreadsheetUrl } });
      expect(body.isValid).toBe(true);
    }
    const eleventh = client.forms.verifySpreadsheet({ body: { spreadsheetUrl: addressOf('checked-0') } });
    expect((await expectProblem(eleventh)).status).toBe(429);
  }
  await respond(dave, form.formId, [text(form.questionId, 'Loch Ness')]);
  await runSweep();
  expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
});

test('rows beyond the quota follow when there is some again', async () => {
  const { alice, bob, dave, slug } = cast;
  pass(120);
  // Each form has a spreadsheet of its own, and each new spreadsheet takes two requests to read and one to write.
  const forms: SheetForm[] = [];
  for (let count = 0; count < GOOGLE_QUOTA / 2 + 5; count += 1) {
    const form = await sheetForm(alice, slug);
    await respond(dave, form.formId, [text(form.questionId, 'Loch Ness')]);
    forms.push(form);
  }
  const written = () => forms.filter((form) => answersIn(sheets(), form).length === 1);
  await runSweep();
  expect(written().length).toBeLessThanOrEqual(GOOGLE_QUOTA / 2);
  const [late] = forms.filter((form) => !written().includes(form));
  expect(await readStatus(bob, late?.formId ?? '')).toMatchObject({ state: 'RETRYING', reason: 'rate_limited' });
  for (let minute = 0; minute < 5; minute += 1) {
    pass(60);
    await runSweep();
  }
  expect(written()).toHaveLength(forms.length);
});
