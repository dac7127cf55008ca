/**
 * The values of choice and scale questions in a form with more responses than a request counts: what they are, and that
 * reading them costs the same for any number of responses.
 */
import { expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseStructure, replaceStructure } from '#core/structure/store.ts';
import { countMatching, listCountedValues } from '#core/table/counted.ts';
import { planFacets } from '#core/table/facets.ts';
import { listMatchingResponses } from '#core/table/list.ts';
import type { TableQuery } from '#core/table/matches.ts';
import { listColumns } from '#core/table/table.ts';
import { muteErrors } from '#test/support/console.ts';
import { measureCost } from '#test/support/cost.ts';
import { choosing, largePoll, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { question } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { castAt, editQuestion, readQuestion, readQuestions, respond, sent } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
muteErrors();

async function readDistinct({ formId }: Poll, questionId: string) {
  const { client } = cast.bob;
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
  const { alice, bob, erin } = cast;
  const poll = await newPoll(cast);
  await bob.client.views.createView({ params: { formId: poll.formId }, body: {} });
  await seedSubmissions(poll, count, erin.id);
  await deliverStream();
  const list = await readDistinct(poll, poll.questions[0]?.id ?? '');
  // The function is warm from the second time on.
  await list();
  const { cost, result } = await measureCost(list);
  expect(result.body.answers.map(({ displayValue }) => displayValue)).toEqual(['blue', 'green', 'red']);
  expect(result.body.truncated).toBe(false);
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
  expect(cost.capacityUnits).toBeLessThanOrEqual(units);
  const shown = await measureCost(() => pagesOf(alice).show(`/review/${poll.formId}?filter=open`));
  expect(shown.cost.roundTrips).toBeLessThanOrEqual(4);
});

test('the distinct answers of a large form have the choices that were removed, under the name that they had', async () => {
  const { alice, bob, dave } = cast;
  const poll = await largePoll(cast);
  const { formId } = poll;
  await bob.client.views.createView({ params: { formId }, body: {} });
  const { id = '' } = poll.questions[0] ?? {};
  await respond(dave, formId, [choosing(poll, 0, [1])]);
  const question = await readQuestion(alice, formId, id);
  await editQuestion(alice, question, { choices: [...(question.choices ?? []).slice(1), { name: 'white' }] });
  const { choices = [] } = await readQuestion(alice, formId, id);
  await respond(dave, formId, [sent(id, 'MULTIPLE_CHOICE', [choices.at(-1)?.id ?? ''])]);
  await deliverStream();
  const list = await readDistinct(poll, id);
  const displayed = async () => (await list()).body.answers.map(({ displayValue }) => displayValue);
  const all = ['blue', 'green', 'red', 'white'];
  expect(await displayed()).toEqual(all);
  const { cost } = await measureCost(list);
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  expect(cost.capacityUnits).toBeLessThanOrEqual(6);
  await forgetRemovedChoices(formId);
  expect(await displayed()).toEqual(all);
  await alice.client.questions.deleteQuestion({ params: { sectionId: poll.sectionIds[0] ?? '', questionId: id } });
  expect((await displayed()).slice(0, 2)).toEqual(['blue', 'green']);
});

/** Removes the names of removed choices from a structure, as if an earlier version of the service had stored it. */
async function forgetRemovedChoices(formId: string): Promise<void> {
  const stored = parseStructure((await app().table.read([keys.formStructure(formId)]))[0]);
  if (!stored?.removedChoices) throw new Error('no removed choices are stored');
  const { removedChoices: _, version, ...rest } = stored;
  await app().table.write(replaceStructure({ ...rest, version: version + 1 }));
}

type Filters = TableQuery['filters'];
const only = (questionId = '', option = ''): Filters => [{ questionId, answers: [{ option }] }];

test('the values of a filter are counted alike by the counters and by reading all responses', async () => {
  const poll = await largePoll(cast);
  const { table } = app();
  const structure = parseStructure((await table.read([keys.formStructure(poll.formId)]))[0]);
  const counters = await loadCounters(table, poll.formId);
  if (!structure) throw new Error('the form has no structure');
  const [light, dark] = poll.questions;
  const readFacets = async (filters: Filters, counted: typeof counters) => {
    const request = { columns: listColumns(structure), query: { filters }, requested: undefined };
    const plan = planFacets(structure, { ...request, counters: counted });
    const values = await listCountedValues(table, structure, counted, plan.counted);
    const page = { limit: 1, countsAll: true, visit: plan.visit };
    const { matches } = await listMatchingResponses(app(), structure, { filters }, page);
    return plan.build(values, matches?.isComplete === true);
  };
  for (const filters of [[], only(light?.id, light?.choiceIds[0]), only(dark?.id, dark?.choiceIds[2])]) {
    const counted = await readFacets(filters, counters);
    expect(counted).toEqual(await readFacets(filters, undefined));
    expect(counted.isComplete).toBe(true);
    const all = await listMatchingResponses(app(), structure, { filters }, { limit: 1_000, countsAll: true });
    const exact = await countMatching(table, structure, counters, { filters });
    expect(exact).toBe(filters.length === 0 ? undefined : all.responses.length);
  }
});

const linksIn = (html: string): [string, string][] =>
  [...html.matchAll(/href="([^"]+)"[^>]*>([^<]+)</g)].map(([, href = '', name = '']) => [
    name,
    href.replaceAll('&amp;', '&'),
  ]);
const linkTo = (html: string, name: string): string => linksIn(html).find(([each]) => each === name)?.[1] ?? '';
const MATCHES = /match-count" role="status">([^<]*)</;

test('a filtered table reads its rows and counts all that match, on every page, from the counters or in one pass', async () => {
  const { alice } = cast;
  const poll = await newPoll(cast);
  await seedSubmissions(poll, 1_100, cast.erin.id);
  await deliverStream();
  const { show } = pagesOf(alice);
  const [light, dark] = poll.questions;
  const byLight = `f-${light?.id}=${light?.choiceIds[0]}`;
  const byBoth = `${byLight}&f-${dark?.id}=${dark?.choiceIds[0]}`;
  const path = (query: string) => `/review/${poll.formId}?rows=25&${query}`;
  const measure = async (query: string) => {
    await show(path(query));
    const { cost, result } = await measureCost(() => show(path(query)));
    return { ...cost, matches: MATCHES.exec(result)?.[1], next: linkTo(result, 'Next page') };
  };
  const one = await measure(byLight);
  expect(one.matches).toBe('367 responses match.');
  expect(one.roundTrips).toBeLessThanOrEqual(6);
  expect(MATCHES.exec(await show(one.next))?.[1]).toBe('367 responses match.');
  const both = await measure(byBoth);
  expect(both.matches).toBe('At least 167 responses match.');
  expect(both.roundTrips).toBeLessThanOrEqual(23);
  const next = await measureCost(() => show(both.next));
  expect(MATCHES.exec(next.result)?.[1]).toBe('At least 167 responses match.');
  expect(next.cost.roundTrips).toBeLessThanOrEqual(8);
  // The open filter counts what the first page reads.
  const open = await measure(`${byBoth}&filter=open`);
  expect(open.capacityUnits).toBeLessThanOrEqual(both.capacityUnits + 5);
});

test('the filter of a large form reads responses for texts and removed choices only when they are asked for', async () => {
  const { alice, bob, dave } = cast;
  const poll = await largePoll(cast);
  const [light] = poll.questions;
  await alice.client.questions.createQuestion({
    params: { sectionId: poll.sectionIds[0] ?? '' },
    body: question({ type: 'SHORT_TEXT', title: 'Why?', order: 3 }),
  });
  const text = (await readQuestions(alice, poll.formId)).find(({ type }) => type === 'SHORT_TEXT')?.id ?? '';
  await respond(dave, poll.formId, [choosing(poll, 0, [1])]);
  const view = await readQuestion(bob, poll.formId, light?.id);
  await editQuestion(bob, view, { choices: (view.choices ?? []).slice(1) });
  await respond(dave, poll.formId, [sent(text, 'SHORT_TEXT', 'Because')]);
  await deliverStream();
  const { show } = pagesOf(alice);
  const path = `/review/${poll.formId}?filter=`;
  const RED = '<span dir="auto">red <span class="muted">80<';
  expect(await show(`${path}open`)).toContain(RED);
  await forgetRemovedChoices(poll.formId);
  await show(`${path}open`);
  const closed = await measureCost(() => show(`${path}open`));
  expect(closed.cost.roundTrips).toBeLessThanOrEqual(4);
  expect(closed.cost.capacityUnits).toBeLessThanOrEqual(70);
  expect(closed.result).toContain(`name="filter" value="${text}">List the answers<`);
  expect(closed.result).toContain(`name="filter" value="${light?.id}">Also list choices that were removed<`);
  expect(closed.result).not.toContain('value="Because"');
  expect(/<summary dir="auto">Light\?<.*?<\/details>/s.exec(closed.result)?.[0]).not.toContain('>red <');
  expect(await show(`${path}${text}`)).toMatch(
    /<details class="facet" id="[^"]+" open>\s*<summary dir="auto">Why\?.*value="Because"/s,
  );
  expect(await show(`${path}${light?.id}`)).toContain(RED);
});
