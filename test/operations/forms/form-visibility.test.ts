/** Who may know a form and what each sees of it (contract section 4, "Visibility" and `allowEditResponse`). */
import { beforeAll, expect, test } from 'vitest';
import { ask, draftForm, draftResponse, openForm, submittedResponse } from '#test/support/building.ts';
import { type Cast, newCast, type Person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const MISSING = '00000000-0000-8000-8000-000000000000';
const READS = ['', '/sections', '/workflow'];
const statuses = (person: Person | undefined, formId: string) =>
  Promise.all(READS.map(async (path) => (await ask(person, 'GET', `/api/forms/${formId}${path}`)).status));

test('a DRAFT is known to members only; others get exactly the 404 of a form that does not exist', async () => {
  const { id } = await draftForm(cast.alice, cast.slug);
  expect(await statuses(cast.bob, id)).toEqual([200, 200, 200]);
  expect(await statuses(cast.dave, id)).toEqual([404, 404, 404]);
  expect(await statuses(cast.oscar, id)).toEqual([404, 404, 404]);
  for (const path of READS) {
    const hidden = (await ask(cast.dave, 'GET', `/api/forms/${id}${path}`)).body;
    const missing = (await ask(cast.dave, 'GET', `/api/forms/${MISSING}${path}`)).body;
    expect({ ...hidden, instance: '' }).toEqual({ ...missing, instance: '' });
  }
});

test('a PUBLISHED form, PRIVATE ones too, is readable by every signed-in user with its id', async () => {
  for (const visibility of ['PUBLIC', 'PRIVATE'] as const) {
    const { id } = await openForm(cast.alice, cast.slug, { visibility });
    expect(await statuses(cast.chelsea, id)).toEqual([200, 200, 200]);
    expect(await statuses(undefined, id)).toEqual([401, 401, 401]);
  }
});

test('an ARCHIVED form is known to its members and its respondents, drafts included, and to nobody else', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug);
  await draftResponse(cast.dave, formId);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect(await statuses(cast.bob, formId)).toEqual([200, 200, 200]);
  expect(await statuses(cast.dave, formId)).toEqual([200, 200, 200]);
  expect(await statuses(cast.erin, formId)).toEqual([404, 404, 404]);
  await cast.alice.client.forms.unarchiveForm({ params: { formId } });
  expect(await statuses(cast.dave, formId)).toEqual([404, 404, 404]);
});

test('a malformed id is 400', async () => {
  for (const id of ['x', MISSING.toUpperCase().replace('8', 'A'), `${MISSING}0`]) {
    expect((await ask(cast.alice, 'GET', `/api/forms/${id}`)).status).toBe(400);
  }
});

test('spreadsheetUrl is shown to members only', async () => {
  const spreadsheetUrl = 'https://sheets.example.org/d/1';
  const { id } = await openForm(cast.alice, cast.slug, { spreadsheetUrl });
  expect((await ask(cast.bob, 'GET', `/api/forms/${id}`)).body.spreadsheetUrl).toBe(spreadsheetUrl);
  expect((await ask(cast.dave, 'GET', `/api/forms/${id}`)).body.spreadsheetUrl).toBeNull();
  const listed = (await ask(cast.dave, 'GET', '/api/forms')).body.find((form: { id: string }) => form.id === id);
  expect(listed.spreadsheetUrl).toBeNull();
});

test('allowEditResponse is the setting for editors; for respondents also that the form is open and a response started', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug, { allowEditResponse: true });
  const seenBy = async (person: Person) =>
    (await person.client.forms.getForm({ params: { formId } })).body.allowEditResponse;
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([true, false]);
  await submittedResponse(cast.dave, formId);
  expect([await seenBy(cast.bob), await seenBy(cast.dave), await seenBy(cast.erin)]).toEqual([true, true, false]);
  const patch = (body: object) => ask(cast.alice, 'PATCH', `/api/forms/${formId}`, body);
  await patch({ deadline: '2020-01-01T00:00:00Z' });
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([true, false]);
  await patch({ deadline: null, allowEditResponse: false });
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([false, false]);
});
