/** What an edit of a large submitted response costs in capacity units, and that its row follows. */
import { expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newForm, type Person } from '#test/support/fixtures.ts';
import { castAt, editQuestion, readQuestion, save, sent, start, submit, text } from '#test/support/responses.ts';
import { addressOf, answersIn, attemptRowsIn, ownSheets, setSpreadsheet } from '#test/support/sheets.ts';

const cast = await castAt();
const sheets = ownSheets();
/** 40,000 bytes in 10,000 characters, as many as an answer may have. */
const LONGEST = '😀'.repeat(10_000);
/** The size of the large response: a write unit is 1 KB. */
const KILOBYTES = (8 * 40_000) / 1_024;

/** A form with two short questions and eight long ones, and a submitted response with the long answers. */
async function largeSubmission(respondent: Person, spreadsheetId?: string) {
  const { alice, slug } = cast;
  const longs = Array.from({ length: 8 }, () => ({ type: 'LONG_TEXT' as const }));
  const shorts = Array.from({ length: 2 }, () => ({ type: 'SHORT_TEXT' as const }));
  const { formId, questionIds } = await newForm(alice, slug, [[...shorts, ...longs]]);
  if (spreadsheetId) await setSpreadsheet(alice, formId, addressOf(spreadsheetId));
  const [first = '', second = '', ...long] = questionIds;
  const answers = long.map((id) => sent(id, 'LONG_TEXT', LONGEST));
  const id = await start(respondent, formId);
  await save(respondent, id, answers.slice(0, 4));
  await save(respondent, id, answers.slice(4));
  await submit(respondent, id);
  return { formId, id, first, second };
}

test('an edit costs less than twice the size of the response, also the first answer to a question', async () => {
  const { dave } = cast;
  const { id, first, second } = await largeSubmission(dave);
  // An edit of a submission is marked first. A first answer also reads which questions were answered, and notes its own.
  for (const [answer, mostTrips] of [
    [text(first, 'first'), 4],
    [text(first, 'changed'), 3],
    [text(second, 'first'), 4],
  ] as const) {
    const { cost } = await measureCost(() => save(dave, id, [answer]));
    expect(cost.capacityUnits).toBeLessThan(2 * KILOBYTES);
    expect(cost.roundTrips).toBeLessThanOrEqual(mostTrips);
  }
});

test('an edit that changes a row is a transaction, which costs twice the size, and the row follows', async () => {
  const { dave } = cast;
  const spreadsheetId = 'large-rows';
  const form = await largeSubmission(dave, spreadsheetId);
  await attemptRowsIn(1);
  const { cost } = await measureCost(() => save(dave, form.id, [text(form.first, 'edited')]));
  // With the read, which is a quarter of the size.
  expect(cost.capacityUnits).toBeLessThan(2.5 * KILOBYTES);
  await attemptRowsIn(0);
  expect(answersIn(sheets(), { ...form, questionId: form.first, spreadsheetId })).toEqual(['edited']);
});

test('an edit that another one overtakes keeps both answers, and their questions count as answered', async () => {
  const { alice, dave } = cast;
  const { formId, id, first, second } = await largeSubmission(dave);
  await beforeFirstWrite(
    () => save(dave, id, [text(first, 'one')]),
    () => save(dave, id, [text(second, 'two')]),
  );
  for (const [questionId, value] of [
    [first, 'one'],
    [second, 'two'],
  ] as const) {
    const read = await dave.client.responses.getAnswer({ params: { responseId: id, questionId } });
    expect(read.body.answer.displayValue).toBe(value);
    const question = await readQuestion(alice, formId, questionId);
    await expect(editQuestion(alice, question, { type: 'LONG_TEXT' })).rejects.toMatchObject({ status: 400 });
  }
});
