/** Reading a workflow: the one of a new form, labels of conditions, and `info` (contract section 6). */
import { beforeAll, describe, expect, test } from 'vitest';
import { draftForm, newNode } from '#test/support/building.ts';
import { type Change, endsOf, readWorkflow, rewire } from '#test/support/wiring.ts';
import { type Cast, newCast, question } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

test('a new form has START, which leads to END, and END, with nothing to report', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const { workflow, info } = await readWorkflow(cast.alice, formId);
  const [start, end] = workflow.map(({ id }) => id);
  expect(workflow).toEqual([
    { id: start, type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: end },
    { id: end, type: 'END', label: '確認/送出', payload: { x: 0, y: 1 } },
  ]);
  expect(info).toEqual([]);
});

/** START → section → condition → yes or no → END, the condition asking a choice or a text question of the section. */
async function branching() {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const { start, end } = await endsOf(cast.alice, formId);
  const [section, yes, no] = [
    await newNode(cast.alice, formId),
    await newNode(cast.alice, formId),
    await newNode(cast.alice, formId),
  ];
  const condition = await newNode(cast.alice, formId, 'CONDITION');
  const create = async (sectionId: string, body: Parameters<typeof question>[0]) =>
    (await cast.alice.client.questions.createQuestion({ params: { sectionId }, body: question(body) })).body;
  const choice = await create(section, {
    type: 'SINGLE_CHOICE',
    title: 'Go on?',
    choices: [{ name: 'yes' }, { name: 'no' }],
  });
  const typed = await create(section, { type: 'SHORT_TEXT', title: 'Name?' });
  const rule = { source: 'CHOICE' as const, question: choice.id, pattern: choice.choices?.[0]?.id ?? '' };
  const change = (changes: Record<string, Change>) => rewire(cast.alice, formId, changes);
  const links = {
    [start]: { next: section },
    [section]: { next: condition },
    [condition]: { nextTrue: yes, nextFalse: no, conditionRule: rule },
    [yes]: { next: end },
    [no]: { next: end },
  };
  expect((await change(links)).status).toBe(200);
  const info = async () => (await readWorkflow(cast.alice, formId)).info;
  const label = async () => (await readWorkflow(cast.alice, formId)).workflow.find(({ id }) => id === condition)?.label;
  return { formId, start, end, section, condition, yes, no, choice, typed, rule, change, info, label };
}
type Branching = Awaited<ReturnType<typeof branching>>;

describe('the label of a condition', () => {
  test('is When <question title> matches <pattern> once its rule is complete', async () => {
    const { rule, label, change, condition, choice, section } = await branching();
    expect(await label()).toBe(`When Go on? matches ${rule.pattern}`);
    const params = { sectionId: section, questionId: choice.id };
    const body = question({ type: 'SINGLE_CHOICE', title: 'Still?', choices: choice.choices ?? [] });
    await cast.alice.client.questions.updateQuestion({ params, body });
    expect(await label()).toBe(`When Still? matches ${rule.pattern}`);
    await change({ [condition]: { conditionRule: { ...rule, pattern: '' }, label: 'Mine' } });
    expect(await label()).toBe('Mine');
  });

  test('is its own again when the rule is not complete any more, though the shown one was sent back', async () => {
    const { change, condition, label } = await branching();
    await change({});
    await change({ [condition]: { conditionRule: null } });
    expect(await label()).toBe('New Condition');
  });
});

describe('info', () => {
  test('is empty when the form may be published, and then it is', async () => {
    const { formId, info } = await branching();
    expect(await info()).toEqual([]);
    expect((await cast.alice.client.forms.publishForm({ params: { formId } })).body.status).toBe('PUBLISHED');
  });

  test('a new unlinked section gives exactly one item, node_validation_failed', async () => {
    const { formId, info } = await branching();
    const nodeId = await newNode(cast.alice, formId);
    expect(await info()).toEqual([
      { type: 'node_validation_failed', nodeId, message: expect.stringContaining('New Section') },
    ]);
  });

  type Case = { of: 'start' | 'yes' | 'condition'; change: (form: Branching) => Change };
  const ruled = (more: object) => (form: Branching) => ({ conditionRule: { ...form.rule, ...more } });
  const cases: Record<string, Case> = {
    'START without next': { of: 'start', change: () => ({ next: null }) },
    'a SECTION without next': { of: 'yes', change: () => ({ next: null }) },
    'a CONDITION without nextTrue': { of: 'condition', change: () => ({ nextTrue: null }) },
    'a CONDITION without nextFalse': { of: 'condition', change: () => ({ nextFalse: null }) },
    'a CONDITION without a rule': { of: 'condition', change: () => ({ conditionRule: null }) },
    'a rule without a source': { of: 'condition', change: ruled({ source: null }) },
    'a rule whose question is empty': { of: 'condition', change: ruled({ question: '' }) },
    'a rule whose question is null': { of: 'condition', change: ruled({ question: null }) },
    'a rule whose pattern is empty': { of: 'condition', change: ruled({ pattern: '' }) },
    'a rule whose pattern is null': { of: 'condition', change: ruled({ pattern: null }) },
    'a pattern that does not compile': { of: 'condition', change: ruled({ pattern: '(' }) },
    'a pattern with a back-reference, which RE2 has not': { of: 'condition', change: ruled({ pattern: '(a)\\1' }) },
    'a pattern with look-around, which RE2 has not': { of: 'condition', change: ruled({ pattern: '(?=a)' }) },
    'a pattern with a choice id that does not exist': {
      of: 'condition',
      change: (form) => ({ conditionRule: { ...form.rule, pattern: `${form.rule.pattern}|${form.formId}` } }),
    },
  };
  test.each(
    Object.entries(cases),
  )('%s is accepted, reported as one node_validation_failed, and not publishable', async (_, { of, change }) => {
    const form = await branching();
    expect((await form.change({ [form[of]]: change(form) })).status).toBe(200);
    expect(await form.info()).toMatchObject([
      { type: 'node_validation_failed', nodeId: form[of], message: expect.any(String) },
    ]);
    await expect(cast.alice.client.forms.publishForm({ params: form })).rejects.toMatchObject({ status: 400 });
  });

  test('there is one item per faulty node, its first fault', async () => {
    const { change, info, condition, yes } = await branching();
    await change({
      [condition]: { conditionRule: { pattern: '(' }, nextTrue: null, nextFalse: null },
      [yes]: { next: null },
    });
    expect((await info()).map(({ nodeId }) => nodeId).sort()).toEqual([condition, yes].sort());
  });

  test('a node that cannot be reached is graph_validation_failed, reported only when no node is faulty in itself', async () => {
    const { formId, change, info, start, end, section, condition, yes, no } = await branching();
    await change({ [start]: { next: end } });
    expect(await info()).toEqual(
      [section, yes, no, condition].map((nodeId) => ({
        type: 'graph_validation_failed',
        nodeId,
        message: expect.any(String),
      })),
    );
    const unlinked = await newNode(cast.alice, formId);
    expect(await info()).toMatchObject([{ type: 'node_validation_failed', nodeId: unlinked }]);
  });

  test('a cycle is graph_validation_failed for each node on it', async () => {
    const { change, info, section, condition, yes } = await branching();
    await change({ [yes]: { next: section } });
    expect(await info()).toEqual(
      [section, yes, condition].map((nodeId) => ({
        type: 'graph_validation_failed',
        nodeId,
        message: expect.any(String),
      })),
    );
  });

  test('END must be reachable from every node', async () => {
    const { change, info, yes, no } = await branching();
    await change({ [yes]: { next: no }, [no]: { next: yes } });
    const items = await info();
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ type }) => type === 'graph_validation_failed')).toBe(true);
  });

  test('a rule whose question has lost its way to the condition is reported', async () => {
    const { formId, change, info, start, section, condition, yes } = await branching();
    const detour = await newNode(cast.alice, formId);
    await change({ [start]: { next: detour }, [detour]: { next: section } });
    expect(await info()).toEqual([]);
    const middle = await newNode(cast.alice, formId);
    await change({ [section]: { next: middle }, [middle]: { next: condition } });
    await cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: middle } });
    expect(await info()).toMatchObject([{ type: 'node_validation_failed', nodeId: section }]);
    await expect(change({ [section]: { next: yes } })).resolves.toMatchObject({
      status: 400,
      body: { errors: [{ pointer: expect.stringMatching(/^\/body\/\d\/conditionRule\/question$/) }] },
    });
  });

  test('a text question is asked with NON_CHOICE; its pattern may hold any id', async () => {
    const { change, info, condition, typed, formId } = await branching();
    await change({
      [condition]: { conditionRule: { source: 'NON_CHOICE', question: typed.id, pattern: `^${formId}$` } },
    });
    expect(await info()).toEqual([]);
  });
});

test('whoever may see a form may read its workflow', async () => {
  const { formId } = await branching();
  await cast.alice.client.forms.publishForm({ params: { formId } });
  expect(await readWorkflow(cast.dave, formId)).toEqual(await readWorkflow(cast.alice, formId));
});
