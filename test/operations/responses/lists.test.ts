/** The lists of responses: who sees which, in pages without gaps or duplicates, with counts that agree. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Response, ResponseItem, ResponseProgress } from '#core/responses/model.ts';
import { measureCost } from '#test/support/cost.ts';
import { type Built, expectProblem, newForm, type Person, person } from '#test/support/fixtures.ts';
import {
  cancel,
  castAt,
  draftOf,
  NOW,
  pass,
  readTable,
  start,
  store,
  submissionOf,
  submit,
} from '#test/support/responses.ts';

const cast = await castAt();
const DRAFTS = 41;
const SUBMITTED = 65;
let form: Built;
let formId: string;
let stored: Response[];

/** Responses of dave, erin and bob, a member, in turn; five of them in the same millisecond each time. */
function manyResponses(): Response[] {
  const { dave, erin, bob } = cast;
  return Array.from({ length: DRAFTS + SUBMITTED }, (_, n) => {
    const at = new Date(Date.parse(NOW) + Math.floor(n / 5) * 1_000).toISOString();
    const userId = ([dave, erin, bob][n % 3] ?? dave).id;
    return n < DRAFTS ? draftOf(form, userId, at) : submissionOf(form, userId, at);
  });
}

beforeAll(async () => {
  form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  ({ formId } = form);
  stored = manyResponses();
  await store(stored);
});

/** A person as lists show them. */
function shortUserOf(userId: string | undefined) {
  const [name, { id, email }] = Object.entries({ dave: cast.dave, erin: cast.erin, bob: cast.bob }).find(
    ([, person]) => person.id === userId,
  ) ?? ['', cast.alice];
  return { id, name: `${name}_1`, username: `${name}-${id.slice(0, 8)}`, emails: [email] };
}

const owned = (person: Person): Response[] => stored.filter(({ userId }) => userId === person.id);
const ids = (responses: readonly { id: string }[]): string[] => responses.map(({ id }) => id).sort();

type Query = { limit?: number; progress?: ResponseProgress; mine?: boolean };

/** Every page of a list, and the counts of each page. */
async function allPages({ client }: Person, { mine, ...query }: Query) {
  const items: ResponseItem[] = [];
  const sizes: number[] = [];
  const counts = new Set<string>();
  let cursor: string | undefined;
  do {
    const input = { params: { formId }, query: { ...query, ...(cursor ? { cursor } : {}) } };
    const call = mine ? client.responses.listMyResponses(input) : client.responses.listResponses(input);
    const { responses, nextCursor, ...rest } = (await call).body;
    items.push(...responses);
    sizes.push(responses.length);
    counts.add(JSON.stringify(rest));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { items, sizes, counts: [...counts].map((each) => JSON.parse(each)) };
}

describe('the list of the responses to a form', () => {
  test.each([
    { limit: 100 },
    { limit: 17 },
    { limit: 4, progress: 'DRAFT' as const },
  ])('has no gaps and no duplicates across its pages and the shards: %j', async (query) => {
    const expected = stored.filter(({ progress }) => !query.progress || progress === query.progress);
    const { items, sizes } = await allPages(cast.bob, query);
    expect(items).toHaveLength(expected.length);
    expect(ids(items)).toEqual(ids(expected));
    expect(sizes.slice(0, -1).every((size) => size === query.limit)).toBe(true);
  });

  test.each(['DRAFT', 'SUBMITTED'] as const)('has with progress=%s those alone', async (progress) => {
    const { items } = await allPages(cast.alice, { progress });
    expect(new Set(items.map((item) => item.progress))).toEqual(new Set([progress]));
    expect(items).toHaveLength(progress === 'DRAFT' ? DRAFTS : SUBMITTED);
  });

  test('has items of exactly the documented members, also for members who answered', async () => {
    const { items } = await allPages(cast.alice, {});
    for (const item of items) {
      const original = stored.find(({ id }) => id === item.id);
      expect(item).toEqual({
        id: original?.id,
        submittedBy: original?.userId,
        respondent: shortUserOf(original?.userId),
        progress: original?.progress,
        createdAt: original?.createdAt,
        updatedAt: original?.listedAt,
        submittedAt: original?.submittedAt,
      });
    }
  });

  test('is newest first', async () => {
    const { items } = await allPages(cast.alice, { limit: 50 });
    const times = items.map(({ submittedAt, createdAt }) => submittedAt ?? createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('shows members all responses and others their own', async () => {
    const { alice, bob, dave, erin, chelsea } = cast;
    for (const member of [alice, bob]) expect(ids((await allPages(member, {})).items)).toEqual(ids(stored));
    for (const owner of [dave, erin]) expect(ids((await allPages(owner, {})).items)).toEqual(ids(owned(owner)));
    expect((await allPages(chelsea, {})).items).toEqual([]);
  });

  test('filters and pages for others like for members', async () => {
    const { erin } = cast;
    const drafts = owned(erin).filter(({ progress }) => progress === 'DRAFT');
    const { items } = await allPages(erin, { progress: 'DRAFT', limit: 4 });
    expect(items).toHaveLength(drafts.length);
    expect(ids(items)).toEqual(ids(drafts));
  });

  test('has on every page, whatever the filter, the counts of all that the caller may see', async () => {
    const { alice, dave } = cast;
    const all = [{ formId, totalCount: DRAFTS + SUBMITTED, draftCount: DRAFTS, submittedCount: SUBMITTED }];
    expect((await allPages(alice, { limit: 50 })).counts).toEqual(all);
    expect((await allPages(alice, { progress: 'DRAFT', limit: 50 })).counts).toEqual(all);
    const own = owned(dave);
    const draftCount = own.filter(({ progress }) => progress === 'DRAFT').length;
    const counts = { formId, totalCount: own.length, draftCount, submittedCount: own.length - draftCount };
    expect((await allPages(dave, { progress: 'SUBMITTED', limit: 10 })).counts).toEqual([counts]);
  });

  test('refuses an invalid progress, limit and cursor, each with its pointer', async () => {
    const { alice } = cast;
    const refused = (query: object) =>
      expectProblem(alice.client.responses.listResponses({ params: { formId }, query: query as never }));
    const problem = await refused({ progress: 'draft', limit: 0 });
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/query/limit', '/query/progress']);
    expect(await refused({ limit: 101 })).toMatchObject({ status: 400, errors: [{ pointer: '/query/limit' }] });
    expect(await refused({ cursor: 'x' })).toMatchObject({ status: 400, errors: [{ pointer: '/query/cursor' }] });
  });

  test('is 404 for those to whom the form is not visible and 401 for those not signed in', async () => {
    const { alice, erin, nobody, slug } = cast;
    const hidden = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    const params = { formId: hidden.formId };
    expect((await expectProblem(erin.client.responses.listResponses({ params }))).status).toBe(404);
    expect((await expectProblem(erin.client.responses.listMyResponses({ params }))).status).toBe(404);
    expect((await expectProblem(nobody.responses.listResponses({ params }))).status).toBe(401);
    expect((await expectProblem(nobody.responses.listMyResponses({ params }))).status).toBe(401);
  });
});

describe('the list of my responses', () => {
  test('has the same shape and holds my own only, also for a member', async () => {
    const { alice, dave } = cast;
    const { items, counts } = await allPages(dave, { mine: true, limit: 8 });
    expect(ids(items)).toEqual(ids(owned(dave)));
    expect(items).toHaveLength(owned(dave).length);
    expect(counts).toHaveLength(1);
    expect((await allPages(alice, { mine: true })).items).toEqual([]);
  });
});

test('the counts agree with the list and the table while responses are started, submitted and cancelled', async () => {
  const { alice, dave, erin, slug } = cast;
  const other = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const agreed = async (draftCount: number, submittedCount: number) => {
    const params = { formId: other.formId };
    const list = (await alice.client.responses.listResponses({ params })).body;
    const of = (progress: ResponseProgress) => list.responses.filter((item) => item.progress === progress);
    expect([of('DRAFT').length, of('SUBMITTED').length]).toEqual([draftCount, submittedCount]);
    expect(list).toMatchObject({ totalCount: draftCount + submittedCount, draftCount, submittedCount });
    const { rows } = await readTable(alice, other.formId, other.questionIds);
    expect(ids(rows)).toEqual(ids(of('SUBMITTED')));
  };
  await agreed(0, 0);
  const [one, two] = [await start(dave, other.formId), await start(erin, other.formId)];
  await agreed(2, 0);
  await submit(dave, one);
  await agreed(1, 1);
  pass(1);
  await submit(erin, two);
  await agreed(0, 2);
  await cancel(dave, one);
  await agreed(1, 1);
  const params = { formId: other.formId, responseId: two };
  await alice.client.responses.deleteResponse({ params });
  await agreed(1, 0);
});

test('the table holds exactly the submitted responses of a large form', async () => {
  const { alice } = cast;
  const first = await readTable(alice, formId, form.questionIds);
  expect(first.nextCursor).toBeNull();
  expect(ids(first.rows)).toEqual(ids(stored.filter(({ progress }) => progress === 'SUBMITTED')));
});

test('a list does not read the accounts of its respondents every time, and shows a new name within a minute', async () => {
  const { alice, slug } = cast;
  const other = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const people = await Promise.all(Array.from({ length: 30 }, (_, n) => person(`guest${n}`)));
  await store(people.map(({ id }, n) => draftOf(other, id, new Date(Date.parse(NOW) + n).toISOString())));
  const params = { formId: other.formId };
  const list = () => measureCost(async () => (await alice.client.responses.listResponses({ params })).body.responses);
  const cold = await list();
  const warm = await list();
  expect(warm.result).toEqual(cold.result);
  expect(cold.cost.capacityUnits - warm.cost.capacityUnits).toBe(people.length);
  const [guest] = people;
  const names = { name: 'renamed', username: `renamed-${guest?.id.slice(0, 8)}` };
  await guest?.client.users.onboardUser({ body: names });
  const shown = async () => (await list()).result.find(({ submittedBy }) => submittedBy === guest?.id)?.respondent;
  pass(59);
  expect(await shown()).toMatchObject({ name: 'guest0_1' });
  pass(1);
  expect(await shown()).toMatchObject(names);
});
