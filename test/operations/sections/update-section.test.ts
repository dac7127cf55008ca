/** Changing a section. */
import { beforeAll, expect, test, vi } from 'vitest';
import { draftForm, newNode, readFaults, requestAs } from '#test/support/building.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { doc, nested, node, p, text } from '#test/support/rich-text.ts';

let cast: Cast;
let formId: string;
let sectionId: string;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  formId = (await draftForm(cast.alice, cast.slug)).id;
  sectionId = await newNode(cast.alice, formId);
  path = `/api/forms/${formId}/sections/${sectionId}`;
});

const patch = (body: unknown) => requestAs(cast.bob, 'PATCH', path, body);
const read = async () => (await cast.bob.client.sections.listSections({ params: { formId } })).body[0]?.section;

test('a member changes the title and the description; what is absent is unchanged', async () => {
  const description = doc(node('bulletList', [node('listItem', [p(text('a <b>', { type: 'italic' }))])]));
  const described = await patch({ title: 'About you', description });
  expect(described.status).toBe(200);
  expect(described.body).toMatchObject({
    id: sectionId,
    formId,
    title: 'About you',
    description,
    descriptionHtml: '<ul><li><p><em>a &lt;b&gt;</em></p></li></ul>',
  });
  expect(JSON.stringify(described.body.description)).toBe(JSON.stringify(description));
  expect((await patch({ title: 'About us' })).body).toMatchObject({ title: 'About us', description });
  expect((await patch({ description: null })).body).toMatchObject({
    title: 'About us',
    description: null,
    descriptionHtml: '',
  });
  expect((await patch({})).body).toEqual(await read());
});

test('a change moves updatedAt and only that', async () => {
  const before = await read();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(before?.updatedAt ?? '') + 60_000 });
  try {
    const { body } = await patch({ title: 'Later' });
    expect(Date.parse(body.updatedAt) - Date.parse(before?.updatedAt ?? '')).toBe(60_000);
    expect(body.createdAt).toBe(before?.createdAt);
  } finally {
    vi.useRealTimers();
  }
});

test('a title has up to 200 characters, also as a node’s label', async () => {
  expect((await patch({ title: '水'.repeat(200) })).body.title).toBe('水'.repeat(200));
  expect(await readFaults(cast.bob, 'PATCH', path, { title: 'x'.repeat(201) })).toEqual(['/body/title']);
  expect(await readFaults(cast.bob, 'PATCH', path, { title: null })).toEqual(['/body/title']);
});

test('a description that is not valid rich text is refused where it is wrong, and nothing is changed', async () => {
  const before = await read();
  const wrong = { title: 'New', description: doc(p(text('x')), node('table')) };
  expect(await readFaults(cast.bob, 'PATCH', path, wrong)).toEqual(['/body/description/content/1/type']);
  expect(await readFaults(cast.bob, 'PATCH', path, { description: 'text' })).toEqual(['/body/description']);
  expect(await readFaults(cast.bob, 'PATCH', path, { description: nested(33) })).toHaveLength(1);
  expect(await read()).toEqual(before);
});

test('a section of another form, and one that does not exist, is 404 even when the body is bad', async () => {
  const other = (await draftForm(cast.alice, cast.slug)).id;
  const elsewhere = await newNode(cast.alice, other);
  const condition = await newNode(cast.alice, formId, 'CONDITION');
  for (const id of [elsewhere, condition, formId]) {
    expect((await requestAs(cast.bob, 'PATCH', `/api/forms/${formId}/sections/${id}`, { title: 1 })).status).toBe(404);
  }
  expect((await requestAs(cast.bob, 'PATCH', `/api/forms/${formId}/sections/x`, {})).status).toBe(400);
});

test('only members change sections: of a published form others get 403, of a draft 404', async () => {
  expect((await requestAs(cast.dave, 'PATCH', path, { title: 'Mine' })).status).toBe(404);
  expect((await requestAs(undefined, 'PATCH', path, { title: 'Mine' })).status).toBe(401);
  const { id } = await draftForm(cast.alice, cast.slug);
  await cast.alice.client.forms.publishForm({ params: { formId: id } });
  const section = await newNode(cast.alice, id);
  expect((await requestAs(cast.dave, 'PATCH', `/api/forms/${id}/sections/${section}`, { title: 'Mine' })).status).toBe(
    403,
  );
});
