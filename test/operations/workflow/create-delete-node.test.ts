/** Creating and deleting workflow nodes. */
import { describe, expect, test } from 'vitest';
import { draftForm, newNode, readEnds, readFaults, readWorkflow, requestAs, rewire } from '#test/support/building.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';

const cast = await newCast();

const readNodes = async (formId: string) => (await readWorkflow(cast.bob, formId)).workflow;
const remove = async (formId: string, nodeId: string) =>
  (await requestAs(cast.bob, 'DELETE', `/api/forms/${formId}/workflow/nodes/${nodeId}`)).status;

describe('creating', () => {
  test.each([
    ['SECTION', 'New Section'],
    ['CONDITION', 'New Condition'],
  ] as const)('a %s: 201 with id, type and the label %s; it is unlinked and keeps its payload', async (type, label) => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const payload = { x: 12.5, y: -3, style: { wide: true } };
    const sent = { type, payload, label: 'ignored', next: formId };
    const { status, body } = await requestAs(cast.bob, 'POST', `/api/forms/${formId}/workflow/nodes`, sent);
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), type, label });
    const nodes = await readNodes(formId);
    expect(nodes).toHaveLength(3);
    expect(nodes.at(-1)).toEqual({ ...body, payload });
  });

  test('the type is SECTION or CONDITION, the payload an object of at most 4 KB', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const faults = (body: object) => readFaults(cast.bob, 'POST', `/api/forms/${formId}/workflow/nodes`, body);
    expect(await faults({})).toEqual(['/body/payload', '/body/type']);
    for (const type of ['START', 'END', 'section', null])
      expect(await faults({ type, payload: {} })).toEqual(['/body/type']);
    for (const payload of [null, [], 'x', { t: 'x'.repeat(4_096) }]) {
      expect(await faults({ type: 'SECTION', payload })).toEqual(['/body/payload']);
    }
    expect(await readNodes(formId)).toHaveLength(2);
  });
});

describe('inserting a section', () => {
  const insert = (formId: string, after: unknown, type = 'SECTION') =>
    requestAs(cast.bob, 'POST', `/api/forms/${formId}/workflow/nodes`, { type, payload: {}, after });

  test('links it between a node and what followed that, in one edit', async () => {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const { start, end } = await readEnds(cast.alice, formId);
    const [only = ''] = sectionIds;
    const etag = async () => {
      const { headers } = await requestAs(cast.bob, 'GET', `/api/forms/${formId}/workflow`);
      return Number(headers.get('etag')?.slice(1, -1));
    };
    const version = await etag();
    const first = (await insert(formId, start)).body.id;
    const last = (await insert(formId, only)).body.id;
    const links = new Map((await readNodes(formId)).map(({ id, next }) => [id, next]));
    expect([start, first, only, last].map((id) => links.get(id))).toEqual([first, only, last, end]);
    expect((await readWorkflow(cast.bob, formId)).info).toEqual([]);
    expect(await etag()).toBe(version + 2);
  });

  test('behind a section that leads nowhere it is linked from there only', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const loose = await newNode(cast.alice, formId);
    const { id } = (await insert(formId, loose)).body;
    const links = new Map((await readNodes(formId)).map((node) => [node.id, node.next]));
    expect([links.get(loose), links.get(id)]).toEqual([id, undefined]);
  });

  test('null leaves it unlinked', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const { status, body } = await insert(formId, null);
    expect(status).toBe(201);
    const nodes = await readNodes(formId);
    expect(nodes.some(({ next }) => next === body.id)).toBe(false);
  });

  test('behind END, a condition or an unknown node, and a condition anywhere, is 400; nothing changes', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const { start, end } = await readEnds(cast.alice, formId);
    const condition = await newNode(cast.alice, formId, 'CONDITION');
    const before = await readNodes(formId);
    const foreign = (await readEnds(cast.alice, (await draftForm(cast.alice, cast.slug)).id)).start;
    for (const after of [end, condition, foreign, 'x']) expect((await insert(formId, after)).status).toBe(400);
    expect((await insert(formId, start, 'CONDITION')).body.errors).toEqual([
      expect.objectContaining({ pointer: '/body/after' }),
    ]);
    expect(await readNodes(formId)).toEqual(before);
  });
});

describe('deleting', () => {
  test('START and END is 400, and they stay', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const { start, end } = await readEnds(cast.alice, formId);
    expect([await remove(formId, start), await remove(formId, end)]).toEqual([400, 400]);
    expect(await readNodes(formId)).toHaveLength(2);
  });

  test('a SECTION is 204 and removes its questions and all links to it', async () => {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [
      [{ type: 'SHORT_TEXT' }],
      [{ type: 'LONG_TEXT' }],
    ]);
    const [first = '', second = ''] = sectionIds;
    const { start, end } = await readEnds(cast.alice, formId);
    const condition = await newNode(cast.alice, formId, 'CONDITION');
    await rewire(cast.bob, formId, { [condition]: { nextTrue: first, nextFalse: second } });
    expect(await remove(formId, first)).toBe(204);
    const nodes = await readNodes(formId);
    expect(nodes.map(({ id }) => id)).toEqual([start, end, second, condition]);
    expect(nodes.map(({ next, nextTrue, nextFalse }) => [next, nextTrue, nextFalse].filter(Boolean))).toEqual([
      [],
      [],
      [end],
      [second],
    ]);
    const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
    expect(listed.map(({ section }) => section.id)).toEqual([second]);
    expect(await remove(formId, first)).toBe(404);
  });

  test('a SECTION clears only the question of rules on its questions', async () => {
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [sectionId = '', questionId = ''] = [...sectionIds, ...questionIds];
    const { end } = await readEnds(cast.alice, formId);
    const condition = await newNode(cast.alice, formId, 'CONDITION');
    const conditionRule = { source: 'NON_CHOICE' as const, question: questionId, pattern: '^x', note: 'kept' };
    const links = { [sectionId]: { next: condition }, [condition]: { nextTrue: end, nextFalse: end, conditionRule } };
    expect((await rewire(cast.bob, formId, links)).status).toBe(200);
    expect(await remove(formId, sectionId)).toBe(204);
    const left = (await readNodes(formId)).find(({ id }) => id === condition);
    expect(left).toMatchObject({ label: 'New Condition', conditionRule: { ...conditionRule, question: null } });
  });

  test('a question clears only the question of rules on it', async () => {
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [sectionId = '', questionId = ''] = [...sectionIds, ...questionIds];
    const condition = await newNode(cast.alice, formId, 'CONDITION');
    const conditionRule = { source: 'NON_CHOICE' as const, question: questionId, pattern: '^x' };
    await rewire(cast.bob, formId, { [sectionId]: { next: condition }, [condition]: { conditionRule } });
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId, questionId } });
    const left = (await readNodes(formId)).find(({ id }) => id === condition);
    expect(left?.conditionRule).toEqual({ ...conditionRule, question: null });
  });

  test('a CONDITION removes the links to it, and nothing else', async () => {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [sectionId = ''] = sectionIds;
    const condition = await newNode(cast.alice, formId, 'CONDITION');
    await rewire(cast.bob, formId, { [sectionId]: { next: condition } });
    expect(await remove(formId, condition)).toBe(204);
    const section = (await readNodes(formId)).find(({ id }) => id === sectionId);
    expect(section && 'next' in section).toBe(false);
    const [listed] = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
    expect(listed?.questions).toHaveLength(1);
  });

  test('a node of another form, or none at all, is 404; a malformed id 400', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const elsewhere = await newNode(cast.alice, (await draftForm(cast.alice, cast.slug)).id);
    expect(await remove(formId, elsewhere)).toBe(404);
    expect(await remove(formId, formId)).toBe(404);
    expect(await remove(formId, 'x')).toBe(400);
  });
});

test('only members create and delete nodes: others who may see the form get 403, the rest 404', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]]);
  const path = `/api/forms/${formId}/workflow/nodes`;
  const both = async () => [
    (await requestAs(cast.dave, 'POST', path, { type: 'SECTION', payload: {} })).status,
    (await requestAs(cast.dave, 'DELETE', `${path}/${sectionIds[0]}`)).status,
  ];
  expect(await both()).toEqual([403, 403]);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect(await both()).toEqual([404, 404]);
  expect(
    (await requestAs(cast.dave, 'POST', `/api/sections/${sectionIds[0]}/questions`, question({ type: 'DATE' }))).status,
  ).toBe(404);
});
