/**
 * Tables, exports and statistics of thousands of responses whose answers are as people give them, by every kind of filter and by chance
 * combinations of them, compared with conditions that this test evaluates itself over what it has stored.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import type { Infer } from '#core/schema/schema.ts';
import type { StatisticsQuery } from '#core/table/model.ts';
import { askForExport, buildExports, downloaded } from '#test/support/exports.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { tries } from '#test/support/nightly.ts';
import { choice, readQuestions, store, submissionOf } from '#test/support/responses.ts';

type Query = Infer<typeof StatisticsQuery>;

const cast = await newCast();
/** More than a request looks at, in all runs. */
const COUNT = tries(2_000, 5_000);
const SECOND = 1_000;

/** What one response has, as this test knows it: plain values, absent where nothing was answered. */
type Known = {
  index: number;
  who: 'dave' | 'erin';
  at: string;
  serial: string;
  colour?: string;
  many?: string[];
  points?: number;
  day?: string;
  age?: string;
};

type Six = [string, string, string, string, string, string];

/** A sequence that is the same in every run: whole numbers below `limit`. */
function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Texts as they are pasted: other scripts, marks, quotes, line ends, formulas, and spaces at the ends. */
const DIRT = [
  '',
  ' ',
  'Straße',
  'ЁЖ',
  '"quoted"',
  "=HYPERLINK('x')",
  'a,b;c',
  '😀 ok',
  'İstanbul',
  'tab\tbed',
  '茶 green',
];
/** Numbers, and what people write in their place. */
const AGES = ['0', '7', '18', '42', '99', '-3.5', 'n/a', 'about 40', '--', '40 or 41'];

let form: Built;
let known: Known[] = [];
let ids: string[] = [];
let [serial, colour, many, points, day, age]: Six = ['', '', '', '', '', ''];
let colours: string[] = [];

beforeAll(async () => {
  const { alice, dave, erin, slug } = cast;
  const choices = [{ name: 'Red' }, { name: 'Blue' }, { name: 'Green, or so' }];
  form = await newForm(alice, slug, [
    [
      { type: 'SHORT_TEXT', title: 'Serial' },
      { type: 'SINGLE_CHOICE', title: 'Colour', choices },
      { type: 'MULTIPLE_CHOICE', title: 'Many', choices },
      { type: 'LINEAR_SCALE', title: 'Points', scale: { minVal: 0, maxVal: 9 } },
      { type: 'DATE', title: 'Day', date: { hasYear: true, hasMonth: true, hasDay: true } },
      { type: 'SHORT_TEXT', title: 'Age', text: { format: 'NUMBER' } },
    ],
  ]);
  [serial = '', colour = '', many = '', points = '', day = '', age = ''] = form.questionIds;
  const questions = await readQuestions(alice, form.formId);
  const names = choices.map(({ name }) => name);
  const choicesOf = (id: string) => {
    const question = questions.find((each) => each.id === id);
    if (!question) throw new Error('a question is missing');
    return names.map((name) => choice(question, name));
  };
  colours = choicesOf(colour);
  const manyIds = choicesOf(many);
  const next = chance(20_261_128);
  const begin = Date.parse('2026-03-01T00:00:00.000Z');
  known = Array.from({ length: COUNT }, (_, index): Known => {
    const has = (odds: number) => next(10) < odds;
    const chosen = names.map((_name, position) => position).filter(() => has(4));
    const month = String(1 + next(12)).padStart(2, '0');
    return {
      index,
      who: has(3) ? 'erin' : 'dave',
      at: new Date(begin + index * 60 * SECOND).toISOString(),
      serial: `S${String(index).padStart(4, '0')} ${DIRT[next(DIRT.length)]}`.trim(),
      ...(has(8) && { colour: String(next(3)) }),
      ...(chosen.length > 0 && { many: chosen.map(String) }),
      ...(has(7) && { points: next(10) }),
      ...(has(6) && { day: `${2_020 + next(6)}-${month}-${String(1 + next(28)).padStart(2, '0')}` }),
      ...(has(7) && { age: AGES[next(AGES.length)] ?? '' }),
    };
  });
  const person = { dave, erin };
  const responses = known.map((each) =>
    submissionOf(form, person[each.who].id, each.at, {
      [serial]: { type: 'SHORT_TEXT', value: each.serial },
      ...(each.colour !== undefined && {
        [colour]: {
          type: 'SINGLE_CHOICE' as const,
          value: [colours[Number(each.colour)] ?? ''],
          names: [names[Number(each.colour)] ?? ''],
        },
      }),
      ...(each.many && {
        [many]: {
          type: 'MULTIPLE_CHOICE' as const,
          value: each.many.map((position) => manyIds[Number(position)] ?? ''),
          names: each.many.map((position) => names[Number(position)] ?? ''),
        },
      }),
      ...(each.points !== undefined && { [points]: { type: 'LINEAR_SCALE' as const, value: each.points } }),
      ...(each.day !== undefined && {
        [day]: { type: 'DATE' as const, value: `${each.day}T00:00:00.000Z`, display: each.day },
      }),
      ...(each.age !== undefined && { [age]: { type: 'SHORT_TEXT' as const, value: each.age } }),
    }),
  );
  await store(responses);
  ids = responses.map(({ id }) => id);
});

/** A condition in the words of the API, and as this test understands it. */
type Condition = { name: string; query(): Partial<Query>; holds(each: Known): boolean };

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
const entry = (questionId: () => string, conditions: () => object) => (): Partial<Query> => ({
  filters: [{ questionId: questionId(), ...conditions() }],
});

const CONDITIONS: Condition[] = [
  {
    name: 'one choice',
    query: entry(
      () => colour,
      () => ({ answers: [{ option: colours[1] }] }),
    ),
    holds: (each) => each.colour === '1',
  },
  {
    name: 'one of two choices',
    query: entry(
      () => colour,
      () => ({ answers: [{ option: colours[0] }, { option: colours[2] }] }),
    ),
    holds: (each) => each.colour === '0' || each.colour === '2',
  },
  {
    name: 'all others than a choice, those without an answer included',
    query: entry(
      () => colour,
      () => ({ answers: [{ option: colours[1] }], not: true }),
    ),
    holds: (each) => each.colour !== '1',
  },
  {
    name: 'no answer',
    query: entry(
      () => many,
      () => ({ isEmpty: true }),
    ),
    holds: (each) => each.many === undefined,
  },
  {
    name: 'an answer',
    query: entry(
      () => day,
      () => ({ isEmpty: false }),
    ),
    holds: (each) => each.day !== undefined,
  },
  {
    name: 'points within bounds',
    query: entry(
      () => points,
      () => ({ min: 3, max: 6 }),
    ),
    holds: ({ points: value }) => value !== undefined && value >= 3 && value <= 6,
  },
  {
    name: 'a typed number from a bound on',
    query: entry(
      () => age,
      () => ({ min: 18 }),
    ),
    holds: ({ age: value }) => value !== undefined && isNumber(value) && Number(value) >= 18,
  },
  {
    name: 'not a typed number up to a bound',
    query: entry(
      () => age,
      () => ({ max: 18, not: true }),
    ),
    holds: ({ age: value }) => !(value !== undefined && isNumber(value) && Number(value) <= 18),
  },
  {
    name: 'days of a month to a year',
    query: entry(
      () => day,
      () => ({ min: '2021-11', max: '2023' }),
    ),
    holds: ({ day: value }) => value !== undefined && value >= '2021-11-01' && value <= '2023-12-31',
  },
  {
    name: 'a text in another case and script',
    query: entry(
      () => serial,
      () => ({ contains: 'ёж' }),
    ),
    holds: (each) => each.serial.includes('ЁЖ'),
  },
  {
    name: 'a part of the name of a choice',
    query: entry(
      () => many,
      () => ({ contains: 'GREEN, or' }),
    ),
    holds: (each) => each.many?.includes('2') === true,
  },
  {
    name: 'a part of a serial',
    query: entry(
      () => serial,
      () => ({ contains: 's00' }),
    ),
    holds: (each) => each.serial.toLowerCase().includes('s00'),
  },
  {
    name: 'the respondent',
    query: () => ({ respondent: cast.erin.email.toUpperCase() }),
    holds: (each) => each.who === 'erin',
  },
  {
    name: 'a time of submission',
    query: () => ({ from: known[700]?.at, to: known[1_900]?.at }),
    holds: ({ index }) => index >= 700 && index < 1_900,
  },
];

/** Ten combinations of two or three conditions, the same in every run. */
function combine(): [name: string, conditions: Condition[]][] {
  const next = chance(5);
  return Array.from({ length: 10 }, () => {
    const chosen = new Set(Array.from({ length: 2 + next(2) }, () => CONDITIONS[next(CONDITIONS.length)] as Condition));
    return [[...chosen].map(({ name }) => name).join(' + '), [...chosen]];
  });
}

const CASES: [name: string, conditions: Condition[]][] = [
  ...CONDITIONS.map((each): [string, Condition[]] => [each.name, [each]]),
  ...combine(),
];

const queryOf = (conditions: readonly Condition[]): Query => {
  const parts = conditions.map((each) => each.query());
  return { ...Object.assign({}, ...parts), filters: parts.flatMap(({ filters = [] }) => filters) };
};
const matching = (conditions: readonly Condition[]): Known[] =>
  known.filter((each) => conditions.every(({ holds }) => holds(each)));

describe('thousands of responses', () => {
  test.for(CASES)('are listed by %s', async ([, conditions]) => {
    const found: string[] = [];
    const input = { params: { formId: form.formId }, query: { limit: 100 }, body: queryOf(conditions) };
    for await (const { body } of paginate(cast.bob.client.responses.filterResponses, input))
      found.push(...body.responses.map(({ id }) => id));
    expect(found).toEqual(matching(conditions).map(({ index }) => ids[index]));
  });

  test.for(CASES)('are exported by %s', async ([, conditions]) => {
    const questionIds = [serial, age];
    const job = await askForExport(cast.bob, form.formId, { ...queryOf(conditions), questionIds, format: 'CSV' });
    await buildExports();
    const csv = (await downloaded(cast.bob, job)).toString('utf8');
    expect([...csv.matchAll(/S\d{4}/g)].map(([found]) => found)).toEqual(
      matching(conditions).map((each) => each.serial.slice(0, 5)),
    );
  });

  test.for(CASES)('of a week are counted by %s', async ([, conditions]) => {
    // More responses are newer than a request reads.
    const [first, end] = [50, 950];
    const query = queryOf(conditions);
    const from = [query.from ?? '', known[first]?.at ?? ''].toSorted()[1];
    const to = [query.to ?? '9', known[end]?.at ?? ''].toSorted()[0];
    const expected = matching(conditions).filter(({ index }) => index >= first && index < end);
    const body = { ...query, from, to };
    const statistics = (await cast.bob.client.responses.queryStatistics({ params: form, body })).body;
    expect(statistics.matches).toEqual({ count: expected.length, isComplete: true });
    const find = (id: string) => statistics.questions.find(({ questionId }) => questionId === id);
    expect(find(colour)?.choices?.map(({ count }) => count)).toEqual(
      ['0', '1', '2'].map((each) => expected.filter((response) => response.colour === each).length),
    );
    expect(find(many)?.choices?.map(({ count }) => count)).toEqual(
      ['0', '1', '2'].map((each) => expected.filter((response) => response.many?.includes(each)).length),
    );
    expect(find(points)?.scale?.points.map(({ count }) => count)).toEqual(
      Array.from({ length: 10 }, (_, value) => expected.filter((each) => each.points === value).length),
    );
    expect(find(serial)?.answeredCount).toBe(expected.length);
  });

  test.for(CASES)('are counted over everything, by a job, by %s', async ([, conditions]) => {
    const { responses } = cast.bob.client;
    const params = { formId: form.formId };
    await responses.countStatistics({ params, body: { ...queryOf(conditions), timeZone: 'Asia/Tokyo' } });
    await buildExports();
    const { state, statistics } = (await responses.getStatisticsCount({ params })).body;
    const expected = matching(conditions);
    expect([state, statistics?.matches]).toEqual(['DONE', { count: expected.length, isComplete: true }]);
    const find = (id: string) => statistics?.questions.find(({ questionId }) => questionId === id);
    expect(find(many)?.choices?.map(({ count }) => count)).toEqual(
      ['0', '1', '2'].map((each) => expected.filter((response) => response.many?.includes(each)).length),
    );
    expect(find(points)?.scale?.points.map(({ count }) => count)).toEqual(
      Array.from({ length: 10 }, (_, value) => expected.filter((each) => each.points === value).length),
    );
    const ages = expected.flatMap((each) => (each.age !== undefined && isNumber(each.age) ? [Number(each.age)] : []));
    const sorted = ages.toSorted((a, b) => a - b);
    const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
    expect(find(age)?.numbers).toMatchObject({
      count: ages.length,
      readCount: ages.length,
      min: sorted[0] ?? null,
      max: sorted.at(-1) ?? null,
      median: sorted.length === 0 ? null : (low + high) / 2,
    });
    // Midnight there is at three in the afternoon, in UTC.
    const days = Map.groupBy(expected, ({ at }) => new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(0, 10));
    const counted = statistics?.overTime.periods.filter(({ count }) => count > 0);
    expect(counted).toEqual([...days].map(([period, { length }]) => ({ period, count: length })));
  });
});
