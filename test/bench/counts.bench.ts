/**
 * What lists, highlights, distinct answers and statistics cost with 10, 1,000 and 100,000 responses, and what counting
 * costs the worker: round trips, calls and capacity units. The emulator runs beside it. Run by hand: `node test/bench/counts.bench.ts [largest]`.
 */

import type { Recount } from '#core/counts/counters.ts';
import { recounts } from '#core/counts/recount.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { keys } from '#core/db/keys.ts';
import { inRequestContext, requestContext } from '#core/db/request-context.ts';
import { app } from '#core/http/app.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { type Cost, costOf } from '#test/support/cost.ts';
import { highlight, highlightOf, listCounts, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { questionsOf, store, submissionOf } from '#test/support/responses.ts';

const PAGE = 50;

/** Counts all responses of a form as a recount does; returns the milliseconds it took. */
async function recount({ formId }: Poll): Promise<number> {
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

/** The capacity units of counting a submission to a form with some questions of five choices, alone and in a batch. */
async function tallies(cast: Cast, questionCount: number): Promise<Record<string, number>> {
  const choices = Array.from({ length: 5 }, (_, index) => ({ name: `choice ${index}` }));
  const kinds = Array.from({ length: questionCount }, () => ({ type: 'SINGLE_CHOICE' as const, choices }));
  const form = await newForm(cast.alice, cast.slug, [kinds]);
  const questions = await questionsOf(cast.alice, form.formId);
  const submissions = Array.from({ length: 96 }, (_, index) => {
    const chosen = questions.map(({ id, choices: offered = [] }, at): [string, AnswerContent] => {
      const { id: choiceId = '', name = '' } = offered[(index + at) % 5] ?? {};
      return [id, { type: 'SINGLE_CHOICE', value: [choiceId], names: [name] }];
    });
    const at = new Date(Date.now() + index).toISOString();
    return submissionOf(form, cast.dave.id, at, Object.fromEntries(chosen));
  });
  await store(submissions);
  const [one = '', another = '', ...others] = submissions.map(({ id }) => id);
  // The first one creates the counters.
  await tallyResponses(app(), [one]);
  return {
    questions: questionCount,
    'by itself': await unitsOf(() => tallyResponses(app(), [another])),
    'each of ten': (await unitsOf(() => tallyResponses(app(), others.slice(0, 10)))) / 10,
    'each of 80': (await unitsOf(() => tallyResponses(app(), others.slice(10, 90)))) / 80,
  };
}

const [largest = '100000'] = process.argv.slice(2);
const dynamo = await startDynamo({ directory: null });
const settings = { TABLE_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint, LOG: 'off', ALLOWED_ORIGINS: '' };
Object.assign(process.env, newSecrets(), settings);
await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
const cast = await newCast();
console.table([await tallies(cast, 2), await tallies(cast, 20), await tallies(cast, 60)]);
const costs: Record<string, Cost> = {};
for (const count of [10, 1_000, Number(largest)]) Object.assign(costs, await reads(cast, count));
console.table(costs);
await dynamo.stop();
process.exit(0);
