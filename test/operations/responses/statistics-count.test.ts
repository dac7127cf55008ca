/** Statistics over all responses that match, counted by a job: its result, who has how many, and what makes it begin again. */
import { expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { CountData } from '#core/exports/counts-model.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { buildExports } from '#test/support/exports.ts';
import { type Built, expectProblem, newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, pass, respond, save, store, submissionOf, text } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt('2026-05-01T18:00:00.000Z');
const BEGIN = Date.parse('2026-03-01T00:00:00.000Z');

/** 1,200 responses, a minute apart and each 30 seconds long: every third one has a red answer, numbers from 0 on. */
async function storeMany(): Promise<Built & { colour: string; age: string }> {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [
    [
      { type: 'SHORT_TEXT', title: 'Colour' },
      { type: 'SHORT_TEXT', title: 'Age', text: { format: 'NUMBER' } },
    ],
  ]);
  const [colour = '', age = ''] = form.questionIds;
  await store(
    Array.from({ length: 1_200 }, (_, index) => {
      const at = new Date(BEGIN + index * 60_000).toISOString();
      const response = submissionOf(form, dave.id, at, {
        [colour]: { type: 'SHORT_TEXT', value: index % 3 === 0 ? `red ${index}` : 'blue' },
        [age]: { type: 'SHORT_TEXT', value: String(index) },
      });
      return { ...response, createdAt: new Date(Date.parse(at) - 30_000).toISOString() };
    }),
  );
  return { ...form, colour, age };
}

/** Stored once; no test changes them. */
let stored: ReturnType<typeof storeMany> | undefined;
const many = (): ReturnType<typeof storeMany> => {
  stored ??= storeMany();
  return stored;
};

const count = async ({ client }: Person, formId: string, body: object = {}) =>
  (await client.responses.countStatistics({ params: { formId }, body: { filters: [], ...body } })).body;
const read = async ({ client }: Person, formId: string) =>
  (await client.responses.getStatisticsCount({ params: { formId } })).body;

/** The ids of the jobs in the places of a form. */
const jobsOf = async (formId: string) =>
  (await app().table.read([0, 1, 2, 3, 4].map((place) => keys.counting(formId, place)))).map(
    (item) => parseJob<CountData>(item)?.data.id,
  );

test('of more than 1,000 responses are of all that match, with days of the zone, medians and the newest texts', async () => {
  const { bob } = cast;
  const { formId, colour, age } = await many();
  const filters = [{ questionId: colour, contains: 'RED' }];
  const some = (await bob.client.responses.queryStatistics({ params: { formId }, body: { filters } })).body;
  expect(some.matches).toEqual({ count: 333, isComplete: false });
  expect(await count(bob, formId, { filters, timeZone: 'Asia/Tokyo' })).toMatchObject({
    state: 'QUEUED',
    processed: 0,
  });
  expect(await read(bob, formId)).not.toHaveProperty('statistics');
  await buildExports();
  const done = await read(bob, formId);
  expect(done).toMatchObject({ state: 'DONE', processed: 400, total: 1_200 });
  const { statistics } = done;
  expect(statistics).toMatchObject({
    matches: { count: 400, isComplete: true },
    countedResponses: 400,
    timeToComplete: { medianSeconds: 30, readCount: 400 },
    // Midnight there is at three in the afternoon, in UTC.
    overTime: {
      timeZone: 'Asia/Tokyo',
      periods: [
        { period: '2026-03-01', count: 300 },
        { period: '2026-03-02', count: 100 },
      ],
    },
  });
  const find = (id: string) => statistics?.questions.find(({ questionId }) => questionId === id);
  expect(find(age)?.numbers).toEqual({ count: 400, mean: 598.5, readCount: 400, min: 0, max: 1_197, median: 598.5 });
  expect(find(colour)?.newest?.map(({ text: answer }) => answer)).toEqual([
    ...['red 1197', 'red 1194', 'red 1191', 'red 1188', 'red 1185'],
  ]);
  // A search, and a time of submission.
  const from = new Date(BEGIN + 100 * 60_000).toISOString();
  const to = new Date(BEGIN + 1_150 * 60_000).toISOString();
  await count(bob, formId, { from, to, respondent: cast.dave.email.toUpperCase() });
  await buildExports();
  expect((await read(bob, formId)).statistics?.matches).toEqual({ count: 1_050, isComplete: true });
  await count(bob, formId, { respondent: 'nobody at all' });
  await buildExports();
  expect((await read(bob, formId)).statistics?.matches).toEqual({ count: 0, isComplete: true });
});

test('without a filter are of all responses, and have the sections and the completion rate', async () => {
  const { bob } = cast;
  const { formId } = await many();
  await count(bob, formId);
  await buildExports();
  const { statistics } = await read(bob, formId);
  expect(statistics).toMatchObject({ submittedCount: 1_200, countedResponses: 1_200, completionRate: 1 });
  expect(statistics?.sections[0]).toMatchObject({ submittedCount: 1_200 });
  expect(statistics).not.toHaveProperty('matches');
});

test('from the counters say how long the respondents of the newest submissions took', async () => {
  const { formId } = await many();
  await deliverStream();
  const { body } = await cast.bob.client.responses.getStatistics({ params: { formId } });
  expect(body).toMatchObject({ countedResponses: 1_200, timeToComplete: { medianSeconds: 30 } });
  // A batch goes to one counter item by chance, and each of the four keeps twenty.
  expect(body.timeToComplete.readCount).toSatisfy((timed: number) => timed >= 20 && timed <= 80);
});

test('of few responses are counted as soon as they are requested, and are kept until something changes', async () => {
  const { alice, bob, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const [questionId = ''] = form.questionIds;
  await respond(dave, form.formId, [text(questionId, 'one')]);
  await deliverStream();
  expect((await read(bob, form.formId)).state).toBe('NONE');
  await count(bob, form.formId);
  await deliverStream({ only: ['deliver'], twice: true });
  expect(await read(bob, form.formId)).toMatchObject({ state: 'DONE', statistics: { countedResponses: 1 } });
  const [first] = await jobsOf(form.formId);
  pass(60);
  expect((await count(bob, form.formId)).state).toBe('DONE');
  expect(await jobsOf(form.formId)).toEqual([first, undefined, undefined, undefined, undefined]);
  // Another zone is another request, and takes the place of the last one.
  expect((await count(bob, form.formId, { timeZone: 'Asia/Taipei' })).state).toBe('QUEUED');
  const [second, ...others] = await jobsOf(form.formId);
  expect([second === first, others]).toEqual([false, [undefined, undefined, undefined, undefined]]);
  // The same one, while it waits, is the same, whatever changes.
  await respond(dave, form.formId, [text(questionId, 'two')]);
  await count(bob, form.formId, { timeZone: 'asia/taipei' });
  expect((await jobsOf(form.formId))[0]).toBe(second);
  await buildExports();
  expect((await read(bob, form.formId)).statistics?.countedResponses).toBe(2);
  pass(60);
  await respond(dave, form.formId, [text(questionId, 'three')]);
  await deliverStream();
  expect((await count(bob, form.formId, { timeZone: 'Asia/Taipei' })).state).toBe('QUEUED');
  expect((await jobsOf(form.formId))[0]).not.toBe(second);
});

test('of more than 1,000 responses with a copy that could not be sent are of all of these, and counted anew each time', async () => {
  const { bob, dave, slug } = cast;
  const form = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]], { sendResponseEmail: true });
  const { formId } = form;
  const at = (index: number) => new Date(BEGIN + index * 60_000).toISOString();
  const responses = Array.from({ length: 1_200 }, (_, index) => submissionOf(form, dave.id, at(index)));
  await store(responses);
  for (const index of [0, 600, 1_199]) await storeMail(responses[index]?.id ?? '', 'bounced');
  await storeMail(responses[1]?.id ?? '', 'sent');
  // Of a submission that was withdrawn since.
  await storeMail(responses[2]?.id ?? '', 'bounced', { submittedAt: at(0) });
  await count(bob, formId, { copies: 'FAILED' });
  await buildExports();
  const { statistics } = await read(bob, formId);
  expect(statistics).toMatchObject({ countedResponses: 3, matches: { count: 3, isComplete: true } });
  expect(statistics?.overTime.periods).toEqual([{ period: '2026-03-01', count: 3 }]);
  // Within a time of submission only those of it.
  await count(bob, formId, { copies: 'FAILED', from: at(1), to: at(1_199) });
  await buildExports();
  expect((await read(bob, formId)).statistics?.matches).toEqual({ count: 1, isComplete: true });
  // A mail fails without a change of a response.
  await count(bob, formId, { copies: 'FAILED' });
  await buildExports();
  const [before] = await jobsOf(formId);
  await storeMail(responses[7]?.id ?? '', 'bounced');
  expect((await count(bob, formId, { copies: 'FAILED' })).state).toBe('QUEUED');
  expect((await jobsOf(formId))[0]).not.toBe(before);
  await buildExports();
  expect((await read(bob, formId)).statistics?.matches?.count).toBe(4);
});

test('are counted anew after an edit, also before that is counted', async () => {
  const { alice, bob, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { allowEditResponse: true });
  const [questionId = ''] = form.questionIds;
  const id = await respond(dave, form.formId, [text(questionId, 'one')]);
  await deliverStream();
  pass(60);
  await count(bob, form.formId);
  await buildExports();
  expect((await count(bob, form.formId)).state).toBe('DONE');
  pass(60);
  await save(dave, id, [text(questionId, 'two')]);
  expect((await count(bob, form.formId)).state).toBe('QUEUED');
});

test('expire after a day', async () => {
  const erin = await person('erin');
  const { slug } = await newOrganization(cast.alice, erin);
  const { formId } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await count(erin, formId);
  await buildExports();
  expect((await read(erin, formId)).state).toBe('DONE');
  const [id = ''] = await jobsOf(formId);
  expect(await app().bucket.inspect(objects.export(id), 10)).toBeDefined();
  const expired = Date.now() + 86_400_000;
  const item = (await app().table.read([keys.counting(formId, 0)]))[0];
  expect(Number(item?.expiresAt) * 1_000).toBeGreaterThan(expired);
  const { parseCount } = await import('#core/exports/counts-model.ts');
  expect(parseCount(item, new Date(expired - 1))?.state).toBe('DONE');
  expect(parseCount(item, new Date(expired))).toBeUndefined();
  await sweepIn(25 * 3_600 + 1);
  expect(await app().bucket.inspect(objects.export(id), 10)).toBeUndefined();
  expect(await read(erin, formId)).toMatchObject({ state: 'NONE' });
});

test('a person has one job, also in another form; a form has five, and says when they are taken', async () => {
  const people = await Promise.all(['ann', 'ben', 'cas', 'dan', 'eve', 'fay'].map((name) => person(name)));
  const { slug } = await newOrganization(cast.alice);
  const join = ({ email }: Person) => cast.alice.client.orgs.addMember({ params: { slug }, body: { email } });
  for (const each of people) await join(each);
  const [one, two] = [await newForm(cast.alice, slug, [[]]), await newForm(cast.alice, slug, [[]])];
  const [ann, , , , , fay] = people;
  if (!ann || !fay) throw new Error('a person is missing');
  for (const each of people.slice(0, 5)) await count(each, one.formId);
  expect(new Set(await jobsOf(one.formId)).size).toBe(5);
  const refused = await expectProblem(count(fay, one.formId));
  expect([refused.status, refused.code]).toEqual([429, 'too_many_requests']);
  // One of them counts another form instead: that leaves a place.
  await count(ann, two.formId);
  expect((await jobsOf(one.formId))[0]).toBeUndefined();
  expect((await read(ann, one.formId)).state).toBe('NONE');
  expect((await count(fay, one.formId)).state).toBe('QUEUED');
  await buildExports();
  expect((await read(ann, two.formId)).state).toBe('DONE');
  // Those that have ended make room, the oldest one first.
  const [first, second] = await jobsOf(one.formId);
  const gus = await person('gus');
  await join(gus);
  expect((await count(gus, one.formId)).state).toBe('QUEUED');
  expect((await jobsOf(one.formId)).filter((id) => id === first || id === second)).toHaveLength(1);
});

test('two requests of one person at once are one job', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[]]);
  await Promise.all([1, 2, 3].map(() => count(cast.bob, formId)));
  expect((await jobsOf(formId)).filter((id) => id !== undefined)).toHaveLength(1);
});

test('are refused for others, for unknown questions and for bounds that do not fit', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = questionIds;
  expect((await expectProblem(count(cast.chelsea, formId))).status).toBe(403);
  expect((await expectProblem(count(cast.bob, formId, { filters: [{ questionId: formId }] }))).status).toBe(404);
  const unfit = await expectProblem(count(cast.bob, formId, { filters: [{ questionId, min: 1 }] }));
  expect(unfit.errors?.[0]?.pointer).toBe('/body/filters/0/min');
});

test('are gone with the form, and a run that is under way then leaves nothing', async () => {
  const { alice, bob, slug } = cast;
  const { formId } = await newForm(alice, slug, [[]]);
  await count(bob, formId);
  await alice.client.forms.deleteForm({ params: { formId } });
  await buildExports();
  expect((await expectProblem(read(bob, formId))).status).toBe(404);
  expect((await expectProblem(count(bob, formId))).status).toBe(404);
});

test('on the page are asked for by a button, show their progress without scripts, and then as of when they are', async () => {
  const { bob } = cast;
  const { formId, colour } = await many();
  const pages = pagesOf(bob);
  const path = `/review/${formId}/statistics?has-${colour}=red`;
  const some = await pages.show(path);
  expect(textOf(some)).toContain('These statistics are of 333 responses that match among at most the newest 1,000.');
  const [, action = ''] =
    /<form method="post" action="([^"]*)"[^>]*><button[^>]*>Count all responses</.exec(some) ?? [];
  const posted = await pages.post(action.replaceAll('&amp;', '&'));
  expect([posted.status, posted.headers.get('location')]).toEqual([303, `${path}&all=1`]);
  const waiting = await pages.show(`${path}&all=1`);
  expect(waiting).toContain('data-pending="2"');
  expect(waiting).toContain(`<noscript><p><a class="button secondary" href="${path}&amp;all=1">`);
  // A second press, and one in another tab, change nothing.
  await pages.post(action.replaceAll('&amp;', '&'));
  expect(new Set(await jobsOf(formId)).size).toBe(2);
  await buildExports();
  const shown = await pages.show(`${path}&all=1`);
  expect(shown).not.toContain('data-pending');
  expect(textOf(shown)).toContain('These statistics are of 400 responses that match.');
  expect(textOf(shown)).toContain('All responses were counted, as of 1 May 2026');
  expect(textOf(shown)).toContain('Mean 598.5');
  // Another filter at this address is not what was counted.
  expect(textOf(await pages.show(`/review/${formId}/statistics?has-${colour}=blue&all=1`))).toContain(
    'among at most the newest 1,000',
  );
  expect(textOf(await pages.show(path))).toContain('among at most the newest 1,000');
  const chinese = pagesOf(bob, { 'accept-language': 'zh-TW' });
  expect(textOf(await chinese.show(`${path}&all=1`))).toContain('已計算所有回覆');
});
