/** A cover uploaded straight to storage and set by PATCH. */
import { beforeAll, describe, expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { MAX_COVER_BYTES } from '#core/forms/model.ts';
import { type App, app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { draftForm, faultsOf, openForm, requestAs } from '#test/support/building.ts';
import { announceCover, coveredForm, keptCovers, putCover, putTo, readCover } from '#test/support/covers.ts';
import { withApp } from '#test/support/faults.ts';
import { type Cast, newCast, newOrganization } from '#test/support/fixtures.ts';
import { startS3WithoutList } from '#test/support/s3-without-list.ts';
import { objectKeys } from '#test/support/stored.ts';
import { cleanUp } from '#test/support/sweeps.ts';
import { webp } from '#test/support/webp.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const image = webp(30, 20);
const other = webp(8, 8);
const hash = sha256(image, 'hex');
const announcement = { contentType: 'image/webp', size: image.length, sha256: hash };
const coversOf = (formId: string) => objectKeys(`covers/${formId}/`);
const patch = (formId: string, body: object) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
const newDraft = async (): Promise<string> => (await draftForm(cast.alice, cast.slug)).id;

describe('announcing a cover', () => {
  test('returns path, imageUrl and a PUT of exactly these bytes for half an hour; the form does not change', async () => {
    const formId = await newDraft();
    const { status, body, headers } = await withApp(
      () => ({ now: () => new Date('2026-05-01T12:00:00Z') }),
      () => requestAs(cast.bob, 'POST', `/api/forms/${formId}/cover`, announcement),
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        imageUrl: `http://127.0.0.1:3000/api/forms/${formId}/cover`,
        path: expect.stringMatching(new RegExp(`^covers/${formId}/[0-9a-f-]{36}$`)),
        upload: {
          method: 'PUT',
          url: expect.stringContaining(`/${body.path}?`),
          headers: { 'content-type': 'image/webp', 'x-amz-checksum-sha256': sha256(image, 'base64') },
          expiresAt: '2026-05-01T12:30:00.000Z',
        },
      },
    });
    expect(headers.get('etag')).toBe('"1"');
    expect(new URL(body.upload.url).origin).toBe(app().config.s3PublicEndpoint);
    expect(new URL(body.upload.url).searchParams.get('X-Amz-Expires')).toBe('1800');
    expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).body.coverImage).toBeNull();
    expect(await coversOf(formId)).toEqual([]);
  });

  test.for([
    [{ size: MAX_COVER_BYTES + 1 }, ['/body/size']],
    [{ size: 0 }, ['/body/size']],
    [{ size: 1.5 }, ['/body/size']],
    [{ contentType: 'image/png' }, ['/body/contentType']],
    [{ contentType: 'text/html', size: -1 }, ['/body/contentType', '/body/size']],
    [{ sha256: 'abc' }, ['/body/sha256']],
    [
      { contentType: undefined, size: undefined, sha256: undefined },
      ['/body/contentType', '/body/sha256', '/body/size'],
    ],
  ] as const)('with %j is 400', async ([change, pointers]) => {
    const body = { ...announcement, ...change };
    expect(await faultsOf(cast.bob, 'POST', `/api/forms/${await newDraft()}/cover`, body)).toEqual(pointers);
  });

  test('of the largest size is accepted', async () => {
    const body = { ...announcement, size: MAX_COVER_BYTES };
    expect((await requestAs(cast.bob, 'POST', `/api/forms/${await newDraft()}/cover`, body)).status).toBe(200);
  });

  test('without a body is 400; by a respondent 403, or 404 when the form is not visible', async () => {
    const { id: open } = await openForm(cast.alice, cast.slug);
    const draft = await newDraft();
    expect((await requestAs(cast.bob, 'POST', `/api/forms/${draft}/cover`)).status).toBe(400);
    expect((await requestAs(cast.dave, 'POST', `/api/forms/${open}/cover`, announcement)).status).toBe(403);
    expect((await requestAs(cast.dave, 'POST', `/api/forms/${draft}/cover`, announcement)).status).toBe(404);
    expect((await requestAs(undefined, 'POST', `/api/forms/${draft}/cover`, announcement)).status).toBe(401);
  });
});

test('storage accepts nothing but what was announced: not other bytes, another length, type or key', async () => {
  const formId = await newDraft();
  const { upload, path } = await announceCover(cast.bob, formId, image);
  const changed = Uint8Array.from(image, (byte, index) => (index === image.length - 1 ? byte ^ 1 : byte));
  expect(await putTo(upload, changed)).toBe(400);
  expect(await putTo(upload, image.slice(1))).toBe(403);
  expect(await putTo(upload, Uint8Array.from([...image, 0]))).toBe(403);
  expect(await putTo(upload, image, { 'content-type': 'text/html' })).toBe(403);
  const elsewhere = upload.url.replace(path, `covers/${formId}/${crypto.randomUUID()}`);
  expect(await putTo({ ...upload, url: elsewhere }, image)).toBe(403);
  expect(await coversOf(formId)).toEqual([]);
  expect(await putTo(upload, image)).toBe(200);
  expect(await coversOf(formId)).toEqual([path]);
});

describe('an uploaded image', () => {
  test('becomes the cover when its path is sent, and the one before is removed', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, other);
    const coverImage = await putCover(cast.bob, formId, image);
    expect((await readCover(cast.bob, formId)).bytes).toEqual(other);
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }).toMatchObject({ status: 200, body: { coverImage, title: 'Toads' } });
    expect(body.lastEditor.id).toBe(cast.bob.id);
    expect((await patch(formId, { coverImage })).status).toBe(200);
    const { image: shown, bytes } = await readCover(cast.bob, formId);
    expect(shown?.headers.get('content-type')).toBe('image/webp');
    expect(bytes).toEqual(image);
    expect(await keptCovers(formId)).toEqual([coverImage]);
  });

  test('that was replaced and cleaned up is refused; one that is cleared is removed', async () => {
    const formId = await newDraft();
    const coverImage = await putCover(cast.bob, formId, image);
    await patch(formId, { coverImage });
    const second = await putCover(cast.bob, formId, other);
    expect((await patch(formId, { coverImage: second })).status).toBe(200);
    await cleanUp(1);
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, { coverImage })).toEqual(['/body/coverImage']);
    expect((await patch(formId, { coverImage: null })).body.coverImage).toBeNull();
    expect(await keptCovers(formId)).toEqual([]);
  });

  test('that is never used is removed after a day; a late upload of a removed cover too', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, other);
    await putCover(cast.bob, formId, image);
    const { upload, path: late } = await announceCover(cast.bob, formId, image);
    expect(await coversOf(formId)).toHaveLength(2);
    expect(await putTo(upload, image)).toBe(200);
    await patch(formId, { coverImage: late });
    await patch(formId, { coverImage: null });
    await cleanUp(1);
    expect(await putTo(upload, image)).toBe(200);
    expect(path).not.toBe(late);
    expect(await keptCovers(formId)).toEqual([]);
  });

  test('is not looked at while the same PATCH is refused for something else', async () => {
    const formId = await newDraft();
    const coverImage = await putCover(cast.bob, formId, webp(1_801, 1));
    const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
    const body = { coverImage, ...times };
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, body)).toEqual(['/body/deadline']);
  });

  const padded = (bytes: Uint8Array) => Uint8Array.from(Buffer.concat([bytes], 1_000));
  test.for([
    ['a PNG', padded(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)), 'WebP'],
    ['a page', Uint8Array.from(Buffer.from('<script>alert(1)</script>')), 'WebP'],
    ['too wide', webp(1_801, 1), '1800'],
    ['too high', webp(1, 1_801), '1800'],
  ] as const)('that is %s is refused with 400; the form keeps its cover', async ([, bytes, reason]) => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const coverImage = await putCover(cast.bob, formId, bytes);
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining(reason) }] },
    });
    expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).body).toMatchObject({ coverImage: path });
    expect(await keptCovers(formId)).toEqual([path]);
  });

  test('that is larger than a cover may be is refused, should storage ever accept it', async () => {
    const formId = await newDraft();
    const coverImage = `covers/${formId}/${crypto.randomUUID()}`;
    const large = Uint8Array.from(Buffer.concat([image], MAX_COVER_BYTES + 1));
    await app().bucket.put(coverImage, large, 'image/webp');
    expect(await faultsOf(cast.bob, 'PATCH', `/api/forms/${formId}`, { coverImage })).toEqual(['/body/coverImage']);
  });

  test('that is missing is 400 too where missing keys are 403, as without s3:ListBucket', async () => {
    const formId = await newDraft();
    const { path: coverImage, upload } = await announceCover(cast.bob, formId, image);
    const denied = await startS3WithoutList(app().config.s3Endpoint ?? '');
    const withoutList = ({ config }: App) => ({ bucket: s3Bucket({ ...config, s3Endpoint: denied.endpoint }) });
    try {
      await withApp(withoutList, async () => {
        expect((await patch(formId, { coverImage })).status).toBe(400);
        await putTo(upload, image);
        expect((await patch(formId, { coverImage })).status).toBe(200);
      });
    } finally {
      await denied.stop();
    }
  });
});

describe('coverImage', () => {
  const expectRefused = async (formId: string, coverImage: string) => {
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }, coverImage).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage' }] },
    });
  };

  test('accepts no path of another form, of a cover or an upload, of this or another organization', async () => {
    const formId = await newDraft();
    const source = await coveredForm(cast.alice, cast.slug, image);
    const upload = await putCover(cast.alice, source.formId, other);
    const { slug } = await newOrganization(cast.bob);
    const elsewhere = await coveredForm(cast.bob, slug, image);
    for (const path of [source.path, upload, elsewhere.path]) await expectRefused(formId, path);
    expect((await readCover(cast.bob, source.formId)).bytes).toEqual(image);
  });

  test('accepts no path without an upload, no URL, and nothing that leads elsewhere', async () => {
    const formId = await newDraft();
    const { path } = await announceCover(cast.bob, formId, image);
    const id = crypto.randomUUID();
    const uploaded = await putCover(cast.bob, formId, image);
    // An object that is not a cover.
    await app().bucket.put(`files/${formId}/${id}`, image, 'image/webp');
    const others = [
      path,
      `covers/${formId}/${id}`,
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
    for (const each of others) await expectRefused(formId, each);
    expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).body).toMatchObject({ title: 'Spring survey' });
  });

  test('is reported together with the other faults', async () => {
    const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
    const body = { coverImage: 'elsewhere', ...times };
    const pointers = await faultsOf(cast.bob, 'PATCH', `/api/forms/${await newDraft()}`, body);
    expect(pointers).toEqual(['/body/coverImage', '/body/deadline']);
  });
});
