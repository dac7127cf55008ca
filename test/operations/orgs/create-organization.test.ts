/** Creating and reading organizations (contract section 3). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, faultsOf } from '#test/support/building.ts';
import { withConfig } from '#test/support/faults.ts';
import { type Cast, newCast, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const newSlug = (): string => `s-${crypto.randomUUID()}`;
const input = (more: Record<string, unknown> = {}) => ({
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug: newSlug(),
  ...more,
});

type Input = Parameters<Cast['alice']['client']['orgs']['createOrganization']>[0]['body'];

const create = async (body: Input, who = cast.alice) => (await who.client.orgs.createOrganization({ body })).body;
const get = async (slug: string, who = cast.chelsea) =>
  (await who.client.orgs.getOrganization({ params: { slug } })).body;
const faults = (body: unknown) => faultsOf(cast.alice, 'POST', '/api/orgs', body);

describe('creating an organization', () => {
  test('answers 201 with all of its fields, and its creator becomes its admin', async () => {
    const body = input();
    const answer = await cast.dave.client.orgs.createOrganization({ body });
    expect(answer.status).toBe(201);
    const { id, createdAt, updatedAt } = answer.body;
    expect(answer.body).toEqual({ id, ...body, createdAt, updatedAt });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(updatedAt).toBe(createdAt);
    const members = await cast.dave.client.orgs.listMembers({ params: { slug: body.slug } });
    expect(members.body.map((member) => member.id)).toEqual([cast.dave.id]);
    const changed = await cast.dave.client.orgs.updateOrganization({ params: { slug: body.slug }, body });
    expect(changed.status).toBe(200);
  });

  test('needs all of name, description, metadata and slug, and says so of all of them at once', async () => {
    const all = ['/body/description', '/body/metadata', '/body/name', '/body/slug'];
    expect(await faults({})).toEqual(all);
    expect(await faults({ name: null, description: null, metadata: null, slug: null })).toEqual(all);
    expect(await faults({ name: 1, description: 2, metadata: 'x', slug: ['a'] })).toEqual(all);
    for (const name of ['name', 'description', 'metadata', 'slug']) {
      expect(await faults(input({ [name]: undefined }))).toEqual([`/body/${name}`]);
    }
  });

  test('says what is wrong with each field in the problem of a bad body', async () => {
    const answer = await ask(cast.alice, 'POST', '/api/orgs', { slug: 'no spaces', name: '', metadata: {} });
    expect(answer.body).toMatchObject({
      status: 400,
      title: 'Bad Request',
      detail: 'The request body contains invalid data',
      instance: '/api/orgs',
    });
    expect(answer.body.errors).toContainEqual({ pointer: '/body/description', detail: 'is required' });
    expect(answer.body.errors).toContainEqual({ pointer: '/body/name', detail: 'must be 1 to 255 characters' });
  });

  test('ignores members that it does not know', async () => {
    const body = input({ id: 'mine', createdAt: '2000-01-01T00:00:00Z', version: 9 });
    const answer = await ask(cast.alice, 'POST', '/api/orgs', body);
    expect(answer.status).toBe(201);
    expect(answer.body.id).not.toBe('mine');
    expect(answer.body).not.toHaveProperty('version');
  });

  test.for([
    ['a name of 255 characters, counted as characters', { name: '😀'.repeat(255) }],
    ['a name of one character', { name: '水' }],
    ['an empty description', { description: '' }],
    ['a description of 2,000 characters, counted as characters', { description: '𝒳'.repeat(2_000) }],
  ] as const)('takes %s and keeps it', async ([, more]) => {
    const body = { ...input(), ...more };
    await create(body);
    expect(await get(body.slug)).toMatchObject(body);
  });

  test.for([
    ['an empty name', { name: '' }, '/body/name'],
    ['a name of 256 characters', { name: 'ä'.repeat(256) }, '/body/name'],
    ['a description of 2,001 characters', { description: '😀'.repeat(2_001) }, '/body/description'],
    ['half of a surrogate pair in the name', { name: 'half \ud83d' }, '/body/name'],
  ] as const)('refuses %s', async ([, more, pointer]) => {
    expect(await faults(input(more))).toEqual([pointer]);
  });

  test('until the configuration gives it to operators alone is for every onboarded user', async () => {
    await withConfig({ createOrganizations: 'operators' }, async () => {
      expect(await problemOf(create(input()))).toMatchObject({ status: 403, title: 'Forbidden' });
      const body = input();
      expect(await create(body, cast.oscar)).toMatchObject(body);
    });
  });

  test('signed out is 401, whatever the body', async () => {
    expect((await ask(undefined, 'POST', '/api/orgs', {})).status).toBe(401);
  });
});

describe('a slug', () => {
  test.for(['a', 'A-Z_9', '-', '___', 'x'.repeat(64), 'Me', 'RELATIONS'])('may be %j', async (slug) => {
    expect((await create(input({ slug }) as Input)).slug).toBe(slug);
    expect((await get(slug)).slug).toBe(slug);
  });

  test.for([
    '',
    'x'.repeat(65),
    'two words',
    'dot.ted',
    'sl/ash',
    'ümlaut',
    '水',
    'new\nline',
    'me',
    'relations',
  ])('may not be %j', async (slug) => {
    expect(await faults(input({ slug }))).toContain('/body/slug');
  });

  test('in use is 409, and the organization that uses it stays as it is', async () => {
    const body = input();
    const first = await create(body);
    const second = create({ ...body, name: 'Another' }, cast.bob);
    expect(await problemOf(second)).toMatchObject({
      status: 409,
      title: 'Conflict',
      code: 'slug_taken',
      errors: [{ pointer: '/body/slug' }],
    });
    expect(await get(body.slug)).toEqual(first);
  });

  test('keeps its case, and case tells slugs apart', async () => {
    const slug = `Case-${crypto.randomUUID()}`;
    const [mixed, lower] = [
      await create(input({ slug }) as Input),
      await create(input({ slug: slug.toLowerCase() }) as Input),
    ];
    expect((await get(slug)).id).toBe(mixed.id);
    expect((await get(slug.toLowerCase())).id).toBe(lower.id);
    expect(await problemOf(get(slug.toUpperCase()))).toMatchObject({ status: 404 });
  });

  test('goes to exactly one of many who want it at once, and the others make nothing', async () => {
    const body = input();
    const people = [cast.alice, cast.bob, cast.chelsea, cast.dave, cast.erin, cast.alice];
    const outcomes = await Promise.allSettled(people.map((who) => create(body, who)));
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(losers).toHaveLength(people.length - 1);
    for (const { reason } of losers) expect(reason).toMatchObject({ status: 409 });
    const members = await Promise.all(
      people.slice(0, 5).map(async ({ client }) => {
        const mine = (await client.orgs.listMyOrganizations()).body;
        return mine.filter(({ slug }) => slug === body.slug).length;
      }),
    );
    expect(members.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});

describe('metadata', () => {
  const nested = {
    contact: { e_mail: 'rivers@example.org', phones: ['+49 1', null, { ext: 7 }] },
    deep: { a: { b: { c: { d: [[[['deep']]]] } } } },
    empty: {},
    none: null,
    list: [],
    flags: [true, false],
    number: -1.5e-7,
    text: 'quotes " and \\ and \u0000 and \u2028 and 水 and 😀',
    'odd key.with/dots~': 1,
    constructor: 'fine',
    '': 'the empty key',
  };

  test('is kept exactly as it was sent, nested values included', async () => {
    const created = await create(input({ metadata: nested }) as Input);
    expect(created.metadata).toEqual(nested);
    expect((await get(created.slug)).metadata).toEqual(nested);
  });

  test('may nest deeper than a table’s maps can', async () => {
    const metadata = JSON.parse(`{"a":${'['.repeat(60)}1${']'.repeat(60)}}`);
    const created = await create(input({ metadata }) as Input);
    expect((await get(created.slug)).metadata).toEqual(metadata);
  });

  test('may have 8 KB of JSON and not one byte more', async () => {
    const bytes = (metadata: object) => Buffer.byteLength(JSON.stringify(metadata));
    const fits = { text: '水'.repeat(2_700), pad: '' };
    fits.pad = 'x'.repeat(8_192 - bytes(fits));
    expect(bytes(fits)).toBe(8_192);
    expect((await create(input({ metadata: fits }) as Input)).metadata).toEqual(fits);
    expect(await faults(input({ metadata: { ...fits, pad: `${fits.pad}x` } }))).toEqual(['/body/metadata']);
  });

  test.for([[], 'text', 7, true])('must be an object: %j is refused', async (metadata) => {
    expect(await faults(input({ metadata }))).toEqual(['/body/metadata']);
  });

  test('with the key __proto__ is refused', async () => {
    const { metadata: _left, ...rest } = input();
    const body = JSON.stringify(rest).replace(/}$/, ',"metadata":{"a":{"__proto__":{"admin":true}}}}');
    expect(await faults(JSON.parse(body))).toEqual(['/body']);
  });
});

describe('getting an organization', () => {
  test('answers it to every signed-in user', async () => {
    const created = await create(input());
    for (const who of [cast.alice, cast.chelsea, cast.oscar]) expect(await get(created.slug, who)).toEqual(created);
  });

  test('answers 404 for a slug that nobody uses', async () => {
    expect(await problemOf(get(newSlug()))).toMatchObject({
      status: 404,
      title: 'Not Found',
      detail: 'The requested resource was not found',
    });
  });

  test.for([
    'two%20words',
    'x'.repeat(65),
    'a%2Fb',
    'relations',
  ])('answers 400 for %s, which cannot be a slug', async (slug) => {
    const answer = await ask(cast.alice, 'GET', `/api/orgs/${slug}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/path/slug' }] } });
  });

  test('signed out is 401', async () => {
    expect((await ask(undefined, 'GET', `/api/orgs/${cast.slug}`)).status).toBe(401);
  });
});
