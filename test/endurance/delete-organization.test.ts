/** Deleting an organization with everything under it, also when the worker is interrupted or other requests are overtaken. */
import { type AttributeValue, BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formKey, keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { emulatorClient } from '#stacks/local/dynamo/table.ts';
import { requestAs } from '#test/support/building.ts';
import { interruptedAtEveryStep } from '#test/support/deletion.ts';
import { beforeFirstWrite, withTable } from '#test/support/faults.ts';
import {
  type Cast,
  newCast,
  newForm,
  newOrganization,
  type Person,
  person,
  seedForms,
} from '#test/support/fixtures.ts';
import { respond, start } from '#test/support/responses.ts';
import { newUnit } from '#test/support/scene.ts';
import { finishDeletions, isInterrupted } from '#test/support/sweeps.ts';

const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
afterAll(() => client.destroy());

type RawItem = Record<string, AttributeValue>;
type Full = { slug: string; orgId: string; formId: string; responseId: string; unitIds: string[] };

let cast: Cast;
/** An organization of alice and bob with everything that can be under one; tests use copies of it. */
let original: Full;
let originalItems: RawItem[];
beforeAll(async () => {
  cast = await newCast();
  const { alice, bob, dave, erin } = cast;
  const { slug, orgId } = await newOrganization(alice, bob);
  const unitIds = [await newUnit(alice.client, slug), await newUnit(alice.client, slug)];
  const [parentId = '', childId = ''] = unitIds;
  await alice.client.units.linkUnits({ body: { parentId, childId, orgId } });
  const { formId, questionIds } = await newForm(bob, slug, [[{ type: 'SHORT_TEXT' }]]);
  await bob.client.views.createView({ params: { formId } });
  const answers = [{ questionId: questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'Frogs' }];
  await start(erin, formId, answers);
  original = { slug, orgId, formId, unitIds, responseId: await respond(dave, formId, answers) };
  originalItems = await itemsWith(textsOf(original));
});

/** The texts by which the items of an organization are recognized. */
const textsOf = ({ slug, orgId, formId, unitIds }: Full): string[] => [slug, orgId, formKey(formId), ...unitIds];

/** All items that contain one of these texts. */
async function itemsWith(texts: readonly string[]): Promise<RawItem[]> {
  const found: RawItem[] = [];
  for await (const page of paginateScan({ client }, { TableName: app().config.tableName, ConsistentRead: true })) {
    found.push(...(page.Items ?? []).filter((item) => texts.some((text) => JSON.stringify(item).includes(text))));
  }
  return found;
}

const keysWith = async (texts: readonly string[]): Promise<string[]> =>
  (await itemsWith(texts)).map(({ pk, sk }) => `${pk?.S} ${sk?.S}`).sort();

/** What is stored of an organization, except for the history of its slug. */
const readStored = async (full: Full): Promise<string[]> =>
  (await keysWith(textsOf(full))).filter((key) => !key.startsWith(`SLUG#${full.slug} USAGE#`));

/** What is left of an organization after its deletion has ended. */
async function listLeftovers(full: Full): Promise<string[]> {
  await finishDeletions();
  return readStored(full);
}

const rewrite = <T>(value: T, replacements: readonly (readonly [string, string])[]): T =>
  JSON.parse(replacements.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value)));

const otherFormKey = (formId: string): string => crypto.randomUUID().slice(0, 14) + formKey(formId).slice(14);

async function putItems(items: readonly RawItem[]): Promise<void> {
  for (let index = 0; index < items.length; index += 25) {
    const puts = items.slice(index, index + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [app().config.tableName]: puts } }));
  }
}

/** A copy of the full organization under new ids. */
async function fullOrganization(): Promise<Full> {
  const { slug, orgId, formId, unitIds } = original;
  const newOrgId = crypto.randomUUID();
  const replacements = [
    [slug, `copy-${newOrgId}`],
    [orgId, newOrgId],
    [formKey(formId), otherFormKey(formId)],
    ...unitIds.map((id) => [id, crypto.randomUUID()] as const),
  ] as const;
  await putItems(rewrite(originalItems, replacements).filter(({ pk }) => !pk?.S?.startsWith('USER#')));
  const path = `memberships.${newOrgId}`;
  await app().table.write([
    { update: keys.account(cast.alice.id), set: { [path]: 'ADMIN' } },
    { update: keys.account(cast.bob.id), set: { [path]: 'MEMBER' } },
  ]);
  return rewrite(original, replacements);
}

const remove = async (person: Person | undefined, slug: string): Promise<number> =>
  (await requestAs(person, 'DELETE', `/api/orgs/${slug}`)).status;
const listOrganizations = async ({ client }: Person): Promise<string[]> =>
  (await client.orgs.listMyOrganizations()).body.map(({ id }) => id);

describe('deleting an organization', () => {
  test.each(['alice', 'oscar'] as const)('by %s removes all of it from the table, and nothing else', async (who) => {
    const [full, other] = [await fullOrganization(), await fullOrganization()];
    const untouched = await readStored(other);
    for (const prefix of ['ORG#', 'SLUG#', 'USER#', 'UNIT#', 'FORM#', 'RESPONSE#']) {
      expect(untouched).toContainEqual(expect.stringMatching(`^${prefix}`));
    }
    expect(await remove(cast[who], full.slug)).toBe(204);
    expect(await remove(cast[who], full.slug)).toBe(404);
    expect(await listLeftovers(full)).toEqual([]);
    expect(await readStored(other)).toEqual(untouched);
  });

  test('ends every membership, and its forms, responses and units are 404 for everybody', async () => {
    const { alice, bob, dave } = cast;
    const { slug, orgId, formId, responseId, unitIds } = await fullOrganization();
    expect(await remove(alice, slug)).toBe(204);
    for (const person of [alice, bob]) {
      expect(await listOrganizations(person)).not.toContain(orgId);
      for (const path of ['', '/members', '/units', `/units/${unitIds[0]}`, '/forms'])
        expect((await requestAs(person, 'GET', `/api/orgs/${slug}${path}`)).status).toBe(404);
    }
    await finishDeletions();
    for (const person of [alice, bob, dave]) {
      expect((await requestAs(person, 'GET', `/api/forms/${formId}`)).status).toBe(404);
      expect((await requestAs(person, 'GET', `/api/forms/${formId}/responses/${responseId}`)).status).toBe(404);
    }
    const { body } = await requestAs(dave, 'GET', '/api/forms/me');
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(formId);
    expect((await requestAs(alice, 'POST', '/api/orgs/relations', { childId: unitIds[0], orgId })).status).toBe(404);
  });

  test('frees its slug at once: another organization may take it', async () => {
    const { alice, chelsea } = cast;
    const { slug } = await newOrganization(alice);
    expect(await remove(alice, slug)).toBe(204);
    expect((await requestAs(chelsea, 'GET', `/api/orgs/${slug}/status`)).body).toEqual({
      available: true,
      orgId: null,
    });
    const body = { name: 'Lakes', description: '', metadata: {}, slug };
    const { id } = (await chelsea.client.orgs.createOrganization({ body })).body;
    expect((await requestAs(alice, 'GET', `/api/orgs/${slug}`)).body).toMatchObject({ id, name: 'Lakes' });
    expect(await remove(alice, slug)).toBe(403);
  });

  test('ends also when the account of a member is gone', async () => {
    const frank = await person('frank');
    const { slug, orgId } = await newOrganization(cast.alice, frank);
    expect(await remove(cast.alice, slug)).toBe(204);
    await app().table.remove([keys.account(frank.id)]);
    await finishDeletions();
    expect((await keysWith([orgId])).filter((key) => !key.startsWith(`SLUG#${slug} USAGE#`))).toEqual([]);
  });

  test('removes more forms than it reads at once', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const seeds = Array.from({ length: 26 }, () => ({ status: 'PUBLISHED' as const }));
    const ids = await seedForms(orgId, cast.alice.id, seeds);
    expect(await remove(cast.alice, slug)).toBe(204);
    await finishDeletions();
    expect(await keysWith(ids.map(formKey))).toEqual([]);
  });
});

test('a worker that is interrupted at any step continues later', async () => {
  const interruptions = await interruptedAtEveryStep('table', {
    create: fullOrganization,
    remove: ({ slug }) => remove(cast.alice, slug),
    expectGone: async (full) => expect(await listLeftovers(full)).toEqual([]),
  });
  // At least the form, its responses, the members, the units and the outcomes.
  expect(interruptions).toBeGreaterThan(6);
});

/** Runs a request that a deletion overtakes right before its first write; returns the status of the request. */
const overtaken = async (request: () => Promise<{ status: number }>, deletion: () => Promise<void>): Promise<number> =>
  (await beforeFirstWrite(request, deletion)).status;

const deletion = (slug: string) => async (): Promise<void> => expect(await remove(cast.alice, slug)).toBe(204);

describe('a request that is overtaken by the deletion', () => {
  const unit = { name: 'Field team', description: '', metadata: {} };
  const form = { title: 'Late', visibility: 'PUBLIC', allowEditResponse: true };
  const renamed = { name: 'Late', description: '', metadata: {}, slug: 'late-name' };

  type Late = [what: string, request: (full: Full) => [method: string, path: string, body: unknown]];
  test.each<Late>([
    ['a link', ({ orgId, unitIds }) => ['POST', '/api/orgs/relations', { childId: unitIds[1], orgId }]],
  ])('is refused: %s', async (_, request) => {
    const full = await fullOrganization();
    const status = await overtaken(() => requestAs(cast.alice, ...request(full)), deletion(full.slug));
    expect([400, 404]).toContain(status);
    expect(await listLeftovers(full)).toEqual([]);
  });

  test.each<Late>([
    ['a new unit', ({ slug }) => ['POST', `/api/orgs/${slug}/units`, unit]],
    ['a new form', ({ slug }) => ['POST', `/api/orgs/${slug}/forms`, form]],
    ['a new member', ({ slug }) => ['POST', `/api/orgs/${slug}/members`, { email: cast.chelsea.email }]],
    ['a new admin', ({ slug }) => ['PATCH', `/api/orgs/${slug}/members/${cast.bob.id}`, { role: 'ADMIN' }]],
    ['a new slug', ({ slug }) => ['PUT', `/api/orgs/${slug}`, renamed]],
  ])('is refused with 404: %s', async (_, request) => {
    const full = await fullOrganization();
    const status = await overtaken(() => requestAs(cast.alice, ...request(full)), deletion(full.slug));
    expect(status).toBe(404);
    expect(await listLeftovers(full)).toEqual([]);
    expect((await requestAs(cast.alice, 'GET', '/api/orgs/late-name')).status).toBe(404);
  });
});

/** A table that does something once, right before a form is removed. */
const beforeFormIsRemoved =
  (meanwhile: () => Promise<unknown>) =>
  (table: Table): Partial<Table> => {
    let isFirst = true;
    return {
      write: async (writes) => {
        const [first] = writes;
        if (isFirst && first && 'remove' in first && first.remove.sk === 'HEAD') {
          isFirst = false;
          await meanwhile();
        }
        await table.write(writes);
      },
    };
  };

describe('at the same time as the deletion', () => {
  test('a form that changes its status after its list was read is deleted too', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const [formId = ''] = await seedForms(orgId, cast.alice.id, [{ status: 'ARCHIVED' }, { status: 'PUBLISHED' }]);
    const unarchive = () => cast.alice.client.forms.unarchiveForm({ params: { formId } });
    expect(await remove(cast.alice, slug)).toBe(204);
    await withTable(beforeFormIsRemoved(unarchive), isInterrupted);
    await finishDeletions();
    expect((await requestAs(cast.alice, 'GET', `/api/forms/${formId}`)).status).toBe(404);
    expect(await keysWith([formKey(formId)])).toEqual([]);
  });

  test('the deletion of one of its forms leaves nothing', async () => {
    const full = await fullOrganization();
    const deleteForm = () => requestAs(cast.bob, 'DELETE', `/api/forms/${full.formId}`);
    expect(await remove(cast.alice, full.slug)).toBe(204);
    await withTable(beforeFormIsRemoved(deleteForm), isInterrupted);
    expect(await listLeftovers(full)).toEqual([]);
  });

  test('other deletions of it succeed or find it removed', async () => {
    const { alice, bob, oscar } = cast;
    const full = await fullOrganization();
    const params = { slug: full.slug, memberId: bob.id };
    await alice.client.orgs.updateMember({ params, body: { role: 'ADMIN' } });
    const statuses = await Promise.all([alice, bob, oscar].map((person) => remove(person, full.slug)));
    expect(statuses).toContain(204);
    for (const status of statuses) expect([204, 404]).toContain(status);
    expect(await listLeftovers(full)).toEqual([]);
    const { body } = await requestAs(alice, 'GET', `/api/orgs/${full.slug}/history`);
    expect(body).toMatchObject({ current: { available: true }, history: [{ orgId: full.orgId }] });
  });
});
