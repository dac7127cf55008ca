/** Covers when others change the form at the same time, or storage fails: no form loses the image that it names. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Bucket } from '#core/db/bucket.ts';
import { WriteRefused } from '#core/db/table.ts';
import { ask, draftForm } from '#test/support/building.ts';
import { coveredForm, putCover, readCover, uploadImage } from '#test/support/covers.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { objectKeys } from '#test/support/objects.ts';
import { webp } from '#test/support/webp.ts';
import { type Cast, newCast, send } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const image = webp(30, 20);
const objectsOf = async (formId: string) => (await objectKeys()).filter((key) => key.includes(formId));
const readForm = (formId: string) => cast.alice.client.forms.getForm({ params: { formId } });
const withBucket = <T>(change: (bucket: Bucket) => Partial<Bucket>, run: () => Promise<T>): Promise<T> =>
  withApp(({ bucket }) => ({ bucket: { ...bucket, ...change(bucket) } }), run);

async function patch(formId: string, body: object, headers: Record<string, string> = {}) {
  const init = { headers: { authorization: `Bearer ${cast.bob.token}`, ...headers }, body: JSON.stringify(body) };
  const answer = await send('PATCH', `/api/forms/${formId}`, init);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const etagOf = async (formId: string): Promise<string> => (await readForm(formId)).headers.get('etag') ?? '';

test('of many uploads at once one is left, and it is the one that the form names', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const answers = await Promise.all([1, 2, 3, 4].map((width) => uploadImage(cast.bob, formId, webp(width, 9))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { coverImage } = (await readForm(formId)).body;
  expect(answers.map(({ body }) => body.path)).toContain(coverImage);
  expect(await objectsOf(formId)).toEqual([coverImage]);
});

test('an upload beside a change of the title loses neither', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const [uploaded] = await Promise.all([uploadImage(cast.bob, formId, image), patch(formId, { title: 'Toads' })]);
  expect((await readForm(formId)).body).toMatchObject({ title: 'Toads', coverImage: uploaded.body.path });
  expect(await objectsOf(formId)).toEqual([uploaded.body.path]);
});

test('an upload with a stale If-Match is 409 and leaves nothing, as multipart and as JSON', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const stale = { 'if-match': '"1"' };
  expect((await uploadImage(cast.bob, formId, image, { headers: stale })).status).toBe(409);
  const headers = { authorization: `Bearer ${cast.bob.token}`, ...stale };
  const body = JSON.stringify({ contentType: 'image/webp', size: 10 });
  expect((await send('POST', `/api/forms/${formId}/cover`, { headers, body })).status).toBe(409);
  expect(await objectsOf(formId)).toEqual([path]);
  const fresh = { 'if-match': await etagOf(formId) };
  expect((await uploadImage(cast.bob, formId, image, { headers: fresh })).status).toBe(200);
});

test('an upload whose If-Match goes stale while the image is stored leaves nothing', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const headers = { 'if-match': await etagOf(formId) };
  const refused = await withBucket(
    (bucket) => ({
      put: async (...given) => {
        await bucket.put(...given);
        await patch(formId, { title: 'Meanwhile' });
      },
    }),
    () => uploadImage(cast.bob, formId, webp(8, 8), { headers }),
  );
  expect(refused.status).toBe(409);
  expect(await objectsOf(formId)).toEqual([path]);
  expect((await readCover(cast.bob, formId)).bytes).toEqual(image);
});

test('an upload to a form that is deleted meanwhile is 404 and leaves nothing', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const refused = await withBucket(
    (bucket) => ({
      put: async (...given) => {
        await cast.alice.client.forms.deleteForm({ params: { formId } });
        await bucket.put(...given);
      },
    }),
    () => uploadImage(cast.bob, formId, image),
  );
  expect(refused.status).toBe(404);
  expect(await objectsOf(formId)).toEqual([]);
});

test('an upload that was stored although its answer was lost keeps its image, even if the repetition is refused', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  const headers = { 'if-match': await etagOf(formId) };
  const refused = await withTable(
    (table) => ({
      write: async (...given) => {
        await table.write(...given);
        // Somebody else wrote over it, so the write does not recognize itself.
        throw new WriteRefused(0, undefined);
      },
    }),
    () => uploadImage(cast.bob, formId, webp(8, 8), { headers }),
  );
  expect(refused.status).toBe(409);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(8, 8) });
});

test('an upload of which nobody knows whether it was stored keeps its image', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  const failed = await withTable(
    (table) => ({
      write: async (...given) => {
        await table.write(...given);
        throw new Error('the connection broke');
      },
    }),
    () => uploadImage(cast.bob, formId, webp(8, 8)),
  );
  expect(failed.status).toBe(500);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(8, 8) });
});

test('an upload whose write arrives late, after it was given up, keeps its image', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  let arrive = async (): Promise<void> => undefined;
  const failed = await withTable(
    (table) => ({
      write: async (...given) => {
        arrive = () => table.write(...given);
        throw new Error('no answer came in time');
      },
    }),
    () => uploadImage(cast.bob, formId, webp(8, 8)),
  );
  expect(failed.status).toBe(500);
  await arrive();
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(8, 8) });
});

test('an upload whose first write was lost and overwritten removes the cover before it all the same', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  let writes = 0;
  const { status, body } = await withTable(
    (table) => ({
      write: async (...given) => {
        await table.write(...given);
        writes += 1;
        if (writes === 1) throw new WriteRefused(0, undefined);
      },
    }),
    () => uploadImage(cast.bob, formId, webp(8, 8)),
  );
  expect(status).toBe(200);
  expect(await objectsOf(formId)).toEqual([body.path]);
});

test('a cover that cannot be removed does not make its replacement fail; a clear neither', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  const failing = () => ({ remove: () => Promise.reject(new Error('storage is down')) });
  expect((await withBucket(failing, () => uploadImage(cast.bob, formId, webp(8, 8)))).status).toBe(200);
  expect((await readCover(cast.bob, formId)).bytes).toEqual(webp(8, 8));
  expect((await withBucket(failing, () => patch(formId, { coverImage: null }))).status).toBe(200);
  expect((await readForm(formId)).body.coverImage).toBeNull();
});

test('an image that cannot be stored changes nothing', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const before = (await readForm(formId)).body;
  const failing = () => ({ put: () => Promise.reject(new Error('storage is down')) });
  expect((await withBucket(failing, () => uploadImage(cast.bob, formId, webp(8, 8)))).status).toBe(500);
  expect((await readForm(formId)).body).toEqual(before);
  expect(await objectsOf(formId)).toEqual([path]);
});

test('taking an upload with a stale If-Match is 409 and leaves it to be taken', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const coverImage = await putCover(cast.bob, formId, webp(8, 8));
  expect((await patch(formId, { coverImage }, { 'if-match': '"1"' })).status).toBe(409);
  expect(await objectsOf(formId)).toEqual([path, `pending/${coverImage}`]);
  expect((await patch(formId, { coverImage }, { 'if-match': await etagOf(formId) })).status).toBe(200);
  expect(await objectsOf(formId)).toEqual([coverImage]);
});

test('taking an upload with a stale If-Match does not even look at it', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const coverImage = await putCover(cast.bob, formId, webp(1_801, 1));
  expect((await patch(formId, { coverImage }, { 'if-match': '"9"' })).status).toBe(409);
  expect(await objectsOf(formId)).toEqual([`pending/${coverImage}`]);
});

test('taking an upload whose If-Match goes stale at the last moment leaves it to be taken, and nothing else', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const coverImage = await putCover(cast.bob, formId, webp(8, 8));
  const headers = { 'if-match': await etagOf(formId) };
  const refused = await withBucket(
    (bucket) => ({
      copy: async (...given) => {
        await patch(formId, { title: 'Meanwhile' });
        return bucket.copy(...given);
      },
    }),
    () => patch(formId, { coverImage }, headers),
  );
  expect(refused.status).toBe(409);
  expect(await objectsOf(formId)).toEqual([path, `pending/${coverImage}`]);
});

test('the same upload taken twice at once is taken once: both go well, also with If-Match for one of them', async () => {
  const { formId } = await coveredForm(cast.alice, cast.slug, image);
  const coverImage = await putCover(cast.bob, formId, webp(8, 8));
  const answers = await Promise.all([1, 2, 3].map(() => patch(formId, { coverImage })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(8, 8) });
  const second = await putCover(cast.bob, formId, webp(9, 9));
  const headers = { 'if-match': await etagOf(formId) };
  const rivals = await Promise.all([1, 2, 3].map(() => patch(formId, { coverImage: second }, headers)));
  expect(rivals.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(9, 9) });
  expect(await objectsOf(formId)).toEqual([second]);
});

test('taking an upload that another request has taken since the form was read goes well', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const coverImage = await putCover(cast.bob, formId, image);
  let isFirst = true;
  const answer = await withBucket(
    (bucket) => ({
      inspect: async (...given) => {
        const isOurs = isFirst;
        isFirst = false;
        if (isOurs) expect((await patch(formId, { coverImage })).status).toBe(200);
        return bucket.inspect(...given);
      },
    }),
    () => patch(formId, { coverImage, title: 'Toads' }),
  );
  expect(answer).toMatchObject({ status: 200, body: { coverImage, title: 'Toads' } });
  expect(await objectsOf(formId)).toEqual([coverImage]);
});

test('the path of a cover that is replaced while it is sent back is refused: its image is gone', async () => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  let isFirst = true;
  const answer = await withTable(
    (table) => ({
      write: async (...given) => {
        const isOurs = isFirst;
        isFirst = false;
        if (isOurs) expect((await uploadImage(cast.alice, formId, webp(8, 8))).status).toBe(200);
        await table.write(...given);
      },
    }),
    () => patch(formId, { coverImage: path, title: 'Toads' }),
  );
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/body/coverImage' }] } });
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: webp(8, 8) });
  expect((await ask(cast.bob, 'GET', `/api/forms/${formId}`)).body.title).toBe('Spring survey');
});
