/**
 * Concurrent edits of one form's structure lose nothing and never mix: several editors at once, each with a section, a
 * condition and questions of their own.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftForm, newNode, readWorkflow, requestAs } from '#test/support/building.ts';
import { newCast, question } from '#test/support/fixtures.ts';

const EDITORS = 6;

const cast = await newCast();

const Step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), order: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), at: fc.nat(9), order: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('describe' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('workflow' as const) }) },
);
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

type Editor = {
  name: string;
  sectionId: string;
  conditionId: string;
  /** The title of each question that the editor created in the shared section, by id. */
  questions: Map<string, string>;
  description: string | null;
  payload: unknown;
  /** How many edits succeeded. */
  edits: number;
};

const plain = (words: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
});

/** Does one step and notes what must be there in the end. */
async function run(editor: Editor, formId: string, sharedId: string, step: Step, count: number): Promise<void> {
  const params = { sectionId: sharedId };
  const title = `${editor.name}.${count}`;
  const own = [...editor.questions.keys()];
  const questionId = 'at' in step ? own[step.at % own.length] : undefined;
  if (step.kind === 'create') {
    const body = question({ type: 'SHORT_TEXT', title, order: step.order });
    editor.questions.set((await cast.bob.client.questions.createQuestion({ params, body })).body.id, title);
  } else if (step.kind === 'describe') {
    const body = { description: plain(title) };
    await cast.bob.client.sections.updateSection({ params: { formId, sectionId: editor.sectionId }, body });
    editor.description = title;
  } else if (step.kind === 'workflow') return rewriteOwnNode(editor, formId, title);
  else if (!questionId) return;
  else if (step.kind === 'move') {
    const body = question({ type: 'SHORT_TEXT', title, order: step.order });
    await cast.bob.client.questions.updateQuestion({ params: { ...params, questionId }, body });
    editor.questions.set(questionId, title);
  } else {
    await cast.bob.client.questions.deleteQuestion({ params: { ...params, questionId } });
    editor.questions.delete(questionId);
  }
  editor.edits += 1;
}

/** A PUT replaces every node, so only one that is still up to date (`If-Match`) may go through; 409 changes nothing. */
async function rewriteOwnNode(editor: Editor, formId: string, title: string): Promise<void> {
  const read = await cast.bob.client.workflow.getWorkflow({ params: { formId } });
  const body = read.body.workflow.map((node) =>
    node.id === editor.conditionId ? { ...node, payload: { title } } : node,
  );
  const call = cast.bob.client.workflow.updateWorkflow({
    params: { formId },
    body,
    headers: { 'if-match': read.headers.get('etag') ?? '' },
  });
  const status = await call.then(
    ({ status }) => status,
    (error: { status: number }) => error.status,
  );
  expect([200, 409]).toContain(status);
  if (status === 409) return;
  editor.payload = { title };
  editor.edits += 1;
}

const readVersion = async (formId: string): Promise<number> =>
  Number((await requestAs(cast.bob, 'GET', `/api/forms/${formId}/sections`)).headers.get('etag')?.slice(1, -1));

async function newEditors(formId: string): Promise<Editor[]> {
  const editors: Editor[] = [];
  for (let index = 0; index < EDITORS; index += 1) {
    const [sectionId, conditionId] = [await newNode(cast.bob, formId), await newNode(cast.bob, formId, 'CONDITION')];
    editors.push({
      name: `e${index}`,
      sectionId,
      conditionId,
      questions: new Map(),
      description: null,
      payload: {},
      edits: 0,
    });
  }
  return editors;
}

async function expectAll(formId: string, sharedId: string, editors: readonly Editor[]): Promise<void> {
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  const bySection = new Map(
    listed.map(({ section, questions }) => [section.id, { section, questions: questions ?? [] }]),
  );
  const shared = bySection.get(sharedId)?.questions ?? [];
  expect(shared.map(({ order }) => order)).toEqual(shared.map((_, index) => index + 1));
  expect(Object.fromEntries(shared.map(({ id, title }) => [id, title]))).toEqual(
    Object.fromEntries(editors.flatMap(({ questions }) => [...questions])),
  );
  const { workflow } = await readWorkflow(cast.bob, formId);
  for (const { sectionId, conditionId, description, payload } of editors) {
    expect(bySection.get(sectionId)?.section.description).toEqual(description === null ? null : plain(description));
    expect(workflow.find(({ id }) => id === conditionId)?.payload).toEqual(payload);
  }
}

test('every edit that succeeded is there in the end, whole; orders are 1…n; the version counts the edits', async () => {
  const scripts = fc.array(fc.array(Step, { minLength: 3, maxLength: 6 }), { minLength: EDITORS, maxLength: EDITORS });
  await fc.assert(
    fc.asyncProperty(scripts, async (steps) => {
      const { id: formId } = await draftForm(cast.alice, cast.slug);
      const sharedId = await newNode(cast.bob, formId);
      const editors = await newEditors(formId);
      const before = await readVersion(formId);
      await Promise.all(
        editors.map(async (editor, index) => {
          for (const [count, step] of (steps[index] ?? []).entries()) await run(editor, formId, sharedId, step, count);
        }),
      );
      await expectAll(formId, sharedId, editors);
      expect(await readVersion(formId)).toBe(before + editors.reduce((sum, { edits }) => sum + edits, 0));
    }),
    { numRuns: 2 },
  );
});

test('of many settings changed at once none is lost, and the version counts them', async () => {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const patches = [
    { title: 'T' },
    { previewMessage: 'P' },
    { messageAfterSubmission: 'M' },
    { sendResponseEmail: true },
    { dressing: { color: '#123' } },
    { dressing: { textFont: 'inter' } },
    { deadline: '2999-01-01T00:00:00.000Z' },
    { visibility: 'PRIVATE' },
  ] as const;
  const results = await Promise.all(patches.map((body) => requestAs(cast.bob, 'PATCH', `/api/forms/${formId}`, body)));
  expect(results.map(({ status }) => status)).toEqual(patches.map(() => 200));
  const read = await cast.bob.client.forms.getForm({ params: { formId } });
  expect(read.headers.get('etag')).toBe(`"${1 + patches.length}"`);
  expect(read.body).toMatchObject({ ...Object.assign({}, ...patches), dressing: { color: '#123', textFont: 'inter' } });
});
