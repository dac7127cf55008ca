/**
 * Shows a question for editing. Stores a question (`do=save`), or changes the fields of its form. A question that
 * somebody else has deleted can be stored as a new one.
 */
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import { moveQuestion, replaceQuestion } from '#core/structure/questions.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { listOverwrittenFields } from '../shell/typed-fields.ts';
import { saveTyped } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashQuestion } from './content-hash.ts';
import { withDone } from './frame.ts';
import { buildConfirmation, findLoss, loadLosses } from './losses.ts';
import { renderQuestionPage, type StoredQuestionPage } from './question.ts';
import { changeTyped } from './question-buttons.ts';

import {
  checkQuestion,
  explainQuestion,
  QUESTION,
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
  open: openDraft,
  show: async ({ app, gate, stored: { structure, answered }, params, context }) => {
    const { question, section } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const isAnswered = answered.ids.has(question.id);
    const target = { structure, sectionId: section.id, question, type: question.type, isAnswered };
    const typed = showQuestion(context, target);
    const head = await loadGateHead(app, gate);
    return { html: renderQuestionPage(context, head, { gate, target, typed, question }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openDraft,
    actions: {
      changeQuestion: async ({
        app,
        gate,
        draft,
        stored,
        caller,
        params: { questionId },
        posted: { fields },
        context,
      }) => {
        const { edit: texts } = getQuestionsTexts(context);
        const action = fields.get('do') ?? 'save';
        const render = async (
          { structure, answered }: StoredStructure,
          { status = 200, ...changes }: Partial<StoredQuestionPage> & { status?: number },
          loaded?: FormHead,
        ) => {
          const head = loaded ?? (await loadGateHead(app, gate));
          const placed = findQuestion(structure, questionId);
          if (!placed) {
            const section = findSection(structure, fields.get('section') ?? '') ?? structure.sections[0];
            const place = { structure, sectionId: requireFound(section).id, isAnswered: false };
            const { target, typed } = readQuestion(fields, place);
            const page = { gate, target, typed: toNewQuestion(typed), newId: app.uuid(), refusal: texts.deleted };
            return { html: renderQuestionPage(context, head, page), status: 409 };
          }
          const { question, section } = placed;
          const place = { structure, sectionId: section.id, question, isAnswered: answered.ids.has(questionId) };
          const page = { gate, question, ...readQuestion(fields, place), seen: fields.get('hash'), ...changes };
          return { html: renderQuestionPage(context, head, page), status };
        };
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render(stored, { refusal: locked, status: 409 });
        const opened = findQuestion(stored.structure, questionId);
        if (!opened) return render(stored, {});
        const { question } = opened;
        const isAnswered = stored.answered.ids.has(questionId);
        const place = { structure: stored.structure, sectionId: opened.section.id, question, isAnswered };
        const list = questionsHref(gate.formId);
        if (action === 'move') {
          const [sectionId = '', after = ''] = (fields.get('place') ?? '').split(':');
          const move = (structure: Structure) => {
            const { section } = requireFound(findQuestion(structure, questionId));
            const place = { sectionId, after: after === '' ? null : after };
            const next = moveQuestion(structure, { sectionId: section.id, questionId }, place);
            return { next, body: { location: `${withDone(list, 'questionMoved')}#q-${questionId}` } };
          };
          const result = await tryEditDraft(app, { gate, draft, caller }, move);
          if (!(result instanceof Problem)) return result;
          // The place that was chosen may have been deleted meanwhile.
          const newest = await reloadEdited(app, gate.formId);
          const current = requireFound(findQuestion(newest.structure, questionId));
          const target = {
            ...{ structure: newest.structure, sectionId: current.section.id, question: current.question },
            ...{ type: current.question.type, isAnswered: newest.answered.ids.has(questionId) },
          };
          const typed = showQuestion(context, target);
          return render(newest, { target, typed, ...explainEdit(context, result, texts.refused) });
        }
        const { target, typed } = readQuestion(fields, place);
        if (action === 'replace') {
          return render(stored, { typed: { ...typed, description: replacementFor(question.description) } });
        }
        const changed = changeTyped(context, target, { typed, action });
        if (changed) return render(stored, changed);
        const checked = checkQuestion(context, { target, typed, order: opened.order });
        if ('errors' in checked) return render(stored, { errors: checked.errors, status: 400 });
        const loss = findLoss(stored, question, checked.input);
        const confirmed = buildConfirmation(loss);
        if (confirmed !== '' && fields.get('confirmed') !== confirmed) {
          const losing = loadLosses(app.table, stored, question, loss);
          const [losses, head] = await Promise.all([losing, loadGateHead(app, gate)]);
          return render(stored, { losses, confirmed, status: 409 }, head);
        }
        return saveTyped({
          fields,
          contentHash: ({ structure }: Edited) =>
            hashQuestion(requireFound(findQuestion(structure, questionId)).question),
          listOverwritten: ({ structure }: Edited) => {
            const current = findQuestion(structure, questionId)?.question;
            if (!current) return [];
            const stored: QuestionTarget = { ...target, structure, question: current, type: current.type };
            return listOverwrittenFields(context, QUESTION, { typed, stored });
          },
          reload: () => reloadEdited(app, gate.formId),
          render,
          explain: (problem) =>
            explainQuestion(context, typed, problem) ?? explainEdit(context, problem, texts.refused),
          save: (requireSeen) =>
            editDraft(app, { gate, draft, caller }, (structure, answered) => {
              const { section, order } = requireFound(findQuestion(structure, questionId));
              const ids = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
              const edit = { sectionId: section.id, questionId, input: { ...checked.input, order }, ...ids };
              const next = replaceQuestion(structure, answered, edit);
              requireSeen({ structure }, { structure: next });
              return { next, body: `${withDone(list, 'saved')}#q-${questionId}` };
            }),
        });
      },
    },
  },
});

type Edited = Pick<StoredStructure, 'structure'>;

/** Returns the fields of a question that was deleted for a new one, whose choices get new ids. */
const toNewQuestion = ({ choices, ...typed }: TypedQuestion): TypedQuestion => ({
  ...typed,
  choices: choices && { ...choices, rows: choices.rows.map((row) => ({ ...row, id: '' })) },
});
