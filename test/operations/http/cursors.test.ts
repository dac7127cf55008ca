/** Cursors: opaque, not to be changed, and good for their own list alone (contract section 1). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, draftForm, nextOf } from '#test/support/building.ts';
import { type Cast, newCast, newOrganization, type Person } from '#test/support/world.ts';

let cast: Cast;
let otherSlug: string;

beforeAll(async () => {
  cast = await newCast();
  const { alice, bob } = cast;
  otherSlug = (await newOrganization(alice, bob)).slug;
  for (const slug of [cast.slug, otherSlug]) {
    for (const title of ['one', 'two']) await draftForm(alice, slug, { title });
  }
});

/** The cursor with which a list of one a page goes on. */
async function cursorOf(who: Person, path: string): Promise<string> {
  const answer = await ask(who, 'GET', `${path}?limit=1`);
  const cursor = new URL(nextOf(answer.headers) ?? '/', 'http://local').searchParams.get('cursor');
  if (!cursor) throw new Error(`${path} has no further page: ${answer.status}`);
  return cursor;
}

const goOn = (who: Person, path: string, cursor: string) =>
  ask(who, 'GET', `${path}?limit=1&cursor=${encodeURIComponent(cursor)}`);
const refused = { status: 400, body: { title: 'Bad Request', errors: [{ pointer: '/query/cursor' }] } };

describe('a cursor', () => {
  test('goes on with its list, as often as it is used', async () => {
    const cursor = await cursorOf(cast.alice, '/api/orgs/me');
    const [once, again] = [
      await goOn(cast.alice, '/api/orgs/me', cursor),
      await goOn(cast.alice, '/api/orgs/me', cursor),
    ];
    expect(once.status).toBe(200);
    expect(once.body).toHaveLength(1);
    expect(again.body).toEqual(once.body);
  });

  test('tells nothing of what it holds', async () => {
    const path = `/api/orgs/${cast.slug}/members`;
    const cursor = await cursorOf(cast.alice, path);
    const shown = (await ask(cast.alice, 'GET', `${path}?limit=1`)).body[0].id;
    const readings = [cursor, ...cursor.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))];
    for (const reading of readings) {
      expect(reading).not.toContain(shown);
      expect(reading).not.toContain('MEMBER');
    }
  });

  test('of another list is 400', async () => {
    const forms = (slug: string): string => `/api/orgs/${slug}/forms`;
    const cursor = await cursorOf(cast.alice, forms(cast.slug));
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
      const cursor = await cursorOf(cast.alice, path);
      expect(await goOn(cast.bob, path, cursor), path).toMatchObject(refused);
    }
  });

  test('that was changed anywhere is 400', async () => {
    const path = '/api/orgs/me';
    const cursor = await cursorOf(cast.alice, path);
    const changed = [...cursor].map((letter, index) =>
      [cursor.slice(0, index), letter === 'A' ? 'B' : 'A', cursor.slice(index + 1)].join(''),
    );
    const more = [
      `${cursor}.x`,
      `${cursor}=`,
      `${cursor}A`,
      ` ${cursor}`,
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.slice(0, 20),
    ];
    for (const each of [...changed, ...more, 'nonsense', 'AAAA', '.', '%00']) {
      expect(await goOn(cast.alice, path, each), each).toMatchObject(refused);
    }
  });

  test('that is empty or too long is 400', async () => {
    for (const cursor of ['', 'x'.repeat(2_001)]) {
      expect(await goOn(cast.alice, '/api/orgs/me', cursor)).toMatchObject(refused);
    }
  });

  test('behind a form with the longest title still works', async () => {
    for (const title of ['😀'.repeat(200), '😁'.repeat(200), '😂'.repeat(200)]) {
      const { id: formId } = await draftForm(cast.alice, cast.slug, { title });
      await cast.alice.client.forms.publishForm({ params: { formId } });
    }
    const path = '/api/forms/me';
    const cursor = await cursorOf(cast.chelsea, path);
    expect(await goOn(cast.chelsea, path, cursor)).toMatchObject({ status: 200, body: [{ title: '😁'.repeat(200) }] });
  });
});
