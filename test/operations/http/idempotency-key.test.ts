/** Idempotency-Key: a request that is repeated makes nothing a second time (contract section 1). */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { rolesOf } from '#core/accounts/model.ts';
import { app } from '#core/http/app.ts';
import { ask, openForm, settings } from '#test/support/building.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { newKey, newSlug, organization, post, replayed } from '#test/support/keyed.ts';
import { type Cast, newCast, type Person, person, problemOf, send } from '#test/support/world.ts';

const HOUR = 60 * 60_000;

let cast: Cast;
let openFormId: string;
beforeAll(async () => {
  cast = await newCast();
  openFormId = (await openForm(cast.alice, cast.slug)).id;
});
beforeEach(() => {
  // Runs that die on purpose are logged as the defects that they look like.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A member of the cast's organization who has made nothing yet. */
async function newMaker(): Promise<Person> {
  const maker = await person('maker');
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: maker.email } });
  return maker;
}

/** How many responses to the open form somebody has. */
const responsesOf = async ({ client }: Person): Promise<number> =>
  (await client.responses.listMyResponses({ params: { formId: openFormId } })).body.totalCount;

/** Operations that make something, each with how many of it a maker has. */
const CREATIONS = [
  {
    name: 'creating an organization',
    prepare: (who: Person, key: string) => {
      const body = organization();
      return () => post(who, '/orgs', key, body);
    },
    count: async ({ client }: Person) => (await client.orgs.listMyOrganizations()).body.length - 1,
  },
  {
    name: 'creating a form',
    prepare: (who: Person, key: string) => () => post(who, `/orgs/${cast.slug}/forms`, key, settings()),
    count: async ({ client, id }: Person) => {
      const forms = (await client.forms.listOrganizationForms({ params: { slug: cast.slug } })).body;
      return forms.filter(({ creator }) => creator.id === id).length;
    },
  },
  {
    name: 'starting a response',
    prepare: (who: Person, key: string) => () => post(who, `/forms/${openFormId}/responses`, key),
    count: responsesOf,
  },
];

describe.for(CREATIONS)('$name', ({ prepare, count }) => {
  test('again with the same key and body replays the first answer and makes nothing', async () => {
    const who = await newMaker();
    const make = prepare(who, newKey());
    const [first, again] = [await make(), await make()];
    expect([first.status, replayed(first)]).toEqual([201, false]);
    expect([again.status, replayed(again)]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await count(who)).toBe(1);
  });

  test('16 times at once with the same key makes one', async () => {
    const who = await newMaker();
    const make = prepare(who, newKey());
    const answers = await Promise.all(Array.from({ length: 16 }, make));
    const good = answers.filter(({ status }) => status === 201);
    expect(new Set(good.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_progress' } });
    }
    expect(await count(who)).toBe(1);
  });

  test('whose first run died after its write is taken over after 60 seconds, and makes no second one', async () => {
    const who = await newMaker();
    const make = prepare(who, newKey());
    // The claim of the key and the thing itself are written; the answer is not.
    expect((await withTable(dyingAfter(2), make)).status).toBe(500);
    expect(await count(who)).toBe(1);
    expect(await make()).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_progress' } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 45_000 });
    expect((await make()).status).toBe(409);
    vi.setSystemTime(Date.now() + 16_000);
    const taken = await make();
    expect([taken.status, replayed(taken)]).toEqual([201, false]);
    expect(await count(who)).toBe(1);
    const again = await make();
    expect([again.status, replayed(again), again.body]).toEqual([201, true, taken.body]);
  });

  test('whose first run died before its write is taken over after 60 seconds', async () => {
    const who = await newMaker();
    const make = prepare(who, newKey());
    expect((await withTable(dyingAfter(1), make)).status).toBe(500);
    expect(await count(who)).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect((await make()).status).toBe(201);
    expect(await count(who)).toBe(1);
  });
});

describe('a key', () => {
  test('with another body is 409, and that body makes nothing', async () => {
    const [key, slug] = [newKey(), newSlug()];
    await post(cast.alice, '/orgs', key, organization());
    const other = await post(cast.alice, '/orgs', key, organization(slug));
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused', title: 'Conflict' } });
    expect((await ask(cast.alice, 'GET', `/api/orgs/${slug}`)).status).toBe(404);
  });

  test('with the same body written in another order and with unknown members is the same request', async () => {
    const [key, body] = [newKey(), organization()];
    const first = await post(cast.alice, '/orgs', key, body);
    const { name, ...rest } = body;
    const again = await post(cast.alice, '/orgs', key, { ...rest, unknown: true, name });
    expect([again.status, replayed(again), again.body]).toEqual([201, true, first.body]);
  });

  test('used for another operation or another path is 409', async () => {
    const key = newKey();
    await post(cast.alice, '/orgs', key, organization());
    const onForm = await post(cast.alice, `/forms/${openFormId}/responses`, key);
    expect(onForm).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const second = newKey();
    const otherForm = (await openForm(cast.alice, cast.slug)).id;
    await post(cast.alice, `/forms/${openFormId}/responses`, second);
    expect((await post(cast.alice, `/forms/${otherForm}/responses`, second)).status).toBe(409);
  });

  test('belongs to its user: the same key of another user is another key', async () => {
    const key = newKey();
    const mine = await post(cast.alice, '/orgs', key, organization());
    const theirs = await post(cast.bob, '/orgs', key, organization());
    expect([mine.status, theirs.status, replayed(theirs)]).toEqual([201, 201, false]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  test.for([1, 255])('may have %i characters', async (length) => {
    const key = crypto.randomUUID().repeat(8).slice(0, length);
    expect((await post(cast.dave, '/orgs', key, organization())).status).toBe(201);
  });

  test.for([0, 256])('may not have %i characters', async (length) => {
    const answer = await post(cast.alice, '/orgs', 'k'.repeat(length), organization());
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/header/Idempotency-Key' }] } });
  });

  test('is good for 24 hours; after that it makes a new thing', async () => {
    const key = newKey();
    const path = `/forms/${openFormId}/responses`;
    const first = await post(cast.dave, path, key);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * HOUR - 60_000 });
    const dave = await signedInNow(cast.dave);
    expect((await post(dave, path, key)).body).toEqual(first.body);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    const later = await post(dave, path, key);
    expect([later.status, replayed(later)]).toEqual([201, false]);
    expect(later.body.id).not.toBe(first.body.id);
  });

  test('is free for another body after 24 hours', async () => {
    const key = newKey();
    await post(cast.dave, '/orgs', key, organization());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * HOUR + 60_000 });
    const dave = await signedInNow(cast.dave);
    expect((await post(dave, '/orgs', key, organization())).status).toBe(201);
  });

  test('replays what was answered then, whatever has become of the thing since', async () => {
    const [key, body] = [newKey(), organization()];
    const first = await post(cast.alice, '/orgs', key, body);
    const renamed = { ...body, name: 'Lakes', slug: newSlug() };
    await cast.alice.client.orgs.updateOrganization({ params: { slug: body.slug }, body: renamed });
    expect((await post(cast.alice, '/orgs', key, body)).body).toEqual(first.body);
  });

  test('does not spare a request its credential, its access and its body', async () => {
    const key = newKey();
    const form = settings({ title: 'guarded' });
    await post(cast.bob, `/orgs/${cast.slug}/forms`, key, form);
    const headers = { 'idempotency-key': key };
    const signedOut = await send('POST', `/api/orgs/${cast.slug}/forms`, { headers, body: JSON.stringify(form) });
    expect(signedOut.status).toBe(401);
    expect((await post(cast.chelsea, `/orgs/${cast.slug}/forms`, key, form)).status).toBe(403);
    expect((await post(cast.bob, `/orgs/${cast.slug}/forms`, key, {})).status).toBe(400);
  });
});

/** Somebody with an access token of this moment. */
async function signedInNow(who: Person): Promise<Person> {
  const { tokens, config, now } = app();
  const roles = rolesOf({ emails: [who.email] }, config.operatorEmails);
  return { ...who, token: await tokens.sign({ id: who.id, roles }, now()) };
}

test('without a key the same request makes two things', async () => {
  const start = () => cast.erin.client.responses.startResponse({ params: { formId: openFormId } });
  const [first, second] = [await start(), await start()];
  expect(first.body.id).not.toBe(second.body.id);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const create = cast.alice.client.orgs.createOrganization({ body: organization(cast.slug) });
  expect(await problemOf(create)).toMatchObject({ status: 409, code: 'slug_taken' });
});
