/** A spreadsheet that is set while somebody changes a response: the request has read that the form has none. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newForm, type Person } from '#test/support/fixtures.ts';
import { cancel, draftOf, pass, save, store, submissionOf, submit, text } from '#test/support/responses.ts';
import { addressOf, setSpreadsheet } from '#test/support/sheets.ts';
import { runSweep, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { sheetScene } from './sheet-scene.ts';

const { cast, answers } = await sheetScene();
const MINUTE = 60;

type Form = { formId: string; questionId: string; spreadsheetId: string };
type Change = { isDraft?: boolean; run(form: Form, id: string): Promise<unknown>; expected: readonly string[] };
const { alice, dave, slug } = cast;
const CHANGES: Record<string, Change> = {
  'is cancelled': { run: (_form, id) => cancel(dave, id), expected: [] },
  'is edited': { run: ({ questionId }, id) => save(dave, id, [text(questionId, 'Awe')]), expected: ['Awe'] },
  'is submitted': { isDraft: true, run: (_form, id) => submit(dave, id), expected: ['Ness'] },
  'is deleted': {
    run: ({ formId }, responseId) => alice.client.responses.deleteResponse({ params: { formId, responseId } }),
    expected: [],
  },
};

/** What the author does in the middle of the request. */
const SETTINGS: Record<string, (form: Form) => Promise<unknown>> = {
  set: (form) => set(alice, form),
  'set, removed and set again': async (form) => {
    await set(alice, form);
    await setSpreadsheet(alice, form.formId, null);
    await set(alice, form);
  },
};

async function set(by: Person, { formId, spreadsheetId }: Form): Promise<void> {
  await setSpreadsheet(by, formId, addressOf(spreadsheetId));
  await deliverStream({ only: ['deliver'] });
  await runSweep();
}

const AGES = { 'of an hour ago': 60, 'of this minute': 0 };

for (const [name, change] of Object.entries(CHANGES))
  for (const [setting, setMeanwhile] of Object.entries(SETTINGS))
    test.each(
      Object.entries(AGES),
    )(`a response %s that ${name} while the spreadsheet is ${setting}`, async (_, age) => {
      const { formId, questionIds, sectionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
      const form = { formId, questionId: questionIds[0] ?? '', spreadsheetId: `meanwhile-${formId}` };
      await alice.client.forms.updateForm({ params: { formId }, body: { allowEditResponse: true } });
      const at = new Date(app().now().getTime() - age * MINUTE * 1_000).toISOString();
      const contents = { [form.questionId]: { type: 'SHORT_TEXT' as const, value: 'Ness' } };
      const response = change.isDraft
        ? draftOf({ formId, sectionIds }, dave.id, at, contents)
        : submissionOf({ formId, sectionIds }, dave.id, at, contents);
      await store([response]);
      await beforeFirstWrite(
        () => change.run(form, response.id),
        () => setMeanwhile(form),
      );
      await deliverStream({ only: ['deliver'] });
      for (const minutes of [1, 2, 5, 70]) await sweepIn(minutes * MINUTE);
      expect(answers(form)).toEqual(change.expected);
      pass(1);
    });
