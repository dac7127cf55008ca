/** A cover uploaded straight to storage and taken by PATCH (contract sections 4, "Cover", and 8, presigned uploads). */
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_COVER_BYTES } from '#core/forms/model.ts';
import { app } from '#core/http/app.ts';
import { ask, draftForm, faultsOf, openForm } from '#test/support/building.ts';
import { askUpload, coveredForm, putCover, putTo, readCover } from '#test/support/covers.ts';
import { withApp } from '#test/support/faults.ts';
import { objectKeys } from '#test/support/objects.ts';
import { everythingStored } from '#test/support/stored.ts';
import { webp } from '#test/support/webp.ts';
import { type Cast, newCast, newOrganization } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const image = webp(30, 20);
const objectsOf = async (formId: string) => (await objectKeys()).filter((key) => key.includes(formId));
const patch = (formId: string, body: object) => ask(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
const newDraft = async (): Promise<string> => (await draftForm(cast.alice, cast.slug)).id;

describe('asking for an upload', () => {
  test('answers path, imageUrl and a PUT of exactly that type for an hour; nothing is stored', async () => {
    const formId = await newDraft();
    const before = await everythingStored();
    const asked = { contentType: 'image/webp', size: 9 };
    const { status, body, headers } = await withApp(
      () => ({ now: () => new Date('2026-05-01T12:00:00Z') }),
      () => ask(cast.bob, 'POST', `/api/forms/${formId}/cover`, asked),
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        imageUrl: `http://127.0.0.1:3000/api/forms/${formId}/cover`,
        path: expect.stringMatching(new RegExp(`^covers/${formId}/[0-9a-f-]{36}$`)),
        upload: {
          method: 'PUT',
          url: expect.stringContaining(`/pending/${body.path}?`),
          headers: { 'content-type': 'image/webp' },
          expiresAt: '2026-05-01T13:00:00.000Z',
        },
      },
    });
    expect(headers.get('etag')).toBe('"1"');
    expect(new URL(body.upload.url).origin).toBe(app().config.s3PublicEndpoint);
    expect(new URL(body.upload.url).searchParams.get('X-Amz-Expires')).toBe('3600');
    expect(await everythingStored()).toEqual(before);
    expect(await objectsOf(formId)).toEqual([]);
  });

  test.for([
    [{ contentType: 'image/webp', size: MAX_COVER_BYTES + 1 }, ['/body/size']],
    [{ contentType: 'image/webp', size: 0 }, ['/body/size']],
    [{ contentType: 'image/webp', size: 1.5 }, ['/body/size']],
    [{ contentType: 'image/png', size: 10 }, ['/body/contentType']],
    [{ contentType: 'text/html', size: -1 }, ['/body/contentType', '/body/size']],
    [{}, ['/body/contentType', '/body/size']],
  ] as const)('for %j is 400', async ([body, pointers]) => {
    expect(await faultsOf(cast.bob, 'POST', `/api/forms/${await newDraft()}/cover`, body)).toEqual(pointers);
  });

  test('for the largest size there may be goes well', async () => {
    expect((await askUpload(cast.bob, await newDraft(), MAX_COVER_BYTES)).upload.url).toMatch(/^http/);
  });

  test('without a body is 400; by who may only see the form 403, by who may not know it 404', async () => {
    const { id: open } = await openForm(cast.alice, cast.slug);
    const draft = await newDraft();
    const asked = { contentType: 'image/webp', size: 10 };
    expect((await ask(cast.bob, 'POST', `/api/forms/${draft}/cover`)).status).toBe(400);
    expect((await ask(cast.dave, 'POST', `/api/forms/${open}/cover`, asked)).status).toBe(403);
    expect((await ask(cast.dave, 'POST', `/api/forms/${draft}/cover`, asked)).status).toBe(404);
    expect((await ask(undefined, 'POST', `/api/forms/${draft}/cover`, asked)).status).toBe(401);
  });
});

describe('storage', () => {
  test('takes nothing but what was asked for: not another length, type or place', async () => {
    const formId = await newDraft();
    const { upload, path } = await askUpload(cast.bob, formId, image.length);
    expect(await putTo(upload, image.slice(1))).toBe(403);
    expect(await putTo(upload, Uint8Array.from([...image, 0]))).toBe(403);
    expect(await putTo(upload, image, { 'content-type': 'text/html' })).toBe(403);
    const elsewhere = upload.url.replace(`pending/${path}`, path);
    expect(elsewhere).not.toBe(upload.url);
    expect(await putTo({ ...upload, url: elsewhere }, image)).toBe(403);
    expect(await objectsOf(formId)).toEqual([]);
    expect(await putTo(upload, image)).toBe(200);
    expect(await objectsOf(formId)).toEqual([`pending/${path}`]);
  });
});

describe('an upload', () => {
  test('is not the cover before its path is sent; then it is, and nothing is left over', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, webp(8, 8));
    const coverImage = await putCover(cast.bob, formId, image);
    expect((await readCover(cast.bob, formId)).bytes).toEqual(webp(8, 8));
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }).toMatchObject({ status: 200, body: { coverImage, title: 'Toads' } });
    expect(body.lastEditor.id).toBe(cast.bob.id);
    const { image: shown, bytes } = await readCover(cast.bob, formId);
    expect(shown?.headers.get('content-type')).toBe('image/webp');
    expect(bytes).toEqual(image);
    expect(await objectsOf(formId)).toEqual([coverImage]);
    expect(path).not.toBe(coverImage);
  });

  test('is taken once: its path sent again changes nothing, and after another cover it is refused', async () => {
    const formId = await newDraft();
    const coverImage = await putCover(cast.bob, formId, image);
    for (const _ of [1, 2]) expect((await patch(formId, { coverImage })).status).toBe(200);
    const second = await putCover(cast.bob, formId, webp(8, 8));
    expect((await patch(formId, { coverImage: second })).status).toBe(200);
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, { coverImage })).toEqual(['/body/coverImage']);
    expect(await objectsOf(formId)).toEqual([second]);
  });

  test('is removed with the rest when it is cleared', async () => {
    const formId = await newDraft();
    await patch(formId, { coverImage: await putCover(cast.bob, formId, image) });
    expect((await patch(formId, { coverImage: null })).body.coverImage).toBeNull();
    expect(await objectsOf(formId)).toEqual([]);
  });

  test('waits while the same PATCH is refused for something else, which alone is told', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, webp(8, 8));
    const coverImage = await putCover(cast.bob, formId, image);
    const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
    const before = (await ask(cast.bob, 'GET', `/api/forms/${formId}`)).body;
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, { coverImage, ...times })).toEqual([
      '/body/deadline',
    ]);
    expect(await objectsOf(formId)).toEqual([path, `pending/${coverImage}`]);
    expect((await ask(cast.bob, 'GET', `/api/forms/${formId}`)).body).toEqual(before);
    expect((await patch(formId, { coverImage })).status).toBe(200);
  });

  test('is not even looked at while the same PATCH is refused for something else', async () => {
    const formId = await newDraft();
    const coverImage = await putCover(cast.bob, formId, webp(1_801, 1));
    const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
    const path = `/api/forms/${formId}`;
    expect(await faultsOf(cast.bob, 'PATCH', path, { coverImage, ...times })).toEqual(['/body/deadline']);
    expect(await objectsOf(formId)).toEqual([`pending/${coverImage}`]);
  });

  const padded = (bytes: Uint8Array) => Uint8Array.from(Buffer.concat([bytes], 1_000));
  test.for([
    ['a PNG', padded(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)), 'WebP'],
    ['a page', Uint8Array.from(Buffer.from('<script>alert(1)</script>')), 'WebP'],
    ['too wide', webp(1_801, 1), '1800'],
    ['too high', webp(1, 1_801), '1800'],
  ] as const)('that is %s is refused with 400 and removed; the form keeps its cover', async ([, bytes, why]) => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const before = await everythingStored();
    const coverImage = await putCover(cast.bob, formId, bytes);
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining(why) }] },
    });
    expect(await objectsOf(formId)).toEqual([path]);
    expect(await everythingStored()).toEqual(before);
  });

  test('that is larger than a cover may be, or of another type, is refused and removed however it came there', async () => {
    const formId = await newDraft();
    const coverImage = `covers/${formId}/${crypto.randomUUID()}`;
    const planted = [
      [Uint8Array.from(Buffer.concat([image], MAX_COVER_BYTES + 1)), 'image/webp'],
      [image, 'text/html'],
    ] as const;
    for (const [bytes, type] of planted) {
      await app().bucket.put(`pending/${coverImage}`, bytes, type);
      expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, { coverImage })).toEqual(['/body/coverImage']);
      expect(await objectsOf(formId)).toEqual([]);
    }
  });
});

describe('coverImage', () => {
  const DETAIL = 'must be the path that the upload of this form’s cover answered';
  const refused = async (formId: string, coverImage: string) => {
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }, coverImage).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: DETAIL }] },
    });
    expect((await ask(cast.bob, 'GET', `/api/forms/${formId}`)).body.title).toBe('Spring survey');
  };

  test('takes no path of another form, neither of its cover nor of its upload, also of another organization', async () => {
    const formId = await newDraft();
    const other = await coveredForm(cast.alice, cast.slug, image);
    const upload = await putCover(cast.alice, other.formId, webp(8, 8));
    const { slug } = await newOrganization(cast.bob);
    const elsewhere = await coveredForm(cast.bob, slug, image);
    for (const path of [other.path, upload, elsewhere.path]) await refused(formId, path);
    expect(await objectsOf(formId)).toEqual([]);
    expect(await objectsOf(other.formId)).toEqual([other.path, `pending/${upload}`]);
    expect(await objectsOf(elsewhere.formId)).toEqual([elsewhere.path]);
  });

  test('takes no path to which nothing was uploaded, no address, and nothing that leads elsewhere', async () => {
    const formId = await newDraft();
    const { path } = await askUpload(cast.bob, formId, 10);
    const id = crypto.randomUUID();
    const uploaded = await putCover(cast.bob, formId, image);
    const others = [
      path,
      `covers/${formId}/${id}`,
      `pending/${uploaded}`,
      `/${uploaded}`,
      `${uploaded}/`,
      `${uploaded}?x`,
      uploaded.toUpperCase(),
      uploaded.replace('covers/', 'covers//'),
      `covers/${id}/../${formId}/${uploaded.split('/')[2]}`,
      `covers/${formId}/../../files/${id}`,
      `files/${formId}/${id}`,
      `https://example.org/${uploaded}`,
      `http://127.0.0.1:3000/api/forms/${formId}/cover`,
      '',
    ];
    // An upload that is not for a cover.
    await app().bucket.put(`pending/files/${formId}/${id}`, image, 'image/webp');
    for (const each of others) await refused(formId, each);
    expect(await objectsOf(formId)).toEqual([`pending/${uploaded}`, `pending/files/${formId}/${id}`]);
  });

  test('is told together with what else is wrong', async () => {
    const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
    const body = { coverImage: 'elsewhere', ...times };
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${await newDraft()}`, body)).toEqual([
      '/body/coverImage',
      '/body/deadline',
    ]);
  });
});
