/** Further valid bodies, about a form with a question of every type: those of the table are about one or two questions. */
import fc from 'fast-check';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import { readQuestions, start } from '#test/support/responses.ts';
import type { Resources } from '#test/support/scene.ts';
import { type Draw, pick } from './draw.ts';
import { LONG_TEXTS, PATTERNS, WORDS } from './texts.ts';

type Form = Resources & { questions: QuestionDocument[]; nodes: WorkflowNode[] };
type Input = { params?: Record<string, string>; body: unknown };

/** What a further request of an operation has instead of what the table says; nothing for many operations. */
export async function furtherInput(name: string, resources: Resources, draw: Draw): Promise<Partial<Input>> {
  const further = FURTHER[name];
  if (!further) return {};
  const { formId, admin } = resources;
  const questions = await readQuestions(admin, formId);
  const nodes = (await admin.client.workflow.getWorkflow({ params: { formId } })).body.workflow;
  return further({ ...resources, questions, nodes }, draw);
}

const some = ({ questions }: Form, draw: Draw) => draw(fc.subarray(questions, { minLength: 1 }));
const ids = (form: Form, draw: Draw) => some(form, draw).map(({ id }) => id);
const answered = (form: Form, draw: Draw) => ({
  answers: (draw(fc.boolean()) ? form.questions : some(form, draw)).flatMap((each) => answerTo(each, draw)),
});
const filtered = (form: Form, draw: Draw) => ({
  filters: some(form, draw).map(({ id, choices = [] }) => {
    const options = [pick(draw, WORDS), ...choices.map((choice) => choice.id)];
    return { questionId: id, answers: options.map((option) => ({ option })) };
  }),
});

const FURTHER: Readonly<Record<string, (form: Form, draw: Draw) => Input | Promise<Input>>> = {
  'questions.createQuestion': ({ questions }, draw) => ({ body: pick(draw, questions) }),
  'questions.updateQuestion': ({ questions }, draw) => {
    const body = pick(draw, questions);
    return { params: { sectionId: body.sectionId, questionId: body.id }, body };
  },
  'workflow.createNode': () => ({ body: { type: 'CONDITION', payload: {} } }),
  'workflow.updateWorkflow': (form, draw) => ({ body: form.nodes.map((node) => withRule(node, form, draw)) }),
  'responses.startResponse': (form, draw) => ({ body: { ...answered(form, draw), submit: draw(fc.boolean()) } }),
  'responses.updateAnswers': (form, draw) => ({ body: answered(form, draw) }),
  'responses.submitResponse': async (form, draw) => ({
    params: { responseId: await start(form.respondent, form.formId) },
    body: answered(form, draw),
  }),
  'responses.countStatistics': (form, draw) => ({ body: filtered(form, draw) }),
  'responses.queryStatistics': (form, draw) => ({ body: filtered(form, draw) }),
  'responses.filterResponses': (form, draw) => {
    const sort = { questionId: pick(draw, form.questions).id, descending: draw(fc.boolean()) };
    return { body: { ...filtered(form, draw), respondent: pick(draw, ['', 'ivan', ...WORDS]), sort } };
  },
  'views.createView': (form, draw) => ({ body: { title: 'For the board', columns: ids(form, draw) } }),
  'views.updateView': (form, draw) => ({ body: { columns: ids(form, draw) } }),
  'views.listDistinctAnswers': (form, draw) => ({
    params: { formId: form.formId, viewId: form.viewId, questionId: pick(draw, form.questions).id },
    body: filtered(form, draw),
  }),
  'exports.previewTable': (form, draw) => ({ body: { questionIds: ids(form, draw) } }),
  'exports.downloadTable': (form, draw) => ({ body: { questionIds: ids(form, draw) } }),
};

function answerTo(question: QuestionDocument, draw: Draw): unknown[] {
  const value = valueFor(question, draw);
  return value === undefined ? [] : [{ questionId: question.id, questionType: question.type, value }];
}

function valueFor({ type, choices = [], scale }: QuestionDocument, draw: Draw): unknown {
  const chosen = choices.filter(({ isOther }) => !isOther).map(({ id }) => id);
  if (type === 'SHORT_TEXT') return pick(draw, WORDS.slice(0, 6));
  if (type === 'LONG_TEXT') return pick(draw, LONG_TEXTS);
  if (type === 'HYPERLINK') return draw(fc.webUrl());
  if (type === 'DATE') return pick(draw, ['2026-06-05', '2024-02-29T23:30:00+14:00', '1999-12-31T23:59:59Z']);
  if (scale) return pick(draw, [scale.minVal, scale.maxVal]);
  if (chosen.length === 0) return undefined;
  return /MULTIPLE|RANKING/.test(type) ? draw(fc.shuffledSubarray(chosen, { minLength: 1 })) : [pick(draw, chosen)];
}

function withRule(node: WorkflowNode, { questions }: Form, draw: Draw): WorkflowNode {
  if (node.type !== 'CONDITION') return node;
  const { id: question, choices } = pick(draw, questions);
  const conditionRule = choices
    ? { source: 'CHOICE' as const, question, pattern: pick(draw, choices).id }
    : { source: 'NON_CHOICE' as const, question, pattern: pick(draw, PATTERNS) };
  return { ...node, conditionRule };
}
