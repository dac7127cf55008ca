/** The statistics of a form: how often each answer was given, when, and where respondents stopped. */
import { expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseStructure } from '#core/structure/store.ts';
import { loadStatistics } from '#core/table/statistics-data.ts';
import { measureCost } from '#test/support/cost.ts';
import { largePoll, seedSubmissions } from '#test/support/counts.ts';
import { newForm } from '#test/support/fixtures.ts';
import {
  branchedForm,
  CHOICES,
  castAt,
  choice,
  draftOf,
  editQuestion,
  pass,
  readQuestion,
  readQuestions,
  respond,
  sent,
  start,
  store,
  submissionOf,
  text,
} from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt('2026-05-01T23:59:57.000Z');

const readStatistics = async (formId: string) =>
  (await cast.bob.client.responses.getStatistics({ params: { formId } })).body;

test('count choices with the other one, points, places, months and newest texts', async () => {
  const { alice, dave, erin, slug } = cast;
  const full = { hasYear: true, hasMonth: true, hasDay: true };
  const { formId } = await newForm(alice, slug, [
    [
      { type: 'MULTIPLE_CHOICE', choices: CHOICES },
      { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 3 } },
      { type: 'RANKING', choices: [{ name: 'North' }, { name: 'South' }] },
      { type: 'DATE', date: full },
      { type: 'DATE', date: { ...full, hasYear: false } },
      { type: 'SHORT_TEXT' },
    ],
  ]);
  const [colour, scale, ranking, date, birthday, name] = await readQuestions(alice, formId);
  if (!colour || !scale || !ranking || !date || !birthday || !name) throw new Error('a question is missing');
  const submit = (
    by: typeof dave,
    colours: string[],
    point: number,
    places: string[],
    rest: [string, string, string],
  ) =>
    respond(by, formId, [
      sent(
        colour.id,
        'MULTIPLE_CHOICE',
        colours.map((each) => choice(colour, each)),
        colours.includes('Other') ? 'Mauve' : undefined,
      ),
      sent(scale.id, 'LINEAR_SCALE', point),
      sent(
        ranking.id,
        'RANKING',
        places.map((each) => choice(ranking, each)),
      ),
      sent(date.id, 'DATE', rest[0]),
      sent(birthday.id, 'DATE', rest[1]),
      text(name.id, rest[2]),
    ]);
  await submit(dave, ['Red', 'Other'], 3, ['North', 'South'], ['2026-05-01', '02-29', 'Dave']);
  pass(1);
  await submit(dave, ['Red'], 0, ['South', 'North'], ['2026-05-31', '02-01', 'x'.repeat(300)]);
  pass(3);
  await submit(erin, ['Blue'], 3, ['South', 'North'], ['0031-01-01', '12-24', 'Erin']);
  const last = await respond(erin, formId, [sent(scale.id, 'LINEAR_SCALE', 1)]);
  const found = await readStatistics(formId);
  expect(found).toMatchObject({ startedCount: 4, submittedCount: 4, countedResponses: 4, countedDrafts: 0 });
  expect(found).not.toHaveProperty('counting');
  expect(found.overTime).toEqual({
    timeZone: 'UTC',
    unit: 'DAY',
    periods: [
      { period: '2026-05-01', count: 2 },
      { period: '2026-05-02', count: 2 },
    ],
  });
  const counted = found.questions.map(({ askedCount, answeredCount }) => [askedCount, answeredCount]);
  expect(counted).toEqual([4, 4, 4, 4, 4, 4].map((asked, index) => [asked, index === 1 ? 4 : 3]));
  const [colours, points, places, dates, birthdays, names] = found.questions;
  expect(colours?.choices?.map((each) => [each.name, each.count])).toEqual([
    ['Red', 2],
    ['Blue', 1],
    ['Other', 1],
  ]);
  expect(points?.scale).toEqual({
    mean: 1.75,
    median: 2,
    points: [0, 1, 2, 3].map((value) => ({ value, count: [1, 1, 0, 2][value] })),
  });
  expect(places?.choices?.map((each) => [each.name, each.meanPlace])).toEqual([
    ['South', 4 / 3],
    ['North', 5 / 3],
  ]);
  expect(dates?.dates).toEqual([
    { period: '<1900', count: 1 },
    { period: '2026-05', count: 2 },
  ]);
  expect(birthdays?.dates).toEqual([
    { period: '02', count: 2 },
    { period: '12', count: 1 },
  ]);
  expect(names?.newest?.map((each) => each.text)).toEqual(['Erin', `${'x'.repeat(200)}…`, 'Dave']);
  expect(names?.newest?.map(({ responseId }) => responseId)).not.toContain(last);
});

test('follow branches: a question is asked on its path, and a draft has reached what its answers lead to', async () => {
  const { alice, dave, erin, slug } = cast;
  const kind = [{ type: 'SHORT_TEXT' as const }];
  const form = await branchedForm({ person: alice, slug }, { first: kind, yes: kind, no: kind, last: kind });
  const { formId, asked, yes, no, last } = form;
  const [first, onYes, onNo, end] = form.sectionIds;
  const answers = (decision: string, branch: string[]) => [asked, ...branch].map((id) => text(id, decision));
  await respond(dave, formId, answers('yes', [...yes, ...last]));
  await respond(dave, formId, answers('yes', last));
  await respond(erin, formId, answers('no', no));
  await start(dave, formId);
  await start(dave, formId, answers('yes', []));
  await start(erin, formId, answers('no', no));
  await start(erin, formId, answers('yes', [...yes, ...last]));
  const { sections, questions, ...found } = await readStatistics(formId);
  expect(found).toMatchObject({ startedCount: 7, submittedCount: 3, countedDrafts: 4 });
  const rows = sections.map((each) => [each.sectionId, each.reachedCount, each.submittedCount, each.stoppedCount]);
  const expected = [
    [first, 7, 3, 2],
    [onYes, 3, 2, 0],
    [onNo, 2, 1, 1],
    [end, 4, 3, 1],
  ];
  expect(new Set(rows)).toEqual(new Set(expected));
  const counts = questions.map(({ questionId, askedCount, answeredCount }) => [questionId, askedCount, answeredCount]);
  expect(new Set(counts)).toEqual(
    new Set([
      [asked, 3, 3],
      [yes[0], 2, 1],
      [no[0], 1, 1],
      [last[0], 3, 2],
    ]),
  );
});

test('are the same from the counters as from the responses, and cost as much with three times as many', async () => {
  const { bob, erin } = cast;
  const poll = await largePoll(cast);
  const { formId, questions } = poll;
  const [light] = questions;
  const view = await readQuestion(bob, formId, light?.id);
  await editQuestion(bob, view, { choices: [...(view.choices ?? []).slice(1), { name: 'white' }] });
  const { table } = app();
  const structure = parseStructure((await table.read([keys.formStructure(formId)]))[0]);
  const counters = await loadCounters(table, formId);
  if (!structure) throw new Error('the form has no structure');
  const counted = await loadStatistics(app(), structure, { filters: [], counters });
  // It has no texts, for which those that are counted are read as well.
  const read = await loadStatistics(app(), structure, { filters: [], counters: undefined });
  // How long respondents take is kept of the newest 20 that each counter item has counted.
  const { timeToComplete } = read;
  expect({ ...counted, readForTexts: 100, timeToComplete }).toEqual(read);
  expect(timeToComplete.readCount).toBe(240);
  // A batch goes to one item by chance, so some of the four can have none.
  expect(counted.timeToComplete.readCount).toSatisfy((timed: number) => timed >= 20 && timed <= 80);
  expect(counted).toMatchObject({ submittedCount: 240, countedResponses: 240 });
  expect(counted.questions[0]).toMatchObject({ askedCount: 240, answeredCount: 240, removedChoicesCount: 80 });
  expect(counted.questions[0]?.choices?.map(({ count }) => count)).toEqual([80, 80, 0]);
  const few = await measureCost(() => readStatistics(formId));
  await seedSubmissions(poll, 480, erin.id, Date.now() + 1_000);
  await deliverStream();
  const many = await measureCost(() => readStatistics(formId));
  expect(many.result).toMatchObject({ submittedCount: 720, countedResponses: 720 });
  expect(many.cost.roundTrips).toBeLessThanOrEqual(3);
  expect(many.cost.capacityUnits).toBeLessThanOrEqual(30);
  expect(many.cost.capacityUnits - few.cost.capacityUnits).toBeLessThanOrEqual(6);
});

test('of the responses that match a filter and a search are theirs alone', async () => {
  const { alice, bob, dave, erin, slug } = cast;
  const { formId } = await newForm(alice, slug, [
    [{ type: 'SINGLE_CHOICE', choices: CHOICES }, { type: 'SHORT_TEXT' }],
  ]);
  const [colour, remark] = await readQuestions(alice, formId);
  if (!colour || !remark) throw new Error('a question is missing');
  const red = choice(colour, 'Red');
  for (const [person, chosen] of [
    [dave, red],
    [erin, red],
    [dave, choice(colour, 'Blue')],
  ] as const) {
    await respond(person, formId, [sent(colour.id, 'SINGLE_CHOICE', [chosen]), text(remark.id, chosen)]);
  }
  const filters = [{ questionId: colour.id, answers: [{ option: red }] }];
  const query = async (body: { filters: typeof filters; respondent?: string }) =>
    (await bob.client.responses.queryStatistics({ params: { formId }, body })).body;
  const matching = await query({ filters, respondent: 'DAVE' });
  expect(matching).toMatchObject({ submittedCount: 3, countedResponses: 1, matches: { count: 1, isComplete: true } });
  expect(matching.questions[0]).toMatchObject({ askedCount: 1, answeredCount: 1 });
  expect(matching.questions[1]?.newest?.map((each) => each.text)).toEqual([red]);
  expect((await query({ filters })).questions[0]?.answeredCount).toBe(2);
  expect(await query({ filters: [] })).toEqual(await readStatistics(formId));
  const unknown = query({ filters: [{ questionId: formId, answers: [] }] });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});

test('read the newest 100 drafts in few round trips', async () => {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }], [{ type: 'SHORT_TEXT' }]]);
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  await store(Array.from({ length: 230 }, (_, index) => draftOf(form, dave.id, at(index), {})));
  await readStatistics(form.formId);
  const { cost, result } = await measureCost(() => readStatistics(form.formId));
  expect(result.countedDrafts).toBe(100);
  expect(result.sections.map(({ reachedCount, stoppedCount }) => [reachedCount, stoppedCount])).toEqual([
    [100, 100],
    [0, 0],
  ]);
  expect(cost.roundTrips).toBeLessThanOrEqual(6);
});

test.each([
  { title: 'are read from the newest 10 responses', every: 1, units: 40, texts: [239, 238, 237, 236, 235] },
  { title: 'are read from more responses if they are rare', every: 20, units: 150, texts: [220, 200, 180, 160] },
])('five texts $title', async ({ every, units, texts }) => {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }, { type: 'SHORT_TEXT' }]]);
  const [long, short] = await readQuestions(alice, form.formId);
  if (!long || !short) throw new Error('a question is missing');
  const responses = Array.from({ length: 240 }, (_, index) => {
    const answer = index % every === 0 && { [short.id]: { type: 'SHORT_TEXT' as const, value: `${index}` } };
    const at = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    return submissionOf(form, dave.id, at, {
      [long.id]: { type: 'LONG_TEXT', value: 'x'.repeat(8_000) },
      ...answer,
    });
  });
  await store(responses);
  await deliverStream();
  await readStatistics(form.formId);
  const { cost, result } = await measureCost(() => readStatistics(form.formId));
  expect(result).toMatchObject({ submittedCount: 240, countedResponses: 240 });
  expect(result.questions[0]?.newest).toHaveLength(5);
  expect(result.questions[1]?.newest?.map((each) => each.text)).toEqual(texts.map(String));
  expect(cost.capacityUnits).toBeLessThanOrEqual(units);
  expect(cost.roundTrips).toBeLessThanOrEqual(6);
});

test.each([
  { title: 'counted', isCounted: true },
  { title: 'not counted yet', isCounted: false },
])('cost at most 300 units for large responses and drafts that are $title, and so does a highlight', async (row) => {
  const { alice, bob, dave, slug } = cast;
  const choices = [{ name: 'Red' }, { name: 'Blue' }];
  const form = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }, { type: 'SINGLE_CHOICE', choices }]]);
  const { formId } = form;
  const [long, colour] = await readQuestions(alice, formId);
  if (!long || !colour) throw new Error('a question is missing');
  const { id: red = '' } = colour.choices?.[0] ?? {};
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
  const answers = {
    [long.id]: { type: 'LONG_TEXT' as const, value: 'x'.repeat(340_000) },
    [colour.id]: { type: 'SINGLE_CHOICE' as const, value: [red], names: ['Red'] },
  };
  const responses = [
    ...Array.from({ length: 40 }, (_, index) => submissionOf(form, dave.id, at(index), answers)),
    ...Array.from({ length: 10 }, (_, index) => draftOf(form, dave.id, at(index), answers)),
  ];
  for (const response of responses) {
    await store([response]);
    if (row.isCounted) await deliverStream();
  }
  await alice.client.forms.setHighlight({ params: { formId }, body: { questionId: colour.id } });
  await readStatistics(formId);
  const { cost, result } = await measureCost(() => readStatistics(formId));
  expect(cost.capacityUnits).toBeLessThanOrEqual(300);
  expect(result).toMatchObject({ submittedCount: 40, startedCount: 50, countedDrafts: 2 });
  const read = () => bob.client.forms.getHighlight({ params: { formId } });
  const { cost: highlightCost, result: highlighted } = await measureCost(read);
  expect(highlightCost.capacityUnits).toBeLessThanOrEqual(300);
  if (row.isCounted) {
    expect(result.counting).toBeUndefined();
    expect(result.countedResponses).toBe(40);
    expect(highlighted.body).toMatchObject({ choices: [{ count: 40 }, { count: 0 }] });
    expect(highlighted.body.counting).toBeUndefined();
  } else {
    // Said with the numbers: how many were read.
    expect(result).toMatchObject({ counting: true, countedResponses: 2 });
    expect(highlighted.body.counting).toBe(true);
  }
});

test('are empty for a form without responses', async () => {
  const { alice, slug } = cast;
  const { formId } = await newForm(alice, slug, [[{ type: 'RATING', scale: { minVal: 1, maxVal: 2, icon: 'star' } }]]);
  const found = await readStatistics(formId);
  expect(found).toMatchObject({ startedCount: 0, submittedCount: 0, overTime: { unit: 'DAY', periods: [] } });
  expect(found.questions[0]?.scale).toMatchObject({ mean: null, median: null });
});
