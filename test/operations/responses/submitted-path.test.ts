/** A submitted response keeps the path on which it was submitted, whatever becomes of the form. */
import { expect, test } from 'vitest';
import { expectProblem } from '#test/support/fixtures.ts';
import {
  type Branched,
  branchedForm,
  cancel,
  castAt,
  displays,
  pass,
  preview,
  progresses,
  readTable,
  respond,
  save,
  submit,
  text,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
const short = { type: 'SHORT_TEXT' } as const;
const required = { type: 'SHORT_TEXT', required: true } as const;

/** A form and a response of dave that was submitted through the section `yes`. */
async function answeredForm() {
  const { alice, dave, slug } = cast;
  const sections = { first: [{ ...short, title: 'Which way?' }], yes: [short], no: [required], last: [short] };
  const form = await branchedForm({ person: alice, slug }, sections);
  const [inYes = ''] = form.yes;
  const responseId = await respond(dave, form.formId, [text(form.asked, 'yes'), text(inYes, 'kept')]);
  return { ...form, inYes, responseId };
}

/** Changes the condition, so that the same answers lead through `no` to `last`. */
async function redirect({ formId }: Branched): Promise<void> {
  const { workflow } = cast.alice.client;
  const { workflow: nodes } = (await workflow.getWorkflow({ params: { formId } })).body;
  const body = nodes.map(({ type: _, ...node }) =>
    node.conditionRule ? { ...node, conditionRule: { ...node.conditionRule, pattern: '^never$' } } : node,
  );
  await workflow.updateWorkflow({ params: { formId }, body });
}

/** What table, export, filter and distinct answers have of a question. */
async function counted(formId: string, questionId: string) {
  const { alice } = cast;
  const { exports, responses, views } = alice.client;
  const file = await exports.downloadTable({ params: { formId }, body: { questionIds: [questionId] } });
  const body = { filters: [{ questionId, answers: [{ option: 'kept' }] }] };
  const viewId = (await views.createView({ params: { formId } })).body.id;
  const params = { formId, viewId, questionId };
  const distinct = (await views.listDistinctAnswers({ params, body: { filters: [] } })).body.answers;
  return {
    table: (await readTable(alice, formId, [questionId])).rows[0]?.answers[questionId]?.displayValue ?? null,
    export: valuesOf(sheetOf(await open(fileOf(file))), 4)[0]?.[3],
    filter: (await responses.filterResponses({ params: { formId }, body })).body.responses.length,
    distinct: distinct.map(({ displayValue }) => displayValue),
  };
}
const COUNTED = { table: 'kept', export: 'kept', filter: 1, distinct: ['kept'] };
const NOT_COUNTED = { table: null, export: null, filter: 0, distinct: [] };

test('a changed condition changes neither its preview nor what tables, exports, filters and distinct answers count', async () => {
  const form = await answeredForm();
  const before = await preview(cast.dave, form.formId, form.responseId);
  await redirect(form);
  expect(await preview(cast.dave, form.formId, form.responseId)).toEqual(before);
  expect(await counted(form.formId, form.inYes)).toEqual(COUNTED);
});

test('a section added to the path is SKIPPED, and a removed question still counts', async () => {
  const { alice, dave } = cast;
  const { formId, inYes, responseId, sectionIds } = await answeredForm();
  const { body: added } = await alice.client.workflow.createNode({
    params: { formId },
    body: { type: 'SECTION', payload: {} },
  });
  const { workflow: nodes } = (await alice.client.workflow.getWorkflow({ params: { formId } })).body;
  const first = nodes.find(({ id }) => id === sectionIds[0]);
  const body = nodes.map(({ type, ...node }) => {
    if (type === 'START') return { ...node, next: added.id };
    return node.id === added.id ? { ...node, next: first?.id } : node;
  });
  await alice.client.workflow.updateWorkflow({ params: { formId }, body });
  const params = { sectionId: sectionIds[1] ?? '', questionId: inYes };
  await alice.client.questions.deleteQuestion({ params });
  const shown = await preview(dave, formId, responseId);
  expect(shown.sections.find(({ id }) => id === added.id)?.progress).toBe('SKIPPED');
  expect(displays(shown)[inYes]).toBe('kept');
  expect(await counted(formId, inYes)).toEqual(COUNTED);
});

test('an edit walks again and must be complete on the new path if a condition reads what it changes', async () => {
  const { dave } = cast;
  const form = await answeredForm();
  const [inNo = '', inLast = ''] = [form.no[0], form.last[0]];
  await redirect(form);
  await save(dave, form.responseId, [text(form.asked, 'yes')]);
  await save(dave, form.responseId, [text(inLast, 'by the way')]);
  expect(await counted(form.formId, form.inYes)).toEqual(COUNTED);
  const missing = { status: 400, errors: [{ pointer: `/answers/${inNo}` }] };
  expect(await expectProblem(save(dave, form.responseId, [text(form.asked, 'yes!')]))).toMatchObject(missing);
  const offPath = { status: 400, errors: [{ pointer: '/body/answers/0' }] };
  expect(await expectProblem(save(dave, form.responseId, [text(inNo, 'now')]))).toMatchObject(offPath);
  expect(await counted(form.formId, form.inYes)).toEqual(COUNTED);
  await save(dave, form.responseId, [text(form.asked, 'yes!'), text(inNo, 'now')]);
  expect(await counted(form.formId, form.inYes)).toEqual(NOT_COUNTED);
});

test('a cancelled response follows the form as it is now', async () => {
  const { dave } = cast;
  const form = await answeredForm();
  await redirect(form);
  await cancel(dave, form.responseId);
  const shown = await preview(dave, form.formId, form.responseId);
  expect(shown.sections.map(({ id }) => id)).toEqual([0, 2, 3, 1].map((index) => form.sectionIds[index]));
  expect(progresses(shown).at(-1)).toBe('SKIPPED');
  expect((await expectProblem(submit(dave, form.responseId))).status).toBe(400);
});

test('repeating the accepted submit replays it, whatever the form has become', async () => {
  const { alice, dave } = cast;
  const form = await answeredForm();
  const { formId, responseId, inYes } = form;
  const answers = [text(form.asked, 'yes'), text(inYes, 'kept')];
  const first = await submit(dave, responseId, answers);
  pass(60);
  const changes = [
    () => redirect(form),
    () => alice.client.questions.deleteQuestion({ params: { sectionId: form.sectionIds[1] ?? '', questionId: inYes } }),
    () => alice.client.forms.updateForm({ params: { formId }, body: { allowEditResponse: false } }),
    () => alice.client.forms.archiveForm({ params: { formId } }),
  ];
  for (const change of changes) {
    await change();
    const again = await submit(dave, responseId, answers);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  }
  expect((await expectProblem(submit(dave, responseId, [text(form.asked, 'no')]))).status).toBe(400);
});
