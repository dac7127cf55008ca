/** Views under several hands: ETag and If-Match, writers at the same time, repeated requests (contract section 1). */
import { beforeAll, describe, expect, test } from 'vitest';
import { withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

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
      expect(await problemOf(change())).toMatchObject({ status: 409, code: 'stale_version' });
    }
    expect(await list()).toEqual(before);
  });

  test('of what was read last goes well, whether it was read from the list, a view or an answer', async () => {
    const { views, params, of } = await newViews();
    const created = await views.createView({ params, body: { title: 'a' } });
    const view = of(created.body.id);
    const headers = (answer: { headers: Headers }) => ({ 'if-match': etagOf(answer) });
    const renamed = await views.updateView({ ...view, body: { title: 'b' }, headers: headers(created) });
    expect(etagOf(renamed)).not.toBe(etagOf(created));
    expect(etagOf(await views.getView(view))).toBe(etagOf(renamed));
    const locked = await views.lockView({ ...view, headers: headers(await views.listViews({ params })) });
    const copy = await views.duplicateView({ ...view, headers: headers(locked) });
    const unlocked = await views.unlockView({ ...view, headers: headers(copy) });
    expect((await views.deleteView({ ...view, headers: headers(unlocked) })).status).toBe(204);
  });

  test('holds for one of two who read the same: the other is told', async () => {
    const { views, params, of, list } = await newViews();
    const created = await views.createView({ params });
    const headers = { 'if-match': etagOf(created) };
    const rename = (title: string) => views.updateView({ ...of(created.body.id), body: { title }, headers });
    const outcomes = await Promise.allSettled([rename('one'), rename('two')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const won = outcomes[0].status === 'fulfilled' ? 'one' : 'two';
    expect((await list()).map(({ title }) => title)).toEqual([won]);
  });
});

describe('at the same time', () => {
  test('eight who create views lose none: eight titles, eight places', async () => {
    const { views, params, list } = await newViews();
    const made = await Promise.all(Array.from({ length: 8 }, () => views.createView({ params })));
    const after = await list();
    expect(after.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(after.map(({ id }) => id).sort()).toEqual(made.map(({ body }) => body.id).sort());
    const numbered = Array.from({ length: 7 }, (_, index) => `尚未命名的分頁（${index + 1}）`);
    expect(after.map(({ title }) => title)).toEqual(['尚未命名的分頁', ...numbered]);
  });

  test('eight who want the same title: one gets it, seven are told 409', async () => {
    const { views, params, list } = await newViews();
    const create = () => views.createView({ params, body: { title: 'Board' } }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => create().catch((error) => error.status)));
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(1);
  });

  test('eight who move, rename, lock, copy and delete lose nothing of each other', async () => {
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
  /** Runs something whose third write fails: the key is taken, the view is made, and the answer is lost. */
  const losingTheAnswer = <T>(run: () => Promise<T>): Promise<T> => {
    let writes = 0;
    return withTable(
      ({ write }) => ({
        write: async (...given) => {
          writes += 1;
          if (writes === 3) throw new Error('the power went off');
          await write(...given);
        },
      }),
      run,
    );
  };

  test('makes one view and one copy, also when the first answer was lost', async () => {
    const { views, params, of, list } = await newViews();
    const create = () => views.createView({ params, body: { title: 'a' }, headers: { 'idempotency-key': 'create' } });
    expect((await problemOf(losingTheAnswer(create))).status).toBe(500);
    const made = (await create()).body;
    expect(await list()).toEqual([made]);
    const copy = () => views.duplicateView({ ...of(made.id), headers: { 'idempotency-key': 'copy' } });
    expect((await problemOf(losingTheAnswer(copy))).status).toBe(500);
    const copied = (await copy()).body;
    expect(await list()).toEqual([made, copied]);
    expect((await copy()).headers.get('idempotency-replayed')).toBe('true');
  });
});
