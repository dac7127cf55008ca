/** A new form with a copy of the cover of another one. */
import { beforeAll, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { newKey, postWithKey, readFaults, requestAs, settings } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { coveredForm, keptCovers, putCover, readCover, uploadImage } from '#test/support/covers.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
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
const create = (body: object) => requestAs(cast.bob, 'POST', path, settings(body));
const formIds = async (): Promise<string[]> =>
  (await requestAs(cast.bob, 'GET', path)).body.map(({ id }: { id: string }) => id);
const newSource = () => coveredForm(cast.alice, cast.slug, image);
/** Everything that a refused creation must leave as it is. */
const stored = async () => [await objectKeys(), await formIds()];

test('a form may be created with the cover of another form of its organization, and gets its own copy', async () => {
  const source = await newSource();
  const { status, body } = await create({ coverImage: source.path });
  expect(status).toBe(201);
  expect(body.coverImage).toMatch(new RegExp(`^covers/${body.id}/[0-9a-f-]{36}$`));
  await cast.alice.client.forms.updateForm({ params: { formId: source.formId }, body: { coverImage: null } });
  expect(await keptCovers(body.id)).toEqual([body.coverImage]);
  const { bytes, image: shown } = await readCover(cast.bob, body.id);
  expect(bytes).toEqual(image);
  expect(shown?.headers.get('content-type')).toBe('image/webp');
});

test.for<[what: string, pathOf: () => Promise<string>]>([
  [
    'of another organization, also for a member of both',
    async () => (await coveredForm(cast.bob, (await newOrganization(cast.bob)).slug, image)).path,
  ],
  [
    'that was replaced, though its object is there',
    async () => {
      const source = await newSource();
      await uploadImage(cast.alice, source.formId, webp(8, 8));
      await app().bucket.put(source.path, image, 'image/webp');
      return source.path;
    },
  ],
  ['that was only uploaded', async () => putCover(cast.alice, (await newSource()).formId, image)],
  ['of nothing', async () => `covers/${(await newSource()).formId}/${crypto.randomUUID()}`],
  ['of no form', async () => `covers/${crypto.randomUUID()}/${crypto.randomUUID()}`],
  [
    'of a deleted form',
    async () => {
      const { formId, path: deleted } = await newSource();
      await cast.alice.client.forms.deleteForm({ params: { formId } });
      return deleted;
    },
  ],
  ['that is no cover', async () => `files/${crypto.randomUUID()}/${crypto.randomUUID()}`],
])('a path %s is refused: no form, no copy', async ([, pathOf]) => {
  const coverImage = await pathOf();
  const before = await stored();
  const { status, body } = await create({ coverImage });
  const detail = expect.stringContaining('of this organization');
  expect({ status, errors: body.errors }).toMatchObject({
    status: 400,
    errors: [{ pointer: '/body/coverImage', detail }],
  });
  expect(await stored()).toEqual(before);
});

test('a form that is refused for something else gets no copy', async () => {
  const { path: coverImage } = await newSource();
  const times = { publishTime: '2026-05-02T00:00:00Z', deadline: '2026-05-01T00:00:00Z' };
  const before = await stored();
  expect(await readFaults(cast.bob, 'POST', path, settings({ coverImage, ...times }))).toContain('/body/deadline');
  expect(await stored()).toEqual(before);
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

test.for([
  0,
  1,
  undefined,
])('a creation that died after %s writes is repeated for its key, with one form and one copy', async (writes) => {
  await cleanUp();
  const [key, body] = [newKey(), settings({ coverImage: (await newSource()).path })];
  const [objects, forms] = [await objectKeys(), await formIds()];
  const creation = () => postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, body);
  if (writes === undefined) expect((await creation()).status).toBe(201);
  else expect((await withTable(dyingAfter(writes), creation)).status).toBe(500);
  const { status, body: created } = await creation();
  expect(status).toBe(201);
  const formId = created.id ?? '';
  expect((await formIds()).filter((id) => !forms.includes(id))).toEqual([formId]);
  const kept = await keptCovers(formId);
  expect((await objectKeys()).filter((each) => !objects.includes(each))).toEqual(kept);
  expect(await readCover(cast.bob, formId)).toMatchObject({ status: 302, bytes: image });
});
