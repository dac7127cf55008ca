/** The lists of responses: who sees which, in pages without gaps or doubles, with counts that agree (contract section 7). */
import { beforeAll, describe, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edit.ts';
import type { Response, ResponseItem, ResponseProgress } from '#core/responses/model.ts';
import { cancel, castAt, NOW, pass, start, store, submit, tableOf } from '#test/support/responses.ts';
import { newForm, type Person, problemOf } from '#test/support/world.ts';

const cast = castAt();
const DRAFTS = 61;
const SUBMITTED = 75;
let formId: string;
let questionIds: string[];
let stored: Response[];

/** Responses of dave and erin in turn; five at a time came in the same millisecond. */
function manyResponses(): Response[] {
  const { dave, erin } = cast();
  return Array.from({ length: DRAFTS + SUBMITTED }, (_, n) => {
    const at = new Date(Date.parse(NOW) + Math.floor(n / 5) * 1_000).toISOString();
    const draft = newResponse(idWithin(formId, app().uuid()), formId, n % 2 === 0 ? dave.id : erin.id, at);
    return n < DRAFTS ? draft : { ...draft, progress: 'SUBMITTED' as const, submittedAt: at };
  });
}

beforeAll(async () => {
  ({ formId, questionIds } = await newForm(cast().alice, cast().slug, [[{ type: 'SHORT_TEXT' }]]));
  stored = manyResponses();
  await store(stored);
});

const owned = (person: Person): Response[] => stored.filter(({ userId }) => userId === person.id);
const ids = (responses: readonly { id: string }[]): string[] => responses.map(({ id }) => id).sort();

type Asked = { limit?: number; progress?: ResponseProgress; mine?: boolean };

/** Every page of a list, and the counts that each of them gave. */
async function allPages({ client }: Person, { mine, ...query }: Asked) {
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
    { limit: 7 },
    { limit: 1, progress: 'DRAFT' as const },
  ])('has no gaps and no doubles across its pages and the shards: %j', async (asked) => {
    const expected = stored.filter(({ progress }) => !asked.progress || progress === asked.progress);
    const { items, sizes } = await allPages(cast().bob, asked);
    expect(items).toHaveLength(expected.length);
    expect(ids(items)).toEqual(ids(expected));
    expect(sizes.slice(0, -1).every((size) => size === asked.limit)).toBe(true);
  });

  test.each(['DRAFT', 'SUBMITTED'] as const)('holds with progress=%s those alone', async (progress) => {
    const { items } = await allPages(cast().alice, { progress });
    expect(new Set(items.map((item) => item.progress))).toEqual(new Set([progress]));
    expect(items).toHaveLength(progress === 'DRAFT' ? DRAFTS : SUBMITTED);
  });

  test('has items of exactly id, submittedBy, progress and the three times', async () => {
    const { items } = await allPages(cast().alice, { limit: 20 });
    for (const item of items) {
      const original = stored.find(({ id }) => id === item.id);
      expect(item).toEqual({
        id: original?.id,
        submittedBy: original?.userId,
        progress: original?.progress,
        createdAt: original?.createdAt,
        updatedAt: original?.updatedAt,
        submittedAt: original?.submittedAt,
      });
    }
  });

  test('comes newest first', async () => {
    const { items } = await allPages(cast().alice, { limit: 9 });
    const times = items.map(({ submittedAt, createdAt }) => submittedAt ?? createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('shows members all responses and others their own', async () => {
    const { alice, bob, dave, erin, chelsea } = cast();
    for (const member of [alice, bob]) expect(ids((await allPages(member, {})).items)).toEqual(ids(stored));
    for (const owner of [dave, erin]) expect(ids((await allPages(owner, {})).items)).toEqual(ids(owned(owner)));
    expect((await allPages(chelsea, {})).items).toEqual([]);
  });

  test('filters and pages for others like for members', async () => {
    const { erin } = cast();
    const drafts = owned(erin).filter(({ progress }) => progress === 'DRAFT');
    const { items } = await allPages(erin, { progress: 'DRAFT', limit: 4 });
    expect(items).toHaveLength(drafts.length);
    expect(ids(items)).toEqual(ids(drafts));
  });

  test('gives on every page, whatever the filter, the counts of all that the caller may see', async () => {
    const { alice, dave } = cast();
    const all = [{ formId, totalCount: DRAFTS + SUBMITTED, draftCount: DRAFTS, submittedCount: SUBMITTED }];
    expect((await allPages(alice, { limit: 50 })).counts).toEqual(all);
    expect((await allPages(alice, { progress: 'DRAFT', limit: 50 })).counts).toEqual(all);
    const own = owned(dave);
    const draftCount = own.filter(({ progress }) => progress === 'DRAFT').length;
    const counts = { formId, totalCount: own.length, draftCount, submittedCount: own.length - draftCount };
    expect((await allPages(dave, { progress: 'SUBMITTED', limit: 10 })).counts).toEqual([counts]);
  });

  test('refuses a progress, a limit and a cursor that are none, each with its pointer', async () => {
    const { alice } = cast();
    const refused = (query: object) =>
      problemOf(alice.client.responses.listResponses({ params: { formId }, query: query as never }));
    const badQuery = await refused({ progress: 'draft', limit: 0 });
    expect(badQuery.status).toBe(400);
    expect(badQuery.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/query/limit', '/query/progress']);
    expect(await refused({ limit: 101 })).toMatchObject({ status: 400, errors: [{ pointer: '/query/limit' }] });
    expect(await refused({ cursor: 'x' })).toMatchObject({ status: 400, errors: [{ pointer: '/query/cursor' }] });
  });

  test('is 404 to those who may not know the form and 401 to those not signed in', async () => {
    const { alice, erin, nobody, slug } = cast();
    const hidden = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    const params = { formId: hidden.formId };
    expect((await problemOf(erin.client.responses.listResponses({ params }))).status).toBe(404);
    expect((await problemOf(erin.client.responses.listMyResponses({ params }))).status).toBe(404);
    expect((await problemOf(nobody.responses.listResponses({ params }))).status).toBe(401);
    expect((await problemOf(nobody.responses.listMyResponses({ params }))).status).toBe(401);
  });
});

describe('the list of my responses', () => {
  test('has the same shape and holds my own only, also for a member', async () => {
    const { alice, dave } = cast();
    const { items, counts } = await allPages(dave, { mine: true, limit: 8 });
    expect(ids(items)).toEqual(ids(owned(dave)));
    expect(items).toHaveLength(owned(dave).length);
    expect(counts).toHaveLength(1);
    expect((await allPages(alice, { mine: true })).items).toEqual([]);
  });
});

test('the counts agree with the list and the table while responses are started, submitted and cancelled', async () => {
  const { alice, dave, erin, slug } = cast();
  const other = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const agreed = async (draftCount: number, submittedCount: number) => {
    const params = { formId: other.formId };
    const list = (await alice.client.responses.listResponses({ params })).body;
    const of = (progress: ResponseProgress) => list.responses.filter((item) => item.progress === progress);
    expect([of('DRAFT').length, of('SUBMITTED').length]).toEqual([draftCount, submittedCount]);
    expect(list).toMatchObject({ totalCount: draftCount + submittedCount, draftCount, submittedCount });
    const { rows } = await tableOf(alice, other.formId, other.questionIds);
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
  const { alice } = cast();
  const first = await tableOf(alice, formId, questionIds);
  expect(first.nextCursor).toBeNull();
  expect(ids(first.rows)).toEqual(ids(stored.filter(({ progress }) => progress === 'SUBMITTED')));
});
