/** Cursors: opaque, bound to their list, and granting nothing: whatever is sent as one shows only that list. */
import { beforeAll, describe, expect, test } from 'vitest';
import { draftForm, nextOf, readPages, requestAs } from '#test/support/building.ts';
import { type Cast, newOrganization, type Person } from '#test/support/fixtures.ts';
import { newScene, type Scene } from '#test/support/scene.ts';

let scene: Scene;
let cast: Cast;
let otherSlug: string;

beforeAll(async () => {
  scene = await newScene();
  cast = scene.cast;
  const { alice, bob } = cast;
  otherSlug = (await newOrganization(alice, bob)).slug;
  for (const title of ['one', 'two']) await draftForm(alice, otherSlug, { title });
});

/** Lists with more than one entry, and who reads them. */
const LISTS = [
  ['alice', '/api/orgs'],
  ['alice', '/api/orgs/me'],
  ['alice', '/api/orgs/{slug}/members'],
  ['alice', '/api/orgs/{slug}/forms'],
  ['alice', '/api/forms'],
  ['dave', '/api/forms/me'],
  ['dave', '/api/files/me'],
  ['alice', '/api/forms/{formId}/responses'],
  ['dave', '/api/forms/{formId}/responses/me'],
] as const;

const pathOf = (path: string): string =>
  path.replace('{slug}', cast.slug).replace('{formId}', scene.own.PUBLISHED.formId);

/** The cursor that continues a list after its first entry. */
async function readCursor(who: Person, path: string): Promise<string> {
  const { status, headers, body } = await requestAs(who, 'GET', `${path}?limit=1`);
  const cursor = new URL(nextOf(headers) ?? '/', 'http://local').searchParams.get('cursor') ?? body.nextCursor;
  if (!cursor) throw new Error(`${path} has no further page: ${status}`);
  return cursor;
}

const goOn = (who: Person, path: string, cursor: string) =>
  requestAs(who, 'GET', `${path}?limit=1&cursor=${encodeURIComponent(cursor)}`);

/** The entries of a page, as texts. */
const entriesOf = (body: object): string[] => {
  const entries: unknown = Array.isArray(body) ? body : Object.values(body).find(Array.isArray);
  return Array.isArray(entries) ? entries.map((entry) => JSON.stringify(entry)) : [];
};
const refused = { status: 400, body: { title: 'Bad Request', errors: [{ pointer: '/query/cursor' }] } };

describe('a cursor', () => {
  test('continues its list, as often as it is used', async () => {
    const cursor = await readCursor(cast.alice, '/api/orgs/me');
    const [once, again] = [
      await goOn(cast.alice, '/api/orgs/me', cursor),
      await goOn(cast.alice, '/api/orgs/me', cursor),
    ];
    expect(once.status).toBe(200);
    expect(once.body).toHaveLength(1);
    expect(again.body).toEqual(once.body);
  });

  test('of another list is 400', async () => {
    const forms = (slug: string): string => `/api/orgs/${slug}/forms`;
    const cursor = await readCursor(cast.alice, forms(cast.slug));
    for (const path of [
      forms(otherSlug),
      `/api/orgs/${cast.slug}/members`,
      '/api/orgs/me',
      '/api/forms',
      '/api/forms/me',
    ]) {
      expect(await goOn(cast.alice, path, cursor), path).toMatchObject(refused);
    }
    expect((await goOn(cast.alice, forms(cast.slug), cursor)).status).toBe(200);
  });

  test('of another user’s list is 400', async () => {
    for (const path of ['/api/orgs/me', '/api/forms']) {
      const cursor = await readCursor(cast.alice, path);
      expect(await goOn(cast.bob, path, cursor), path).toMatchObject(refused);
    }
  });

  test.for(LISTS)('that is not one of the list is 400: %s, %s', async ([name, path]) => {
    const who = cast[name];
    const cursor = await readCursor(who, pathOf(path));
    const long = Buffer.concat([Buffer.from(cursor, 'base64url').subarray(0, 9), Buffer.alloc(1_025, 'x')]);
    const broken = [
      `${cursor}=`,
      ` ${cursor}`,
      cursor.slice(1),
      `${cursor.startsWith('B') ? 'C' : 'B'}${cursor.slice(1)}`,
      cursor.slice(0, 12),
      '+/+/',
    ];
    for (const each of [...broken, '', 'nonsense', 'AAAA', '.', '%00', 'x'.repeat(2_001), long.toString('base64url')]) {
      expect(await goOn(who, pathOf(path), each), each).toMatchObject(refused);
    }
  });

  test.for(LISTS)('with a forged position shows only entries of the list, or is 400: %s, %s', async ([name, path]) => {
    const who = cast[name];
    const hash = Buffer.from(await readCursor(who, pathOf(path)), 'base64url').subarray(0, 9);
    const all = entriesOf((await requestAs(who, 'GET', `${pathOf(path)}?limit=100`)).body);
    for (const position of [
      '~',
      '!',
      'x',
      '\u{10ffff}',
      '9999-12-31',
      'MEMBER#',
      'a#b#c#d',
      '\u0000',
      'ü'.repeat(500),
    ]) {
      const response = await goOn(
        who,
        pathOf(path),
        Buffer.concat([hash, Buffer.from(position)]).toString('base64url'),
      );
      expect([200, 400], `${position}: ${JSON.stringify(response.body)}`).toContain(response.status);
      if (response.status === 200) expect(all, position).toEqual(expect.arrayContaining(entriesOf(response.body)));
    }
  });

  test('after a form with the longest title continues', async () => {
    const formIds: string[] = [];
    for (const title of ['😀'.repeat(200), '😁'.repeat(200), '😂'.repeat(200)]) {
      const { id: formId } = await draftForm(cast.alice, otherSlug, { title });
      await cast.alice.client.forms.publishForm({ params: { formId } });
      formIds.push(formId);
    }
    const pages = await readPages(cast.chelsea, '/api/forms/me?limit=1');
    expect(pages.flat().filter((id) => formIds.includes(id))).toEqual(formIds);
  });
});
