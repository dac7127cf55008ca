/** Reading a workflow: the one of a new form, labels of conditions, and `info`. */
import { describe, expect, test } from 'vitest';
import { type Change, draftForm, newNode, readEnds, readWorkflow, rewire } from '#test/support/building.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';

const cast = await newCast();

test('a new form has START, which leads to END, and END, with nothing to report', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const { workflow, info } = await readWorkflow(cast.alice, formId);
  const [start, end] = workflow.map(({ id }) => id);
  expect(workflow).toEqual([
    { id: start, type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: end },
    { id: end, type: 'END', label: '確認/送出', payload: { x: 0, y: 240 } },
  ]);
  expect(info).toEqual([]);
});

/** START → section → condition → yes or no → END, the condition being on a choice or a text question of the section. */
async function branching() {
  const choices = [{ name: 'yes' }, { name: 'no' }];
  const { formId, sectionIds } = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SINGLE_CHOICE', title: 'Continue?', order: 1, choices },
        { type: 'SHORT_TEXT', title: 'Name?' },
      ],
      [],
      [],
    ],
    { publish: false },
  );
  const [section = '', yes = '', no = ''] = sectionIds;
  const condition = await newNode(cast.alice, formId, 'CONDITION');
  const { start, end } = await readEnds(cast.alice, formId);
  const [listed] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const [choice, typed] = listed?.questions ?? [];
  if (!choice || !typed) throw new Error('the section has no questions');
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
    expect(await label()).toBe(`When Continue? matches ${rule.pattern}`);
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

  type Case = { of: 'start' | 'condition'; change: (form: Branching) => Change };
  const ruled = (more: object) => (form: Branching) => ({ conditionRule: { ...form.rule, ...more } });
  const cases: Record<string, Case> = {
    'START without next': { of: 'start', change: () => ({ next: null }) },
    'a CONDITION without nextFalse': { of: 'condition', change: () => ({ nextFalse: null }) },
    'a CONDITION without a rule': { of: 'condition', change: () => ({ conditionRule: null }) },
    'a rule whose question is empty': { of: 'condition', change: ruled({ question: '' }) },
    'a rule whose pattern is null': { of: 'condition', change: ruled({ pattern: null }) },
    'a pattern that does not compile': { of: 'condition', change: ruled({ pattern: '(' }) },
    'a pattern with a choice id that does not exist': {
      of: 'condition',
      change: (form) => ({ conditionRule: { ...form.rule, pattern: `${form.rule.pattern}|${form.formId}` } }),
    },
  };
  test('has one node_validation_failed for a faulty node, which is accepted but not publishable', async () => {
    const form = await branching();
    const before = (await readWorkflow(cast.alice, form.formId)).workflow;
    for (const [what, { of, change }] of Object.entries(cases)) {
      expect((await form.change({ [form[of]]: change(form) })).status, what).toBe(200);
      expect(await form.info(), what).toMatchObject([
        { type: 'node_validation_failed', nodeId: form[of], message: expect.any(String) },
      ]);
      const publish = cast.alice.client.forms.publishForm({ params: form });
      await expect(publish, what).rejects.toMatchObject({ status: 400 });
      await cast.alice.client.workflow.updateWorkflow({ params: form, body: before });
    }
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

  test('a rule whose question comes before the condition on no path is accepted, reported, and not publishable', async () => {
    const { formId, change, info, start, section, condition, yes } = await branching();
    const item = { type: 'graph_validation_failed', nodeId: condition };
    const middle = await newNode(cast.alice, formId);
    await change({ [section]: { next: middle }, [middle]: { next: condition } });
    expect(await info()).toEqual([]);
    await cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: middle } });
    expect(await info()).toMatchObject([{ type: 'node_validation_failed', nodeId: section }, item]);
    const late = { [start]: { next: condition }, [condition]: { nextTrue: section }, [section]: { next: yes } };
    expect((await change(late)).status).toBe(200);
    expect(await info()).toMatchObject([item]);
    await expect(cast.alice.client.forms.publishForm({ params: { formId } })).rejects.toMatchObject({ status: 400 });
  });

  test('a question whose source was deleted is reported at its section, and not publishable', async () => {
    const { formId, info, section, yes, choice, condition, change } = await branching();
    const body = question({ type: 'RANKING', sourceId: choice.id });
    const derived = (await cast.alice.client.questions.createQuestion({ params: { sectionId: yes }, body })).body;
    await change({ [condition]: { conditionRule: null } });
    expect((await info()).map(({ nodeId }) => nodeId)).toEqual([condition]);
    const params = { sectionId: section, questionId: choice.id };
    await cast.alice.client.questions.deleteQuestion({ params });
    expect(await info()).toMatchObject([
      { type: 'node_validation_failed', nodeId: yes, message: expect.stringContaining(derived.title) },
      { type: 'node_validation_failed', nodeId: condition },
    ]);
    await expect(cast.alice.client.forms.publishForm({ params: { formId } })).rejects.toMatchObject({ status: 400 });
  });

  test('a question whose source comes before it on no path is accepted, reported at its section, and not publishable', async () => {
    const { formId, info, section, yes, change } = await branching();
    const aside = await newNode(cast.alice, formId);
    const create = async (sectionId: string, body: Parameters<typeof question>[0]) =>
      (await cast.alice.client.questions.createQuestion({ params: { sectionId }, body: question(body) })).body.id;
    const sourceId = await create(aside, { type: 'DROPDOWN', choices: [{ name: 'a' }] });
    await create(section, { type: 'RANKING', sourceId });
    const item = { type: 'graph_validation_failed', nodeId: section, message: expect.stringContaining('choices') };
    expect(await info()).toMatchObject([item, { type: 'node_validation_failed', nodeId: aside }]);
    // Linked, but after the question that needs it.
    const { end } = await readEnds(cast.alice, formId);
    await change({ [yes]: { next: aside }, [aside]: { next: end } });
    expect(await info()).toMatchObject([item]);
    await expect(cast.alice.client.forms.publishForm({ params: { formId } })).rejects.toMatchObject({ status: 400 });
  });

  test('a text question takes the source NON_CHOICE, and its pattern may contain any id', async () => {
    const { change, info, condition, typed, formId } = await branching();
    await change({
      [condition]: { conditionRule: { source: 'NON_CHOICE', question: typed.id, pattern: `^${formId}$` } },
    });
    expect(await info()).toEqual([]);
  });
});

test('everybody who may see a form may read its workflow', async () => {
  const { formId } = await branching();
  await cast.alice.client.forms.publishForm({ params: { formId } });
  expect(await readWorkflow(cast.dave, formId)).toEqual(await readWorkflow(cast.alice, formId));
});
