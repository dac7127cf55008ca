/** The cover of a form as multipart, and how it is shown. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_COVER_BYTES } from '#core/forms/model.ts';
import { draftForm, openForm, requestAs } from '#test/support/building.ts';
import { coveredForm, keptCovers, readCover, uploadImage, uploadParts } from '#test/support/covers.ts';
import { type Cast, newCast, send } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { everythingStored, objectKeys } from '#test/support/stored.ts';
import { webp } from '#test/support/webp.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});
afterEach(() => {
  vi.useRealTimers();
});

const image = webp(30, 20);
const otherImage = webp(20, 30);
const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64'));

/** An image of a size in bytes, padded with zeros. */
const imageOf = (bytes: number) => Uint8Array.from(Buffer.concat([image], bytes));
const coversOf = (formId: string) => objectKeys(`covers/${formId}/`);
const readForm = async (formId: string) => (await cast.bob.client.forms.getForm({ params: { formId } })).body;

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
    expect({ ...after.body, coverImage: null, lastEditor: before.lastEditor, updatedAt: before.updatedAt }).toEqual(
      before,
    );
    expect(await coversOf(before.id)).toEqual([body.path]);
  });

  test('is read from storage exactly, as image/webp that is shown inline', async () => {
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
  });

  test('replaces the one before, which is removed', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const second = (await uploadImage(cast.bob, formId, otherImage)).body.path;
    expect(second).not.toBe(path);
    expect(await keptCovers(formId)).toEqual([second]);
    expect((await readCover(cast.bob, formId)).bytes).toEqual(otherImage);
  });

  test('stays when the form is changed or its path sent back, and is removed when it is cleared', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const patch = (body: object) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
    expect((await patch({ title: 'Toads' })).body).toMatchObject({ title: 'Toads', coverImage: path });
    expect((await patch({ title: 'Newts', coverImage: path })).body).toMatchObject({
      title: 'Newts',
      coverImage: path,
    });
    expect(await keptCovers(formId)).toEqual([path]);
    expect(await patch({ coverImage: null })).toMatchObject({ status: 200, body: { coverImage: null } });
    expect(await keptCovers(formId)).toEqual([]);
    expect((await readCover(cast.bob, formId)).status).toBe(404);
  });
});

describe('a cover may be', () => {
  test('2 MB; a byte more is 413 with the limit', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const refused = await uploadImage(cast.bob, formId, imageOf(MAX_COVER_BYTES + 1));
    expect(refused).toMatchObject({ status: 413, body: { detail: expect.stringContaining('2097152') } });
    expect(await coversOf(formId)).toEqual([]);
    expect((await uploadImage(cast.bob, formId, imageOf(MAX_COVER_BYTES))).status).toBe(200);
  });

  test.for([
    ['a PNG named and typed as WebP', png],
    ['a page', Uint8Array.from(Buffer.from('<!doctype html><script>alert(1)</script>'))],
    ['the first bytes of a WebP', image.slice(0, 14)],
    ['an empty file', new Uint8Array()],
  ] as const)('not %s: 415, and nothing is stored', async ([, bytes]) => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const before = await everythingStored();
    expect((await uploadImage(cast.bob, formId, bytes)).status).toBe(415);
    expect(await everythingStored()).toEqual(before);
    expect(await coversOf(formId)).toEqual([path]);
  });

  test('a WebP by its bytes, whatever its name and type', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const named = { filename: '../../../etc/passwd.html', type: 'text/html' };
    const { status, body } = await uploadImage(cast.bob, formId, image, named);
    expect(status).toBe(200);
    expect(await coversOf(formId)).toEqual([body.path]);
    expect((await readCover(cast.bob, formId)).image?.headers.get('content-type')).toBe('image/webp');
  });

  test.for([
    [1_801, 1],
    [1, 1_801],
  ] as const)('not %d × %d pixels: 400, and nothing is stored', async ([width, height]) => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const { status, body } = await uploadImage(cast.bob, formId, webp(width, height));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining('1800') }] },
    });
    expect(await coversOf(formId)).toEqual([]);
  });

  test('1800 × 1800 pixels in all kinds of WebP', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    for (const kind of ['lossless', 'lossy', 'extended', 'animated'] as const) {
      expect((await uploadImage(cast.bob, formId, webp(1_800, 1_800, kind))).status, kind).toBe(200);
    }
  });
});

describe('a multipart body', () => {
  test.for([
    'coverimage',
    'coverImage[]',
    '__proto__',
    'file',
    '../coverImage',
    '',
  ])('without a part coverImage but with one named "%s" is 400', async (name) => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    expect((await uploadImage(cast.bob, formId, image, { name })).status).toBe(400);
    expect(await coversOf(formId)).toEqual([]);
  });

  test('with two images is 400, and with a text instead of the image 415', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    expect((await uploadParts(cast.bob, formId, [image, otherImage])).status).toBe(400);
    const text = '--b\r\ncontent-disposition: form-data; name="coverImage"\r\n\r\nRIFF\r\n--b--\r\n';
    const headers = { authorization: `Bearer ${cast.bob.token}`, 'content-type': 'multipart/form-data; boundary=b' };
    expect((await send('POST', `/api/forms/${formId}/cover`, { headers, body: text })).status).toBe(415);
    expect(await coversOf(formId)).toEqual([]);
  });
});

describe('who', () => {
  test('may upload a cover: members; others get 403 when they see the form, else 404', async () => {
    const { id: open } = await openForm(cast.alice, cast.slug);
    const { id: draft } = await draftForm(cast.alice, cast.slug);
    await start(cast.dave, open);
    const statusOf = async (...args: Parameters<typeof uploadImage>) => (await uploadImage(...args)).status;
    expect(await statusOf(undefined, open, image)).toBe(401);
    expect(await statusOf(cast.dave, open, image)).toBe(403);
    expect(await statusOf(cast.oscar, open, image)).toBe(403);
    expect(await statusOf(cast.chelsea, open, png)).toBe(403);
    expect(await statusOf(cast.chelsea, draft, image)).toBe(404);
    expect(await statusOf(cast.dave, draft, png)).toBe(404);
    expect(await statusOf(cast.bob, crypto.randomUUID(), image)).toBe(404);
    expect([...(await coversOf(open)), ...(await coversOf(draft))]).toEqual([]);
    expect(await statusOf(cast.bob, open, image)).toBe(200);
    expect(await statusOf(cast.alice, draft, image)).toBe(200);
  });

  test('may see a cover: everybody who sees the form; others get the 404 of a missing one', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, image);
    const statuses = () =>
      Promise.all(
        [cast.bob, cast.dave, cast.chelsea, undefined].map(async (who) => (await readCover(who, formId)).status),
      );
    expect(await statuses()).toEqual([302, 404, 404, 401]);
    await cast.alice.client.forms.publishForm({ params: { formId } });
    await start(cast.dave, formId);
    expect(await statuses()).toEqual([302, 302, 302, 401]);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    expect(await statuses()).toEqual([302, 302, 404, 401]);
    const { id: bare } = await openForm(cast.alice, cast.slug);
    const missing = (await requestAs(cast.dave, 'GET', `/api/forms/${bare}/cover`)).body;
    const unknown = (await requestAs(cast.chelsea, 'GET', `/api/forms/${formId}/cover`)).body;
    expect({ ...missing, instance: '' }).toEqual({ ...unknown, instance: '' });
  });

  test('uploads to an archived form too: an editor can change a form in every status', async () => {
    const { id: formId } = await openForm(cast.alice, cast.slug);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    expect((await uploadImage(cast.bob, formId, image)).status).toBe(200);
    expect(await readForm(formId)).toMatchObject({ status: 'ARCHIVED', coverImage: expect.any(String) });
  });
});
