/** Concurrent edits of views: ETag and If-Match, writers at the same time, repeated requests. */
import { describe, expect, test } from 'vitest';
import { expectProblem, newCast, newForm } from '#test/support/fixtures.ts';

const cast = await newCast();

/** A form without questions, and its views as a member handles them. */
async function newViews() {
  const { formId } = await newForm(cast.alice, cast.slug, []);
  const { views } = cast.bob.client;
  const params = { formId };
  const of = (viewId: string) => ({ params: { formId, viewId } });
  return { views, params, of, list: async () => (await views.listViews({ params })).body };
}

const etagOf = ({ headers }: { headers: Headers }): string => headers.get('etag') ?? '';

describe('If-Match', () => {
  test('that is stale is 409 for every change, and changes nothing', async () => {
    const { views, params, of, list } = await newViews();
    const first = await views.createView({ params, body: { title: 'a' } });
    const stale = { 'if-match': etagOf(first) };
    await views.createView({ params, body: { title: 'b' } });
    const before = await list();
    const view = of(first.body.id);
    const changes = [
      () => views.createView({ params, headers: stale }),
      () => views.updateView({ ...view, body: { title: 'c' }, headers: stale }),
      () => views.lockView({ ...view, headers: stale }),
      () => views.unlockView({ ...view, headers: stale }),
      () => views.duplicateView({ ...view, headers: stale }),
      () => views.deleteView({ ...view, headers: stale }),
    ];
    for (const change of changes) {
      expect(await expectProblem(change())).toMatchObject({ status: 409, code: 'stale_version' });
    }
    expect(await list()).toEqual(before);
  });

  test('of the last version succeeds, whether it was read from the list, a view or the result of a change', async () => {
    const { views, params, of } = await newViews();
    const created = await views.createView({ params, body: { title: 'a' } });
    const view = of(created.body.id);
    const headers = (result: { headers: Headers }) => ({ 'if-match': etagOf(result) });
    const renamed = await views.updateView({ ...view, body: { title: 'b' }, headers: headers(created) });
    expect(etagOf(renamed)).not.toBe(etagOf(created));
    expect(etagOf(await views.getView(view))).toBe(etagOf(renamed));
    const locked = await views.lockView({ ...view, headers: headers(await views.listViews({ params })) });
    const copy = await views.duplicateView({ ...view, headers: headers(locked) });
    const unlocked = await views.unlockView({ ...view, headers: headers(copy) });
    expect((await views.deleteView({ ...view, headers: headers(unlocked) })).status).toBe(204);
  });

  test('lets one of two writers who read the same version succeed', async () => {
    const { views, params, of, list } = await newViews();
    const created = await views.createView({ params });
    const headers = { 'if-match': etagOf(created) };
    const rename = (title: string) => views.updateView({ ...of(created.body.id), body: { title }, headers });
    const outcomes = await Promise.allSettled([rename('one'), rename('two')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = outcomes[0].status === 'fulfilled' ? 'one' : 'two';
    expect((await list()).map(({ title }) => title)).toEqual([winner]);
  });
});

describe('at the same time', () => {
  test('eight new views are all stored: eight titles, eight places', async () => {
    const { views, params, list } = await newViews();
    const created = await Promise.all(Array.from({ length: 8 }, () => views.createView({ params })));
    const after = await list();
    expect(after.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(after.map(({ id }) => id).sort()).toEqual(created.map(({ body }) => body.id).sort());
    const numbered = Array.from({ length: 7 }, (_, index) => `尚未命名的分頁（${index + 1}）`);
    expect(after.map(({ title }) => title)).toEqual(['尚未命名的分頁', ...numbered]);
  });

  test('of eight new views with the same title one is created, seven are 409', async () => {
    const { views, params, list } = await newViews();
    const create = () => views.createView({ params, body: { title: 'Board' } }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => create().catch((error) => error.status)));
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(1);
  });

  test('moving, renaming, locking, copying and deleting lose nothing of each other', async () => {
    const { views, params, of, list } = await newViews();
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f'])
      ids.push((await views.createView({ params, body: { title } })).body.id);
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids;
    await Promise.all([
      views.updateView({ ...of(a), body: { order: 5 } }),
      views.updateView({ ...of(b), body: { title: 'B' } }),
      views.updateView({ ...of(b), body: { columns: [] } }),
      views.lockView(of(c)),
      views.duplicateView(of(d)),
      views.deleteView(of(e)),
      views.updateView({ ...of(f), body: { order: 0 } }),
      views.createView({ params, body: { title: 'g' } }),
    ]);
    const after = await list();
    expect(after.map(({ order }) => order)).toEqual(after.map((_, place) => place));
    expect(after.map(({ title }) => title).sort()).toEqual(['B', 'a', 'c', 'd', 'd的副本', 'f', 'g']);
    expect(after.find(({ id }) => id === c)?.locked).toBe(true);
    const placeOf = (title: string): number => after.findIndex((view) => view.title === title);
    expect(placeOf('d的副本')).toBeGreaterThan(placeOf('d'));
    expect(placeOf('B')).toBeLessThan(placeOf('c'));
    expect(placeOf('c')).toBeLessThan(placeOf('d'));
  });
});

describe('a request that is repeated under its Idempotency-Key', () => {
  test('creates one view and one copy, and replays the result', async () => {
    const { views, params, of, list } = await newViews();
    const create = () => views.createView({ params, body: { title: 'a' }, headers: { 'idempotency-key': 'create' } });
    const created = (await create()).body;
    expect((await create()).body).toEqual(created);
    const copy = () => views.duplicateView({ ...of(created.id), headers: { 'idempotency-key': 'copy' } });
    const copied = (await copy()).body;
    expect((await copy()).headers.get('idempotency-replayed')).toBe('true');
    expect(await list()).toEqual([created, copied]);
  });
});
