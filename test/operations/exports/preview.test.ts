/** The table preview: its columns, its rows and its pages. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, linkInOrder, newForm, type Person } from '#test/support/fixtures.ts';
import {
  answerTo,
  type Branched,
  branchedForm,
  cancel,
  castAt,
  NOW,
  pass,
  readTable,
  respond,
  save,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const short = { type: 'SHORT_TEXT' } as const;
let branched: Branched;
beforeAll(async () => {
  const { alice, slug } = cast;
  const titled = (title: string) => ({ ...short, title });
  const sections = { first: [titled('way'), titled('name')], yes: [titled('why')], no: [titled('why not')] };
  branched = await branchedForm({ person: alice, slug }, { ...sections, last: [titled('end')] });
});

const allIds = () => [...branched.first, ...branched.yes, ...branched.no, ...branched.last];
const previewed = ({ client }: Pick<Person, 'client'>, formId: string, questionIds: string[], query = {}) =>
  client.exports.previewTable({ params: { formId }, body: { questionIds }, query });

describe('the headers', () => {
  test('are in workflow order, then position, not in the order of the request', async () => {
    const { headers } = await readTable(cast.alice, branched.formId, allIds().toReversed());
    expect(headers.map(({ title }) => title)).toEqual(['way', 'name', 'why', 'why not', 'end']);
    expect(headers.map(({ id }) => id)).toEqual(allIds());
  });

  test('are those requested, each once', async () => {
    const [way = '', name = ''] = branched.first;
    const { headers } = await readTable(cast.bob, branched.formId, [name, way, name]);
    expect(headers).toEqual([
      { id: way, title: 'way' },
      { id: name, title: 'name' },
    ]);
  });

  test('follow the workflow, not the order in which sections were created', async () => {
    const { alice, slug } = cast;
    const { formId, sectionIds, questionIds } = await newForm(alice, slug, [[short], [short]], { publish: false });
    await linkInOrder(alice.client, formId, sectionIds.toReversed());
    const { headers } = await readTable(alice, formId, questionIds);
    expect(headers.map(({ id }) => id)).toEqual(questionIds.toReversed());
  });

  test('of unknown or foreign questions are 404, even beside known ones', async () => {
    const { alice, slug } = cast;
    const foreign = (await newForm(alice, slug, [[short]])).questionIds[0] ?? '';
    for (const id of [foreign, '00000000-0000-4000-8000-000000000000', branched.formId]) {
      const problem = await expectProblem(readTable(alice, branched.formId, [branched.asked, id]));
      expect(problem).toMatchObject({ status: 404, title: 'Not Found' });
    }
  });
});

describe('the rows', () => {
  test('are the SUBMITTED responses, the oldest submission first', async () => {
    const { alice, dave, erin, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[short]]);
    const [early, late, draft] = [await start(dave, formId), await start(erin, formId), await start(dave, formId)];
    pass(1);
    await submit(erin, late);
    pass(1);
    await submit(dave, early);
    const order = async () => (await readTable(alice, formId, questionIds)).rows.map(({ id }) => id);
    expect(await order()).toEqual([late, early]);
    pass(1);
    await cancel(erin, late);
    await submit(erin, late);
    await submit(dave, draft);
    expect(await order()).toEqual([early, ...[late, draft].sort()]);
  });

  test('map each question id to its StoredAnswer or null', async () => {
    const { alice, dave } = cast;
    const [way = '', name = ''] = branched.first;
    const responseId = await respond(dave, branched.formId, [text(way, 'yes'), text(branched.yes[0] ?? '', 'so')]);
    const { rows } = await readTable(alice, branched.formId, allIds());
    const row = rows.find(({ id }) => id === responseId);
    expect(Object.keys(row?.answers ?? {}).sort()).toEqual(allIds().sort());
    expect(row?.answers[way]).toEqual(await answerTo(dave, responseId, way));
    expect(row?.answers[name]).toBeNull();
  });

  test('have null for answers off the path', async () => {
    const { alice, dave } = cast;
    const [why = ''] = branched.yes;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'yes'), text(why, 'kept')]);
    await submit(dave, responseId, [text(branched.asked, 'no')]);
    const readReason = async () =>
      (await readTable(alice, branched.formId, [why])).rows.find(({ id }) => id === responseId)?.answers[why];
    expect(await readReason()).toBeNull();
    expect((await answerTo(dave, responseId, why)).displayValue).toBe('kept');
    await save(dave, responseId, [text(branched.asked, 'yes')]);
    expect((await readReason())?.displayValue).toBe('kept');
  });

  test('are none for a form without submissions', async () => {
    const { alice, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[short]], { publish: false });
    const table = await readTable(alice, formId, questionIds);
    expect(table).toMatchObject({ rows: [], nextCursor: null });
    expect(table.headers).toHaveLength(1);
  });
});

describe('the pages', () => {
  const ROWS = 107;
  let formId: string;
  let questionIds: string[];
  let expected: string[];
  beforeAll(async () => {
    const { alice, dave, slug } = cast;
    const form = await newForm(alice, slug, [[short]]);
    ({ formId, questionIds } = form);
    const responses = Array.from({ length: ROWS }, (_, n) =>
      submissionOf(form, dave.id, new Date(Date.parse(NOW) + Math.floor(n / 3)).toISOString()),
    );
    const position = (response: (typeof responses)[number]) => `${response.submittedAt}${response.id}`;
    expected = responses.toSorted((a, b) => (position(a) < position(b) ? -1 : 1)).map(({ id }) => id);
    await store(responses);
  });

  test.each([9, 100])('of %i rows follow each other without gaps or duplicates', async (limit) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit, ...(cursor ? { cursor } : {}) };
      const { body } = await previewed(cast.bob, formId, questionIds, query);
      expect(body.rows.length).toBeLessThanOrEqual(limit);
      ids.push(...body.rows.map(({ id }) => id));
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(expected);
  });

  test('have at most 100 rows, and a limit outside of 1 to 100 is 400', async () => {
    const { alice } = cast;
    const { body } = await previewed(alice, formId, questionIds);
    expect(body.rows).toHaveLength(100);
    expect(body.nextCursor).not.toBeNull();
    for (const limit of [0, -1, 101, 1.5, 'x']) {
      const problem = await expectProblem(previewed(alice, formId, questionIds, { limit }));
      expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/query/limit' }] });
    }
  });

  test('continue only with a cursor of the same table', async () => {
    const { alice } = cast;
    const { body } = await previewed(alice, formId, questionIds, { limit: 5 });
    const cursor = body.nextCursor ?? '';
    const elsewhere = previewed(alice, branched.formId, allIds(), { cursor });
    expect(await expectProblem(elsewhere)).toMatchObject({ status: 400, errors: [{ pointer: '/query/cursor' }] });
    const forged = previewed(alice, formId, questionIds, { cursor: `${cursor.slice(0, -1)}!` });
    expect((await expectProblem(forged)).status).toBe(400);
  });
});

describe('the request', () => {
  test('is for members: others who may see the form 403, the others 404, not signed in 401', async () => {
    const { alice, bob, chelsea, dave, nobody, slug } = cast;
    const { formId } = branched;
    for (const member of [alice, bob]) expect((await previewed(member, formId, allIds())).status).toBe(200);
    for (const other of [chelsea, dave]) {
      expect((await expectProblem(previewed(other, formId, allIds()))).status).toBe(403);
    }
    expect((await expectProblem(previewed({ client: nobody }, formId, allIds()))).status).toBe(401);
    const hidden = await newForm(alice, slug, [[short]], { publish: false });
    expect((await expectProblem(previewed(dave, hidden.formId, hidden.questionIds))).status).toBe(404);
  });

  test('without questionIds, with an empty list, or with malformed ids is 400', async () => {
    const { alice } = cast;
    const { formId } = branched;
    const refused = (body: object) =>
      expectProblem(alice.client.exports.previewTable({ params: { formId }, body: body as { questionIds: string[] } }));
    expect(await refused({})).toMatchObject({ status: 400, errors: [{ pointer: '/body/questionIds' }] });
    expect(await refused({ questionIds: [] })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/questionIds' }],
    });
    expect(await refused({ questionIds: ['x', branched.asked, 7] })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/questionIds/0' }, { pointer: '/body/questionIds/2' }],
    });
  });
});
