/** Covers while others change the form, or storage fails: no form loses its image, and clean-up removes all others. */
import { describe, expect, test } from 'vitest';
import type { Bucket } from '#core/db/bucket.ts';
import type { Table } from '#core/db/table.ts';
import { draftForm } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { coveredForm, keptCovers, putCover, readCover, uploadImage } from '#test/support/covers.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { whileWaiting } from '#test/support/files.ts';
import { newCast, send } from '#test/support/fixtures.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();
muteErrors();

const image = webp(30, 20);
const other = webp(8, 8);
const stale = { 'if-match': '"1"' };
const newDraft = async (): Promise<string> => (await draftForm(cast.alice, cast.slug)).id;
const readForm = (formId: string) => cast.alice.client.forms.getForm({ params: { formId } });
const current = async (formId: string): Promise<Record<string, string>> => ({
  'if-match': (await readForm(formId)).headers.get('etag') ?? '',
});
const withBucket = <T>(change: (bucket: Bucket) => Partial<Bucket>, run: () => Promise<T>): Promise<T> =>
  withApp(({ bucket }) => ({ bucket: { ...bucket, ...change(bucket) } }), run);

async function patch(formId: string, body: object, headers: Record<string, string> = {}) {
  const init = { headers: { authorization: `Bearer ${cast.bob.token}`, ...headers }, body: JSON.stringify(body) };
  const response = await send('PATCH', `/api/forms/${formId}`, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The form shows this image, and once clean-ups were carried out none other is stored. */
async function expectCover(formId: string, bytes: Uint8Array): Promise<void> {
  const { coverImage } = (await readForm(formId)).body;
  expect(await keptCovers(formId)).toEqual([coverImage]);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes });
}

/** A table whose n-th write fails in a way. */
const nthWrite =
  (n: number, fail: (write: () => Promise<void>) => Promise<void>) =>
  (table: Table): Partial<Table> => {
    let count = 0;
    return {
      write: (writes) => {
        count += 1;
        return count === n ? fail(() => table.write(writes)) : table.write(writes);
      },
    };
  };
/** The write of an upload that changes the form, after the one that schedules the clean-up. */
const CHANGE = 2;

describe('an upload', () => {
  test('of several at once is the cover of the form', async () => {
    const formId = await newDraft();
    const results = await Promise.all([1, 2, 3, 4].map((width) => uploadImage(cast.bob, formId, webp(width, 9))));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { coverImage } = (await readForm(formId)).body;
    const winner = results.findIndex(({ body }) => body.path === coverImage);
    await expectCover(formId, webp(winner + 1, 9));
  });

  test('beside a change of the title loses neither', async () => {
    const formId = await newDraft();
    await Promise.all([uploadImage(cast.bob, formId, image), patch(formId, { title: 'Toads' })]);
    expect((await readForm(formId)).body.title).toBe('Toads');
    await expectCover(formId, image);
  });

  test('whose If-Match becomes stale while the image is stored is 409', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const headers = await current(formId);
    const late = () => uploadImage(cast.bob, formId, other, { headers });
    const refused = await whileWaiting('put', late, () => patch(formId, { title: 'Meanwhile' }));
    expect(refused.status).toBe(409);
    await expectCover(formId, image);
  });

  test('to a form that is deleted meanwhile is 404 and leaves nothing', async () => {
    const formId = await newDraft();
    const late = () => uploadImage(cast.bob, formId, image);
    const remove = () => cast.alice.client.forms.deleteForm({ params: { formId } });
    expect((await whileWaiting('put', late, remove)).status).toBe(404);
    expect(await keptCovers(formId)).toEqual([]);
  });

  test.for<[how: string, late: (write: () => Promise<void>) => Promise<() => Promise<void>>]>([
    [
      'took effect although its result was lost',
      async (write) => {
        await write();
        return async () => undefined;
      },
    ],
    ['arrives after the request failed', async (write) => write],
  ])('whose write %s keeps its image', async ([, late]) => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    let arrive = async (): Promise<void> => undefined;
    const losing = nthWrite(CHANGE, async (write) => {
      arrive = await late(write);
      throw new Error('no result came in time');
    });
    expect((await withTable(losing, () => uploadImage(cast.bob, formId, other))).status).toBe(500);
    await arrive();
    await expectCover(formId, other);
  });

  test('that cannot be stored, or whose form cannot be written, changes nothing', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const before = (await readForm(formId)).body;
    const failing = async () => {
      throw new Error('storage is down');
    };
    const call = () => uploadImage(cast.bob, formId, other);
    expect((await withBucket(() => ({ put: failing }), call)).status).toBe(500);
    for (const n of [1, CHANGE]) expect((await withTable(nthWrite(n, failing), call)).status).toBe(500);
    expect((await readForm(formId)).body).toEqual(before);
    await expectCover(formId, image);
  });
});

describe('setting an uploaded image', () => {
  test('with a stale If-Match is 409 without looking at it, and keeps it for the current one', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const coverImage = await putCover(cast.bob, formId, other);
    const inspect = () => Promise.reject(new Error('storage is down'));
    const refused = await withBucket(
      () => ({ inspect }),
      () => patch(formId, { coverImage }, stale),
    );
    expect(refused.status).toBe(409);
    expect((await patch(formId, { coverImage }, await current(formId))).status).toBe(200);
    await expectCover(formId, other);
  });

  test('whose If-Match becomes stale meanwhile is 409, and the image can be set again', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const coverImage = await putCover(cast.bob, formId, other);
    const headers = await current(formId);
    const late = () => patch(formId, { coverImage }, headers);
    expect((await whileWaiting('inspect', late, () => patch(formId, { title: 'Meanwhile' }))).status).toBe(409);
    expect((await patch(formId, { coverImage })).status).toBe(200);
    await expectCover(formId, other);
  });

  test('several times at once succeeds each time; with If-Match once', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const coverImage = await putCover(cast.bob, formId, other);
    const results = await Promise.all([1, 2, 3].map(() => patch(formId, { coverImage })));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expectCover(formId, other);
    const second = await putCover(cast.bob, formId, webp(9, 9));
    const headers = await current(formId);
    const rivals = await Promise.all([1, 2, 3].map(() => patch(formId, { coverImage: second }, headers)));
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await expectCover(formId, webp(9, 9));
  });

  test('that another request set since the form was read succeeds', async () => {
    const formId = await newDraft();
    const coverImage = await putCover(cast.bob, formId, image);
    const late = () => patch(formId, { coverImage, title: 'Toads' });
    const result = await whileWaiting('inspect', late, () => patch(formId, { coverImage }));
    expect(result).toMatchObject({ status: 200, body: { coverImage, title: 'Toads' } });
    await expectCover(formId, image);
  });

  test('that is replaced while its path is sent back is refused', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const late = () => patch(formId, { coverImage: path, title: 'Toads' });
    const result = await whileWaiting('write', late, () => uploadImage(cast.alice, formId, other));
    expect(result).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body/coverImage' }] } });
    expect((await readForm(formId)).body.title).toBe('Spring survey');
    await expectCover(formId, other);
  });
});
