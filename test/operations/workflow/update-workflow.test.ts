/** Replacing a workflow by PUT. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Change,
  draftForm,
  newNode,
  readEnds,
  readFaults,
  readWorkflow,
  requestAs,
  rewire,
} from '#test/support/building.ts';
import { type Cast, newCast, newForm, question } from '#test/support/fixtures.ts';

let cast: Cast;
let form: Awaited<ReturnType<typeof newWorkflow>>;
beforeAll(async () => {
  cast = await newCast();
  form = await newWorkflow();
});

/** START → first → condition → second or END, with a text and a choice question in the first section. */
async function newWorkflow() {
  const { formId, sectionIds, questionIds } = await newForm(
    cast.alice,
    cast.slug,
    [[{ type: 'SHORT_TEXT' }, { type: 'RANKING', choices: [{ name: 'a' }] }], [{ type: 'SHORT_TEXT' }]],
    { publish: false },
  );
  const [first = '', second = ''] = sectionIds;
  const [typed = '', choice = '', late = ''] = questionIds;
  const condition = await newNode(cast.alice, formId, 'CONDITION');
  const { start, end } = await readEnds(cast.alice, formId);
  const { status } = await rewire(cast.alice, formId, {
    [start]: { next: first },
    [first]: { next: condition },
    [condition]: {
      nextTrue: second,
      nextFalse: end,
      conditionRule: { source: 'NON_CHOICE', question: typed, pattern: 'x' },
    },
    [second]: { next: end },
  });
  expect(status).toBe(200);
  return { formId, path: `/api/forms/${formId}/workflow`, start, end, first, second, condition, typed, choice, late };
}

const nodes = async (formId = form.formId) => (await readWorkflow(cast.bob, formId)).workflow;
const change = (changes: Record<string, Change>) => rewire(cast.bob, form.formId, changes);

/** What is wrong with the workflow when one node is changed, with the place of that node as `#`. */
async function faults(id: string, more: object): Promise<string[]> {
  const before = await nodes();
  const index = before.findIndex((node) => node.id === id);
  const body = before.map((node) => (node.id === id ? { ...node, ...more } : node));
  const pointers = await readFaults(cast.bob, 'PUT', form.path, body);
  expect(await nodes()).toEqual(before);
  return pointers.map((pointer) => pointer.replace(`/body/${index}/`, '#/'));
}

describe('PUT', () => {
  test('returns 200 with the nodes and their types', async () => {
    const before = await nodes();
    expect(await requestAs(cast.bob, 'PUT', form.path, before)).toMatchObject({ status: 200, body: before });
  });

  const state = async ({ formId }: { formId: string }) => {
    const read = await cast.bob.client.workflow.getWorkflow({ params: { formId } });
    const { body } = await cast.bob.client.sections.listSections({ params: { formId } });
    return { etag: read.headers.get('etag'), workflow: read.body, sections: body };
  };
  type Workflow = Awaited<ReturnType<typeof newWorkflow>>;
  const retype = ({ typed: questionId, first: sectionId }: Workflow, body: Parameters<typeof question>[0]) =>
    cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId }, body: question(body) });

  test.each<[string, (own: Workflow) => Promise<unknown>]>([
    ['is', async () => undefined],
    [
      'is after a section was deleted',
      ({ formId, first }) => cast.bob.client.workflow.deleteNode({ params: { formId, nodeId: first } }),
    ],
    ['is after a link was cut', ({ formId, first }) => rewire(cast.bob, formId, { [first]: { next: null } })],
    [
      'is after a question got another type than its rule',
      (own) => retype(own, { type: 'DROPDOWN', choices: [{ name: 'a' }] }),
    ],
    [
      'is with a long title in a generated label',
      (own) => retype(own, { type: 'SHORT_TEXT', title: '水'.repeat(500) }),
    ],
  ])('of a workflow as it %s is accepted and changes nothing', async (_, prepare) => {
    const own = await newWorkflow();
    await prepare(own);
    const before = await state(own);
    expect((await requestAs(cast.bob, 'PUT', own.path, before.workflow.workflow)).status).toBe(200);
    expect(await state(own)).toEqual(before);
  });

  test('accepts other changes while an old fault remains', async () => {
    const own = await newWorkflow();
    await retype(own, { type: 'DROPDOWN', choices: [{ name: 'a' }] });
    const payload = { x: 7 };
    expect((await rewire(cast.bob, own.formId, { [own.condition]: { payload } })).status).toBe(200);
    expect((await nodes(own.formId)).find(({ id }) => id === own.condition)).toMatchObject({ payload });
  });

  test('replaces links, labels, payloads and rules: what a node does not name it loses', async () => {
    const own = await newWorkflow();
    const body = (await nodes(own.formId)).map(({ id }, index) => ({ id, label: `node ${index}`, payload: { index } }));
    expect((await requestAs(cast.bob, 'PUT', own.path, body)).status).toBe(200);
    const types = ['START', 'END', 'SECTION', 'SECTION', 'CONDITION'];
    expect(await nodes(own.formId)).toEqual(body.map((node, index) => ({ ...node, type: types[index] })));
  });

  test('takes links and rules for the types that have them only, and never a type', async () => {
    const own = await newWorkflow();
    const { formId, start, end, first, second, condition, typed } = own;
    const all = {
      next: end,
      nextTrue: end,
      nextFalse: end,
      conditionRule: { source: 'NON_CHOICE', question: typed, pattern: 'y' },
      type: 'END',
    };
    await requestAs(
      cast.bob,
      'PUT',
      own.path,
      (await nodes(formId)).map((node) => ({
        ...node,
        ...(node.id === first ? { next: condition } : all),
        ...(node.id === start ? { next: first } : {}),
      })),
    );
    const byId = new Map((await nodes(formId)).map(({ label: _l, payload: _p, ...node }) => [node.id, node]));
    expect(byId.get(end)).toEqual({ id: end, type: 'END' });
    expect(byId.get(second)).toEqual({ id: second, type: 'SECTION', next: end });
    expect(byId.get(condition)).toEqual({
      id: condition,
      type: 'CONDITION',
      nextTrue: end,
      nextFalse: end,
      conditionRule: all.conditionRule,
    });
  });

  test('keeps unknown members of a rule, and a payload as it was sent', async () => {
    const rule = { source: 'NON_CHOICE' as const, question: form.typed, pattern: 'x', hint: { deep: [1, null, 'ü'] } };
    const payload = { x: -1.5, '': [], nested: { a: { b: null } }, text: '水' };
    const { status } = await change({
      [form.condition]: { conditionRule: rule, payload },
      [form.start]: { payload: {} },
    });
    expect(status).toBe(200);
    const read = await nodes();
    expect(read.find(({ id }) => id === form.condition)).toMatchObject({ conditionRule: rule, payload });
    expect(read.find(({ id }) => id === form.start)?.payload).toEqual({});
  });

  test('a payload is an object of at most 4 KB', async () => {
    const largest = { t: 'x'.repeat(4_096 - JSON.stringify({ t: '' }).length) };
    expect((await change({ [form.first]: { payload: largest } })).status).toBe(200);
    expect(await faults(form.first, { payload: { t: `${largest.t}x` } })).toEqual(['#/payload']);
    for (const payload of [undefined, null, [], 'x', 1])
      expect(await faults(form.first, { payload })).toEqual(['#/payload']);
  });

  test('a label has up to 200 characters', async () => {
    expect((await change({ [form.end]: { label: '水'.repeat(200) } })).status).toBe(200);
    expect(await faults(form.end, { label: 'x'.repeat(201) })).toEqual(['#/label']);
    expect(await faults(form.end, { label: undefined })).toEqual(['#/label']);
  });
});

describe('exactly the existing nodes', () => {
  test('a missing node is 400 and named', async () => {
    const body = (await nodes()).filter(({ id }) => id !== form.condition);
    const { errors } = (
      await requestAs(
        cast.bob,
        'PUT',
        form.path,
        body.map((node) => ({ ...node, next: undefined })),
      )
    ).body;
    expect(errors).toEqual([{ pointer: '/body', detail: expect.stringContaining(form.condition) }]);
    expect((await requestAs(cast.bob, 'PUT', form.path, [])).body.errors).toHaveLength(5);
  });

  test('an added node is 400', async () => {
    const body = [...(await nodes()), { id: form.typed, label: '', payload: {} }];
    expect(await readFaults(cast.bob, 'PUT', form.path, body)).toEqual(['/body/5/id']);
    expect(await readFaults(cast.bob, 'PUT', form.path, [...(await nodes()), { id: 'x' }])).toContain('/body/5/id');
  });

  test('a node sent twice is 400', async () => {
    const read = await nodes();
    expect(await readFaults(cast.bob, 'PUT', form.path, [...read, ...read.slice(0, 1)])).toEqual(['/body/5/id']);
  });

  test('a body that is no array is 400', async () => {
    for (const body of [{}, null, 'x', { workflow: [] }])
      expect(await readFaults(cast.bob, 'PUT', form.path, body)).toEqual(['/body']);
  });
});

describe('links', () => {
  test('one that leads to no node of this form is 400', async () => {
    const foreign = (await newWorkflow()).first;
    expect(await faults(form.first, { next: foreign })).toEqual(['#/next']);
    expect(await faults(form.condition, { nextTrue: form.typed, nextFalse: foreign })).toEqual([
      '#/nextFalse',
      '#/nextTrue',
    ]);
    expect(await faults(form.first, { next: 'x' })).toEqual(['#/next']);
  });

  test('one that leads back to START is 400', async () => {
    expect(await faults(form.second, { next: form.start })).toEqual(['#/next']);
  });
});

describe('rules', () => {
  const rule = (more: object) => ({
    conditionRule: { source: 'NON_CHOICE', question: form.typed, pattern: 'x', ...more },
  });

  test('one on a question of another form is 400', async () => {
    const foreign = (await newWorkflow()).typed;
    expect(await faults(form.condition, rule({ question: foreign }))).toEqual(['#/conditionRule/question']);
  });

  test('one on a question of a type that contradicts the source is 400', async () => {
    expect(await faults(form.condition, rule({ question: form.choice }))).toEqual(['#/conditionRule/source']);
    expect(await faults(form.condition, rule({ source: 'CHOICE' }))).toEqual(['#/conditionRule/source']);
    expect(
      (await change({ [form.condition]: { conditionRule: { source: 'CHOICE', question: form.choice, pattern: '.' } } }))
        .status,
    ).toBe(200);
  });

  test('one on a question that comes later is accepted and reported', async () => {
    const own = await newWorkflow();
    const conditionRule = { source: 'NON_CHOICE' as const, question: own.late, pattern: 'x' };
    expect((await rewire(cast.bob, own.formId, { [own.condition]: { conditionRule } })).status).toBe(200);
    expect((await readWorkflow(cast.bob, own.formId)).info).toMatchObject([{ nodeId: own.condition }]);
  });

  test('an unknown source, a malformed question id, and a pattern over 500 characters are 400', async () => {
    const wrong = rule({ source: 'TEXT', question: 'x', pattern: 'x' });
    expect(await faults(form.condition, wrong)).toEqual(['#/conditionRule/question', '#/conditionRule/source']);
    const long = rule({ source: 'NON_CHOICE', question: form.typed, pattern: 'x'.repeat(501) });
    expect(await faults(form.condition, long)).toEqual(['#/conditionRule/pattern']);
    expect(
      (
        await change({
          [form.condition]: { conditionRule: { source: 'NON_CHOICE', question: form.typed, pattern: 'x'.repeat(500) } },
        })
      ).status,
    ).toBe(200);
  });
});

test('only members replace a workflow: others who may see the form get 403, the rest 404', async () => {
  expect((await requestAs(cast.dave, 'PUT', form.path, [])).status).toBe(404);
  expect((await requestAs(undefined, 'PUT', form.path, [])).status).toBe(401);
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  await cast.alice.client.forms.publishForm({ params: { formId } });
  expect((await requestAs(cast.dave, 'PUT', `/api/forms/${formId}/workflow`, await nodes(formId))).status).toBe(403);
});
