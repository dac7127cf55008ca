/** Answers that are numbers: their statistics, from responses and from counters, the order of a table, and filters. */
import { expect, test } from 'vitest';
import { readMean } from '#core/counts/cells.ts';
import { loadCounters } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { shortName } from '#core/schema/schema.ts';
import { parseStructure } from '#core/structure/store.ts';
import { loadStatistics } from '#core/table/statistics-data.ts';
import { readCounters, repairCounts } from '#test/support/counts.ts';
import { type Built, newForm, question } from '#test/support/fixtures.ts';
import { castAt, pass, respond, store, submissionOf, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
const { alice, dave, slug } = cast;
const NUMBER = { type: 'SHORT_TEXT', title: 'Weight', text: { format: 'NUMBER', unit: 'kg' } } as const;

/** A form with one question, answered by some texts, oldest first. */
async function weighed(kind: { type: 'SHORT_TEXT' }, typed: readonly string[]) {
  const form = await newForm(alice, slug, [[kind]]);
  const [questionId = ''] = form.questionIds;
  for (const value of typed) {
    pass(1);
    await respond(dave, form.formId, [text(questionId, value)]);
  }
  pass(1);
  await deliverStream();
  return { ...form, questionId };
}
const statisticsOf = async ({ formId }: Pick<Built, 'formId'>) =>
  (await alice.client.responses.getStatistics({ params: { formId } })).body.questions[0];
const meanOf = async (form: Pick<Built, 'formId'> & { questionId: string }) =>
  readMean((await readCounters(form.formId)).cells.get(shortName(form.questionId)));
const update = ({ sectionIds, questionId }: { sectionIds: string[]; questionId: string }, more: object) =>
  alice.client.questions.updateQuestion({
    params: { sectionId: sectionIds[0] ?? '', questionId },
    body: { ...question({ type: 'SHORT_TEXT', title: 'Weight' }), order: 1, ...more },
  });

test('have a mean, extremes and a median, whatever way they were typed', async () => {
  const form = await weighed(NUMBER, ['7,5', ' 010 ', '-2.25', '+3']);
  const statistics = await statisticsOf(form);
  expect(statistics?.numbers).toEqual({ count: 4, mean: 4.5625, readCount: 4, min: -2.25, max: 10, median: 5.25 });
  expect(statistics?.answeredCount).toBe(4);
  expect(await meanOf(form)).toEqual({ count: 4, mean: 4.5625 });
  expect((await statisticsOf(await weighed(NUMBER, [])))?.numbers).toEqual({
    ...{ count: 0, mean: null, readCount: 0, min: null, max: null, median: null },
  });
});

test('are added up exactly, also large and tiny ones, and taken away again', async () => {
  const typed = ['999999999999999', '-999999999999998', '0.000001', '0.1', '0.2', '-0.3'];
  const form = await weighed(NUMBER, typed);
  expect(await meanOf(form)).toEqual({ count: 6, mean: 1.000001 / 6 });
  const { responses } = (await alice.client.responses.listResponses({ params: { formId: form.formId } })).body;
  for (const { id } of responses.slice(0, 5)) {
    await alice.client.responses.deleteResponse({ params: { formId: form.formId, responseId: id } });
  }
  await deliverStream();
  expect(await meanOf(form)).toEqual({ count: 1, mean: 999_999_999_999_999 });
});

test('are counted anew when a question that was answered asks for them, and no more when it does not', async () => {
  const form = await weighed({ type: 'SHORT_TEXT' }, ['1', 'two', '3']);
  expect((await statisticsOf(form))?.numbers).toBeUndefined();
  expect(await meanOf(form)).toEqual({ count: 0, mean: null });
  await update(form, { text: { format: 'NUMBER' } });
  await repairCounts();
  expect(await meanOf(form)).toEqual({ count: 2, mean: 2 });
  expect((await statisticsOf(form))?.numbers).toMatchObject({ count: 2, mean: 2, readCount: 2, median: 2 });
  // Another edit begins no recount, and the next one takes the numbers away.
  await update(form, { text: { format: 'NUMBER', min: 1 } });
  await update(form, { text: null });
  await repairCounts();
  expect(await meanOf(form)).toEqual({ count: 0, mean: null });
});

test('of a large form have the mean of all, and say of how many the rest is', async () => {
  const form = await newForm(alice, slug, [[NUMBER]]);
  const [questionId = ''] = form.questionIds;
  const values = Array.from({ length: 240 }, (_, index) => String(index));
  const at = (index: number) => new Date(Date.parse('2026-04-01T00:00:00Z') + index * 60_000).toISOString();
  await store(
    values.map((value, index) =>
      submissionOf(form, dave.id, at(index), { [questionId]: { type: 'SHORT_TEXT', value } }),
    ),
  );
  await deliverStream();
  await repairCounts();
  const structure = parseStructure((await app().table.read([keys.formStructure(form.formId)]))[0]);
  if (!structure) throw new Error('the form has no structure');
  const counters = await loadCounters(app().table, form.formId);
  const { questions } = await loadStatistics(app(), structure, { filters: [], counters });
  expect(questions[0]?.numbers).toEqual({ count: 240, mean: 119.5, readCount: 10, min: 230, max: 239, median: 234.5 });
});

test('sort a table as numbers, what is none last, and are found however they were typed', async () => {
  const form = await weighed({ type: 'SHORT_TEXT' }, ['10', 'nine', '9,50', '-1', '010.0']);
  await update(form, { text: { format: 'NUMBER' } });
  const { formId, questionId } = form;
  const query = async (body: object) => {
    const filter = { filters: [], ...body };
    const { responses } = (await alice.client.responses.filterResponses({ params: { formId }, body: filter })).body;
    return responses.map(({ answers }) => answers[questionId]?.displayValue);
  };
  expect(await query({ sort: { questionId } })).toEqual(['-1', '9,50', '010.0', '10', 'nine']);
  expect(await query({ sort: { questionId, descending: true } })).toEqual(['010.0', '10', '9,50', '-1', 'nine']);
  const filters = [{ questionId, answers: [{ option: '10' }] }];
  expect(await query({ filters })).toEqual(['10', '010.0']);
});
