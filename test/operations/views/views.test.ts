/** Creating, reading, changing and deleting views. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { type Built, type Cast, newCast, newForm, question as questionInput } from '#test/support/fixtures.ts';
import { respond } from '#test/support/responses.ts';

let cast: Cast;
/** A form with three questions that no test changes; each test makes views of it that are its own, or takes a new form. */
let shared: Built;
const THREE = [[{ type: 'SHORT_TEXT' as const }, { type: 'LONG_TEXT' as const }], [{ type: 'HYPERLINK' as const }]];
beforeAll(async () => {
  cast = await newCast();
  shared = await formOfThree();
});

const formOfThree = (): Promise<Built> => newForm(cast.alice, cast.slug, THREE);
/** A form without questions, for tests that look at all views. */
const bareForm = async (): Promise<string> => (await newForm(cast.alice, cast.slug, [])).formId;

const pathOf = (formId: string, viewId?: string): string =>
  `/api/forms/${formId}/views${viewId === undefined ? '' : `/${viewId}`}`;
const create = async (formId: string, body?: { title?: string | null; columns?: string[] | null }) =>
  (await cast.bob.client.views.createView({ params: { formId }, ...(body ? { body } : {}) })).body;
const list = async (formId: string) => (await cast.bob.client.views.listViews({ params: { formId } })).body;
const patch = (formId: string, viewId: string, body: unknown) =>
  requestAs(cast.bob, 'PATCH', pathOf(formId, viewId), body);
const columnsOf = (view: { columns: { questionId: string }[] }): string[] =>
  view.columns.map((each) => each.questionId);

/** A form with views of these titles, in this order; their ids by title. */
async function withViews(...titles: string[]) {
  const formId = await bareForm();
  const ids: Record<string, string> = {};
  for (const title of titles) ids[title] = (await create(formId, { title })).id;
  const id = (title: string): string => ids[title] ?? '';
  return { formId, id };
}

const readTitles = async (formId: string): Promise<string[]> => {
  const views = await list(formId);
  expect(views.map(({ order }) => order)).toEqual(views.map((_, place) => place));
  return views.map(({ title }) => title);
};

describe('a new view', () => {
  test('without a body is unlocked, has a default title and all questions as columns, and is the last', async () => {
    const { formId, questionIds } = await formOfThree();
    const { status, body, headers } = await requestAs(cast.bob, 'POST', pathOf(formId));
    expect(status).toBe(201);
    expect(body).toMatchObject({ formId, title: '尚未命名的分頁', locked: false, order: 0 });
    expect(body.columns).toEqual(
      ['SHORT_TEXT', 'LONG_TEXT', 'HYPERLINK'].map((type, index) => ({
        questionId: questionIds[index],
        questionTitle: `A ${type} question`,
      })),
    );
    expect(headers.get('etag')).toMatch(/^"\d+"$/);
    expect((await create(formId)).order).toBe(1);
  });

  test('gets the default title, or the first free one with （1）, （2）…', async () => {
    const formId = await bareForm();
    const created = [
      await create(formId),
      await create(formId, {}),
      await create(formId, { title: null, columns: null }),
    ];
    const expected = ['尚未命名的分頁', '尚未命名的分頁（1）', '尚未命名的分頁（2）'];
    expect(created.map(({ title }) => title)).toEqual(expected);
    await requestAs(cast.bob, 'DELETE', pathOf(formId, created[1]?.id));
    expect((await create(formId)).title).toBe('尚未命名的分頁（1）');
    expect((await create(await bareForm())).title).toBe('尚未命名的分頁');
  });

  test('with a given title that is in use is 409, of the same form only', async () => {
    const { formId } = await withViews('Board');
    const refused = await requestAs(cast.bob, 'POST', pathOf(formId), { title: 'Board' });
    expect(refused).toMatchObject({ status: 409, body: { errors: [{ pointer: '/body/title' }] } });
    expect(await readTitles(formId)).toEqual(['Board']);
    expect((await create(await bareForm(), { title: 'Board' })).title).toBe('Board');
    expect((await create(formId, { title: 'board' })).title).toBe('board');
  });

  test('has the columns that are given, in their order', async () => {
    const { formId, questionIds } = shared;
    const columns = questionIds.slice(1).reverse();
    expect(columnsOf(await create(formId, { columns }))).toEqual(columns);
    expect(columnsOf(await create(formId, { columns: [] }))).toEqual([]);
  });

  test('is refused with 400 for all that is wrong with it at once', async () => {
    const { formId, questionIds } = shared;
    const [own = ''] = questionIds;
    const [foreign = ''] = (await formOfThree()).questionIds;
    const path = pathOf(formId);
    const columns = [own, foreign, own, app().uuid()];
    const wrong = ['/body/columns/1', '/body/columns/2', '/body/columns/3'];
    expect(await readFaults(cast.bob, 'POST', path, { columns })).toEqual(wrong);
    const shape = { title: '', columns: [own, 'no id'] };
    expect(await readFaults(cast.bob, 'POST', path, shape)).toEqual(['/body/columns/1', '/body/title']);
    expect(await readFaults(cast.bob, 'POST', path, { title: '頁'.repeat(201) })).toEqual(['/body/title']);
    expect(await readFaults(cast.bob, 'POST', path, { columns: Array(501).fill(own) })).toContain('/body/columns');
    expect(await readFaults(cast.bob, 'POST', path, null)).toEqual(['/body']);
    expect((await create(formId, { title: '頁'.repeat(200) })).title).toBe('頁'.repeat(200));
  });

  test('of a form is found in the list and by its id', async () => {
    const formId = await bareForm();
    const created = [await create(formId), await create(formId)];
    expect(await list(formId)).toEqual(created);
    for (const view of created) expect((await requestAs(cast.bob, 'GET', pathOf(formId, view.id))).body).toEqual(view);
    expect(await list(await bareForm())).toEqual([]);
  });
});

describe('changing a view', () => {
  test('changes its title, its columns, or both, and leaves the rest', async () => {
    const { formId, questionIds } = shared;
    const before = await create(formId);
    const renamed = (await patch(formId, before.id, { title: 'Renamed' })).body;
    expect(renamed).toEqual({ ...before, title: 'Renamed', updatedAt: renamed.updatedAt });
    const columns = [questionIds[2], questionIds[0]];
    const { status, body } = await patch(formId, before.id, { columns });
    expect(status).toBe(200);
    expect(columnsOf(body)).toEqual(columns);
    expect(body).toMatchObject({ title: 'Renamed', order: before.order, locked: false, createdAt: before.createdAt });
    expect((await requestAs(cast.bob, 'GET', pathOf(formId, before.id))).body).toEqual(body);
  });

  test('to a title of another view is 409 and changes nothing; its own title is fine', async () => {
    const { formId, id } = await withViews('a', 'b');
    expect((await patch(formId, id('a'), { title: 'b', order: 1 })).status).toBe(409);
    expect(await readTitles(formId)).toEqual(['a', 'b']);
    expect((await patch(formId, id('a'), { title: 'a' })).status).toBe(200);
  });

  test('of order moves it there, clamped, and its neighbours shift', async () => {
    const { formId, id } = await withViews('a', 'b', 'c', 'd');
    const moves: [string, number, string[]][] = [
      ['a', 2, ['b', 'c', 'a', 'd']],
      ['d', 0, ['d', 'b', 'c', 'a']],
      ['b', 99, ['d', 'c', 'a', 'b']],
      ['a', -1, ['a', 'd', 'c', 'b']],
      ['d', 1, ['a', 'd', 'c', 'b']],
    ];
    for (const [title, order, expected] of moves) {
      const { status, body } = await patch(formId, id(title), { order });
      expect(status).toBe(200);
      expect(await readTitles(formId)).toEqual(expected);
      expect(body.order).toBe(expected.indexOf(title));
    }
  });

  test('accepts a view exactly as GET returns it, columns with titles included', async () => {
    const { formId, questionIds } = shared;
    const before = await create(formId, { columns: questionIds.slice(0, 2).reverse() });
    const { status, body } = await patch(formId, before.id, before);
    expect({ status, body }).toEqual({ status: 200, body: { ...before, updatedAt: body.updatedAt } });
    const copy = await requestAs(cast.bob, 'POST', pathOf(formId), { columns: before.columns });
    expect(copy).toMatchObject({ status: 201, body: { columns: before.columns } });
  });

  test('is refused with 400 for what is not a title, a place or columns', async () => {
    const { formId, questionIds } = shared;
    const [own = ''] = questionIds;
    const { id } = await create(formId);
    const path = pathOf(formId, id);
    const shape = { title: '', order: 1.5, columns: 'all' };
    expect(await readFaults(cast.bob, 'PATCH', path, shape)).toEqual(['/body/columns', '/body/order', '/body/title']);
    expect(await readFaults(cast.bob, 'PATCH', path, { title: null })).toEqual(['/body/title']);
    expect(await readFaults(cast.bob, 'PATCH', path, { columns: [own, app().uuid(), own] })).toEqual([
      '/body/columns/1',
      '/body/columns/2',
    ]);
    expect(await readFaults(cast.bob, 'PATCH', path, { columns: [{ questionId: app().uuid() }, {}, 1] })).toContain(
      '/body/columns/1',
    );
  });
});

describe('a duplicate', () => {
  test('is <title>的副本 with the same columns, right after the original and unlocked', async () => {
    const { formId, questionIds } = await formOfThree();
    const columns = questionIds.slice(0, 2);
    const { id } = await create(formId, { title: 'Board', columns });
    await create(formId, { title: 'Last' });
    await requestAs(cast.bob, 'POST', `${pathOf(formId, id)}/lock`);
    const { status, body } = await requestAs(cast.bob, 'POST', `${pathOf(formId, id)}/duplicate`);
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'Board的副本', locked: false, order: 1 });
    expect(columnsOf(body)).toEqual(columns);
    expect(body.id).not.toBe(id);
    expect(await readTitles(formId)).toEqual(['Board', 'Board的副本', 'Last']);
  });

  test('gets a free title the same way', async () => {
    const { formId, id } = await withViews('a');
    for (let time = 0; time < 3; time += 1) await requestAs(cast.bob, 'POST', `${pathOf(formId, id('a'))}/duplicate`);
    expect(await readTitles(formId)).toEqual(['a', 'a的副本（2）', 'a的副本（1）', 'a的副本']);
  });
});

describe('a lock', () => {
  const turn = (formId: string, viewId: string, what: 'lock' | 'unlock') =>
    requestAs(cast.bob, 'POST', `${pathOf(formId, viewId)}/${what}`);

  test('prevents deleting the view with 409, and unlocking allows it again', async () => {
    const { formId, id } = await withViews('a', 'b', 'c');
    const path = pathOf(formId, id('b'));
    expect(await turn(formId, id('b'), 'lock')).toMatchObject({ status: 200, body: { locked: true, order: 1 } });
    expect(await turn(formId, id('b'), 'lock')).toMatchObject({ status: 200, body: { locked: true } });
    expect(await requestAs(cast.bob, 'DELETE', path)).toMatchObject({ status: 409, body: { code: 'view_locked' } });
    expect(await readTitles(formId)).toEqual(['a', 'b', 'c']);
    expect(await turn(formId, id('b'), 'unlock')).toMatchObject({ status: 200, body: { locked: false } });
    expect((await requestAs(cast.bob, 'DELETE', path)).status).toBe(204);
    expect(await readTitles(formId)).toEqual(['a', 'c']);
  });

  test('leaves the title, the columns and the place of a view to be changed', async () => {
    const { formId, id } = await withViews('a', 'b');
    await turn(formId, id('a'), 'lock');
    const body = { title: 'c', order: 1, columns: [] };
    expect(await patch(formId, id('a'), body)).toMatchObject({ status: 200, body: { ...body, locked: true } });
  });
});

describe('a column', () => {
  test('has the present title of its question, and stays, marked, when the question with its answers is removed', async () => {
    const { alice, dave } = cast;
    const { formId, questionIds, sectionIds } = await formOfThree();
    const [first = '', second = '', third = ''] = questionIds;
    await respond(dave, formId, [{ questionId: first, questionType: 'SHORT_TEXT', value: 'Frogs' }]);
    const { id } = await create(formId);
    const params = { sectionId: sectionIds[0] ?? '', questionId: second };
    const body = questionInput({ type: 'LONG_TEXT', title: 'Renamed' });
    await alice.client.questions.updateQuestion({ params, body });
    await alice.client.questions.deleteQuestion({ params: { ...params, questionId: first } });
    await alice.client.questions.deleteQuestion({ params: { sectionId: sectionIds[1] ?? '', questionId: third } });
    const shown = (await requestAs(cast.bob, 'GET', pathOf(formId, id))).body;
    expect(shown.columns).toEqual([
      { questionId: first, questionTitle: 'A SHORT_TEXT question (removed)' },
      { questionId: second, questionTitle: 'Renamed' },
    ]);
    const reversed = shown.columns.toReversed();
    expect((await patch(formId, id, { columns: reversed })).body.columns).toEqual(reversed);
    expect((await requestAs(cast.bob, 'POST', pathOf(formId), { columns: reversed })).body.columns).toEqual(reversed);
    expect(columnsOf(await create(formId))).toEqual([second]);
  });
});

describe('a view that does not exist', () => {
  test('is 404 for every operation, also under another form, and before the body is read', async () => {
    const { id: foreign } = await create((await formOfThree()).formId);
    const deleted = await create(shared.formId);
    expect((await requestAs(cast.bob, 'DELETE', pathOf(shared.formId, deleted.id))).status).toBe(204);
    for (const viewId of [foreign, deleted.id, app().uuid()]) {
      const path = pathOf(shared.formId, viewId);
      const distinct = `${path}/questions/${shared.questionIds[0]}/filters`;
      const requests: [method: string, path: string, body?: unknown][] = [
        ['GET', path],
        ['PATCH', path, { title: '' }],
        ['DELETE', path],
        ['POST', `${path}/lock`],
        ['POST', `${path}/unlock`],
        ['POST', `${path}/duplicate`],
        ['POST', distinct, { filters: 'none' }],
      ];
      for (const [method, at, body] of requests) expect((await requestAs(cast.bob, method, at, body)).status).toBe(404);
    }
  });

  test('is 404 under a form that does not exist, and 400 when an id is malformed', async () => {
    const { id } = await create(shared.formId);
    expect((await requestAs(cast.bob, 'GET', pathOf(app().uuid(), id))).status).toBe(404);
    expect((await requestAs(cast.bob, 'POST', pathOf(app().uuid()))).status).toBe(404);
    expect(await readFaults(cast.bob, 'GET', pathOf(shared.formId, 'x'), undefined)).toEqual(['/path/viewId']);
    expect(await readFaults(cast.bob, 'GET', pathOf('x', id), undefined)).toEqual(['/path/formId']);
  });

  test('and one that exists are the same 403 to a respondent', async () => {
    const { id } = await create(shared.formId);
    for (const viewId of [id, app().uuid()]) {
      expect((await requestAs(cast.dave, 'GET', pathOf(shared.formId, viewId))).status).toBe(403);
      expect((await requestAs(cast.dave, 'DELETE', pathOf(shared.formId, viewId))).status).toBe(403);
    }
  });
});
