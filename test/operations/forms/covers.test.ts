/** The cover of a form as multipart, and how it is shown. Who may: `permission-matrix.test.ts`. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_COVER_BYTES } from '#core/schema/limits.ts';
import { draftForm, openForm, requestAs } from '#test/support/building.ts';
import { coveredForm, keptCovers, readCover, uploadImage, uploadParts } from '#test/support/covers.ts';
import { newCast, send } from '#test/support/fixtures.ts';
import { everythingStored, objectKeys } from '#test/support/stored.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();
afterEach(() => {
  vi.useRealTimers();
});

type Image = Uint8Array<ArrayBuffer>;
const image = webp(30, 20);
const otherImage = webp(20, 30);
const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64'));
const page = Uint8Array.from(Buffer.from('<!doctype html><script>alert(1)</script>'));
/** An image of a size in bytes, padded with zeros. */
const imageOf = (bytes: number) => Uint8Array.from(Buffer.concat([image], bytes));
const coversOf = (formId: string) => objectKeys(`covers/${formId}/`);

describe('an uploaded cover', () => {
  test('is the cover at once; imageUrl is where it is shown', async () => {
    const before = await draftForm(cast.alice, cast.slug);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(before.updatedAt) + 60_000 });
    const { status, body, headers } = await uploadImage(cast.bob, before.id, image);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        imageUrl: `http://127.0.0.1:3000/api/forms/${before.id}/cover`,
        path: expect.stringMatching(new RegExp(`^covers/${before.id}/[0-9a-f-]{36}$`)),
      },
    });
    const after = await cast.bob.client.forms.getForm({ params: { formId: before.id } });
    expect(after.headers.get('etag')).toBe(headers.get('etag'));
    expect(after.body).toMatchObject({ coverImage: body.path, lastEditor: { id: cast.bob.id } });
    expect(Date.parse(after.body.updatedAt) - Date.parse(before.updatedAt)).toBe(60_000);
    const { lastEditor, updatedAt } = before;
    expect({ ...after.body, coverImage: null, lastEditor, updatedAt }).toEqual(before);
    expect(await coversOf(before.id)).toEqual([body.path]);
  });

  test('is read from storage exactly, as image/webp that is shown inline; without one it is 404', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const { status, image: shown, bytes, location } = await readCover(cast.alice, formId);
    expect([status, shown?.status]).toEqual([302, 200]);
    expect(shown?.headers.get('content-type')).toBe('image/webp');
    expect(shown?.headers.get('content-disposition')).toBe('inline');
    expect(bytes).toEqual(image);
    expect(new URL(location ?? '').searchParams.get('X-Amz-Expires')).toBe('60');
    expect(new URL(location ?? '').origin).not.toBe('http://127.0.0.1:3000');
    const headers = { authorization: `Bearer ${cast.alice.token}` };
    const head = await send('HEAD', `/api/forms/${formId}/cover`, { headers });
    expect([head.status, await head.text()]).toEqual([302, '']);
    expect(head.headers.get('location')).toContain(path);
    const { id: bare } = await openForm(cast.alice, cast.slug);
    const missing = (await requestAs(cast.dave, 'GET', `/api/forms/${bare}/cover`)).body;
    const unknown = (await requestAs(cast.chelsea, 'GET', `/api/forms/${formId}/cover`)).body;
    expect({ ...missing, instance: '' }).toEqual({ ...unknown, instance: '' });
  });

  test('stays while the form changes, and is removed when it is replaced or cleared', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const patch = (body: object) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
    for (const body of [{ title: 'Toads' }, { title: 'Newts', coverImage: path }]) {
      expect((await patch(body)).body).toMatchObject({ ...body, coverImage: path });
    }
    expect(await keptCovers(formId)).toEqual([path]);
    const second = (await uploadImage(cast.bob, formId, otherImage)).body.path;
    expect(second).not.toBe(path);
    expect(await keptCovers(formId)).toEqual([second]);
    expect((await readCover(cast.bob, formId)).bytes).toEqual(otherImage);
    expect(await patch({ coverImage: null })).toMatchObject({ status: 200, body: { coverImage: null } });
    expect(await keptCovers(formId)).toEqual([]);
    expect((await readCover(cast.bob, formId)).status).toBe(404);
  });
});

const KINDS = ['lossless', 'lossy', 'extended', 'animated'] as const;
test.for<[string, Image, Parameters<typeof uploadImage>[3]?]>([
  ['2 MB', imageOf(MAX_COVER_BYTES)],
  ['a WebP whatever its name and type', image, { filename: '../../../etc/passwd.html', type: 'text/html' }],
  ...KINDS.map((kind): [string, Image] => [`1800 × 1800 pixels, ${kind}`, webp(1_800, 1_800, kind)]),
])('a cover may be %s', async ([, bytes, sent]) => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const { status, body } = await uploadImage(cast.bob, formId, bytes, sent);
  expect(status).toBe(200);
  expect(await coversOf(formId)).toEqual([body.path]);
  expect((await readCover(cast.bob, formId)).image?.headers.get('content-type')).toBe('image/webp');
});

test.for<[string, Image[], number, more?: { name?: string; detail?: string }]>([
  ['more than 2 MB', [imageOf(MAX_COVER_BYTES + 1)], 413, { detail: '2097152' }],
  ['a PNG named and typed as WebP', [png], 415],
  ['a page', [page], 415],
  ['the first bytes of a WebP', [image.slice(0, 14)], 415],
  ['an empty file', [new Uint8Array()], 415],
  ['1801 × 1 pixels', [webp(1_801, 1)], 400, { detail: '1800' }],
  ['1 × 1801 pixels', [webp(1, 1_801)], 400, { detail: '1800' }],
  ['two images', [image, otherImage], 400],
  ['no image', [], 400],
  ...['coverimage', 'coverImage[]', '__proto__', 'file', '../coverImage', ''].map(
    (name): [string, Image[], number, object] => [`a part named "${name}"`, [image], 400, { name }],
  ),
])('a cover may not be %s: nothing is stored', async ([, images, status, { detail = '', ...sent } = {}]) => {
  const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
  const before = await everythingStored();
  const refused = await uploadParts(cast.bob, formId, images, sent);
  expect(refused.status).toBe(status);
  expect(JSON.stringify(refused.body)).toContain(detail);
  expect(await everythingStored()).toEqual(before);
  expect(await coversOf(formId)).toEqual([path]);
});

test('a text instead of the image is 415', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const body = '--b\r\ncontent-disposition: form-data; name="coverImage"\r\n\r\nRIFF\r\n--b--\r\n';
  const headers = { authorization: `Bearer ${cast.bob.token}`, 'content-type': 'multipart/form-data; boundary=b' };
  expect((await send('POST', `/api/forms/${formId}/cover`, { headers, body })).status).toBe(415);
  expect(await coversOf(formId)).toEqual([]);
});
