/** A new form with a copy of the cover of another one. */
import { beforeAll, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { faultsOf, newKey, postWithKey, requestAs, settings } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { coveredForm, keptCovers, putCover, readCover, uploadImage } from '#test/support/covers.ts';
import { dyingAfter, withApp, withTable } from '#test/support/faults.ts';
import { whileWaiting } from '#test/support/files.ts';
import { type Cast, newCast, newOrganization } from '#test/support/fixtures.ts';
import { objectKeys } from '#test/support/stored.ts';
import { cleanUp } from '#test/support/sweeps.ts';
import { webp } from '#test/support/webp.ts';

let cast: Cast;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  path = `/api/orgs/${cast.slug}/forms`;
});
muteErrors();

const image = webp(30, 20);
const formIds = async (): Promise<string[]> =>
  (await requestAs(cast.bob, 'GET', path)).body.map(({ id }: { id: string }) => id);

test('a form may be created with the cover of another form of its organization, and gets its own copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const { status, body } = await requestAs(cast.bob, 'POST', path, settings({ coverImage: source.path }));
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { coverImage: expect.stringMatching(new RegExp(`^covers/${body.id}/[0-9a-f-]{36}$`)) },
  });
  const clear = { params: { formId: source.formId }, body: { coverImage: null } };
  await cast.alice.client.forms.updateForm(clear);
  expect(await keptCovers(body.id)).toEqual([body.coverImage]);
  const { bytes, image: shown } = await readCover(cast.bob, body.id);
  expect(bytes).toEqual(image);
  expect(shown?.headers.get('content-type')).toBe('image/webp');
});

test('the cover of a form of another organization is refused, also for a member of both', async () => {
  const { slug } = await newOrganization(cast.bob);
  const elsewhere = await coveredForm(cast.bob, slug, image);
  const before = await objectKeys();
  expect(await faultsOf(cast.bob, 'POST', path, settings({ coverImage: elsewhere.path }))).toEqual([
    '/body/coverImage',
  ]);
  expect(await objectKeys()).toEqual(before);
});

test('a path that no form of the organization has now is refused: replaced, only uploaded, of nothing, deleted', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  await uploadImage(cast.alice, source.formId, webp(8, 8));
  const uploaded = await putCover(cast.alice, source.formId, image);
  const deleted = await coveredForm(cast.alice, cast.slug, image);
  await cast.alice.client.forms.deleteForm({ params: { formId: deleted.formId } });
  // An object that the form names no more.
  await app().bucket.put(source.path, image, 'image/webp');
  const [before, forms] = [await objectKeys(), await formIds()];
  const id = crypto.randomUUID();
  const refused = [source.path, uploaded, `covers/${source.formId}/${id}`, `covers/${id}/${id}`, deleted.path];
  for (const coverImage of refused) {
    const { status, body } = await requestAs(cast.bob, 'POST', path, settings({ coverImage }));
    expect({ status, body }, coverImage).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining('of this organization') }] },
    });
  }
  expect(await objectKeys()).toEqual(before);
  expect(await formIds()).toEqual(forms);
});

test('a form that is refused for something else gets no copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
  const before = await objectKeys();
  expect(await faultsOf(cast.bob, 'POST', path, settings({ coverImage: source.path, ...times }))).toContain(
    '/body/deadline',
  );
  expect(await objectKeys()).toEqual(before);
});

test('a form whose organization is deleted meanwhile is 404, and its copy is removed', async () => {
  const { slug } = await newOrganization(cast.alice);
  const source = await coveredForm(cast.alice, slug, image);
  await cleanUp();
  const before = await objectKeys();
  const late = () => requestAs(cast.alice, 'POST', `/api/orgs/${slug}/forms`, settings({ coverImage: source.path }));
  const remove = () => cast.alice.client.orgs.deleteOrganization({ params: { slug } });
  expect((await whileWaiting('put', late, remove)).status).toBe(404);
  await cleanUp();
  expect(await objectKeys()).toEqual(before.filter((key) => key !== source.path));
});

test('a creation that died at any write is repeated for its key, with one form and one copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  for (const diesAfter of [0, 1]) {
    await cleanUp();
    const [key, body] = [newKey(), settings({ coverImage: source.path })];
    const [objects, forms] = [await objectKeys(), await formIds()];
    const create = () => postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, body);
    expect((await withTable(dyingAfter(diesAfter), create)).status).toBe(500);
    const { status, body: created } = await create();
    expect(status).toBe(201);
    const formId = created.id ?? '';
    expect((await formIds()).filter((id) => !forms.includes(id))).toEqual([formId]);
    const kept = await keptCovers(formId);
    expect((await objectKeys()).filter((each) => !objects.includes(each))).toEqual(kept);
    expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: image });
  }
});

test('a repeated creation returns the same form and makes no second copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const [key, body] = [newKey(), settings({ coverImage: source.path })];
  const first = await postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, body);
  const objects = await objectKeys();
  expect((await postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, body)).body).toEqual(first.body);
  expect(await objectKeys()).toEqual(objects);
});

test('what is no path of a cover is refused before storage is read', async () => {
  const refusing = async () => {
    throw new Error('storage was read');
  };
  const response = await withApp(
    ({ bucket, table }) => ({
      bucket: { ...bucket, inspect: refusing, put: refusing },
      table: { ...table, write: refusing },
    }),
    () =>
      requestAs(
        cast.bob,
        'POST',
        path,
        settings({ coverImage: `files/${crypto.randomUUID()}/${crypto.randomUUID()}` }),
      ),
  );
  expect(response.status).toBe(400);
});
