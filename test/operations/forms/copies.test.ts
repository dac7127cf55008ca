/** Copies of forms: duplicates, definitions that are exported, and forms that are imported from them. */
import { describe, expect, test } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { readFaults, requestAs, rewire } from '#test/support/building.ts';
import { formOf, local } from '#test/support/files.ts';
import { newCast, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { sent, start } from '#test/support/responses.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();

type Json = Record<string, unknown>;

/** A form with a branch on choices, choices taken from another question, a view, a highlight, a cover and dates. */
async function richForm() {
  const { alice, slug } = cast;
  const { formId, sectionIds, questionIds } = await newForm(
    alice,
    slug,
    [
      [
        { type: 'MULTIPLE_CHOICE', title: 'Fruit', choices: [{ name: 'Apple' }, { name: 'Pear', isOther: true }] },
        { type: 'SHORT_TEXT', title: 'Why?' },
      ],
      [{ type: 'RANKING', title: 'Best', choices: [{ name: 'x' }] }],
    ],
    { publish: false },
  );
  const params = { formId };
  const [first = '', second = ''] = sectionIds;
  const [fruit = '', , best = ''] = questionIds;
  const listed = (await alice.client.sections.listSections({ params })).body;
  const apple = listed[0]?.questions?.[0]?.choices?.[0]?.id ?? '';
  await alice.client.questions.updateQuestion({
    params: { sectionId: second, questionId: best },
    body: { type: 'RANKING', title: 'Best', required: true, description: null, order: 1, sourceId: fruit },
  });
  const { body: condition } = await alice.client.workflow.createNode({
    params,
    body: { type: 'CONDITION', payload: { x: 1, y: 2, for: fruit, note: `about ${fruit}` } },
  });
  const end = (await alice.client.workflow.getWorkflow({ params })).body.workflow.find(
    ({ type }) => type === 'END',
  )?.id;
  await rewire(alice, formId, {
    [first]: { next: condition.id },
    [condition.id]: {
      conditionRule: { source: 'CHOICE', question: fruit, pattern: `^(?:${apple})$` },
      nextTrue: second,
      nextFalse: end ?? '',
    },
  });
  await alice.client.views.createView({ params, body: { title: 'Fruit only', columns: [fruit] } });
  await alice.client.forms.setHighlight({ params, body: { questionId: fruit } });
  await alice.client.forms.uploadCover({
    params,
    form: formOf([local('c.webp', webp(8, 8), 'image/webp')], 'coverImage'),
  });
  await alice.client.forms.updateForm({
    params,
    body: {
      title: 'Fruit',
      messageAfterSubmission: 'Thanks',
      deadline: '2099-01-01T00:00:00Z',
      publishTime: '2026-01-01T00:00:00Z',
      dressing: { color: '#123456' },
      layout: 'ONE_QUESTION',
    },
  });
  return { formId, fruit, apple };
}

/** Everything of a form that a copy has, with ids relative to the form and without times. */
async function described({ client }: Person, formId: string): Promise<Json> {
  const params = { formId };
  const [form, sections, workflow, views, highlight] = await Promise.all([
    client.forms.getForm({ params }),
    client.sections.listSections({ params }),
    client.workflow.getWorkflow({ params }),
    client.views.listViews({ params }),
    client.forms.getHighlight({ params }),
  ]);
  const { id, title, coverImage, createdAt, updatedAt, unitId, deadline, publishTime, ...settings } = form.body;
  const parts = {
    settings,
    sections: sections.body,
    workflow: workflow.body,
    views: views.body,
    highlight: highlight.body,
  };
  const text = JSON.stringify(parts)
    .replaceAll(id, 'FORM')
    .replaceAll(formKey(id), 'KEY')
    .replace(/"(?:createdAt|updatedAt)":"[^"]*"/g, '"time":""')
    .replace(/about [^"]+/g, 'about');
  return JSON.parse(text);
}

const duplicate = async (person: Person, formId: string, body?: object) =>
  requestAs(person, 'POST', `/api/forms/${formId}/duplicate`, body);

describe('a duplicate', () => {
  test('is a DRAFT with the content, settings and cover of the form, and not its times', async () => {
    const { alice } = cast;
    const { formId, fruit, apple } = await richForm();
    const { status, body } = await duplicate(alice, formId);
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'Fruit的副本', status: 'DRAFT', deadline: null, publishTime: null });
    expect(await described(alice, body.id)).toEqual(await described(alice, formId));
    const copied = JSON.stringify(
      (await alice.client.workflow.getWorkflow({ params: { formId: body.id } })).body.workflow,
    );
    // A text that mentions an id stays as it was typed.
    expect(copied.match(new RegExp(formKey(formId), 'g'))).toHaveLength(1);
    expect(copied).toContain(`about ${fruit}`);
    expect(copied).not.toContain(apple);
    expect(body.coverImage).toMatch(new RegExp(`^covers/${body.id}/`));
    expect((await requestAs(alice, 'GET', `/api/forms/${body.id}/cover`)).status).toBe(302);
  });

  test('can be published and answered along the same branch, and leaves the original alone', async () => {
    const { alice, dave } = cast;
    const { formId } = await richForm();
    const { body } = await duplicate(alice, formId, { title: 'Again' });
    expect(body.title).toBe('Again');
    await alice.client.forms.publishForm({ params: { formId: body.id } });
    const [first] = (await alice.client.sections.listSections({ params: { formId: body.id } })).body;
    const question = first?.questions?.[0];
    const id = await start(dave, body.id);
    const refused = await requestAs(dave, 'POST', `/api/responses/${id}/submit`, {
      answers: [sent(question?.id ?? '', 'MULTIPLE_CHOICE', [question?.choices?.[0]?.id ?? ''])],
    });
    // The branch on the choice leads to the ranking, which is required.
    expect(refused.status).toBe(400);
    expect((await alice.client.responses.listResponses({ params: { formId }, query: {} })).body.totalCount).toBe(0);
  });

  test('goes to another organization of the caller', async () => {
    const { alice, bob, chelsea } = cast;
    const { formId } = await richForm();
    const both = await newOrganization(alice);
    const theirs = await newOrganization(chelsea);
    expect((await duplicate(alice, formId, { slug: both.slug })).body).toMatchObject({ unitId: both.orgId });
    expect((await duplicate(bob, formId, { slug: both.slug })).status).toBe(403);
    expect((await duplicate(alice, formId, { slug: theirs.slug })).status).toBe(403);
    expect(await readFaults(alice, 'POST', `/api/forms/${formId}/duplicate`, { slug: 'nobody-has-it' })).toEqual([
      '/body/slug',
    ]);
  });

  test('of a title of 200 characters has a title that can be sent back', async () => {
    const { alice } = cast;
    const { formId } = await richForm();
    await alice.client.forms.updateForm({ params: { formId }, body: { title: '🍎'.repeat(200) } });
    const { body } = await duplicate(alice, formId);
    expect([...body.title]).toHaveLength(200);
    await alice.client.forms.updateForm({ params: { formId: body.id }, body: { title: body.title } });
  });
});

describe('a definition', () => {
  test('says nothing about the form, its organization or its people', async () => {
    const { alice, orgId } = cast;
    const { formId } = await richForm();
    const { body } = await alice.client.forms.getDefinition({ params: { formId } });
    const text = JSON.stringify(body).replaceAll(/about [0-9a-f-]{36}/g, '');
    for (const secret of [formKey(formId), orgId, alice.id, 'covers/', '2099', 'spreadsheet']) {
      expect(text).not.toContain(secret);
    }
  });

  test('makes the same form again, also in another organization', async () => {
    const { alice, chelsea } = cast;
    const { formId } = await richForm();
    const { body: definition } = await alice.client.forms.getDefinition({ params: { formId } });
    const { slug } = await newOrganization(chelsea);
    const { body } = await chelsea.client.forms.importForm({ params: { slug }, body: definition });
    expect(body).toMatchObject({ title: 'Fruit', status: 'DRAFT', coverImage: null });
    const { settings, ...imported } = await described(chelsea, body.id);
    const { settings: original, ...exported } = await described(alice, formId);
    const people = { creator: null, lastEditor: null };
    expect({ ...(settings as Json), ...people }).toEqual({ ...(original as Json), ...people });
    expect(imported).toEqual(exported);
  });

  test('of a form that cannot be published yet can be imported, with the same faults in `info`', async () => {
    const { alice, slug } = cast;
    const { formId, sectionIds, questionIds } = await newForm(alice, slug, [
      [{ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }] }],
      [{ type: 'DROPDOWN', choices: [{ name: 'b' }] }],
    ]);
    const [first = '', second = ''] = sectionIds;
    const [source = '', dependent = ''] = questionIds;
    await alice.client.questions.updateQuestion({
      params: { sectionId: second, questionId: dependent },
      body: { type: 'DROPDOWN', title: 'q', required: true, description: null, order: 1, sourceId: source },
    });
    await alice.client.questions.deleteQuestion({ params: { sectionId: first, questionId: source } });
    await alice.client.workflow.createNode({ params: { formId }, body: { type: 'CONDITION', payload: {} } });
    const { body: definition } = await alice.client.forms.getDefinition({ params: { formId } });
    const { body } = await alice.client.forms.importForm({ params: { slug }, body: definition });
    const readInfo = async (id: string) => {
      const { info } = (await alice.client.workflow.getWorkflow({ params: { formId: id } })).body;
      return info.map(({ type, message }) => ({ type, message }));
    };
    expect(await readInfo(formId)).not.toEqual([]);
    expect(await readInfo(body.id)).toEqual(await readInfo(formId));
  });

  test.for<[fault: string, pointers: string[], change: (form: Json) => unknown]>([
    ['another format', ['/body/format'], () => ({ format: 'x' })],
    ['another version', ['/body/version'], () => ({ version: 2 })],
    ['no title', ['/body/form/title'], (form) => ({ form: { ...form, title: '' } })],
    [
      'an id of a form that exists',
      ['/body/form/sections/0/questions/0/id'],
      (form) => ({
        form: JSON.parse(replaced(form, new RegExp(firstQuestion(form)), '01890000-0000-8000-8000-00000000abcd')),
      }),
    ],
    ['no END', ['/body/form/nodes', '/body/form/nodes/1/next'], (form) => ({ form: withoutNode(form, 'END') })],
    ['a section without its node', ['/body/form/sections/0/id'], (form) => ({ form: withoutNode(form, 'SECTION') })],
    [
      'a view with a column of nothing',
      ['/body/form/views/0/columns/0'],
      (form) => ({ form: { ...form, views: [{ id: NEW, title: 'v', locked: false, columns: [NEW] }] } }),
    ],
    [
      'a highlight of a text question',
      ['/body/form/highlight/questionId'],
      (form) => ({ form: { ...form, highlight: { questionId: textQuestion(form), displayTitle: null } } }),
    ],
    [
      'choices without a name',
      ['/body/form/sections/0/questions/0/choices/0/name'],
      (form) => ({ form: JSON.parse(replaced(form, /"name":"Apple"/, '"name":""')) }),
    ],
  ])('with %s is refused by place, and nothing is created', async ([, pointers, change]) => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice);
    const { formId } = await simpleForm();
    const { body: definition } = await alice.client.forms.getDefinition({ params: { formId } });
    const changed = { ...definition, ...(change(definition.form as never) as object) };
    const faults = await readFaults(alice, 'POST', `/api/orgs/${slug}/forms/import`, changed);
    expect(faults).toEqual(expect.arrayContaining(pointers));
    expect((await alice.client.forms.listOrganizationForms({ params: { slug }, query: {} })).body).toEqual([]);
  });
});

const NEW = '00000000-0000-8000-8000-00000000abcd';

const simpleForm = () =>
  newForm(cast.alice, cast.slug, [[{ type: 'MULTIPLE_CHOICE', choices: [{ name: 'Apple' }] }, { type: 'SHORT_TEXT' }]]);

const replaced = (form: Json, pattern: RegExp, by: string): string => JSON.stringify(form).replace(pattern, by);

const withoutNode = ({ nodes, ...form }: Json, type: string): Json => ({
  ...form,
  nodes: (nodes as { type: string }[]).filter((node) => node.type !== type),
});

type Questions = { questions: { id: string; type: string }[] }[];

const firstQuestion = ({ sections }: Json): string => (sections as Questions)[0]?.questions[0]?.id ?? '';

const textQuestion = ({ sections }: Json): string =>
  (sections as Questions)[0]?.questions.find((each) => each.type === 'SHORT_TEXT')?.id ?? '';
