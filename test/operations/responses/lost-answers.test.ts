/** The answers that a question or a choice would lose: exact up to 200 responses, and what they cost to count. */
import { expect, test } from 'vitest';
import { countAnswers, readEntries } from '#core/counts/lost-answers.ts';
import { app } from '#core/http/app.ts';
import { measureCost } from '#test/support/cost.ts';
import { choosing, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { castAt, respond, start } from '#test/support/responses.ts';

const cast = await castAt();

const count = async ({ formId }: Poll, questionIds: readonly string[]) =>
  countAnswers(app().table, formId, await readEntries(app().table, formId), questionIds);

test('of drafts and submitted responses are counted by question and choice', async () => {
  const { alice, bob, dave, erin } = cast;
  const poll = await newPoll(cast);
  const [light, dark] = poll.questions;
  await respond(dave, poll.formId, [choosing(poll, 0, [0, 1]), choosing(poll, 1, [2])]);
  await respond(erin, poll.formId, [choosing(poll, 0, [1])]);
  await start(alice, poll.formId, [choosing(poll, 0, [1, 2])]);
  await start(bob, poll.formId);
  const { questions, ...totals } = await count(poll, [light?.id ?? '', dark?.id ?? '']);
  expect(totals).toEqual({ draftCount: 2, submittedCount: 2, counting: false });
  const [red, green, blue] = light?.choiceIds ?? [];
  const lightCounts = questions?.get(light?.id ?? '');
  expect(lightCounts?.answers).toBe(3);
  expect([red, green, blue].map((id) => lightCounts?.choices.get(id ?? ''))).toEqual([1, 3, 1]);
  expect(questions?.get(dark?.id ?? '')?.answers).toBe(1);
  expect(questions?.get(dark?.id ?? '')?.choices.get(dark?.choiceIds[0] ?? '')).toBeUndefined();
});

test.each([
  ['200 are counted', 200, { submittedCount: 200, counting: false }, 100],
  ['of more, the answers are not read', 201, { counting: true, questions: undefined }, 20],
] as const)('%s', async (_name, responses, expected, units) => {
  const poll = await newPoll(cast);
  await seedSubmissions(poll, responses, cast.erin.id);
  const { cost, result } = await measureCost(() => count(poll, [poll.questions[1]?.id ?? '']));
  expect(result).toMatchObject(expected);
  expect(result.submittedCount).toBeGreaterThanOrEqual(responses);
  expect(result.questions?.get(poll.questions[1]?.id ?? '')?.answers).toBe(responses === 200 ? 200 : undefined);
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  expect(cost.capacityUnits).toBeLessThanOrEqual(units);
});
