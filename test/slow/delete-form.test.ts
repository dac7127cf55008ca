/** Deleting a form with everything under it, also when it is interrupted. */
import { beforeAll, expect, test } from 'vitest';
import { formKey, idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/changes.ts';
import { createResponse } from '#core/responses/store.ts';
import {
  draftForm,
  draftResponse,
  itemsMentioning,
  openForm,
  requestAs,
  submittedResponse,
} from '#test/support/building.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { beforeFirstWrite, failingAt } from '#test/support/interleaving.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const remove = async (person: Person | undefined, formId: string) =>
  (await requestAs(person, 'DELETE', `/api/forms/${formId}`)).status;
const leftoversOf = (formId: string) => itemsMentioning(formKey(formId));

/** A form with everything that can be under it today: sections, questions, a highlight, a view, responses. */
async function fullForm(): Promise<string> {
  const kinds = [[{ type: 'SINGLE_CHOICE' as const, choices: [{ name: 'a' }] }], [{ type: 'SHORT_TEXT' as const }]];
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, kinds);
  const params = { formId };
  await cast.alice.client.forms.setHighlight({ params, body: { questionId: questionIds[0] ?? '' } });
  await cast.alice.client.views.createView({ params });
  const answers = [{ questionId: questionIds[1] ?? '', questionType: 'SHORT_TEXT' as const, value: 'hello' }];
  for (const person of [cast.dave, cast.erin]) {
    await draftResponse(person, formId, answers);
    await submittedResponse(person, formId, answers);
  }
  return formId;
}

test('an admin, and a member who created it, may delete a form; another member, a respondent and an outsider may not', async () => {
  const byAlice = (await openForm(cast.alice, cast.slug)).id;
  const byBob = (await openForm(cast.bob, cast.slug)).id;
  const alsoByBob = (await draftForm(cast.bob, cast.slug)).id;
  await draftResponse(cast.dave, byAlice);
  expect(await remove(cast.bob, byAlice)).toBe(403);
  expect(await remove(cast.dave, byAlice)).toBe(403);
  expect(await remove(cast.oscar, byAlice)).toBe(403);
  expect(await remove(undefined, byAlice)).toBe(401);
  expect(await remove(cast.chelsea, alsoByBob)).toBe(404);
  expect(await remove(cast.alice, byAlice)).toBe(204);
  expect(await remove(cast.bob, byBob)).toBe(204);
  expect(await remove(cast.alice, alsoByBob)).toBe(204);
});

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
  const before = (await leftoversOf(formId)).map((key) => key.replace(/RESPONSE#\S+/, 'RESPONSE'));
  expect(new Set(before)).toEqual(
    new Set([
      ...['ANSWERED', 'GATE', 'HEAD', 'LISTING', 'STRUCTURE', 'VIEWS'].map((item) => `FORM#${formKey(formId)} ${item}`),
      'RESPONSE RESPONSE',
    ]),
  );
  const untouched = await leftoversOf(other);
  expect(await remove(cast.alice, formId)).toBe(204);
  expect(await leftoversOf(formId)).toEqual([]);
  expect(await leftoversOf(other)).toEqual(untouched);
  expect(await remove(cast.alice, formId)).toBe(404);
});

test('a deleted form is 404 for everybody and in no list', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug);
  const responseId = await submittedResponse(cast.dave, formId);
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

test('an interrupted deletion leaves the form invisible and is completed by repeating it, whichever write failed', async () => {
  let interrupted = 0;
  for (let nth = 1; ; nth += 1) {
    const formId = (await openForm(cast.alice, cast.slug)).id;
    // More responses than one write can remove.
    await seedDrafts(formId, 101);
    const status = await withTable(failingAt(nth), () => remove(cast.alice, formId));
    if (status === 204) break;
    expect(status).toBe(503);
    interrupted += 1;
    await expectInterrupted(formId, nth === 1);
    expect(await remove(cast.alice, formId)).toBe(204);
    expect(await leftoversOf(formId)).toEqual([]);
  }
  expect(interrupted).toBeGreaterThanOrEqual(4);
});

/** Before its first write a deletion has changed nothing; from then on the form is visible to nobody. */
async function expectInterrupted(formId: string, untouched: boolean): Promise<void> {
  expect((await requestAs(cast.bob, 'GET', `/api/forms/${formId}`)).status).toBe(untouched ? 200 : 404);
  expect((await requestAs(cast.dave, 'POST', `/api/forms/${formId}/responses`)).status).toBe(untouched ? 201 : 404);
  const listed = (await requestAs(cast.alice, 'GET', `/api/orgs/${cast.slug}/forms`)).body;
  expect(listed.some(({ id }: { id: string }) => id === formId)).toBe(untouched);
  expect(await remove(cast.chelsea, formId)).toBe(untouched ? 403 : 404);
}

/** Drafts of somebody, written straight to the table. */
async function seedDrafts(formId: string, count: number): Promise<void> {
  const { table, uuid, now } = app();
  const drafts = Array.from({ length: count }, () =>
    createResponse(newResponse(idWithin(formId, uuid()), formId, cast.oscar.id, now().toISOString())),
  );
  await Promise.all([table.write(drafts.slice(0, 100)), table.write(drafts.slice(100))]);
}

test('an edit that is overtaken by a deletion is 404, though the deletion was interrupted', async () => {
  const edits: [method: string, path: (ids: { formId: string; sectionId: string }) => string, body: unknown][] = [
    ['PATCH', ({ formId }) => `/api/forms/${formId}`, { title: 'Late' }],
    ['PATCH', ({ formId, sectionId }) => `/api/forms/${formId}/sections/${sectionId}`, { title: 'Late' }],
    ['POST', ({ formId }) => `/api/forms/${formId}/views`, {}],
    ['POST', ({ formId }) => `/api/forms/${formId}/publish`, undefined],
  ];
  for (const [method, path, body] of edits) {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
    const edit = () => requestAs(cast.bob, method, path({ formId, sectionId: sectionIds[0] ?? '' }), body);
    const interrupted = () => withTable(dyingAfter(1), () => remove(cast.alice, formId));
    expect((await beforeFirstWrite(edit, interrupted)).status).toBe(404);
    expect(await remove(cast.alice, formId)).toBe(204);
    expect(await leftoversOf(formId)).toEqual([]);
  }
});
