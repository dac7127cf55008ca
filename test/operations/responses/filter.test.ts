/** Filtering submitted responses. */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import type { FilterEntry } from '#core/table/model.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { type Built, newForm } from '#test/support/fixtures.ts';
import {
  branchedForm,
  CHOICES,
  cancel,
  castAt,
  choice,
  pass,
  readQuestion,
  respond,
  type Sent,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();

type Filter = [questionId: string | undefined, ...options: string[]];
const filtersOf = (filters: Filter[]) =>
  filters.map(([questionId = '', ...options]) => ({ questionId, answers: options.map((option) => ({ option })) }));

const readPage = async (formId: string, filters: Filter[], query: { limit?: number; cursor?: string } = {}) => {
  const body = { filters: filtersOf(filters) };
  return (await cast.bob.client.responses.filterResponses({ params: { formId }, query, body })).body;
};
/** The ids of the responses that match. */
const matching = async (formId: string, ...filters: Filter[]): Promise<string[]> =>
  (await readPage(formId, filters)).responses.map(({ id }) => id);
const filterPath = (formId: string): string => `/api/forms/${formId}/responses/query`;

describe('responses to a form with a text and a choice', () => {
  let form: Built;
  let [name, colour]: [string, string] = ['', ''];
  let ids: Record<string, string> = {};
  const id = (key: string): string => ids[key] ?? '';
  let option: (key: string) => string;

  beforeAll(async () => {
    const { alice, dave, slug } = cast;
    form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }, { type: 'MULTIPLE_CHOICE', choices: CHOICES }]]);
    [name = '', colour = ''] = form.questionIds;
    const view = await readQuestion(alice, form.formId, colour);
    option = (key) => choice(view, key);
    const answers = (who: string, colours: string[], other?: string): Sent[] => [
      text(name, who),
      ...(colours.length > 0 ? [sent(colour, 'MULTIPLE_CHOICE', colours.map(option), other)] : []),
    ];
    const given: [key: string, answers: Sent[]][] = [
      ['annRed', answers('Ann', ['Red'])],
      ['benBlue', answers('Ben', ['Blue'])],
      ['annBoth', answers('Ann', ['Blue', 'Red'])],
      ['benOther', answers('Ben', ['Other'], 'Green')],
      ['annNone', answers('Ann', [])],
    ];
    for (const [key, each] of given) {
      ids = { ...ids, [key]: await respond(dave, form.formId, each) };
      pass(1);
    }
  });

  test('filters: [] = all, and an entry without answers matches all', async () => {
    const all = ['annRed', 'benBlue', 'annBoth', 'benOther', 'annNone'].map(id);
    expect(await matching(form.formId)).toEqual(all);
    expect(await matching(form.formId, [colour])).toEqual(all);
  });

  test('an option is a choice id: every response that selected it, whatever else it selected', async () => {
    expect(await matching(form.formId, [colour, option('Red')])).toEqual([id('annRed'), id('annBoth')]);
    expect(await matching(form.formId, [colour, option('Other')])).toEqual([id('benOther')]);
    expect(await matching(form.formId, [colour, 'Red'])).toEqual([]);
  });

  test('OR inside an entry', async () => {
    const both = await matching(form.formId, [colour, option('Red'), option('Other')]);
    expect(both).toEqual([id('annRed'), id('annBoth'), id('benOther')]);
  });

  test('AND between entries, also of the same question', async () => {
    expect(await matching(form.formId, [colour, option('Blue')], [name, 'Ben'])).toEqual([id('benBlue')]);
    const twice = await matching(form.formId, [colour, option('Blue')], [colour, option('Red')]);
    expect(twice).toEqual([id('annBoth')]);
    expect(await matching(form.formId, [name, 'Ann'], [name, 'Ben'])).toEqual([]);
  });

  test('answers maps every question id to the stored answer or null', async () => {
    const { formId, responses } = await readPage(form.formId, [[colour, option('Other')]]);
    expect(formId).toBe(form.formId);
    expect(responses).toMatchObject([
      {
        id: id('benOther'),
        answers: {
          [name]: { responseId: id('benOther'), displayValue: 'Ben', answer: { questionId: name, value: 'Ben' } },
          [colour]: { displayValue: 'Green', answer: { value: [option('Other')], otherText: 'Green' } },
        },
      },
    ]);
    const none = await readPage(form.formId, [[name, 'Ann']]);
    expect(none.responses.at(-1)?.answers[colour]).toBeNull();
  });

  test('comes in pages, oldest submission first, and a cursor is valid for its filter only', async () => {
    const { bob } = cast;
    const body = { filters: filtersOf([[name, 'Ann']]) };
    const input = { params: { formId: form.formId }, query: { limit: 2 }, body };
    const pages = [];
    for await (const page of paginate(bob.client.responses.filterResponses, input)) pages.push(page.body);
    const found = pages.map(({ responses }) => responses.map((each) => each.id));
    expect(found.flat()).toEqual([id('annRed'), id('annBoth'), id('annNone')]);
    expect(found[0]).toHaveLength(2);
    const cursor = encodeURIComponent(pages[0]?.nextCursor ?? '');
    const other = { filters: filtersOf([[name, 'Ben']]) };
    const path = `${filterPath(form.formId)}?cursor=${cursor}`;
    expect(await readFaults(bob, 'POST', path, other)).toEqual(['/query/cursor']);
  });

  test('pages of one response make the whole list, whatever the filter', async () => {
    for (const filters of [[], [[name, 'Ann']], [[colour, option('Blue'), option('Red')]]] satisfies Filter[][]) {
      const input = { params: { formId: form.formId }, query: { limit: 1 }, body: { filters: filtersOf(filters) } };
      const found: string[] = [];
      for await (const { body } of paginate(cast.bob.client.responses.filterResponses, input)) {
        expect(body.responses.length).toBeLessThanOrEqual(1);
        found.push(...body.responses.map((each) => each.id));
      }
      expect(found).toEqual(await matching(form.formId, ...filters));
    }
  });

  test('an unknown question, or one of another form, is 404', async () => {
    const [foreign] = (await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]])).questionIds;
    for (const questionId of [foreign, app().uuid()]) {
      const body = { filters: filtersOf([[name, 'Ann'], [questionId]]) };
      expect((await requestAs(cast.bob, 'POST', filterPath(form.formId), body)).status).toBe(404);
    }
  });

  test('an invalid body is 400 with all its faults, and a missing form comes first', async () => {
    const { bob, dave } = cast;
    const path = filterPath(form.formId);
    const wrong = {
      filters: [
        { questionId: 'x', answers: [{ option: 7 }, {}] },
        { questionId: name, contains: '' },
      ],
    };
    expect(await readFaults(bob, 'POST', path, wrong)).toEqual([
      '/body/filters/0/answers/0/option',
      '/body/filters/0/answers/1/option',
      '/body/filters/0/questionId',
      '/body/filters/1/contains',
    ]);
    expect(await readFaults(bob, 'POST', path, {})).toEqual(['/body/filters']);
    expect(await readFaults(bob, 'POST', `${path}?limit=0`, { filters: [] })).toEqual(['/query/limit']);
    expect((await requestAs(bob, 'POST', filterPath(app().uuid()), wrong)).status).toBe(404);
    expect((await requestAs(dave, 'POST', path, wrong)).status).toBe(403);
  });
});

describe('what a filter considers', () => {
  test('are SUBMITTED responses, oldest submission first: no drafts, and a cancelled one only once it is submitted again', async () => {
    const { alice, dave, erin, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const answers = [text(questionId, 'yes')];
    const draft = await start(erin, formId);
    await save(erin, draft, answers);
    const first = await respond(dave, formId, answers);
    pass(1);
    const second = await respond(erin, formId, answers);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([first, second]);
    await cancel(dave, first);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([second]);
    pass(1);
    await submit(erin, draft);
    pass(1);
    await submit(dave, first);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([second, draft, first]);
  });

  test('are answers on the path: one off it does not match and is null, until it is on the path again', async () => {
    const { alice, dave, slug } = cast;
    const kind = { type: 'SHORT_TEXT' as const };
    const { formId, asked, yes, no } = await branchedForm(
      { person: alice, slug },
      { first: [kind], yes: [kind], no: [kind] },
    );
    const [inYes = '', inNo = ''] = [yes[0], no[0]];
    const id = await respond(dave, formId, [text(asked, 'yes'), text(inYes, 'same')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([id]);
    await save(dave, id, [text(asked, 'no'), text(inNo, 'same')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([]);
    expect(await matching(formId, [inNo, 'same'])).toEqual([id]);
    const [shown] = (await readPage(formId, [])).responses;
    expect(shown?.answers[inYes]).toBeNull();
    await save(dave, id, [text(asked, 'yes')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([id]);
  });

  test('are answers to removed questions too: they match, and their answers are shown', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds, sectionIds } = await newForm(alice, slug, [
      [{ type: 'SHORT_TEXT' }, { type: 'LONG_TEXT' }],
    ]);
    const [kept = '', removed = ''] = questionIds;
    const id = await respond(dave, formId, [text(kept, 'a'), sent(removed, 'LONG_TEXT', 'b')]);
    await respond(dave, formId, [text(kept, 'a')]);
    const params = { sectionId: sectionIds[0] ?? '', questionId: removed };
    await alice.client.questions.deleteQuestion({ params });
    const { responses } = await readPage(formId, [[removed, 'b']]);
    expect(responses).toMatchObject([{ id, answers: { [removed]: { displayValue: 'b' } } }]);
  });
});

describe('further conditions of an entry', () => {
  let form: Built;
  let ids: string[] = [];
  let byName: Record<'name' | 'colour' | 'age' | 'day' | 'stars', string> = {
    ...{ name: '', colour: '', age: '', day: '', stars: '' },
  };
  let red = '';

  /** Which of the responses 0 to 3 match entries that name their question by a word. */
  const find = async (...entries: ({ of: keyof typeof byName } & Omit<FilterEntry, 'questionId'>)[]) => {
    const filters = entries.map(({ of, ...entry }) => ({ questionId: byName[of], ...entry }));
    const { body } = await cast.bob.client.responses.filterResponses({
      params: { formId: form.formId },
      body: { filters },
    });
    return body.responses.map((response) => ids.indexOf(response.id));
  };

  beforeAll(async () => {
    const { alice, dave, slug } = cast;
    form = await newForm(alice, slug, [
      [
        { type: 'SHORT_TEXT' },
        { type: 'MULTIPLE_CHOICE', choices: CHOICES },
        { type: 'SHORT_TEXT', text: { format: 'NUMBER' } },
        { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
        { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
      ],
    ]);
    const [name = '', colour = '', age = '', day = '', stars = ''] = form.questionIds;
    byName = { name, colour, age, day, stars };
    const view = await readQuestion(alice, form.formId, colour);
    red = choice(view, 'Red');
    const given: Sent[][] = [
      [text(name, 'Ann Smith'), text(age, '9'), sent(day, 'DATE', '2026-05-01T00:00:00Z'), sent(stars, 'RATING', 1)],
      [text(name, 'ben'), text(age, '10.5'), sent(day, 'DATE', '2026-06-15T00:00:00Z'), sent(stars, 'RATING', 5)],
      [sent(colour, 'MULTIPLE_CHOICE', [red]), text(age, '-3')],
      [sent(colour, 'MULTIPLE_CHOICE', [choice(view, 'Other')], 'Dark red')],
    ];
    ids = [];
    for (const answers of given) {
      ids.push(await respond(dave, form.formId, answers));
      pass(60);
    }
  });

  test.for<[string, Parameters<typeof find>, number[]]>([
    ['no answer', [{ of: 'name', isEmpty: true }], [2, 3]],
    ['an answer', [{ of: 'name', isEmpty: false }], [0, 1]],
    ['a text in any case', [{ of: 'name', contains: 'SMITH' }], [0]],
    ['a part of the name of a choice, or of the other text', [{ of: 'colour', contains: 'red' }], [2, 3]],
    ['a number at least', [{ of: 'age', min: 9 }], [0, 1]],
    ['a number at most, compared as a number', [{ of: 'age', max: 9 }], [0, 2]],
    ['a number between', [{ of: 'age', min: 9.5, max: 10.5 }], [1]],
    ['a point on a scale', [{ of: 'stars', min: 2 }], [1]],
    ['a date at least', [{ of: 'day', min: '2026-05-02' }], [1]],
    ['a date within a month, its first day included', [{ of: 'day', min: '2026-05', max: '2026-05' }], [0]],
    ['a date within a year', [{ of: 'day', max: '2026' }], [0, 1]],
    ['not: all others, those without an answer included', [{ of: 'name', contains: 'ann', not: true }], [1, 2, 3]],
    ['not with several conditions: whatever fails one of them', [{ of: 'age', min: 0, max: 10, not: true }], [1, 2, 3]],
    ['not without a condition: all', [{ of: 'name', not: true }], [0, 1, 2, 3]],
    [
      'conditions of two entries on a question',
      [
        { of: 'age', min: 0 },
        { of: 'age', max: 9 },
      ],
      [0],
    ],
    [
      'entries on several questions',
      [
        { of: 'age', min: 0 },
        { of: 'name', contains: 'b' },
      ],
      [1],
    ],
    ['a part of a name that nobody has', [{ of: 'name', contains: 'zoe' }], []],
  ])('%s', async ([, entries, expected]) => {
    expect(await find(...entries)).toEqual(expected);
  });

  test('beside options, every condition holds; inverted, the entry as a whole', async () => {
    const answers = [{ option: red }];
    expect(await find({ of: 'colour', answers, contains: 'dark' })).toEqual([]);
    expect(await find({ of: 'colour', answers, not: true })).toEqual([0, 1, 3]);
    expect(await find({ of: 'colour', answers: [], contains: 'dark' })).toEqual([3]);
  });

  test('a bound that does not fit the answers is refused, with its place and what it must be', async () => {
    const entry = (of: keyof typeof byName, bound: object) => ({ questionId: byName[of], ...bound });
    const filters = [
      entry('name', { min: 1 }),
      entry('age', { max: '2026-05-01' }),
      entry('day', { min: 3 }),
      entry('stars', { min: 2 }),
    ];
    for (const path of ['responses/query', 'statistics/query']) {
      const refused = await requestAs(cast.bob, 'POST', `/api/forms/${form.formId}/${path}`, { filters });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [
          { pointer: '/body/filters/0/min', detail: 'needs a question for a number or a date' },
          { pointer: '/body/filters/1/max', detail: 'must be a number, as the answers to its question are' },
          { pointer: '/body/filters/2/min', detail: 'must be a date, as the answers to its question are' },
        ],
      ]);
    }
  });

  test('the time of submission: from is included, to is not, in both orders and for statistics and distinct answers', async () => {
    const { bob } = cast;
    const params = { formId: form.formId };
    const read = await bob.client.responses.listResponses({ params, query: { progress: 'SUBMITTED' } });
    const times = ids.map((id) => read.body.responses.find((response) => response.id === id)?.submittedAt ?? '');
    const between = async (from?: string, to?: string, descending = false) => {
      const range = { ...(from && { from }), ...(to && { to }) };
      const body = { filters: [], ...range, sort: { descending } };
      const found = await bob.client.responses.filterResponses({ params, body });
      const counted = await bob.client.responses.queryStatistics({ params, body: { filters: [], ...range } });
      expect(counted.body.countedResponses).toBe(found.body.responses.length);
      return found.body.responses.map(({ id }) => ids.indexOf(id));
    };
    expect(await between(times[1])).toEqual([1, 2, 3]);
    expect(await between(undefined, times[1])).toEqual([0]);
    expect(await between(times[1], times[3])).toEqual([1, 2]);
    expect(await between(times[1], times[3], true)).toEqual([2, 1]);
    expect(await between(times[3], times[1])).toEqual([]);
    // The same moment in another zone.
    const shifted = new Date(Date.parse(times[1] ?? '') + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(await between(shifted)).toEqual([1, 2, 3]);

    const [view] = (await bob.client.views.listViews({ params })).body;
    const viewId = view?.id ?? (await bob.client.views.createView({ params, body: {} })).body.id;
    const distinct = await bob.client.views.listDistinctAnswers({
      params: { ...params, viewId, questionId: byName.name },
      body: { filters: [], from: times[1] },
    });
    expect(distinct.body.answers.map(({ matchValue }) => matchValue)).toEqual(['ben']);
    expect(await readFaults(bob, 'POST', filterPath(form.formId), { filters: [], from: 'yesterday' })).toEqual([
      '/body/from',
    ]);
  });

  test('a range of time is read page by page, and only the responses within it', async () => {
    const { bob } = cast;
    const params = { formId: form.formId };
    const read = await bob.client.responses.listResponses({ params, query: { progress: 'SUBMITTED' } });
    const from = read.body.responses.find(({ id }) => id === ids[1])?.submittedAt ?? '';
    const pages: string[][] = [];
    const input = { params, query: { limit: 1 }, body: { filters: [], from } };
    for await (const page of paginate(bob.client.responses.filterResponses, input)) {
      pages.push(page.body.responses.map(({ id }) => id));
    }
    expect(pages.flat()).toEqual(ids.slice(1));
  });
});
