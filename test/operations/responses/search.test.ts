/** The order of submitted responses, and the search for their respondents. */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { formatReference } from '#core/responses/reference.ts';
import type { ResponseQuery } from '#core/table/model.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { type Built, expectProblem, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import {
  branchedForm,
  castAt,
  choice,
  pass,
  readQuestion,
  respond,
  type Sent,
  sent,
  start,
  store,
  submissionOf,
  submit,
} from '#test/support/responses.ts';

const cast = await castAt();
let form: Built;
let [colour, score, day, note]: [string, string, string, string] = ['', '', '', ''];
let ids: Record<string, string> = {};

beforeAll(async () => {
  const { alice, dave, erin, slug } = cast;
  form = await newForm(alice, slug, [
    [
      { type: 'SINGLE_CHOICE', choices: [{ name: 'Zinc' }, { name: 'Amber' }] },
      { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } },
      { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
      { type: 'SHORT_TEXT' },
    ],
  ]);
  [colour = '', score = '', day = '', note = ''] = form.questionIds;
  const question = await readQuestion(alice, form.formId, colour);
  const answers = (name: string, value: number, date: string): Sent[] => [
    sent(colour, 'SINGLE_CHOICE', [choice(question, name)]),
    sent(score, 'LINEAR_SCALE', value),
    sent(day, 'DATE', `${date}T00:00:00Z`),
  ];
  const given = [
    ['a', dave, answers('Amber', 9, '2026-02-01')],
    ['b', erin, answers('Zinc', 10, '2025-12-31')],
    ['c', dave, answers('Amber', 2, '2026-01-15')],
    ['none', erin, []],
  ] as const;
  for (const [key, who, each] of given) {
    ids = { ...ids, [await respond(who, form.formId, [...each])]: key };
    pass(1);
  }
});

type Query = Omit<ResponseQuery, 'filters'> & Partial<Pick<ResponseQuery, 'filters'>>;
const inputOf = (query: Query, limit = 100) => ({
  params: { formId: form.formId },
  query: { limit },
  body: { filters: [], ...query },
});
/** The pages of a list, each as the keys of its responses. */
async function readPages(query: Query, limit?: number): Promise<string[]> {
  const pages: string[] = [];
  for await (const { body } of paginate(cast.bob.client.responses.filterResponses, inputOf(query, limit))) {
    pages.push(body.responses.map(({ id }) => ids[id]).join(' '));
  }
  return pages.filter((page) => page !== '');
}
const path = (): string => `/api/forms/${form.formId}/responses/query`;

describe('submitted responses are sorted', () => {
  test.for<[what: string, sort: () => Query['sort'], order: string]>([
    ['by submission, without an order', () => undefined, 'a b c none'],
    ['by submission, newest first', () => ({ descending: true }), 'none c b a'],
    [
      'by a choice, in the order of the question, equal ones newest first',
      () => ({ questionId: colour }),
      'b c a none',
    ],
    ['by a choice, backwards', () => ({ questionId: colour, descending: true }), 'c a b none'],
    ['by a number, not its digits', () => ({ questionId: score }), 'c a b none'],
    ['by a number, highest first', () => ({ questionId: score, descending: true }), 'b a c none'],
    ['by a date', () => ({ questionId: day }), 'b c a none'],
  ])('%s', async ([, sort, order]) => {
    expect(await readPages({ sort: sort() })).toEqual([order]);
    expect((await readPages({ sort: sort() }, 1)).join(' ')).toBe(order);
  });

  test('by a question with one choice, a number or a date only, which the form has', async () => {
    const { bob } = cast;
    const faults = (questionId: string) => readFaults(bob, 'POST', path(), { filters: [], sort: { questionId } });
    expect(await faults(note)).toEqual(['/body/sort/questionId']);
    expect(await faults('x')).toEqual(['/body/sort/questionId']);
    const foreign = { filters: [], sort: { questionId: form.formId } };
    expect((await requestAs(bob, 'POST', path(), foreign)).status).toBe(404);
  });

  test('with a filter, and on pages whose cursor is valid for this order only', async () => {
    const filters = [{ questionId: score, answers: [{ option: '2' }, { option: '9' }] }];
    expect(await readPages({ filters, sort: { questionId: day } })).toEqual(['c a']);
    const [page] = [(await cast.bob.client.responses.filterResponses(inputOf({ sort: { questionId: day } }, 1))).body];
    const other = { filters: [], sort: { questionId: score } };
    const cursor = encodeURIComponent(page?.nextCursor ?? '');
    expect(await readFaults(cast.bob, 'POST', `${path()}?cursor=${cursor}`, other)).toEqual(['/query/cursor']);
  });
});

test('respondents are searched by a part of their name, username or e-mail address, in any case', async () => {
  const { dave } = cast;
  const [name = ''] = dave.email.split('@');
  expect(await readPages({ respondent: name.toUpperCase() })).toEqual(['a c']);
  expect(await readPages({ respondent: name, sort: { descending: true } }, 1)).toEqual(['c', 'a']);
  expect(await readPages({ respondent: 'nobody of this name' })).toEqual([]);
});

test('answers are searched as they are displayed, in any case, also with a filter and by pages', async () => {
  expect(await readPages({ respondent: ' AMB ' })).toEqual(['a c']);
  expect(await readPages({ respondent: '2025-12' })).toEqual(['b']);
  expect(await readPages({ respondent: 'amber', filters: [{ questionId: score, max: 5 }] })).toEqual(['c']);
  expect(await readPages({ respondent: 'amber', sort: { descending: true } }, 1)).toEqual(['c', 'a']);
});

test('answers off the path of a response are not searched, and statistics are of what is found', async () => {
  const { alice, bob, dave, slug } = cast;
  const lake = { type: 'SHORT_TEXT' as const };
  const { formId, asked, yes } = await branchedForm(
    { person: alice, slug },
    { first: [lake], yes: [lake], no: [{ type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } }] },
  );
  const answers = [sent(asked, 'SHORT_TEXT', 'yes'), sent(yes[0] ?? '', 'SHORT_TEXT', 'Jenkins Lake')];
  const found = await respond(dave, formId, answers);
  await submit(dave, await start(dave, formId, answers), [sent(asked, 'SHORT_TEXT', 'no')]);
  const query = { params: { formId }, body: { filters: [], respondent: 'jenkins' } };
  const { responses } = (await bob.client.responses.filterResponses({ ...query, query: { limit: 10 } })).body;
  expect(responses.map(({ id }) => id)).toEqual([found]);
  const { matches } = (await bob.client.responses.queryStatistics(query)).body;
  expect(matches).toEqual({ count: 1, isComplete: true });
});

test('a response is found by its reference, however that is written, and by its id', async () => {
  const [id = ''] = Object.keys(ids).filter((key) => ids[key] === 'b');
  const digits = id.slice(-8);
  const [left, right] = [digits.slice(0, 4), digits.slice(4)];
  for (const written of [`${left}-${right}`.toUpperCase(), digits, ` ${left} ${right} `, `${left} – ${right}`, id])
    expect([written, await readPages({ respondent: written })]).toEqual([written, ['b']]);
  for (const other of [digits.slice(1), `${left}-${right}0`, `${right}-${left}`])
    expect([other, await readPages({ respondent: other })]).toEqual([other, []]);
});

test('more than 1,000 submitted responses are sorted by submission only', async () => {
  const { alice, bob, dave, slug } = cast;
  const large = await newForm(alice, slug, [[{ type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } }]]);
  const [questionId = ''] = large.questionIds;
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  const responses = Array.from({ length: 1_001 }, (_, index) => submissionOf(large, dave.id, at(index)));
  const sortedPath = `/api/forms/${large.formId}/responses/query?limit=2`;
  const body = { filters: [], sort: { questionId } };
  await store(responses.slice(0, 1_000));
  expect((await requestAs(bob, 'POST', sortedPath, body)).status).toBe(200);
  await store(responses.slice(1_000));
  expect(await readFaults(bob, 'POST', sortedPath, body)).toEqual(['/body/sort/questionId']);
  const newest = { params: large, query: { limit: 2 }, body: { filters: [], sort: { descending: true } } };
  const page = (await bob.client.responses.filterResponses(newest)).body;
  expect(page.responses.map(({ id }) => id)).toEqual([responses[1_000]?.id, responses[999]?.id]);

  // The newest one is beyond the first 1,000 responses; its reference leads to it by one read.
  const last = responses[1_000]?.id ?? '';
  const search = async (respondent: string, query: Partial<ResponseQuery> = {}) => {
    const found = { params: large, query: { limit: 2 }, body: { filters: [], respondent, ...query } };
    const { responses: rows, nextCursor } = (await bob.client.responses.filterResponses(found)).body;
    return [rows.map(({ id }) => id), nextCursor !== null];
  };
  expect(await search(formatReference(last))).toEqual([[last], false]);
  const { cost } = await measureCost(() => search(formatReference(last)));
  expect(cost.capacityUnits).toBeLessThanOrEqual(8);
  expect(await search(formatReference(last).toLowerCase().replaceAll('-', ' '))).toEqual([[last], false]);
  expect(await search(formatReference(last), { to: at(1_000) })).toEqual([[], false]);
  expect(await search(formatReference(last), { from: at(1_000) })).toEqual([[last], false]);
  expect(await search(formatReference(last), { filters: [{ questionId, isEmpty: false }] })).toEqual([[], false]);
  expect(await search(last.slice(-8))).toEqual([[], true]);
});

test('a reference finds no draft, no response of another form, and nothing after it was deleted', async () => {
  const { alice, bob, chelsea, dave, slug } = cast;
  const other = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const draft = (await dave.client.responses.startResponse({ params: other, body: {} })).body;
  const submitted = await respond(dave, other.formId, []);
  const search = async (responseId: string, { formId }: { formId: string }) => {
    const input = {
      params: { formId },
      query: { limit: 2 },
      body: { filters: [], respondent: formatReference(responseId) },
    };
    return (await bob.client.responses.filterResponses(input)).body.responses.map(({ id }) => id);
  };
  expect(await search(submitted, other)).toEqual([submitted]);
  // It says which response it is, and grants nothing: not even to its respondent it is an address.
  const responseId = formatReference(submitted);
  for (const by of [dave, bob, chelsea]) {
    const refused = await expectProblem(
      by.client.responses.getResponse({ params: { formId: other.formId, responseId } }),
    );
    expect(refused.status).toBe(400);
    expect((await pagesOf(by).get(`/r/${responseId}`)).status).toBe(404);
  }
  expect(await search(draft.id, other)).toEqual([]);
  expect(await search(submitted, form)).toEqual([]);
  await alice.client.responses.deleteResponse({ params: { formId: other.formId, responseId: submitted } });
  expect(await search(submitted, other)).toEqual([]);
});
