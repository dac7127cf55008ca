/** Deleting a form with everything under it, also when the worker is interrupted. Who may: `permission-matrix.test.ts`. */
import { expect, test } from 'vitest';
import { tallyResponses } from '#core/counts/tally.ts';
import { writeInBatches } from '#core/db/batches.ts';
import { encode } from '#core/db/codec.ts';
import { formKey, INDEX_2, idWithin, keys, olderKeys } from '#core/db/keys.ts';
import type { LogEntry } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edits.ts';
import { createResponse } from '#core/responses/store.ts';
import { reloadEditedForm } from '#core/structure/changes.ts';
import { openForm, requestAs } from '#test/support/building.ts';
import { interruptedAtEveryStep } from '#test/support/deletion.ts';
import { beforeFirstWrite, withApp, withTable } from '#test/support/faults.ts';
import { newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { respond, start } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, isInterrupted } from '#test/support/sweeps.ts';

const cast = await newCast();

const remove = async (person: Person | undefined, formId: string) =>
  (await requestAs(person, 'DELETE', `/api/forms/${formId}`)).status;
/** What is stored of a form after its deletion has ended. */
async function listLeftovers(formId: string): Promise<string[]> {
  await finishDeletions();
  return itemsMentioning(formKey(formId));
}

/** A form with everything that can be under it today: sections, questions, a highlight, a view, changes, archived changes of now and of older code, an undo, 100 versions, responses, counters. */
async function fullForm(): Promise<string> {
  const kinds = [[{ type: 'SINGLE_CHOICE' as const, choices: [{ name: 'a' }] }], [{ type: 'SHORT_TEXT' as const }]];
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, kinds);
  const params = { formId };
  await cast.alice.client.forms.setHighlight({ params, body: { questionId: questionIds[0] ?? '' } });
  await cast.alice.client.views.createView({ params });
  await pagesOf(cast.alice).post(`/build/${formId}/questions`, [['do', `copy:${questionIds[0]}`]]);
  await pagesOf(cast.alice).post(`/build/${formId}/questions`, [['do', `down:${questionIds[0]}`]]);
  const { live } = await reloadEditedForm(app().table, formId);
  const versions = Array.from({ length: 100 }, (_, index) => ({
    ...keys.formVersion(formId, index + 1),
    ...encode(live.structure),
    version: index + 1,
  }));
  await writeInBatches(
    app().table,
    versions.map((put) => ({ put })),
  );
  await app().table.write([
    { put: { ...keys.formVersions(formId), ...encode({ entries: [], archived: [] }), version: 1 } },
    ...[
      olderKeys.formAside(formId, 'id'),
      keys.formVersion(formId, 1_700_000_000_000),
      olderKeys.formChangesBase(formId),
    ].map((key) => ({ put: { ...key, ...encode(live.structure), version: 1, expiresAt: 4_000_000_000 } })),
  ]);
  const answers = [{ questionId: questionIds[1] ?? '', questionType: 'SHORT_TEXT' as const, value: 'hello' }];
  for (const person of [cast.dave, cast.erin]) {
    await start(person, formId, answers);
    await tallyResponses(app(), [await respond(person, formId, answers)]);
  }
  return formId;
}

test('the creator of a form who has left the organization may not delete it', async () => {
  const { slug } = cast;
  const { id: formId } = await openForm(cast.bob, slug);
  await cast.alice.client.orgs.removeMember({ params: { slug, memberId: cast.bob.id } });
  expect(await remove(cast.bob, formId)).toBe(403);
  await cast.alice.client.orgs.addMember({ params: { slug }, body: { email: cast.bob.email } });
  expect(await remove(cast.bob, formId)).toBe(204);
});

test('removes everything under the form and nothing of another one', async () => {
  const formId = await fullForm();
  const other = await fullForm();
  const plain = (key: string): string =>
    key
      .replace(/RESPONSE#\S+/, 'RESPONSE')
      .replace(/UNDO#\S+/, 'UNDO')
      .replace(/(ANSWERS#1#)\d{4}-\d\d#\d/, '$1month')
      .replace(/(ANSWERS#1#0)#\d/, '$1');
  const before = (await itemsMentioning(formKey(formId))).map(plain);
  const versions = Array.from({ length: 100 }, (_, index) => `VERSION#${String(index + 1).padStart(10, '0')}`);
  const single = 'ANSWERED CHANGES CHANGESBASE GATE HEAD HIGHLIGHT LISTING RECOUNT STRUCTURE UNDO VERSIONS VIEWS';
  const counted = 'ASIDE#id VERSION#1700000000000 COUNT#0 COUNT#1 COUNT#2 COUNT#3 ANSWERS#1#0 ANSWERS#1#month';
  const ofForm = [...`${single} ${counted}`.split(' '), ...versions].map((item) => `FORM#${formKey(formId)} ${item}`);
  expect(new Set(before)).toEqual(new Set([...ofForm, 'RESPONSE RESPONSE', 'RESPONSE TALLY']));
  const untouched = await listLeftovers(other);
  expect(await remove(cast.alice, formId)).toBe(204);
  expect(await listLeftovers(formId)).toEqual([]);
  expect(await listLeftovers(other)).toEqual(untouched);
  expect(await remove(cast.alice, formId)).toBe(404);
});

test('a deleted form is 404 for everybody and in no list', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug);
  const responseId = await respond(cast.dave, formId);
  expect(await remove(cast.alice, formId)).toBe(204);
  for (const person of [cast.alice, cast.dave]) {
    expect((await requestAs(person, 'GET', `/api/forms/${formId}`)).status).toBe(404);
    expect((await requestAs(person, 'GET', `/api/forms/${formId}/responses/${responseId}`)).status).toBe(404);
  }
  const lists = ['/api/forms', '/api/forms/me', `/api/orgs/${cast.slug}/forms`].map((path) =>
    requestAs(cast.alice, 'GET', path),
  );
  for (const { body } of [...(await Promise.all(lists)), await requestAs(cast.dave, 'GET', '/api/forms/me')]) {
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(formId);
  }
});

test('a worker that is interrupted at any step continues later', async () => {
  const create = async () => {
    const formId = (await openForm(cast.alice, cast.slug)).id;
    await seedDrafts(formId, 12);
    return formId;
  };
  const expectGone = async (formId: string) => expect(await listLeftovers(formId)).toEqual([]);
  const removing = async (formId: string) => expect(await remove(cast.alice, formId)).toBe(204);
  expect(await interruptedAtEveryStep('table', { create, remove: removing, expectGone })).toBeGreaterThanOrEqual(4);
});

test('the request does not wait for the removal of many responses', async () => {
  const formId = (await openForm(cast.alice, cast.slug)).id;
  await seedDrafts(formId, 1_000);
  const cost = { writes: 0 };
  const counted = (table: Table): Partial<Table> => ({
    write: async (writes) => {
      cost.writes += 1;
      await table.write(writes);
    },
  });
  expect(await withTable(counted, () => remove(cast.alice, formId))).toBe(204);
  expect(cost.writes).toBe(1);
  expect(await listLeftovers(formId)).toEqual([]);
});

test('what an index did not name yet is removed by the second pass', async () => {
  const formId = (await openForm(cast.alice, cast.slug)).id;
  await seedDrafts(formId, 2);
  const lagging = (table: Table): Partial<Table> => ({
    list: async (request) => (request.index === INDEX_2 ? { items: [], last: null } : table.list(request)),
  });
  expect(await remove(cast.alice, formId)).toBe(204);
  await withTable(lagging, isInterrupted);
  const stored = await itemsMentioning(formKey(formId));
  expect(stored.filter((key) => key.startsWith('RESPONSE#'))).toHaveLength(2);
  expect(await listLeftovers(formId)).toEqual([]);
});

test('removes items that are larger together than one read of the table', async () => {
  const formId = (await openForm(cast.alice, cast.slug)).id;
  const { pk } = keys.formHead(formId);
  for (let count = 0; count < 10; count += 1) {
    await app().table.write([{ put: { pk, sk: `LARGE#${count}`, data: 'x'.repeat(350_000) } }]);
  }
  expect(await remove(cast.alice, formId)).toBe(204);
  expect(await listLeftovers(formId)).toEqual([]);
});

test('leaves a receipt with numbers in the log', async () => {
  const formId = await fullForm();
  expect(await remove(cast.alice, formId)).toBe(204);
  const entries: LogEntry[] = [];
  await withApp(() => ({ log: (entry) => void entries.push(entry) }), finishDeletions);
  expect(entries).toContainEqual(
    expect.objectContaining({ receipt: 'deletion', type: 'form', id: formId, responses: 4, files: 0 }),
  );
});

/** Drafts of somebody, written straight to the table. */
async function seedDrafts(formId: string, count: number): Promise<void> {
  const { table, uuid, now } = app();
  const drafts = Array.from({ length: count }, () =>
    createResponse(newResponse(idWithin(formId, uuid()), formId, cast.oscar.id, now().toISOString())),
  );
  await writeInBatches(table, drafts);
}

test('an edit that is overtaken by a deletion is 404', async () => {
  const edits: [method: string, path: (ids: { formId: string; sectionId: string }) => string, body: unknown][] = [
    ['PATCH', ({ formId }) => `/api/forms/${formId}`, { title: 'Late' }],
    ['PATCH', ({ formId, sectionId }) => `/api/forms/${formId}/sections/${sectionId}`, { title: 'Late' }],
    ['POST', ({ formId }) => `/api/forms/${formId}/views`, {}],
    ['POST', ({ formId }) => `/api/forms/${formId}/publish`, undefined],
  ];
  for (const [method, path, body] of edits) {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
    const edit = () => requestAs(cast.bob, method, path({ formId, sectionId: sectionIds[0] ?? '' }), body);
    expect((await beforeFirstWrite(edit, () => remove(cast.alice, formId))).status).toBe(404);
    expect(await listLeftovers(formId)).toEqual([]);
  }
});
