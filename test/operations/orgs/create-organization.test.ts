/** Creating and reading organizations. */
import { describe, expect, test } from 'vitest';
import { readFaults, requestAs } from '#test/support/building.ts';
import { withConfig } from '#test/support/faults.ts';
import { type Cast, expectProblem, newCast } from '#test/support/fixtures.ts';

const cast = await newCast();

const newSlug = (): string => `s-${crypto.randomUUID()}`;
const input = <T extends Record<string, unknown>>(more?: T) => ({
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' } as Record<string, unknown>,
  slug: newSlug(),
  ...more,
});

type Input = Parameters<Cast['alice']['client']['orgs']['createOrganization']>[0]['body'];

const create = async (body: Input, who = cast.alice) => (await who.client.orgs.createOrganization({ body })).body;
const get = async (slug: string, who = cast.chelsea) =>
  (await who.client.orgs.getOrganization({ params: { slug } })).body;
const faults = (body: unknown) => readFaults(cast.alice, 'POST', '/api/orgs', body);

describe('creating an organization', () => {
  test('returns 201 with all of its fields, and its creator becomes its admin', async () => {
    const body = input();
    const created = await cast.dave.client.orgs.createOrganization({ body });
    expect(created.status).toBe(201);
    const { id, createdAt, updatedAt } = created.body;
    expect(created.body).toEqual({ id, ...body, createdAt, updatedAt });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(updatedAt).toBe(createdAt);
    const params = { slug: body.slug };
    const members = await cast.dave.client.orgs.listMembers({ params });
    expect(members.body.map((member) => member.id)).toEqual([cast.dave.id]);
    expect((await cast.dave.client.orgs.updateOrganization({ params, body })).status).toBe(200);
  });

  test('needs all of name, description, metadata and slug, and reports all faults at once', async () => {
    const all = ['/body/description', '/body/metadata', '/body/name', '/body/slug'];
    expect(await faults({})).toEqual(all);
    expect(await faults({ name: null, description: null, metadata: null, slug: null })).toEqual(all);
    expect(await faults({ name: 1, description: 2, metadata: 'x', slug: ['a'] })).toEqual(all);
    for (const name of ['name', 'description', 'metadata', 'slug']) {
      expect(await faults(input({ [name]: undefined }))).toEqual([`/body/${name}`]);
    }
  });

  test('says what is wrong with each field', async () => {
    const result = await requestAs(cast.alice, 'POST', '/api/orgs', { slug: 'no spaces', name: '', metadata: {} });
    expect(result.body).toMatchObject({
      status: 400,
      title: 'Bad Request',
      detail: 'The request body contains invalid data',
      instance: '/api/orgs',
    });
    expect(result.body.errors).toContainEqual({ pointer: '/body/description', detail: 'is required' });
    expect(result.body.errors).toContainEqual({ pointer: '/body/name', detail: 'must be 1 to 255 characters' });
  });

  test('ignores unknown members', async () => {
    const body = input({ id: 'mine', createdAt: '2000-01-01T00:00:00Z', version: 9 });
    const result = await requestAs(cast.alice, 'POST', '/api/orgs', body);
    expect(result.status).toBe(201);
    expect(result.body.id).not.toBe('mine');
    expect(result.body).not.toHaveProperty('version');
  });

  test('counts lengths in characters: a name of 1 to 255, a description of up to 2,000', async () => {
    for (const more of [
      { name: '😀'.repeat(255), description: '𝒳'.repeat(2_000) },
      { name: '水', description: '' },
    ]) {
      const body = input(more);
      await create(body);
      expect(await get(body.slug)).toMatchObject(body);
    }
    expect(await faults(input({ name: '' }))).toEqual(['/body/name']);
    expect(await faults(input({ name: 'ä'.repeat(256) }))).toEqual(['/body/name']);
    expect(await faults(input({ description: '😀'.repeat(2_001) }))).toEqual(['/body/description']);
  });

  test('refuses half of a surrogate pair', async () => {
    expect(await faults(input({ name: 'half \ud83d' }))).toEqual(['/body/name']);
  });

  test('is for every onboarded user, or by configuration for operators only', async () => {
    await withConfig({ createOrganizations: 'operators' }, async () => {
      expect(await expectProblem(create(input()))).toMatchObject({ status: 403, title: 'Forbidden' });
      const body = input();
      expect(await create(body, cast.oscar)).toMatchObject(body);
    });
  });

  test('signed out is 401, whatever the body', async () => {
    expect((await requestAs(undefined, 'POST', '/api/orgs', {})).status).toBe(401);
  });
});

describe('a slug', () => {
  test('has 1 to 64 of the characters A-Z a-z 0-9 _ -', async () => {
    for (const slug of ['a', 'A-Z_9', '-', '___', 'x'.repeat(64), 'Me', 'RELATIONS']) {
      expect((await create(input({ slug }))).slug).toBe(slug);
      expect((await get(slug)).slug).toBe(slug);
    }
    for (const slug of ['', 'x'.repeat(65), 'two words', 'dot.ted', 'sl/ash', 'ümlaut', '水', 'new\nline']) {
      expect(await faults(input({ slug }))).toContain('/body/slug');
    }
  });

  test.for(['me', 'relations'])('may not be %s, a word of the paths', async (slug) => {
    expect(await faults(input({ slug }))).toEqual(['/body/slug']);
  });

  test('in use is 409, and the organization that uses it stays as it is', async () => {
    const body = input();
    const first = await create(body);
    expect(await expectProblem(create({ ...body, name: 'Another' }, cast.bob))).toMatchObject({
      status: 409,
      title: 'Conflict',
      code: 'slug_taken',
      errors: [{ pointer: '/body/slug' }],
    });
    expect(await get(body.slug)).toEqual(first);
  });

  test('keeps its case, and case makes another slug', async () => {
    const slug = `Case-${crypto.randomUUID()}`;
    const mixed = await create(input({ slug }));
    const lower = await create(input({ slug: slug.toLowerCase() }));
    expect((await get(slug)).id).toBe(mixed.id);
    expect((await get(slug.toLowerCase())).id).toBe(lower.id);
    expect(await expectProblem(get(slug.toUpperCase()))).toMatchObject({ status: 404 });
  });

  test('goes to exactly one of many requests at the same time, and the others create nothing', async () => {
    const body = input();
    const people = [cast.alice, cast.bob, cast.chelsea, cast.dave, cast.erin];
    const outcomes = await Promise.allSettled(people.map((who) => create(body, who)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.problem.status)).toEqual([409, 409, 409, 409]);
    const lists = await Promise.all(people.map(({ client }) => client.orgs.listMyOrganizations()));
    expect(lists.flatMap((list) => list.body).filter(({ slug }) => slug === body.slug)).toHaveLength(1);
  });
});

describe('metadata', () => {
  test('is kept exactly as sent, however deep', async () => {
    const metadata = {
      contact: { e_mail: 'rivers@example.org', phones: ['+49 1', null, { ext: 7 }] },
      // Deeper than the 32 levels of a DynamoDB map.
      deep: JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`),
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
    const created = await create(input({ metadata }));
    expect(created.metadata).toEqual(metadata);
    expect((await get(created.slug)).metadata).toEqual(metadata);
  });

  test('may have 8 KB of JSON and not one byte more', async () => {
    const bytes = (metadata: object) => Buffer.byteLength(JSON.stringify(metadata));
    const fits = { text: '水'.repeat(2_700), pad: '' };
    fits.pad = 'x'.repeat(8_192 - bytes(fits));
    expect(bytes(fits)).toBe(8_192);
    expect((await create(input({ metadata: fits }))).metadata).toEqual(fits);
    expect(await faults(input({ metadata: { ...fits, pad: `${fits.pad}x` } }))).toEqual(['/body/metadata']);
  });

  test('must be an object, without the key __proto__', async () => {
    for (const metadata of [[], 'text', 7, true]) expect(await faults(input({ metadata }))).toEqual(['/body/metadata']);
    const { metadata: _, ...rest } = input();
    const body = JSON.stringify(rest).replace(/}$/, ',"metadata":{"a":{"__proto__":{"admin":true}}}}');
    expect(await faults(JSON.parse(body))).toEqual(['/body']);
  });
});

describe('getting an organization', () => {
  test('shows it to every signed-in user; signed out is 401', async () => {
    const created = await create(input());
    for (const who of [cast.alice, cast.chelsea, cast.oscar]) expect(await get(created.slug, who)).toEqual(created);
    expect((await requestAs(undefined, 'GET', `/api/orgs/${created.slug}`)).status).toBe(401);
  });

  test('is 404 for a slug that nobody uses', async () => {
    expect(await expectProblem(get(newSlug()))).toMatchObject({
      status: 404,
      title: 'Not Found',
      detail: 'The requested resource was not found',
    });
  });

  test('is 400 for what cannot be a slug', async () => {
    for (const slug of ['two%20words', 'x'.repeat(65), 'a%2Fb', 'relations']) {
      expect(await requestAs(cast.alice, 'GET', `/api/orgs/${slug}`)).toMatchObject({
        status: 400,
        body: {
          errors: [{ pointer: '/path/slug', detail: expect.stringMatching(/^(?:must be 1 to 64|is reserved)/) }],
        },
      });
    }
  });
});
