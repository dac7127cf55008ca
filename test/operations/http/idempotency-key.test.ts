/** Idempotency-Key on real operations: a repeated request has one effect. The step itself has tests of its own. */
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { app } from '#core/http/app.ts';
import { newKey, newNode, openForm, postWithKey, requestAs, settings } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { conflicting, losingResponses, withTable } from '#test/support/faults.ts';
import {
  type Cast,
  expectProblem,
  newCast,
  newForm,
  type Person,
  person,
  question,
  send,
} from '#test/support/fixtures.ts';

let cast: Cast;
let openFormId: string;
beforeAll(async () => {
  cast = await newCast();
  openFormId = (await openForm(cast.alice, cast.slug)).id;
});
muteErrors();

const newSlug = (): string => `s-${crypto.randomUUID()}`;
const organization = (slug = newSlug()) => ({ name: 'Rivers', description: '', metadata: { a: 1, b: 2 }, slug });

/** Whether a result is the recorded one of an earlier request. */
const replayed = ({ headers }: { headers: Headers }): boolean => headers.get('idempotency-replayed') === 'true';

/** A member of the cast's organization who has created nothing yet. */
async function newMaker(): Promise<Person> {
  const maker = await person('maker');
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: maker.email } });
  return maker;
}

/** How many responses to the open form somebody has. */
const readResponses = async ({ client }: Person): Promise<number> =>
  (await client.responses.listMyResponses({ params: { formId: openFormId } })).body.totalCount;

const readNodes = async (formId: string): Promise<number> =>
  (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body.workflow.length - 2;

type Creation = { create: () => ReturnType<typeof postWithKey>; count: () => Promise<number> };

/** Operations that create something, each with how many of it there are. */
const CREATIONS: Record<string, () => Promise<Creation>> = {
  'an organization': async () => {
    const [who, key, body] = [await person('founder'), newKey(), organization()];
    const count = async () => (await who.client.orgs.listMyOrganizations()).body.length;
    return { create: () => postWithKey(who, '/orgs', key, body), count };
  },
  'a form': async () => {
    const [who, key] = [await newMaker(), newKey()];
    const count = async () => {
      const forms = (await who.client.forms.listOrganizationForms({ params: { slug: cast.slug } })).body;
      return forms.filter(({ creator }) => creator.id === who.id).length;
    };
    return { create: () => postWithKey(who, `/orgs/${cast.slug}/forms`, key, settings()), count };
  },
  'a response': async () => {
    const [who, key] = [await newMaker(), newKey()];
    return { create: () => postWithKey(who, `/forms/${openFormId}/responses`, key), count: () => readResponses(who) };
  },
  'a submitted response': async () => {
    const [who, key] = [await newMaker(), newKey()];
    const create = () => postWithKey(who, `/forms/${openFormId}/responses`, key, { answers: [], submit: true });
    return { create, count: () => readResponses(who) };
  },
  'a node': async () => {
    const [key, { formId }] = [newKey(), await newForm(cast.alice, cast.slug, [], { publish: false })];
    const body = { type: 'SECTION', payload: {} };
    return {
      create: () => postWithKey(cast.alice, `/forms/${formId}/workflow/nodes`, key, body),
      count: () => readNodes(formId),
    };
  },
  'a view with a title': async () => {
    const [key, { formId }] = [newKey(), await newForm(cast.alice, cast.slug, [])];
    const count = async () => (await cast.alice.client.views.listViews({ params: { formId } })).body.length;
    return { create: () => postWithKey(cast.alice, `/forms/${formId}/views`, key, { title: 'Board' }), count };
  },
};

describe.for(Object.entries(CREATIONS))('creating %s', ([, prepare]) => {
  test('16 times at once and once more with the same key creates one', async () => {
    const { create, count } = await prepare();
    const before = await count();
    const responses = await Promise.all(Array.from({ length: 16 }, create));
    const again = await create();
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ body }) => body.id))).toEqual(new Set([again.body.id]));
    expect(responses.filter((response) => !replayed(response))).toHaveLength(1);
    expect([again.status, replayed(again)]).toEqual([201, true]);
    expect(await count()).toBe(before + 1);
  });

  test('again after its response was lost, or after a conflict with an equal request, creates one', async () => {
    const [lost, met] = [await prepare(), await prepare()];
    const before = await lost.count();
    expect((await withTable(losingResponses(1), lost.create)).status).toBe(500);
    const again = await lost.create();
    expect([again.status, replayed(again)]).toEqual([201, true]);
    expect(await lost.count()).toBe(before + 1);
    const { table } = app();
    const equalRequest = () => withTable(() => table, met.create);
    const second = await withTable(conflicting(1, equalRequest), met.create);
    expect([second.status, replayed(second)]).toEqual([201, true]);
  });
});

test('a key that was used for another operation or another path is 409', async () => {
  const key = newKey();
  const otherForm = (await openForm(cast.alice, cast.slug)).id;
  await postWithKey(cast.alice, `/forms/${openFormId}/responses`, key);
  for (const path of [`/forms/${otherForm}/responses`, `/orgs/${cast.slug}/forms`]) {
    const response = await postWithKey(cast.alice, path, key, path.startsWith('/orgs') ? settings() : undefined);
    expect(response, path).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  }
});

test('the same body in another order and with unknown members is the same request', async () => {
  const [key, body] = [newKey(), organization()];
  const first = await postWithKey(cast.alice, '/orgs', key, body);
  const { name, ...rest } = body;
  const again = await postWithKey(cast.alice, '/orgs', key, { ...rest, unknown: true, name });
  expect([again.status, replayed(again), again.body]).toEqual([201, true, first.body]);
});

test('a replay is the first result, whatever has become of the resource since', async () => {
  const [key, body] = [newKey(), organization()];
  const first = await postWithKey(cast.alice, '/orgs', key, body);
  const renamed = { ...body, name: 'Lakes', slug: newSlug() };
  await cast.alice.client.orgs.updateOrganization({ params: { slug: body.slug }, body: renamed });
  expect((await postWithKey(cast.alice, '/orgs', key, body)).body).toEqual(first.body);
});

type Named = { path: string; body?: object; remove: () => Promise<unknown> };

/** Requests that name something within a form, and how that is deleted. */
const NAMED: Record<string, () => Promise<Named>> = {
  'the copy of a question': () => onQuestion((path) => ({ path: `${path}/copy` })),
  'the move of a question': () =>
    onQuestion((path, sectionId) => ({ path: `${path}/move`, body: { sectionId, after: null } })),
  'a question': async () => {
    const { sectionId, remove } = await newSection();
    return { path: `/sections/${sectionId}/questions`, body: question({ type: 'SHORT_TEXT' }), remove };
  },
  'the copy of a section': async () => {
    const { formId, sectionId, remove } = await newSection();
    return { path: `/forms/${formId}/sections/${sectionId}/copy`, remove };
  },
  'the copy of a view': async () => {
    const { formId } = await newForm(cast.alice, cast.slug, []);
    const viewId = (await cast.alice.client.views.createView({ params: { formId }, body: {} })).body.id;
    const remove = () => cast.alice.client.views.deleteView({ params: { formId, viewId } });
    return { path: `/forms/${formId}/views/${viewId}/duplicate`, remove };
  },
};

async function newSection() {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]]);
  const [sectionId = ''] = sectionIds;
  const remove = () => cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: sectionId } });
  return { formId, sectionId, remove };
}

async function onQuestion(request: (path: string, otherId: string) => Omit<Named, 'remove'>): Promise<Named> {
  const { sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], []]);
  const [[sectionId = '', otherId = ''], [questionId = '']] = [sectionIds, questionIds];
  const sent = request(`/sections/${sectionId}/questions/${questionId}`, otherId);
  const now = sent.body ? otherId : sectionId;
  const remove = () => cast.alice.client.questions.deleteQuestion({ params: { sectionId: now, questionId } });
  return { ...sent, remove };
}

test.for(Object.entries(NAMED))('%s is replayed to who may edit the form when what it named was deleted', async ([
  ,
  prepare,
]) => {
  const [key, { path, body, remove }] = [newKey(), await prepare()];
  const first = await postWithKey(cast.alice, path, key, body);
  expect(first.status).toBeLessThan(300);
  await remove();
  const again = await postWithKey(cast.alice, path, key, body);
  expect([again.status, replayed(again), again.body]).toEqual([first.status, true, first.body]);
  expect((await postWithKey(cast.alice, path, newKey(), body)).status).toBe(404);
  expect((await postWithKey(cast.bob, path, key, body)).status).toBe(404);
});

test('a refusal is not recorded: the same request succeeds once its cause is gone', async () => {
  const [key, body] = [newKey(), organization()];
  await cast.bob.client.orgs.createOrganization({ body });
  expect(await postWithKey(cast.alice, '/orgs', key, body)).toMatchObject({
    status: 409,
    body: { code: 'slug_taken' },
  });
  const moved = { ...body, slug: newSlug() };
  await cast.bob.client.orgs.updateOrganization({ params: { slug: body.slug }, body: moved });
  expect((await postWithKey(cast.alice, '/orgs', key, body)).status).toBe(201);
});

test('a recorded result does not replace credential, access and a valid body', async () => {
  const [key, form] = [newKey(), settings({ title: 'guarded' })];
  await postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, form);
  const headers = { 'idempotency-key': key };
  const signedOut = await send('POST', `/api/orgs/${cast.slug}/forms`, { headers, body: JSON.stringify(form) });
  expect(signedOut.status).toBe(401);
  expect((await postWithKey(cast.chelsea, `/orgs/${cast.slug}/forms`, key, form)).status).toBe(403);
  expect((await postWithKey(cast.bob, `/orgs/${cast.slug}/forms`, key, {})).status).toBe(400);
});

test('who has left the organization gets no replay of a question', async () => {
  const [maker, key] = [await newMaker(), newKey()];
  const { formId, sectionId, remove } = await newSection();
  const path = `/sections/${sectionId}/questions`;
  const body = question({ type: 'SHORT_TEXT' });
  expect((await postWithKey(maker, path, key, body)).status).toBe(201);
  await remove();
  const member = { params: { slug: cast.slug, memberId: maker.id } };
  await cast.alice.client.orgs.removeMember(member);
  expect((await postWithKey(maker, path, key, body)).status).toBe(403);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect((await postWithKey(maker, path, key, body)).status).toBe(404);
});

test('without a key the same request has two effects', async () => {
  const start = () => cast.erin.client.responses.startResponse({ params: { formId: openFormId } });
  const [first, second] = [await start(), await start()];
  expect(first.body.id).not.toBe(second.body.id);
  const create = cast.alice.client.orgs.createOrganization({ body: organization(cast.slug) });
  expect(await expectProblem(create)).toMatchObject({ status: 409, code: 'slug_taken' });
});

test('a result too large to be recorded is 413, and the question is created without a key', async () => {
  const { id: formId } = (await cast.alice.client.forms.createForm({ params: { slug: cast.slug }, body: settings() }))
    .body;
  const path = `/sections/${await newNode(cast.alice, formId)}/questions`;
  const text = '&'.repeat(60_000);
  const description = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
  const choices = Array.from({ length: 100 }, (_, n) => ({ name: `choice ${n}`, description: '水'.repeat(500) }));
  const body = question({ type: 'DETAILED_MULTIPLE_CHOICE', description, choices });
  expect((await postWithKey(cast.alice, path, newKey(), body)).status).toBe(413);
  expect((await requestAs(cast.alice, 'POST', `/api${path}`, body)).status).toBe(201);
  const sections = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  expect(sections.flatMap(({ questions }) => questions ?? [])).toHaveLength(1);
});

/** Why a POST takes no key: what a second one does. */
const WITHOUT_KEY: Record<string, string> = {
  'auth.loginInternal': 'begins another session, which ends by itself',
  'auth.logout': 'ends a session that has ended',
  'auth.refresh': 'gets the tokens of the first one for a while',
  'deliveries.retryDelivery': 'is 409 while the first is under way, and 429 after a mail was sent',
  'exports.downloadTable': 'returns the same workbook, or the job of the first one',
  'exports.previewTable': 'reads',
  'files.completeUploads': 'completes what is complete',
  'forms.archiveForm': 'sets a state',
  'forms.publishForm': 'sets a state',
  'forms.unarchiveForm': 'sets a state',
  'forms.uploadCover': 'replaces the cover by the same one',
  'forms.verifySpreadsheet': 'reads',
  'guests.admitGuest': 'makes another guest, of whom nothing is stored',
  'orgs.resumeGuestMails': 'sets a state',
  'responses.cancelResponse': 'sets a state',
  'responses.countStatistics': 'returns the job of the first one',
  'responses.filterResponses': 'reads',
  'responses.queryStatistics': 'reads',
  'views.listDistinctAnswers': 'reads',
  'views.lockView': 'sets a state',
  'views.unlockView': 'sets a state',
};

test('every POST takes a key, or it is listed here why none is needed', () => {
  const without = operations.filter(({ method, idempotent }) => method === 'POST' && !idempotent);
  expect(without.map(({ noun, name }) => `${noun}.${name}`).sort()).toEqual(Object.keys(WITHOUT_KEY));
  const creating = without.filter(({ success }) => success.status === 201);
  expect(creating.map(({ name }) => name)).toEqual(['admitGuest']);
});
