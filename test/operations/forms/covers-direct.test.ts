/** A cover uploaded straight to storage and set by PATCH. */
import { describe, expect, test } from 'vitest';
import { s3Bucket } from '#core/aws/s3-bucket.ts';
import { type App, app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { MAX_COVER_BYTES } from '#core/schema/limits.ts';
import { draftForm, readFaults, requestAs } from '#test/support/building.ts';
import { announceCover, coveredForm, keptCovers, putCover, putTo, readCover } from '#test/support/covers.ts';
import { withApp } from '#test/support/faults.ts';
import { newCast, newOrganization } from '#test/support/fixtures.ts';
import { startS3WithoutList } from '#test/support/s3-without-list.ts';
import { objectKeys } from '#test/support/stored.ts';
import { cleanUp } from '#test/support/sweeps.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();

const image = webp(30, 20);
const other = webp(8, 8);
const announcement = { contentType: 'image/webp', size: image.length, sha256: sha256(image, 'hex') };
/** Contradict each other. */
const TIMES = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
const coversOf = (formId: string) => objectKeys(`covers/${formId}/`);
const announce = (formId: string, body: object) => requestAs(cast.bob, 'POST', `/api/forms/${formId}/cover`, body);
const patch = (formId: string, body: object) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
const faultsOfPatch = (formId: string, body: object) => readFaults(cast.bob, 'PATCH', `/api/forms/${formId}`, body);
const newDraft = async (): Promise<string> => (await draftForm(cast.alice, cast.slug)).id;

describe('announcing a cover', () => {
  test('returns path, imageUrl and a PUT of exactly these bytes for half an hour; the form does not change', async () => {
    const formId = await newDraft();
    const { status, body, headers } = await withApp(
      () => ({ now: () => new Date('2026-05-01T12:00:00Z') }),
      () => announce(formId, announcement),
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

  test.for<[change: object, pointers: string[]]>([
    [{ size: MAX_COVER_BYTES }, []],
    [{ size: MAX_COVER_BYTES + 1 }, ['/body/size']],
    [{ size: 0 }, ['/body/size']],
    [{ size: 1.5 }, ['/body/size']],
    [{ contentType: 'image/png' }, ['/body/contentType']],
    [{ contentType: 'text/html', size: -1 }, ['/body/contentType', '/body/size']],
    [{ sha256: 'abc' }, ['/body/sha256']],
  ])('with %j has the faults %j', async ([change, pointers]) => {
    const { status, body } = await announce(await newDraft(), { ...announcement, ...change });
    expect(status).toBe(pointers.length === 0 ? 200 : 400);
    expect((body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers);
  });
});

test('storage accepts nothing but what was announced: not other bytes, another length, type or key', async () => {
  const formId = await newDraft();
  const { upload, path } = await announceCover(cast.bob, formId, image);
  const changed = Uint8Array.from(image, (byte, index) => (index === image.length - 1 ? byte ^ 1 : byte));
  const elsewhere = { ...upload, url: upload.url.replace(path, `covers/${formId}/${crypto.randomUUID()}`) };
  expect(await putTo(upload, changed)).toBe(400);
  expect(await putTo(upload, image.slice(1))).toBe(403);
  expect(await putTo(upload, image, { 'content-type': 'text/html' })).toBe(403);
  expect(await putTo(elsewhere, image)).toBe(403);
  expect(await coversOf(formId)).toEqual([]);
  expect(await putTo(upload, image)).toBe(200);
  expect(await coversOf(formId)).toEqual([path]);
});

describe('an uploaded image', () => {
  test('becomes the cover when its path is sent, and the one before is removed and refused from then on', async () => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, other);
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
    expect(await faultsOfPatch(formId, { coverImage: path })).toEqual(['/body/coverImage']);
    expect((await patch(formId, { coverImage: null })).body.coverImage).toBeNull();
    expect(await keptCovers(formId)).toEqual([]);
  });

  test('that is never used is removed after a day; a late upload of a removed cover too', async () => {
    const { formId } = await coveredForm(cast.alice, cast.slug, other);
    await putCover(cast.bob, formId, image);
    const { upload, path: late } = await announceCover(cast.bob, formId, image);
    expect(await coversOf(formId)).toHaveLength(2);
    expect(await putTo(upload, image)).toBe(200);
    for (const coverImage of [late, null]) await patch(formId, { coverImage });
    await cleanUp(1);
    expect(await putTo(upload, image)).toBe(200);
    expect(await keptCovers(formId)).toEqual([]);
  });

  const padded = (bytes: Uint8Array, size: number) => Uint8Array.from(Buffer.concat([bytes], size));
  test.for([
    ['a PNG', padded(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 1_000), 'WebP'],
    ['a page', Uint8Array.from(Buffer.from('<script>alert(1)</script>')), 'WebP'],
    ['too wide', webp(1_801, 1), '1800'],
    ['too high', webp(1, 1_801), '1800'],
    // Storage accepts only what was announced, and no more than this.
    ['too large', padded(image, MAX_COVER_BYTES + 1), '2 MB'],
  ] as const)('that is %s is refused with 400; the form keeps its cover', async ([, bytes, reason]) => {
    const { formId, path } = await coveredForm(cast.alice, cast.slug, image);
    const coverImage = await putCover(cast.bob, formId, image);
    await app().bucket.put(coverImage, bytes, 'image/webp');
    // It is not looked at while the same PATCH is refused for something else.
    expect(await faultsOfPatch(formId, { coverImage, ...TIMES })).toEqual(['/body/deadline']);
    const { status, body } = await patch(formId, { coverImage, title: 'Toads' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining(reason) }] },
    });
    expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).body).toMatchObject({ coverImage: path });
    expect(await keptCovers(formId)).toEqual([path]);
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

test('coverImage accepts no path of another form, without an upload, no URL, and nothing that leads elsewhere', async () => {
  const formId = await newDraft();
  const source = await coveredForm(cast.alice, cast.slug, image);
  const { slug } = await newOrganization(cast.bob);
  const elsewhere = await coveredForm(cast.bob, slug, image);
  const { path } = await announceCover(cast.bob, formId, image);
  const id = crypto.randomUUID();
  const uploaded = await putCover(cast.bob, formId, image);
  // An object that is not a cover.
  await app().bucket.put(`files/${formId}/${id}`, image, 'image/webp');
  const others = [
    source.path,
    await putCover(cast.alice, source.formId, other),
    elsewhere.path,
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
  for (const coverImage of others) {
    expect(await faultsOfPatch(formId, { coverImage, title: 'Toads' }), coverImage).toEqual(['/body/coverImage']);
  }
  expect(await faultsOfPatch(formId, { coverImage: 'elsewhere', ...TIMES })).toEqual([
    '/body/coverImage',
    '/body/deadline',
  ]);
  expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).body).toMatchObject({ title: 'Spring survey' });
  expect((await readCover(cast.bob, source.formId)).bytes).toEqual(image);
});
