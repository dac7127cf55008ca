/** Deleting an organization with everything under it (contract section 3, row "delete"; section 9, "Delete means gone"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { StorageBusy, type Table } from '#core/db/table.ts';
import { ask, draftForm, draftResponse, itemsMentioning, openForm, submittedResponse } from '#test/support/building.ts';
import { dyingAfter, gate, withTable } from '#test/support/faults.ts';
import { newUnit } from '#test/support/scene.ts';
import { type Cast, newCast, newForm, newOrganization, type Person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const remove = async (person: Person | undefined, slug: string) =>
  (await ask(person, 'DELETE', `/api/orgs/${slug}`)).status;
const isMemberOf = async (person: Person, orgId: string) =>
  (await person.client.orgs.listMyOrganizations()).body.some(({ id }) => id === orgId);

type Full = { slug: string; orgId: string; formId: string; responseId: string; unitIds: string[] };

/** An organization of alice and bob with all that can be under one: units in a tree, a form, a view, responses. */
async function fullOrganization(): Promise<Full> {
  const { alice, bob, dave, erin } = cast;
  const { slug, orgId } = await newOrganization(alice, bob);
  const unitIds = [await newUnit(alice.client, slug), await newUnit(alice.client, slug)];
  const [parentId = '', childId = ''] = unitIds;
  await alice.client.units.linkUnits({ body: { parentId, childId, orgId } });
  const { formId, questionIds } = await newForm(bob, slug, [[{ type: 'SHORT_TEXT' }]]);
  await bob.client.views.createView({ params: { formId } });
  const answers = [{ questionId: questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'Frogs' }];
  await draftResponse(erin, formId, answers);
  return { slug, orgId, formId, unitIds, responseId: await submittedResponse(dave, formId, answers) };
}

/** The keys of all that is left of an organization, but for the history of its slug. */
async function leftoversOf({ slug, orgId, formId, unitIds }: Full): Promise<string[]> {
  const found = await Promise.all([slug, orgId, formKey(formId), ...unitIds].map(itemsMentioning));
  return [...new Set(found.flat())].filter((key) => !key.startsWith(`SLUG#${slug} USAGE#`));
}

describe('deleting an organization', () => {
  test('is for its admins and for operators; a member and an outsider are refused', async () => {
    const { alice, bob, chelsea, oscar } = cast;
    const { slug } = await newOrganization(alice, bob);
    expect(await remove(undefined, slug)).toBe(401);
    expect(await remove(bob, slug)).toBe(403);
    expect(await remove(chelsea, slug)).toBe(403);
    expect(await remove(alice, slug)).toBe(204);
    expect(await remove(alice, slug)).toBe(404);
    const second = await newOrganization(alice, bob);
    expect(await remove(oscar, second.slug)).toBe(204);
  });

  test.each([
    'alice',
    'oscar',
  ] as const)('by %s leaves nothing of it in the table, and nothing of others is gone', async (who) => {
    const full = await fullOrganization();
    const other = await fullOrganization();
    const before = await leftoversOf(full);
    for (const part of [
      ' ORG',
      ' UNITS',
      'UNIT#',
      'MEMBER#',
      'USER#',
      ' HEAD',
      ' STRUCTURE',
      ' VIEWS',
      'RESPONSE#',
      ' CURRENT',
    ]) {
      expect(
        before.some((key) => key.includes(part)),
        part,
      ).toBe(true);
    }
    const untouched = await leftoversOf(other);
    expect(await remove(cast[who], full.slug)).toBe(204);
    expect(await leftoversOf(full)).toEqual([]);
    expect(await leftoversOf(other)).toEqual(untouched);
  });

  test('ends every membership, and its forms, responses and units are 404 for everybody', async () => {
    const { alice, bob, dave } = cast;
    const full = await fullOrganization();
    expect(await remove(alice, full.slug)).toBe(204);
    for (const person of [alice, bob]) {
      expect(await isMemberOf(person, full.orgId)).toBe(false);
      const under = ['', '/members', '/units', `/units/${full.unitIds[0]}`, '/forms'];
      for (const path of under) expect((await ask(person, 'GET', `/api/orgs/${full.slug}${path}`)).status).toBe(404);
    }
    for (const person of [alice, bob, dave]) {
      expect((await ask(person, 'GET', `/api/forms/${full.formId}`)).status).toBe(404);
      const response = `/api/forms/${full.formId}/responses/${full.responseId}`;
      expect((await ask(person, 'GET', response)).status).toBe(404);
    }
    const { body } = await ask(dave, 'GET', '/api/forms/me');
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(full.formId);
    const link = { childId: full.unitIds[0], orgId: full.orgId };
    expect((await ask(alice, 'POST', '/api/orgs/relations', link)).status).toBe(404);
  });

  test('frees its slug at once: another organization may take it', async () => {
    const { alice, chelsea } = cast;
    const { slug } = await newOrganization(alice);
    expect(await remove(alice, slug)).toBe(204);
    expect((await ask(chelsea, 'GET', `/api/orgs/${slug}/status`)).body).toEqual({ available: true, orgId: null });
    const body = { name: 'Lakes', description: '', metadata: {}, slug };
    const { id } = (await chelsea.client.orgs.createOrganization({ body })).body;
    expect((await ask(alice, 'GET', `/api/orgs/${slug}`)).body).toMatchObject({ id, name: 'Lakes' });
    expect(await remove(alice, slug)).toBe(403);
  });

  test('takes more forms than one page of them', async () => {
    const { alice } = cast;
    const { slug, orgId } = await newOrganization(alice);
    await Promise.all(Array.from({ length: 27 }, () => draftForm(alice, slug)));
    expect((await itemsMentioning(orgId)).filter((key) => key.startsWith('FORM#'))).toHaveLength(27);
    expect(await remove(alice, slug)).toBe(204);
    expect((await itemsMentioning(orgId)).filter((key) => key.startsWith('FORM#'))).toEqual([]);
  });
});

/** A table whose n-th write from now on fails as storage does; the others pass. */
function failingAt(nth: number) {
  let count = 0;
  return (table: Table): Partial<Table> => ({
    write: async (writes, writeId) => {
      count += 1;
      if (count === nth) throw new StorageBusy(new Error('the power went off'));
      await table.write(writes, writeId);
    },
  });
}

describe('a deletion that was interrupted', () => {
  test.each(['alice', 'oscar'] as const)('anywhere is finished by %s, and leaves nothing', async (who) => {
    let nth = 1;
    for (; ; nth += 1) {
      const full = await fullOrganization();
      const status = await withTable(failingAt(nth), () => remove(cast.alice, full.slug));
      if (status === 204) break;
      expect(status).toBe(503);
      expect(await remove(cast[who], full.slug), `after write ${nth}`).toBe(204);
      expect(await leftoversOf(full), `after write ${nth}`).toEqual([]);
    }
    // The mark, the form, its responses and its rest, the units, the other member, the end.
    expect(nth).toBeGreaterThan(7);
  });

  test('is no half organization to anybody: 404 for all but those who may go on with it', async () => {
    const { alice, bob, chelsea, oscar } = cast;
    const full = await fullOrganization();
    expect(await withTable(failingAt(2), () => remove(alice, full.slug))).toBe(503);
    for (const person of [alice, bob, oscar]) {
      for (const path of ['', '/members', '/units', '/forms']) {
        expect((await ask(person, 'GET', `/api/orgs/${full.slug}${path}`)).status).toBe(404);
      }
    }
    const body = { name: 'Lakes', description: '', metadata: {}, slug: full.slug };
    expect((await ask(alice, 'PUT', `/api/orgs/${full.slug}`, body)).status).toBe(404);
    expect((await ask(alice, 'DELETE', `/api/orgs/relations/child-id/${full.unitIds[1]}`)).status).toBe(404);
    expect(await isMemberOf(alice, full.orgId)).toBe(false);
    expect(await remove(bob, full.slug)).toBe(404);
    expect(await remove(chelsea, full.slug)).toBe(404);
    expect((await ask(chelsea, 'POST', '/api/orgs', body)).status).toBe(409);
    expect(await remove(alice, full.slug)).toBe(204);
    expect((await ask(chelsea, 'POST', '/api/orgs', body)).status).toBe(201);
  });
});

/** Holds a request back at its write until something else has happened, and answers its status. */
async function overtaken(request: () => Promise<{ status: number }>, meanwhile: () => Promise<void>): Promise<number> {
  const { reached, open, wait } = gate();
  const held = withTable(
    (table) => ({
      write: async (writes, writeId) => {
        await wait();
        await table.write(writes, writeId);
      },
    }),
    () => {
      const answer = request();
      return reached.then(() => ({ answer }));
    },
  );
  const { answer } = await held;
  await meanwhile();
  open();
  return (await answer).status;
}

/** Deletes an organization to its end, or dies once it is marked. */
const removal = (slug: string) => async (): Promise<void> => expect(await remove(cast.alice, slug)).toBe(204);
const interruptedRemoval = (slug: string) => async (): Promise<void> =>
  expect(await withTable(failingAt(2), () => remove(cast.alice, slug))).toBe(503);

describe('what is on its way while the organization is deleted', () => {
  const unit = { name: 'Field team', description: '', metadata: {} };
  const form = { title: 'Late', visibility: 'PUBLIC', allowEditResponse: true };
  const renamed = { name: 'Late', description: '', metadata: {}, slug: 'late-name' };

  type Late = [what: string, request: (full: Full) => [method: string, path: string, body: unknown]];
  const late: Late[] = [
    ['a unit', ({ slug }) => ['POST', `/api/orgs/${slug}/units`, unit]],
    ['a form', ({ slug }) => ['POST', `/api/orgs/${slug}/forms`, form]],
    ['a member', ({ slug }) => ['POST', `/api/orgs/${slug}/members`, { email: cast.chelsea.email }]],
    ['an admin', ({ slug }) => ['PATCH', `/api/orgs/${slug}/members/${cast.bob.id}`, { role: 'ADMIN' }]],
    ['a new name', ({ slug }) => ['PUT', `/api/orgs/${slug}`, renamed]],
  ];

  test.each<Late>([
    ...late,
    ['a view', ({ formId }) => ['POST', `/api/forms/${formId}/views`, undefined]],
    ['a link', ({ orgId, unitIds }) => ['POST', '/api/orgs/relations', { childId: unitIds[1], orgId }]],
  ])('comes too late: %s is not there afterwards', async (_, request) => {
    const full = await fullOrganization();
    const status = await overtaken(() => ask(cast.alice, ...request(full)), removal(full.slug));
    expect([400, 404]).toContain(status);
    expect(await leftoversOf(full)).toEqual([]);
    expect((await ask(cast.alice, 'GET', '/api/orgs/late-name')).status).toBe(404);
  });

  test('a first view of a form comes too late as well', async () => {
    const full = await fullOrganization();
    const { id: formId } = await openForm(cast.alice, full.slug);
    const status = await overtaken(() => ask(cast.alice, 'POST', `/api/forms/${formId}/views`), removal(full.slug));
    expect(status).toBe(404);
    expect(await itemsMentioning(formKey(formId))).toEqual([]);
  });

  test.each(late)('comes too late also when the deletion stops half-way: %s', async (_, request) => {
    const full = await fullOrganization();
    const status = await overtaken(() => ask(cast.alice, ...request(full)), interruptedRemoval(full.slug));
    expect(status).toBe(404);
    expect(await remove(cast.oscar, full.slug)).toBe(204);
    expect(await leftoversOf(full)).toEqual([]);
  });

  test('a form that somebody else has begun to delete and left goes too', async () => {
    const { alice, bob } = cast;
    const full = await fullOrganization();
    const { formId } = full;
    let met = false;
    const meeting = (table: Table): Partial<Table> => ({
      write: async (writes, writeId) => {
        const [first] = writes;
        if (!met && first && 'put' in first && first.put.pk.startsWith('FORM#')) {
          met = true;
          const status = await withTable(
            dyingAfter(1),
            async () => (await ask(bob, 'DELETE', `/api/forms/${formId}`)).status,
          );
          expect(status).toBe(500);
        }
        await table.write(writes, writeId);
      },
    });
    expect(await withTable(meeting, () => remove(alice, full.slug))).toBe(204);
    expect(met).toBe(true);
    expect(await leftoversOf(full)).toEqual([]);
  });

  test('two who delete it at the same time both come to the end, and nothing is left', async () => {
    const { alice, bob, oscar } = cast;
    for (let round = 0; round < 3; round += 1) {
      const full = await fullOrganization();
      const params = { slug: full.slug, memberId: bob.id };
      await alice.client.orgs.updateMember({ params, body: { role: 'ADMIN' } });
      const statuses = await Promise.all([alice, bob, oscar].map((person) => remove(person, full.slug)));
      expect(statuses).toContain(204);
      for (const status of statuses) expect([204, 404]).toContain(status);
      expect(await leftoversOf(full)).toEqual([]);
      const { body } = await ask(alice, 'GET', `/api/orgs/${full.slug}/history`);
      expect(body).toMatchObject({ current: { available: true }, history: [{ orgId: full.orgId }] });
    }
  });
});
