/** Deleting a form with all that is under it (contract section 4, row "Delete"; section 9, "Delete means gone"). */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { formKey, idWithin } from '#core/db/keys.ts';
import { StorageBusy } from '#core/db/table.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edit.ts';
import { createResponse } from '#core/responses/store.ts';
import { ask, draftForm, draftResponse, itemsMentioning, openForm, submittedResponse } from '#test/support/building.ts';
import { type Cast, newCast, newForm, type Person } from '#test/support/world.ts';

let cast: Cast;
let real: App;
beforeAll(async () => {
  cast = await newCast();
  real = app();
});
afterEach(() => {
  replaceApp(real);
});

const remove = async (person: Person | undefined, formId: string) =>
  (await ask(person, 'DELETE', `/api/forms/${formId}`)).status;
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

test('who created a form and has left the organization may not delete it', async () => {
  const { slug } = cast;
  const { id: formId } = await openForm(cast.bob, slug);
  await cast.alice.client.orgs.removeMember({ params: { slug, memberId: cast.bob.id } });
  expect(await remove(cast.bob, formId)).toBe(403);
  await cast.alice.client.orgs.addMember({ params: { slug }, body: { email: cast.bob.email } });
  expect(await remove(cast.bob, formId)).toBe(204);
});

test('with a form goes everything under it; nothing in the table tells of it any more', async () => {
  const formId = await fullForm();
  const other = await fullForm();
  const before = (await leftoversOf(formId)).map((key) => key.replace(/RESPONSE#\S+/, 'RESPONSE'));
  expect(new Set(before)).toEqual(
    new Set([
      `FORM#${formKey(formId)} HEAD`,
      `FORM#${formKey(formId)} STRUCTURE`,
      `FORM#${formKey(formId)} VIEWS`,
      'RESPONSE RESPONSE',
    ]),
  );
  const untouched = await leftoversOf(other);
  expect(await remove(cast.alice, formId)).toBe(204);
  expect(await leftoversOf(formId)).toEqual([]);
  expect(await leftoversOf(other)).toEqual(untouched);
  expect(await remove(cast.alice, formId)).toBe(404);
});

test('a deleted form is 404 for everybody and in nobody’s list', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug);
  const responseId = await submittedResponse(cast.dave, formId);
  expect(await remove(cast.alice, formId)).toBe(204);
  for (const person of [cast.alice, cast.dave]) {
    expect((await ask(person, 'GET', `/api/forms/${formId}`)).status).toBe(404);
    expect((await ask(person, 'GET', `/api/forms/${formId}/responses/${responseId}`)).status).toBe(404);
  }
  const lists = ['/api/forms', '/api/forms/me', `/api/orgs/${cast.slug}/forms`].map((path) =>
    ask(cast.alice, 'GET', path),
  );
  for (const { body } of [...(await Promise.all(lists)), await ask(cast.dave, 'GET', '/api/forms/me')]) {
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(formId);
  }
});

/** Makes the n-th write from now on fail as storage does; the others pass. */
function failWrite(nth: number): void {
  let count = 0;
  const write: App['table']['write'] = async (...given) => {
    count += 1;
    if (count === nth) throw new StorageBusy(new Error('the power went off'));
    await real.table.write(...given);
  };
  replaceApp({ ...real, table: { ...real.table, write } });
}

test('a deletion that was interrupted is not half a form to anybody, and is finished by asking again', async () => {
  let interrupted = 0;
  for (let nth = 1; ; nth += 1) {
    const formId = await fullForm();
    await plantDrafts(formId, 120);
    failWrite(nth);
    const status = await remove(cast.alice, formId);
    replaceApp(real);
    if (status === 204) break;
    expect(status).toBe(503);
    interrupted += 1;
    await judgeInterrupted(formId, nth === 1);
    expect(await remove(cast.alice, formId)).toBe(204);
    expect(await leftoversOf(formId)).toEqual([]);
  }
  expect(interrupted).toBeGreaterThanOrEqual(4);
});

/** Before its first write a deletion has changed nothing; from then on nobody knows the form. */
async function judgeInterrupted(formId: string, untouched: boolean): Promise<void> {
  expect((await ask(cast.bob, 'GET', `/api/forms/${formId}`)).status).toBe(untouched ? 200 : 404);
  expect((await ask(cast.dave, 'POST', `/api/forms/${formId}/responses`)).status).toBe(untouched ? 201 : 404);
  const listed = (await ask(cast.alice, 'GET', `/api/orgs/${cast.slug}/forms`)).body;
  expect(listed.some(({ id }: { id: string }) => id === formId)).toBe(untouched);
  expect(await remove(cast.chelsea, formId)).toBe(untouched ? 403 : 404);
}

/** More responses than one write can remove. */
async function plantDrafts(formId: string, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, () =>
    createResponse(newResponse(idWithin(formId, real.uuid()), formId, cast.dave.id, real.now().toISOString())),
  );
  await real.table.write(drafts.slice(0, 100));
  await real.table.write(drafts.slice(100));
}
