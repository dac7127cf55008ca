/**
 * A form without limits, retention, notices, kept views and pending edits costs what forms cost before there were any. The numbers are
 * those that this file measured on the commit before the first of these features, where `docs/costs.md` had the same for its rows;
 * what costs more since says why.
 */
import { expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { app } from '#core/http/app.ts';
import { type Meter, measure, measureCost } from '#test/support/cost.ts';
import { newPoll, seedSubmissions } from '#test/support/counts.ts';
import { withApp } from '#test/support/faults.ts';
import { newCast, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { cancel, respond, save, start, submit, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await newCast();
const { alice, bob, dave, erin, slug } = cast;

/** What a request may cost: sequential round trips to storage, and capacity units. */
type Most = readonly [roundTrips: number, units: number];

const BEFORE: Readonly<Record<string, Most>> = {
  start: [2, 4.5],
  save: [2, 5],
  submit: [2, 8],
  edit: [3, 6],
  cancel: [3, 9],
  'submit again': [2, 8],
  // Half a unit more: it says how many sections there are.
  'page: first': [2, 2.5],
  'page: last': [2, 2.5],
  'page: section of a draft': [1, 1.5],
  'page: check': [1, 1.5],
  'list of 10': [2, 11],
  'statistics of 10': [3, 16],
  'filtered statistics of 10': [3, 14],
  'table of 50 of 10': [2, 14],
  'filter, 50 of 10': [3, 14],
  'export of 10': [6, 19],
  // One more, for the edits that can be undone.
  'page: overview of 10': [2, 12],
  'page: table of 10': [3, 23],
  'page: filter open of 10': [3, 23],
  'page: response of 10': [3, 12],
  'page: statistics of 10': [3, 18],
  'page: drafts of 10': [3, 11],
  'page: export of 10': [2, 7.5],
  'page: views of 10': [2, 5],
  'list of 1000': [1, 15],
  'statistics of 1000': [2, 6],
  'filtered statistics of 1000': [7, 576],
  'table of 50 of 1000': [2, 62],
  'filter, 50 of 1000': [5, 555],
  // A batch is read while the one before it is written, so trips meet by chance.
  'export of 1000': [10, 1_086.5],
  'page: overview of 1000': [2, 14],
  'page: table of 1000': [3, 67],
  'page: filter open of 1000': [3, 68],
  'page: response of 1000': [3, 12],
  'page: statistics of 1000': [2, 8],
  'page: drafts of 1000': [2, 7],
  'page: export of 1000': [2, 7.5],
  'page: views of 1000': [2, 5],
};

type Requests = Record<string, () => Promise<unknown>>;

/** Measures requests that were made before, so that the functions are warm, and compares each with what it may cost. */
async function compare(requests: Requests, isWarm = false): Promise<void> {
  const measured: Record<string, Most> = {};
  for (const [name, run] of Object.entries(requests)) {
    if (!isWarm) await run();
    const { cost } = await measureCost(run);
    measured[name] = [cost.roundTrips, cost.capacityUnits];
  }
  const exceeding = Object.entries(measured).filter(([name, [trips, units]]) => {
    const [mostTrips, mostUnits] = BEFORE[name] ?? [0, 0];
    // Of a thousand responses the lists have shards of sizes by chance, each read of which is rounded up.
    return trips > mostTrips || units > mostUnits * (mostUnits > 100 ? 1.01 : 1);
  });
  expect(Object.fromEntries(exceeding)).toEqual({});
}

const TEXTS: QuestionKind[] = Array.from({ length: 10 }, () => ({ type: 'SHORT_TEXT' }));

test('respondents', async () => {
  const { formId, questionIds, sectionIds } = await newForm(alice, slug, [TEXTS], { allowEditResponse: true });
  const answers = (value: string) => questionIds.map((id) => text(id, value));
  await respond(erin, formId, answers('high'));
  const own = pagesOf(dave);
  let id = '';
  const requests: Requests = {
    start: async () => {
      id = await start(dave, formId);
    },
    save: () => save(dave, id, answers('high')),
    submit: () => submit(dave, id),
    edit: () => save(dave, id, answers('low')),
    cancel: () => cancel(dave, id),
    'submit again': () => submit(dave, id),
    'page: first': () => own.show(`/f/${formId}`),
    'page: last': () => own.show(`/r/${id}/done`),
  };
  const draft: Requests = {
    'page: section of a draft': () => own.show(`/r/${id}/s/${sectionIds[0]}`),
    'page: check': () => own.show(`/r/${id}/check`),
  };
  for (const run of Object.values(requests)) await run();
  await compare(requests, true);
  id = await start(dave, formId, answers('high'));
  await compare(draft);
});

test.for([10, 1_000])('reviewers of %i responses', async (count) => {
  const poll = await newPoll(cast);
  await seedSubmissions(poll, count, dave.id);
  await deliverStream();
  const { formId } = poll;
  const params = { formId };
  const questionIds = poll.questions.map((question) => question.id);
  const filters = [{ questionId: questionIds[0] ?? '', answers: [{ option: poll.questions[0]?.choiceIds[0] ?? '' }] }];
  const { show } = pagesOf(bob);
  const review = `/review/${formId}`;
  const [response] = (await bob.client.responses.listResponses({ params, query: { limit: 1 } })).body.responses;
  const requests: Requests = {
    list: () => bob.client.responses.listResponses({ params, query: { limit: 50 } }),
    statistics: () => bob.client.responses.getStatistics({ params }),
    'filtered statistics': () => bob.client.responses.queryStatistics({ params, body: { filters } }),
    'table of 50': () => bob.client.exports.previewTable({ params, query: { limit: 50 }, body: { questionIds } }),
    'filter, 50': () => bob.client.responses.filterResponses({ params, query: { limit: 50 }, body: { filters } }),
    export: () => bob.client.exports.downloadTable({ params, body: { questionIds } }),
    'page: overview': () => show(`/build/${formId}`),
    'page: table': () => show(review),
    'page: filter open': () => show(`${review}?filter=open`),
    'page: response': () => show(`${review}/r/${response?.id}`),
    'page: statistics': () => show(`${review}/statistics`),
    'page: drafts': () => show(`${review}/drafts`),
    'page: export': () => show(`${review}/export`),
    'page: views': () => show(`${review}/views`),
  };
  await compare(Object.fromEntries(Object.entries(requests).map(([name, run]) => [`${name} of ${count}`, run])));
});

test('the workers, after ten submissions', async () => {
  const { formId, questionIds } = await newForm(alice, slug, [TEXTS]);
  const respondTimes = async (times: number): Promise<void> => {
    for (let each = 0; each < times; each += 1) {
      await respond(
        dave,
        formId,
        questionIds.map((id) => text(id, 'high')),
      );
    }
  };
  const meter: Meter = { reads: 0, writes: 0 };
  const client = dynamoClient(app().config);
  measure(client, meter);
  await respondTimes(2);
  await deliverStream();
  await respondTimes(10);
  await withApp(
    ({ config }) => ({ table: dynamoTable(client, config.tableName) }),
    () => deliverStream(),
  );
  expect(meter).toEqual({ reads: 34, writes: 26 });
});
