/**
 * What lists, highlights, distinct answers, statistics and the pages of reviewers cost with 10, 1,000 and 100,000 responses,
 * and what counting costs the worker: round trips, calls and capacity units. The emulator runs beside it. Run by hand:
 * `node test/bench/counts.bench.ts [largest]`; it writes the table of pages into `docs/costs.md`.
 */

import type { Recount } from '#core/counts/counters.ts';
import { recounts } from '#core/counts/recount.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { keys } from '#core/db/keys.ts';
import { inRequestContext, requestContext } from '#core/db/request-context.ts';
import { app } from '#core/http/app.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { writePart } from '#stacks/build/docs.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { type Cost, costOf } from '#test/support/cost.ts';
import { highlight, highlightOf, listCounts, newPoll, seedSubmissions } from '#test/support/counts.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { draftOf, questionsOf, store, submissionOf } from '#test/support/responses.ts';

const PAGE = 50;

/** Counts all responses of a form as a recount does; returns the milliseconds it took. */
async function recount({ formId }: Pick<Built, 'formId'>): Promise<number> {
  const startedAt = performance.now();
  const [item] = await app().table.read([keys.recount(formId)]);
  let delivery = parseJob<Recount>(item) as Job | undefined;
  while (delivery && (delivery.data as Recount).phase === 'all') {
    // Each step continues where the one before it ended.
    const [outcome] = await recounts.attempt(app(), [delivery]);
    delivery = outcome?.result === 'continue' ? { ...delivery, data: outcome.data } : undefined;
  }
  return performance.now() - startedAt;
}

/** The capacity units of some work of a worker. */
const unitsOf = (work: () => Promise<void>): Promise<number> =>
  inRequestContext({ calls: 0, capacityUnits: 0, deadline: Number.POSITIVE_INFINITY }, async () => {
    await work();
    return requestContext()?.capacityUnits ?? 0;
  });

async function reads(cast: Cast, count: number): Promise<Record<string, Cost>> {
  const { bob } = cast;
  const poll = await newPoll(cast);
  await highlight(bob, poll, 0);
  const [first] = await seedSubmissions(poll, count, cast.dave.id);
  // It creates the counters, and queues the recount.
  await tallyResponses(app(), first ? [first.id] : []);
  const ms = await recount(poll);
  console.log(`${count} responses are counted in ${(ms / 1_000).toFixed(1)} s`);
  const params = { formId: poll.formId };
  const viewId = (await bob.client.views.createView({ params, body: {} })).body.id;
  const questionId = poll.questions[0]?.id ?? '';
  const distinct = () =>
    bob.client.views.listDistinctAnswers({ params: { ...params, viewId, questionId }, body: { filters: [] } });
  const statistics = () => bob.client.responses.getStatistics({ params });
  const list = () => bob.client.responses.listResponses({ params, query: { limit: PAGE } });
  // The function is warm from the second time on.
  await list();
  await highlightOf(bob, poll);
  await distinct();
  await statistics();
  const { submittedCount, counting } = await listCounts(bob, poll);
  if (submittedCount !== count || counting) throw new Error(`${submittedCount} of ${count} responses are counted`);
  return {
    [`list, ${count}`]: (await costOf(list)).cost,
    [`highlight, ${count}`]: (await costOf(() => highlightOf(bob, poll))).cost,
    [`distinct answers, ${count}`]: (await costOf(distinct)).cost,
    [`statistics, ${count}`]: (await costOf(statistics)).cost,
  };
}

const DRAFTS = 250;
const at = (index: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();

/** The costs of the pages of reviewers of a form with a choice, a scale, a date and a text of 2 KB, and 250 drafts. */
async function pages({ alice, bob, slug, dave }: Cast, count: number): Promise<Record<string, Cost>> {
  const choices = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
  const date = { hasYear: true, hasMonth: true, hasDay: true };
  const kinds = [
    { type: 'SINGLE_CHOICE' as const, choices },
    { type: 'LINEAR_SCALE' as const, scale: { minVal: 1, maxVal: 10 } },
    { type: 'DATE' as const, date },
    { type: 'SHORT_TEXT' as const },
  ];
  const form = await newForm(alice, slug, [kinds]);
  const [choice, scale, day, text] = await questionsOf(alice, form.formId);
  if (!choice?.choices || !scale || !day || !text) throw new Error('a question is missing');
  const offered = choice.choices;
  const contents = (index: number): Record<string, AnswerContent> => {
    const { id = '', name = '' } = offered[index % 5] ?? {};
    return {
      [choice.id]: { type: 'SINGLE_CHOICE', value: [id], names: [name] },
      [scale.id]: { type: 'LINEAR_SCALE', value: 1 + (index % 10) },
      [day.id]: { type: 'DATE', value: `2026-05-0${1 + (index % 9)}` },
      [text.id]: { type: 'SHORT_TEXT', value: 'x'.repeat(1_800) },
    };
  };
  let [first, newest] = ['', ''];
  for (let from = 0; from < count; from += 1_000) {
    const length = Math.min(1_000, count - from);
    const batch = Array.from({ length }, (_, index) =>
      submissionOf(form, dave.id, at(from + index), contents(from + index)),
    );
    await store(batch);
    first ||= batch[0]?.id ?? '';
    newest = batch.at(-1)?.id ?? '';
  }
  await store(Array.from({ length: DRAFTS }, (_, index) => draftOf(form, dave.id, at(index), contents(index))));
  await tallyResponses(app(), [first]);
  await recount(form);
  const { show } = pagesOf(bob);
  const review = `/review/${form.formId}`;
  const byChoice = `f-${choice.id}=${offered[0]?.id}`;
  const byBoth = `${byChoice}&f-${scale.id}=1`;
  const costs: Record<string, Cost> = {};
  for (const [name, path] of [
    ['table', review],
    ['table, filter of one choice', `${review}?${byChoice}`],
    ['table, filter of two questions', `${review}?${byBoth}`],
    ['table, filter open', `${review}?filter=open`],
    ['table, filter open, texts asked for', `${review}?filter=${text.id}`],
    ['table, filtered and open', `${review}?${byBoth}&filter=open`],
    ['table, sorted by a scale', `${review}?sort=${scale.id}`],
    ['table, search', `${review}?q=dave`],
    ['response', `${review}/r/${newest}`],
    ['response, within a filter', `${review}/r/${newest}?${byChoice}`],
    ['drafts', `${review}/drafts`],
    ['statistics', `${review}/statistics`],
    ['statistics, filtered', `${review}/statistics?${byChoice}`],
  ] as const) {
    // The function is warm from the second time on.
    await show(path);
    costs[name] = (await costOf(() => show(path))).cost;
  }
  return costs;
}

/** A table of what pages cost, a row for each page and a column for each number of responses. */
function pagesTable(byCount: ReadonlyMap<number, Record<string, Cost>>): string {
  const counts = [...byCount.keys()];
  const [smallest = {}] = byCount.values();
  const cell = (name: string, count: number): string => {
    const { roundTrips = 0, capacityUnits = 0 } = byCount.get(count)?.[name] ?? {};
    return `${roundTrips} / ${Math.round(capacityUnits).toLocaleString('en')}`;
  };
  return [
    `| Round trips / capacity units | ${counts.map((count) => `${count.toLocaleString('en')} responses`).join(' | ')} |`,
    `|---|${counts.map(() => '---|').join('')}`,
    ...Object.keys(smallest).map((name) => `| ${name} | ${counts.map((count) => cell(name, count)).join(' | ')} |`),
  ].join('\n');
}

/**
 * The capacity units of counting a submission to a form with some questions, alone and in a batch. Each answer selects some
 * of the choices; `largest` is how many the first question has.
 */
async function tallies(
  cast: Cast,
  questionCount: number,
  { largest = 5, others: fewer = 5, selected = 1 } = {},
): Promise<Record<string, number>> {
  const choicesOf = (length: number) => Array.from({ length }, (_, index) => ({ name: `choice ${index}` }));
  const type = 'MULTIPLE_CHOICE' as const;
  const kinds = Array.from({ length: questionCount }, (_, index) => ({
    type,
    choices: choicesOf(index === 0 ? largest : fewer),
  }));
  const form = await newForm(cast.alice, cast.slug, [kinds]);
  const questions = await questionsOf(cast.alice, form.formId);
  const submissions = Array.from({ length: largest < 200 ? 96 : 14 }, (_, index) => {
    const chosen = questions.map(({ id, choices: offered = [] }, at): [string, AnswerContent] => {
      const picked = Array.from({ length: selected }, (_, each) => offered[(index + at + each) % offered.length]);
      const [ids, names] = [picked.map((each) => each?.id ?? ''), picked.map((each) => each?.name ?? '')];
      return [id, { type, value: ids, names }];
    });
    const at = new Date(Date.now() + index).toISOString();
    return submissionOf(form, cast.dave.id, at, Object.fromEntries(chosen));
  });
  for (const submission of submissions) await store([submission]);
  const [one = '', another = '', ...others] = submissions.map(({ id }) => id);
  // The first one creates the counters.
  await tallyResponses(app(), [one]);
  return {
    questions: questionCount,
    choices: largest + (questionCount - 1) * fewer,
    'by itself': await unitsOf(() => tallyResponses(app(), [another])),
    'each of ten': (await unitsOf(() => tallyResponses(app(), others.slice(0, 10)))) / 10,
    // A batch of a large form is more than the emulator writes within the time limit of a call.
    ...(largest < 200 && { 'each of 80': (await unitsOf(() => tallyResponses(app(), others.slice(10, 90)))) / 80 }),
  };
}

const [largest = '100000'] = process.argv.slice(2);
const dynamo = await startDynamo({ directory: null });
// No request reaches the bucket; its address is part of the policy of pages that show pictures.
const storage = { TABLE_NAME: 'bench', BUCKET_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint };
const settings = { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' };
Object.assign(process.env, newSecrets(), settings);
await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
const cast = await newCast();
const byCount = new Map<number, Record<string, Cost>>();
for (const count of [10, 1_000, Number(largest)]) byCount.set(count, await pages(cast, count));
for (const [count, costs] of byCount) console.log(count, costs);
writePart('costs.md', 'reviews', pagesTable(byCount));
const costs: Record<string, Cost> = {};
for (const count of [10, 1_000, Number(largest)]) Object.assign(costs, await reads(cast, count));
console.table(costs);
console.table([
  await tallies(cast, 2),
  await tallies(cast, 20),
  await tallies(cast, 60),
  await tallies(cast, 100, { largest: 200, others: 20, selected: 10 }),
]);
await dynamo.stop();
process.exit(0);
