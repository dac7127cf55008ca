/**
 * The values of choice and scale questions in a form with more responses than a request counts: what they are, and that
 * reading them costs the same for any number of responses.
 */
import { expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseStructure } from '#core/structure/store.ts';
import { countFacets } from '#core/table/facets.ts';
import { listColumns } from '#core/table/table.ts';
import { muteErrors } from '#test/support/console.ts';
import { costOf } from '#test/support/cost.ts';
import { largePoll, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { pagesOf } from '#test/support/pages.ts';
import { castAt, editQuestion, questionOf, respond, sent } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = castAt();
muteErrors();

async function distinctOf({ formId }: Poll, questionId: string) {
  const { client } = cast().bob;
  const params = {
    formId,
    viewId: (await client.views.listViews({ params: { formId } })).body[0]?.id ?? '',
    questionId,
  };
  return () => client.views.listDistinctAnswers({ params, body: { filters: [] } });
}

/** Up to 200 responses are read themselves, so that a list has the response that was just submitted. */
const COSTS = [
  { count: 10, roundTrips: 3, units: 16 },
  { count: 1_000, roundTrips: 2, units: 6 },
];

test.each(COSTS)('distinct answers of $count responses cost at most $units units', async (row) => {
  const { count, roundTrips, units } = row;
  const { alice, bob, erin } = cast();
  const poll = await newPoll(cast());
  await bob.client.views.createView({ params: { formId: poll.formId }, body: {} });
  await seedSubmissions(poll, count, erin.id);
  await deliverStream();
  const list = await distinctOf(poll, poll.questions[0]?.id ?? '');
  // The function is warm from the second time on.
  await list();
  const { cost, result } = await costOf(list);
  expect(result.body.answers.map(({ displayValue }) => displayValue)).toEqual(['blue', 'green', 'red']);
  expect(result.body.truncated).toBe(false);
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
  expect(cost.capacityUnits).toBeLessThanOrEqual(units);
  const shown = await costOf(() => pagesOf(alice).show(`/review/${poll.formId}?filter=open`));
  expect(shown.cost.roundTrips).toBeLessThanOrEqual(4);
});

test('the distinct answers of a large form have the choices that were removed, under the name that they had', async () => {
  const { alice, bob, dave } = cast();
  const poll = await largePoll(cast());
  const { formId } = poll;
  await bob.client.views.createView({ params: { formId }, body: {} });
  const { id = '' } = poll.questions[0] ?? {};
  const question = await questionOf(alice, formId, id);
  await editQuestion(alice, question, { choices: [...(question.choices ?? []).slice(1), { name: 'white' }] });
  const { choices = [] } = await questionOf(alice, formId, id);
  await respond(dave, formId, [sent(id, 'MULTIPLE_CHOICE', [choices.at(-1)?.id ?? ''])]);
  await deliverStream();
  const { body } = await (await distinctOf(poll, id))();
  expect(body.answers.map(({ displayValue }) => displayValue)).toEqual(['blue', 'green', 'red', 'white']);
});

test('the values of a filter are counted alike by the counters and by reading all responses', async () => {
  const poll = await largePoll(cast());
  const { table } = app();
  const structure = parseStructure((await table.read([keys.formStructure(poll.formId)]))[0]);
  const counters = await loadCounters(table, poll.formId);
  if (!structure) throw new Error('the form has no structure');
  const [light, dark] = poll.questions;
  const request = (questionId = '', option = '') => ({
    columns: listColumns(structure),
    filters: [{ questionId, answers: [{ option }] }],
  });
  for (const each of [
    { columns: listColumns(structure), filters: [] },
    request(light?.id, light?.choiceIds[0]),
    request(dark?.id, dark?.choiceIds[2]),
  ]) {
    const counted = await countFacets({ table }, structure, { ...each, counters });
    expect(counted).toEqual(await countFacets({ table }, structure, { ...each, counters: undefined }));
    expect(counted.isComplete).toBe(true);
  }
});
