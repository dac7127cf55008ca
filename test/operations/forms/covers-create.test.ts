/** A new form with the cover of another one (contract section 4, "Cover": `coverImage` on create). */
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { WriteRefused } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { ask, faultsOf, settings } from '#test/support/building.ts';
import { coveredForm, putCover, readCover, uploadImage } from '#test/support/covers.ts';
import { dyingAfter, withApp, withTable } from '#test/support/faults.ts';
import { newKey, post } from '#test/support/keyed.ts';
import { objectKeys } from '#test/support/objects.ts';
import { webp } from '#test/support/webp.ts';
import { type Cast, newCast, newOrganization } from '#test/support/world.ts';

let cast: Cast;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  path = `/api/orgs/${cast.slug}/forms`;
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

const image = webp(30, 20);
const objectsOf = async (formId: string) => (await objectKeys()).filter((key) => key.includes(formId));
const formIds = async (): Promise<string[]> =>
  (await ask(cast.bob, 'GET', path)).body.map(({ id }: { id: string }) => id);

test('a form may be created with the cover of another form of its organization: it gets its own copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const { status, body } = await ask(cast.bob, 'POST', path, settings({ coverImage: source.path }));
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { coverImage: expect.stringMatching(new RegExp(`^covers/${body.id}/[0-9a-f-]{36}$`)) },
  });
  expect(await objectsOf(body.id)).toEqual([body.coverImage]);
  expect(await objectsOf(source.formId)).toEqual([source.path]);
  const clear = { params: { formId: source.formId }, body: { coverImage: null } };
  await cast.alice.client.forms.updateForm(clear);
  const { bytes, image: shown } = await readCover(cast.bob, body.id);
  expect(bytes).toEqual(image);
  expect(shown?.headers.get('content-type')).toBe('image/webp');
});

test('the cover of a form of another organization is refused, also to who is a member of both', async () => {
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
  // It was left behind: what counts is what the form names.
  await app().bucket.put(source.path, image, 'image/webp');
  const [before, forms] = [await objectKeys(), await formIds()];
  const id = crypto.randomUUID();
  const refused = [source.path, uploaded, `covers/${source.formId}/${id}`, `covers/${id}/${id}`, deleted.path];
  for (const coverImage of refused) {
    const { status, body } = await ask(cast.bob, 'POST', path, settings({ coverImage }));
    expect({ status, body }, coverImage).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/coverImage', detail: expect.stringContaining('of this organization') }] },
    });
  }
  expect(await objectKeys()).toEqual(before);
  expect(await formIds()).toEqual(forms);
});

test('a form that is refused for something else gets no copy; both faults are told where both are plain', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
  const before = await objectKeys();
  const faults = (coverImage: string) => faultsOf(cast.bob, 'POST', path, settings({ coverImage, ...times }));
  expect(await faults(source.path)).toEqual(['/body/deadline']);
  expect(await faults('elsewhere')).toEqual(['/body/coverImage', '/body/deadline']);
  expect(await objectKeys()).toEqual(before);
});

test('a form whose organization goes meanwhile is 404 and leaves no copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const before = await objectKeys();
  const refused = await withTable(
    () => ({
      write: async (writes) => {
        expect(writes).toContainEqual(expect.objectContaining({ check: keys.organization(cast.orgId) }));
        throw new WriteRefused(2, undefined);
      },
    }),
    () => ask(cast.bob, 'POST', path, settings({ coverImage: source.path })),
  );
  expect(refused.status).toBe(404);
  expect(await objectKeys()).toEqual(before);
});

test('a creation that died is repeated for its key with the same form and the same copy, although the source has no cover any more', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const clear = { params: { formId: source.formId }, body: { coverImage: null } };
  for (const diesAfter of [1, 2]) {
    const again = (await uploadImage(cast.alice, source.formId, image)).body.path;
    const [key, body] = [newKey(), settings({ coverImage: again })];
    const [objects, forms] = [await objectKeys(), await formIds()];
    const create = () => post(cast.bob, `/orgs/${cast.slug}/forms`, key, body);
    expect((await withTable(dyingAfter(diesAfter), create)).status).toBe(500);
    await cast.alice.client.forms.updateForm(clear);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const made = await create().finally(() => vi.useRealTimers());
    expect(made.status).toBe(201);
    const formId = made.body.id ?? '';
    expect((await formIds()).filter((id) => !forms.includes(id))).toEqual([formId]);
    expect((await objectKeys()).filter((each) => !objects.includes(each))).toEqual(await objectsOf(formId));
    expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: image });
  }
});

test('a repeated creation answers the same form and makes no second copy', async () => {
  const source = await coveredForm(cast.alice, cast.slug, image);
  const [key, body] = [newKey(), settings({ coverImage: source.path })];
  const first = await post(cast.bob, `/orgs/${cast.slug}/forms`, key, body);
  const objects = await objectKeys();
  expect((await post(cast.bob, `/orgs/${cast.slug}/forms`, key, body)).body).toEqual(first.body);
  expect(await objectKeys()).toEqual(objects);
});

test('what is no path of a cover is refused before storage is asked', async () => {
  const refusing = async () => {
    throw new Error('storage was asked');
  };
  const answer = await withApp(
    ({ bucket, table }) => ({
      bucket: { ...bucket, inspect: refusing, copy: refusing },
      table: { ...table, write: refusing },
    }),
    () => ask(cast.bob, 'POST', path, settings({ coverImage: `files/${crypto.randomUUID()}/${crypto.randomUUID()}` })),
  );
  expect(answer.status).toBe(400);
});
