/** The filter, the search and the order that a view keeps. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { respond, sent } from '#test/support/responses.ts';

let cast: Cast;
let form: Built;
let [score, note]: [string, string] = ['', ''];
beforeAll(async () => {
  cast = await newCast();
  form = await newForm(cast.alice, cast.slug, [
    [{ type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } }, { type: 'SHORT_TEXT' }],
  ]);
  [score = '', note = ''] = form.questionIds;
});

const path = (viewId?: string): string => `/api/forms/${form.formId}/views${viewId === undefined ? '' : `/${viewId}`}`;
const create = async (body: object) => (await requestAs(cast.bob, 'POST', path(), body)).body;
const read = async (viewId: string) => (await requestAs(cast.bob, 'GET', path(viewId))).body;

describe('a view', () => {
  test('keeps a query, which is a filter of responses as it is', async () => {
    const low = await respond(cast.dave, form.formId, [sent(score, 'LINEAR_SCALE', 2)]);
    const high = await respond(cast.erin, form.formId, [sent(score, 'LINEAR_SCALE', 9)]);
    await respond(cast.dave, form.formId, []);
    const query = { filters: [{ questionId: score, isEmpty: false }], sort: { questionId: score, descending: true } };
    const { id, query: kept } = await create({ query });
    expect(kept).toEqual(query);
    expect((await read(id)).query).toEqual(query);
    const found = await requestAs(cast.bob, 'POST', `/api/forms/${form.formId}/responses/query`, kept);
    expect(found.body.responses.map((response: { id: string }) => response.id)).toEqual([high, low]);
  });

  test('has none unless one is given; a client that does not know it drops nothing, and null removes it', async () => {
    expect((await create({})).query).toBeNull();
    const query = { filters: [], respondent: 'erin', from: '2026-05-01T00:00:00.000Z' };
    const view = await create({ query });
    const renamed = await requestAs(cast.bob, 'PATCH', path(view.id), { title: 'Of Erin' });
    expect(renamed.body).toMatchObject({ title: 'Of Erin', query });
    expect((await requestAs(cast.bob, 'PATCH', path(view.id), renamed.body)).body.query).toEqual(query);
    expect((await requestAs(cast.bob, 'POST', `${path(view.id)}/duplicate`)).body.query).toEqual(query);
    expect((await requestAs(cast.bob, 'PATCH', path(view.id), { query: null })).body.query).toBeNull();
    expect((await read(view.id)).query).toBeNull();
  });

  test('is refused with 400 and a pointer to each part of a query that does not fit', async () => {
    const foreign = app().uuid();
    const query = {
      filters: [
        { questionId: score, min: '2026-01' },
        { questionId: foreign, isEmpty: true },
        { questionId: score, isEmpty: true },
        { questionId: note, max: 3 },
      ],
      sort: { questionId: note },
    };
    const expected = [
      '/body/query/filters/0/min',
      '/body/query/filters/1/questionId',
      '/body/query/filters/2/questionId',
      '/body/query/filters/3/max',
      '/body/query/sort/questionId',
    ];
    expect((await readFaults(cast.bob, 'POST', path(), { query })).toSorted()).toEqual(expected);
    const { id } = await create({});
    expect((await readFaults(cast.bob, 'PATCH', path(id), { query })).toSorted()).toEqual(expected);
    expect(await readFaults(cast.bob, 'PATCH', path(id), { query: { from: 'May' } })).toEqual([
      '/body/query/filters',
      '/body/query/from',
    ]);
    expect((await read(id)).query).toBeNull();
  });

  test('loses the conditions on a question that is deleted without answers, and nothing else', async () => {
    const { alice, bob, slug } = cast;
    const other = await newForm(alice, slug, [
      [
        { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 3 } },
        { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
      ],
    ]);
    const [scale = '', date = ''] = other.questionIds;
    const query = {
      filters: [
        { questionId: scale, isEmpty: false },
        { questionId: date, isEmpty: true },
      ],
      sort: { questionId: scale, descending: true },
    };
    const views = `/api/forms/${other.formId}/views`;
    const { id } = (await requestAs(bob, 'POST', views, { query })).body;
    const removed = await requestAs(alice, 'DELETE', `/api/sections/${other.sectionIds[0]}/questions/${scale}`);
    expect(removed.status).toBe(204);
    const kept = { filters: [{ questionId: date, isEmpty: true }], sort: { descending: true } };
    expect((await requestAs(bob, 'GET', `${views}/${id}`)).body.query).toEqual(kept);
  });

  test('stays behind with what it keeps: a copy and a definition of the form have its columns only', async () => {
    await create({ title: 'Erin and others', query: { filters: [], respondent: 'erin' } });
    const copy = (await requestAs(cast.alice, 'POST', `/api/forms/${form.formId}/duplicate`)).body;
    const views = (await requestAs(cast.alice, 'GET', `/api/forms/${copy.id}/views`)).body;
    const of = views.find(({ title }: { title: string }) => title === 'Erin and others');
    expect([of.columns.length, of.query]).toEqual([2, null]);
    const definition = await requestAs(cast.alice, 'GET', `/api/forms/${form.formId}/definition`);
    expect(definition.status).toBe(200);
    expect(JSON.stringify(definition.body)).not.toContain('respondent');
  });
});
