/** Who may see a form, and what each reader sees of it. */
import { expect, test } from 'vitest';
import { draftForm, openForm, requestAs } from '#test/support/building.ts';
import { newCast, type Person } from '#test/support/fixtures.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

const MISSING = '00000000-0000-8000-8000-000000000000';
const READS = ['', '/sections', '/workflow'];
const statuses = (person: Person | undefined, formId: string) =>
  Promise.all(READS.map(async (path) => (await requestAs(person, 'GET', `/api/forms/${formId}${path}`)).status));

test('a DRAFT is visible to members only; others get exactly the 404 of a form that does not exist', async () => {
  const { id } = await draftForm(cast.alice, cast.slug);
  expect(await statuses(cast.bob, id)).toEqual([200, 200, 200]);
  expect(await statuses(cast.dave, id)).toEqual([404, 404, 404]);
  expect(await statuses(cast.oscar, id)).toEqual([404, 404, 404]);
  for (const path of READS) {
    const hidden = (await requestAs(cast.dave, 'GET', `/api/forms/${id}${path}`)).body;
    const missing = (await requestAs(cast.dave, 'GET', `/api/forms/${MISSING}${path}`)).body;
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

test('an ARCHIVED form, and a DRAFT that was published before, is visible to members and respondents only', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug);
  await start(cast.dave, formId);
  for (const move of ['archiveForm', 'unarchiveForm'] as const) {
    await cast.alice.client.forms[move]({ params: { formId } });
    expect(await statuses(cast.bob, formId)).toEqual([200, 200, 200]);
    expect(await statuses(cast.dave, formId)).toEqual([200, 200, 200]);
    expect(await statuses(cast.erin, formId)).toEqual([404, 404, 404]);
  }
});

test('a malformed id is 400', async () => {
  for (const id of ['x', MISSING.toUpperCase().replace('8', 'A'), `${MISSING}0`]) {
    expect((await requestAs(cast.alice, 'GET', `/api/forms/${id}`)).status).toBe(400);
  }
});

test('spreadsheetUrl is shown to members only', async () => {
  const spreadsheetUrl = 'https://sheets.example.org/d/1';
  const { id } = await openForm(cast.alice, cast.slug, { spreadsheetUrl });
  expect((await requestAs(cast.bob, 'GET', `/api/forms/${id}`)).body.spreadsheetUrl).toBe(spreadsheetUrl);
  expect((await requestAs(cast.dave, 'GET', `/api/forms/${id}`)).body.spreadsheetUrl).toBeNull();
  const listed = (await requestAs(cast.dave, 'GET', '/api/forms')).body.find((form: { id: string }) => form.id === id);
  expect(listed.spreadsheetUrl).toBeNull();
});

test('allowEditResponse is the setting for editors; for respondents also that the form is open and a response started', async () => {
  const { id: formId } = await openForm(cast.alice, cast.slug, { allowEditResponse: true });
  const seenBy = async (person: Person) =>
    (await person.client.forms.getForm({ params: { formId } })).body.allowEditResponse;
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([true, false]);
  await respond(cast.dave, formId);
  expect([await seenBy(cast.bob), await seenBy(cast.dave), await seenBy(cast.erin)]).toEqual([true, true, false]);
  const patch = (body: object) => requestAs(cast.alice, 'PATCH', `/api/forms/${formId}`, body);
  await patch({ deadline: '2020-01-01T00:00:00Z' });
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([true, false]);
  await patch({ deadline: null, allowEditResponse: false });
  expect([await seenBy(cast.bob), await seenBy(cast.dave)]).toEqual([false, false]);
});
