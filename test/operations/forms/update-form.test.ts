/** Changing the settings of a form. */
import { expect, test, vi } from 'vitest';
import { draftForm, openForm, readFaults, requestAs } from '#test/support/building.ts';
import { newCast } from '#test/support/fixtures.ts';

const cast = await newCast();

const full = {
  title: 'Frogs',
  visibility: 'PRIVATE',
  allowEditResponse: false,
  description: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }] },
  previewMessage: 'Come and count',
  publishTime: '2026-05-01T00:00:00.000Z',
  deadline: '2026-05-02T00:00:00.000Z',
  messageAfterSubmission: 'Thank you',
  sendResponseEmail: true,
  dressing: { color: '#abc', headerFont: 'inter' },
  layout: 'ONE_QUESTION',
  spreadsheetUrl: 'https://sheets.example.org/d/1',
} as const;

const patch = (formId: string, body: object) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body);

test('what is absent is unchanged', async () => {
  const { id } = await draftForm(cast.alice, cast.slug, {
    ...full,
    description: { ...full.description, content: [...full.description.content] },
  });
  expect(await patch(id, {})).toMatchObject({ status: 200, body: full });
  for (const [name, value] of Object.entries({ title: 'Toads', sendResponseEmail: false, previewMessage: 'Look' })) {
    const { body } = await patch(id, { [name]: value });
    expect(body).toMatchObject({
      ...full,
      title: body.title,
      sendResponseEmail: body.sendResponseEmail,
      previewMessage: body.previewMessage,
    });
    expect(body[name]).toBe(value);
  }
});

test('null clears each optional setting and leaves the others', async () => {
  const { id } = await draftForm(cast.alice, cast.slug);
  const cleared = {
    description: null,
    previewMessage: '',
    publishTime: null,
    deadline: null,
    messageAfterSubmission: '',
    sendResponseEmail: false,
    dressing: {},
    layout: 'SECTIONS',
    spreadsheetUrl: null,
  };
  for (const [name, empty] of Object.entries(cleared)) {
    await patch(id, full);
    const { body } = await patch(id, { [name]: null });
    const preview = name === 'previewMessage' ? { previewMessage: 'Hi' } : {};
    expect(body).toMatchObject({ ...full, [name]: empty, ...preview });
  }
});

test('title, visibility and allowEditResponse can be changed but not cleared', async () => {
  const { id } = await draftForm(cast.alice, cast.slug);
  expect((await patch(id, { title: 'T', visibility: 'PRIVATE', allowEditResponse: false })).body).toMatchObject({
    title: 'T',
    visibility: 'PRIVATE',
    allowEditResponse: false,
  });
  const nulls = { title: null, visibility: null, allowEditResponse: null };
  expect(await readFaults(cast.bob, 'PATCH', `/api/forms/${id}`, nulls)).toEqual([
    '/body/allowEditResponse',
    '/body/title',
    '/body/visibility',
  ]);
  expect(await readFaults(cast.bob, 'PATCH', `/api/forms/${id}`, { title: '', coverImage: 'x' })).toContain(
    '/body/title',
  );
});

test('a dressing is merged member by member; null removes a member', async () => {
  const { id } = await draftForm(cast.alice, cast.slug, { dressing: { color: '#abc', headerFont: 'inter' } });
  expect((await patch(id, { dressing: { textFont: 'lora' } })).body.dressing).toEqual({
    color: '#abc',
    headerFont: 'inter',
    textFont: 'lora',
  });
  expect((await patch(id, { dressing: { color: '#000000', headerFont: null } })).body.dressing).toEqual({
    color: '#000000',
    textFont: 'lora',
  });
  expect((await patch(id, { dressing: {} })).body.dressing).toEqual({ color: '#000000', textFont: 'lora' });
  expect(await readFaults(cast.bob, 'PATCH', `/api/forms/${id}`, { dressing: { textFont: 'Arial' } })).toEqual([
    '/body/dressing/textFont',
  ]);
});

test('the deadline must be after publishTime also when only one of the two is changed', async () => {
  const { id } = await draftForm(cast.alice, cast.slug, {
    publishTime: '2026-05-01T00:00:00Z',
    deadline: '2026-05-02T00:00:00Z',
  });
  const refused = (body: object) => readFaults(cast.bob, 'PATCH', `/api/forms/${id}`, body);
  expect(await refused({ deadline: '2026-05-01T00:00:00Z' })).toEqual(['/body/deadline']);
  expect(await refused({ publishTime: '2026-05-02T00:00:00Z' })).toEqual(['/body/deadline']);
  expect((await patch(id, { publishTime: '2026-05-03T00:00:00Z', deadline: '2026-05-04T00:00:00Z' })).status).toBe(200);
  expect((await patch(id, { deadline: null })).status).toBe(200);
  expect((await patch(id, { publishTime: '2027-01-01T00:00:00Z' })).status).toBe(200);
});

test('a refused change changes nothing, not even its valid parts', async () => {
  const before = await draftForm(cast.alice, cast.slug);
  await readFaults(cast.bob, 'PATCH', `/api/forms/${before.id}`, { title: 'New', coverImage: 'elsewhere' });
  expect((await cast.bob.client.forms.getForm({ params: { formId: before.id } })).body).toEqual(before);
});

test('a change updates lastEditor and updatedAt, not the creator', async () => {
  const form = await draftForm(cast.alice, cast.slug);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(form.updatedAt) + 60_000 });
  try {
    const { body } = await patch(form.id, { title: 'Toads' });
    expect(body).toMatchObject({
      creator: { id: cast.alice.id },
      lastEditor: { id: cast.bob.id, emails: [cast.bob.email] },
    });
    expect(Date.parse(body.updatedAt) - Date.parse(form.updatedAt)).toBe(60_000);
    expect(body.createdAt).toBe(form.createdAt);
    expect(Object.keys(body.lastEditor).sort()).toEqual(['emails', 'id', 'name', 'username']);
  } finally {
    vi.useRealTimers();
  }
});

test('an editor can PATCH a form in every status, also to move a passed deadline', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const past = { publishTime: '2020-01-01T00:00:00Z', deadline: '2020-01-02T00:00:00Z' };
  expect(await patch(formId, past)).toMatchObject({ status: 200, body: { status: 'DRAFT' } });
  await cast.alice.client.forms.publishForm({ params: { formId } });
  const start = () => requestAs(cast.dave, 'POST', `/api/forms/${formId}/responses`);
  expect((await start()).status).toBe(400);
  expect(await patch(formId, { deadline: null })).toMatchObject({ status: 200, body: { status: 'PUBLISHED' } });
  expect((await start()).status).toBe(201);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect(await patch(formId, { title: 'In the archive' })).toMatchObject({
    status: 200,
    body: { status: 'ARCHIVED', title: 'In the archive' },
  });
});

test('is for members: 403 for others who may see the form, 404 when it is not visible, 401 without a credential', async () => {
  const { id: open } = await openForm(cast.alice, cast.slug);
  const { id: draft } = await draftForm(cast.alice, cast.slug);
  expect((await requestAs(cast.dave, 'PATCH', `/api/forms/${open}`, { title: 'Mine' })).status).toBe(403);
  expect((await requestAs(cast.dave, 'PATCH', `/api/forms/${draft}`, { title: 'Mine' })).status).toBe(404);
  expect((await requestAs(undefined, 'PATCH', `/api/forms/${open}`, { title: 'Mine' })).status).toBe(401);
});
