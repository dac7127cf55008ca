/** Sections with their questions. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { draftForm, newNode, requestAs } from '#test/support/building.ts';
import { withTable } from '#test/support/faults.ts';
import { linkInOrder, newCast, newForm, question } from '#test/support/fixtures.ts';

const cast = await newCast();

const list = async (formId: string) => (await cast.bob.client.sections.listSections({ params: { formId } })).body;
const order = async (formId: string) => (await list(formId)).map(({ section }) => section.id);

test('a new form has no sections', async () => {
  expect(await list((await draftForm(cast.alice, cast.slug)).id)).toEqual([]);
});

test('a SECTION node creates its section: the node’s id, the title New Section, no questions (null)', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const id = await newNode(cast.alice, formId);
  await newNode(cast.alice, formId, 'CONDITION');
  const [only, ...others] = await list(formId);
  expect(others).toEqual([]);
  expect(only).toEqual({
    section: {
      id,
      formId,
      title: 'New Section',
      progress: '',
      description: null,
      descriptionHtml: '',
      createdAt: expect.any(String),
      updatedAt: only?.section.createdAt,
      questions: null,
    },
    questions: null,
  });
});

test('the questions of a section are in their order, next to the section and in it', async () => {
  const kinds = ['third', 'second', 'first'].map((title) => ({ type: 'SHORT_TEXT' as const, title, order: 1 }));
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [kinds]);
  const [only] = await list(formId);
  expect(only?.questions?.map(({ title, order, sectionId }) => [title, order, sectionId])).toEqual([
    ['first', 1, sectionIds[0]],
    ['second', 2, sectionIds[0]],
    ['third', 3, sectionIds[0]],
  ]);
  expect(only?.section.questions).toEqual(only?.questions);
});

test('sections are in workflow order, unreachable ones last', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await newNode(cast.alice, formId));
  const [a = '', b = '', c = '', d = ''] = ids;
  expect(await order(formId)).toEqual([a, b, c, d]);
  await linkInOrder(cast.alice.client, formId, [d, b]);
  expect(await order(formId)).toEqual([d, b, a, c]);
  await linkInOrder(cast.alice.client, formId, [c, d, b, a]);
  expect(await order(formId)).toEqual([c, d, b, a]);
});

test('the true branch of a condition comes before the false one', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const [no, yes] = [await newNode(cast.alice, formId), await newNode(cast.alice, formId)];
  const condition = await newNode(cast.alice, formId, 'CONDITION');
  const { workflow: nodes } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
  const end = nodes.find(({ type }) => type === 'END')?.id ?? '';
  const links = {
    START: { next: condition },
    CONDITION: { nextTrue: yes, nextFalse: no },
    SECTION: { next: end },
    END: {},
  };
  const body = nodes.map(({ id, type, label, payload }) => ({ id, label, payload, ...links[type] }));
  await cast.alice.client.workflow.updateWorkflow({ params: { formId }, body });
  expect(await order(formId)).toEqual([yes, no]);
});

test('a section’s title is its node’s label, whichever of the two is changed', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
  const [sectionId = ''] = sectionIds;
  await cast.bob.client.sections.updateSection({ params: { formId, sectionId }, body: { title: 'By section' } });
  const { workflow: nodes } = (await cast.bob.client.workflow.getWorkflow({ params: { formId } })).body;
  expect(nodes.find(({ id }) => id === sectionId)?.label).toBe('By section');
  const body = nodes.map((node) => (node.id === sectionId ? { ...node, label: 'By node' } : node));
  await cast.bob.client.workflow.updateWorkflow({ params: { formId }, body });
  expect((await list(formId))[0]?.section.title).toBe('By node');
});

test('a section is deleted with its node, and its questions with it', async () => {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'DATE', date }], []]);
  const [sectionId = '', other] = sectionIds;
  await cast.bob.client.workflow.deleteNode({ params: { formId, nodeId: sectionId } });
  expect(await order(formId)).toEqual([other]);
  const path = `/api/sections/${sectionId}/questions`;
  expect((await requestAs(cast.bob, 'POST', path, question({ type: 'SHORT_TEXT' }))).status).toBe(404);
  expect((await requestAs(cast.bob, 'DELETE', `${path}/${questionIds[0]}`)).status).toBe(404);
});

const date = { hasYear: true, hasMonth: true, hasDay: true };

test('a warm function shows an edit to respondents at once, and reads the structure only when it was edited', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]]);
  let structureReads = 0;
  const counting = (table: Table): Partial<Table> => ({
    read: async (wantedKeys) => {
      structureReads += wantedKeys.filter(({ sk }) => sk === keys.formStructure(formId).sk).length;
      return table.read(wantedKeys);
    },
  });
  const titles = async () => {
    const { body } = await withTable(counting, () => cast.dave.client.sections.listSections({ params: { formId } }));
    return body.map(({ section }) => section.title);
  };
  const params = { formId, sectionId: sectionIds[0] ?? '' };
  for (const title of ['New Section', 'One', 'Two']) {
    if (title !== 'New Section') await cast.bob.client.sections.updateSection({ params, body: { title } });
    structureReads = 0;
    expect([await titles(), await titles()]).toEqual([[title], [title]]);
    expect(structureReads).toBe(1);
  }
});

test('the list has an ETag that counts the edits of the form’s structure', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
  const tag = async () =>
    Number((await requestAs(cast.bob, 'GET', `/api/forms/${formId}/sections`)).headers.get('etag')?.slice(1, -1));
  const before = await tag();
  const params = { sectionId: sectionIds[0] ?? '' };
  await cast.bob.client.questions.createQuestion({ params, body: question({ type: 'SHORT_TEXT' }) });
  await cast.bob.client.questions.createQuestion({ params, body: question({ type: 'SHORT_TEXT' }) });
  expect(await tag()).toBe(before + 2);
});
