/** The clearing of a spreadsheet row whose response was deleted, when its form is deleted too: nothing of it stays behind. */
import { describe, expect, test } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { muteErrors } from '#test/support/console.ts';
import { castAt, respond, text } from '#test/support/responses.ts';
import { answersIn, ownSheets, type SheetForm, sheetForm } from '#test/support/sheets.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, runSweep, sweepIn } from '#test/support/sweeps.ts';

const cast = await castAt();
const sheets = ownSheets();
muteErrors();
const MINUTE = 60;

/** A form whose only response, which is a row, was deleted while the spreadsheet answered with a status. */
async function withDeletedResponse(status: 403 | 503): Promise<SheetForm> {
  const { alice, dave, slug } = cast;
  const form = await sheetForm(alice, slug);
  const responseId = await respond(dave, form.formId, [text(form.questionId, 'Loch Ness')]);
  await runSweep();
  sheets().interfere(() => ({ status }));
  await alice.client.responses.deleteResponse({ params: { ...form, responseId } });
  await sweepIn(2 * MINUTE);
  return form;
}

/** What is stored of a form; the lease of its spreadsheet, which is named after it, is not the form's. */
const readStored = async ({ formId }: SheetForm) =>
  (await itemsMentioning(formKey(formId))).filter((key) => !key.startsWith('SHEET#'));

const readClearings = async (form: SheetForm) => (await readStored(form)).filter((key) => key.startsWith('CLEAR#'));

describe('the clearing of a row', () => {
  test('that failed is removed with the form', async () => {
    const form = await withDeletedResponse(403);
    expect(await readClearings(form)).toHaveLength(1);
    await cast.alice.client.forms.deleteForm({ params: form });
    await finishDeletions();
    expect(await readStored(form)).toEqual([]);
  });

  test('that is not done yet is done after the form is gone', async () => {
    const form = await withDeletedResponse(503);
    await cast.alice.client.forms.deleteForm({ params: form });
    await finishDeletions();
    expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
    sheets().interfere(() => undefined);
    await sweepIn(24 * 60 * MINUTE);
    expect(answersIn(sheets(), form)).toEqual([]);
    expect(await readStored(form)).toEqual([]);
  });

  test.each([403, 503] as const)('that fails for good (%s) after the form is gone leaves nothing', async (status) => {
    const form = await withDeletedResponse(503);
    await cast.alice.client.forms.deleteForm({ params: form });
    await finishDeletions();
    expect(await readClearings(form)).toHaveLength(1);
    sheets().interfere(() => ({ status }));
    await sweepIn(73 * 60 * MINUTE);
    expect(await readStored(form)).toEqual([]);
  });
});
