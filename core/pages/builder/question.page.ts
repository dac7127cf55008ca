/**
 * Shows a question for editing. Stores a question (`do=save`), or changes the fields of its form. A question that
 * somebody else has deleted can be stored as a new one.
 */
import { idWithin } from '#core/db/keys.ts';
import { editForm, type OpenedEditedForm, openEditedForm, reloadEdited, tryEditForm } from '#core/forms/edited.ts';
import type { RequestApp } from '#core/http/app.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import { moveQuestion, replaceQuestion } from '#core/structure/questions.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion, findSection } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { listLabels, listOverwrittenFields } from '../shell/typed-fields.ts';
import { type Refused, saveTyped } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashQuestion } from './content-hash.ts';
import { renderNewRow } from './editor.ts';
import { withDone } from './frame.ts';
import { buildConfirmation, findLoss, loadLosses } from './losses.ts';
import { isOfEditor } from './opened-row.ts';
import {
  renderQuestionFields,
  renderQuestionPage,
  renderQuestionPart,
  renderStoredPart,
  type StoredQuestionPage,
} from './question.ts';
import { changeTyped, withOption } from './question-buttons.ts';

import {
  checkQuestion,
  explainQuestion,
  QUESTION,
  type QuestionErrors,
  readQuestion,
  showQuestion,
  type TypedQuestion,
} from './question-fields.ts';
import type { QuestionTarget } from './question-target.ts';

import { explainEdit, lockedText, mayEditQuestions, questionsHref } from './questions.ts';
import { replacementFor } from './rich-text-field.ts';

export const page = definePage({
  name: 'question',
  audience: 'authors',
  path: '/build/{formId}/q/{questionId}',
  access: member,
  needs: LIST,
  open: openEditedForm,
  show: async ({ app, gate, stored: { structure, answered }, params, query, context }) => {
    const { question, section } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const isAnswered = answered.ids.has(question.id);
    const target = { structure, sectionId: section.id, question, type: question.type, isAnswered };
    const data = { gate, target, typed: showQuestion(context, target), question };
    if (isOfEditor(query)) return { html: renderQuestionPart(context, data) };
    return { html: renderQuestionPage(context, await loadGateHead(app, gate), data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openEditedForm,
    labels: (context) => listLabels(context, QUESTION),
    actions: {
      changeQuestion: async (request) => {
        const { gate, stored, params, posted, context } = request;
        const locked = lockedText(context, gate);
        if (locked !== undefined) return showAgain(request, stored, { refusal: locked, status: 409 });
        const opened = findQuestion(stored.structure, params.questionId);
        if (!opened) return showAgain(request, stored, {});
        const action = posted.fields.get('do') ?? 'save';
        if (action === 'move') return move(request);
        const post = readPost(request, opened);
        const changed = changeFields(context, post, action);
        if (changed) return showAgain(request, stored, changed);
        // In the editor, choosing a type saves it; on its page, its fields are shown first.
        const typed = isOfEditor(posted.fields) ? withOption(context, post.target, post.typed) : post.typed;
        return store(request, { ...post, typed });
      },
    },
  },
});

type QuestionPost = OpenedEditedForm & {
  app: RequestApp;
  params: { questionId: string };
  posted: FormFields;
  context: PageContext;
};

/** A posted question as it is stored, with what was typed. */
type TypedPost = Placed & { target: QuestionTarget; typed: TypedQuestion };
type Placed = NonNullable<ReturnType<typeof findQuestion>>;

function readPost({ stored, posted }: QuestionPost, placed: Placed): TypedPost {
  const { question, section } = placed;
  const isAnswered = stored.answered.ids.has(question.id);
  return {
    ...placed,
    ...readQuestion(posted.fields, { structure: stored.structure, sectionId: section.id, question, isAnswered }),
  };
}

/** Shows the form again with what was typed; that of a question that was deleted stores a new one. */
async function showAgain(
  { app, gate, params, posted: { fields }, context }: QuestionPost,
  { structure, answered }: StoredStructure,
  { status = 200, ...changes }: Partial<StoredQuestionPage> & { status?: number },
  loaded?: FormHead,
): Promise<PageResult> {
  const isPart = isOfEditor(fields);
  const loadHead = async () => loaded ?? (await loadGateHead(app, gate));
  const placed = findQuestion(structure, params.questionId);
  if (!placed) {
    const section = findSection(structure, fields.get('section') ?? '') ?? structure.sections[0];
    const place = { structure, sectionId: requireFound(section).id, isAnswered: false };
    const { target, typed } = readQuestion(fields, place);
    const refusal = getQuestionsTexts(context).edit.deleted;
    const page = { gate, target, typed: toNewQuestion(typed), newId: app.uuid(), refusal };
    return isPart
      ? { html: renderNewRow(page.newId, renderQuestionFields(context, page)), status: 409 }
      : { html: renderQuestionPage(context, await loadHead(), page), status: 409 };
  }
  const { question, section } = placed;
  const place = { structure, sectionId: section.id, question, isAnswered: answered.ids.has(question.id) };
  const page = { gate, question, ...readQuestion(fields, place), seen: fields.get('hash'), ...changes };
  return isPart
    ? { html: renderQuestionPart(context, page), status }
    : { html: renderQuestionPage(context, await loadHead(), page), status };
}

/** Moves the question to the place that was chosen, which may have been deleted meanwhile. */
async function move(request: QuestionPost): Promise<PageResult> {
  const { app, gate, params, posted, context } = request;
  const { questionId } = params;
  const [sectionId = '', after = ''] = (posted.fields.get('place') ?? '').split(':');
  const result = await tryEditForm(app, request, (structure) => {
    const { section } = requireFound(findQuestion(structure, questionId));
    const place = { sectionId, after: after === '' ? null : after };
    const next = moveQuestion(structure, { sectionId: section.id, questionId }, place);
    const location = `${withDone(questionsHref(gate.formId), 'questionMoved')}#q-${questionId}`;
    return { next, body: { location } };
  });
  if (!(result instanceof Problem)) return result;
  const { structure, answered } = await reloadEdited(app, gate.formId);
  const { question, section } = requireFound(findQuestion(structure, questionId));
  const isAnswered = answered.ids.has(questionId);
  const target = { structure, sectionId: section.id, question, type: question.type, isAnswered };
  const { refused } = getQuestionsTexts(context).edit;
  const shown = { target, typed: showQuestion(context, target), ...explainEdit(context, result, refused) };
  return showAgain(request, { structure, answered }, shown);
}

/** Returns the fields as a button of the form changes them; undefined for one that stores. */
function changeFields(context: PageContext, { question, target, typed }: TypedPost, action: string) {
  return action === 'replace'
    ? { typed: { ...typed, description: replacementFor(question.description) } }
    : changeTyped(context, target, { typed, action });
}

/** Stores the question, after its author has seen which answers lose something by that. */
async function store(request: QuestionPost, { question, order, target, typed }: TypedPost): Promise<PageResult> {
  const { app, gate, stored, posted, context } = request;
  const { fields } = posted;
  const checked = checkQuestion(context, { target, typed, order });
  if ('errors' in checked) return showAgain(request, stored, { typed, errors: checked.errors, status: 400 });
  const loss = findLoss(stored, question, checked.input);
  const confirmed = buildConfirmation(loss);
  if (confirmed !== '' && fields.get('confirmed') !== confirmed) {
    const losing = loadLosses(app.table, stored, question, loss);
    const [losses, head] = await Promise.all([losing, loadGateHead(app, gate)]);
    return showAgain(request, stored, { losses, confirmed, status: 409 }, head);
  }
  let saved = stored;
  const result = await saveTyped({
    fields,
    contentHash: ({ structure }: Edited) => hashQuestion(requireFound(findQuestion(structure, question.id)).question),
    listOverwritten: ({ structure }: Edited) => {
      const current = findQuestion(structure, question.id)?.question;
      if (!current) return [];
      const theirs: QuestionTarget = { ...target, structure, question: current, type: current.type };
      return listOverwrittenFields(context, QUESTION, { typed, stored: theirs });
    },
    reload: () => reloadEdited(app, gate.formId),
    render: (newest: StoredStructure, refused: Refused<QuestionErrors>) => showAgain(request, newest, refused),
    explain: (problem) =>
      explainQuestion(context, typed, problem) ??
      explainEdit(context, problem, getQuestionsTexts(context).edit.refused),
    save: (requireSeen) =>
      editForm(app, request, (structure, answered) => {
        const { section, order: newest } = requireFound(findQuestion(structure, question.id));
        const ids = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
        const edit = { sectionId: section.id, questionId: question.id, ...ids };
        const next = replaceQuestion(structure, answered, { ...edit, input: { ...checked.input, order: newest } });
        requireSeen({ structure }, { structure: next });
        saved = { structure: next, answered: { ...stored.answered, ids: answered } };
        return { next, body: `${withDone(questionsHref(gate.formId), 'saved')}#q-${question.id}` };
      }),
  });
  if (!('location' in result) || !isOfEditor(fields)) return result;
  const isAnswered = saved.answered.ids.has(question.id);
  return {
    html: renderStoredPart(context, { gate, structure: saved.structure, questionId: question.id, isAnswered }),
  };
}

type Edited = Pick<StoredStructure, 'structure'>;

/** Returns the fields of a question that was deleted for a new one, whose choices get new ids. */
const toNewQuestion = ({ choices, ...typed }: TypedQuestion): TypedQuestion => ({
  ...typed,
  choices: choices && { ...choices, rows: choices.rows.map((row) => ({ ...row, id: '' })) },
});
