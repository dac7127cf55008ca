/**
 * Stores a question (`do=save`), or changes the fields of its form. A question that somebody else has deleted can be stored
 * as a new one.
 */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { hashQuestion } from '#core/pages/builder/content-hash.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { buildConfirmation, findLoss, loadLosses } from '#core/pages/builder/losses.ts';
import {
  listOverwritten,
  renderQuestionPage,
  type StoredQuestionPage,
  toNewQuestion,
} from '#core/pages/builder/question.ts';
import { changeTyped } from '#core/pages/builder/question-buttons.ts';
import { checkQuestion, parseTypedQuestion, toTypedQuestion } from '#core/pages/builder/question-fields.ts';
import { explainEdit, lockedText, questionsHref } from '#core/pages/builder/questions.ts';
import { replacementFor } from '#core/pages/builder/rich-text-field.ts';
import { type FormHead, loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import { moveQuestion, replaceQuestion } from '#core/structure/questions.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeQuestion,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId }, posted: { fields }, context }) => {
    const { edit: texts } = getQuestionsTexts(context);
    const action = fields.get('do') ?? 'save';
    const render = async (
      { structure, answered }: StoredStructure,
      { status = 200, ...changes }: Partial<StoredQuestionPage> & { status?: number },
      loaded?: FormHead,
    ) => {
      const head = loaded ?? (await loadGateHead(app, gate));
      const placed = findQuestion(structure, questionId);
      const typed = parseTypedQuestion(fields, placed?.question);
      if (!placed) {
        const section = findSection(structure, fields.get('section') ?? '') ?? structure.sections[0];
        const data = { gate, structure, sectionId: requireFound(section).id, typed: toNewQuestion(typed) };
        const page = { ...data, newId: app.uuid(), refusal: texts.deleted };
        return { html: renderQuestionPage(context, head, page), status: 409 };
      }
      const { question, section } = placed;
      const data = { gate, structure, sectionId: section.id, typed, question, seen: fields.get('hash') };
      const page = { ...data, isAnswered: answered.ids.has(questionId), ...changes };
      return { html: renderQuestionPage(context, head, page), status };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render(stored, { refusal: locked, status: 409 });
    const opened = findQuestion(stored.structure, questionId);
    if (!opened) return render(stored, {});
    const { question } = opened;
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
      const current = requireFound(findQuestion(newest.structure, questionId)).question;
      return render(newest, { typed: toTypedQuestion(current), ...explainEdit(context, result, texts.refused) });
    }
    const typed = parseTypedQuestion(fields, question);
    if (action === 'replace') {
      return render(stored, { typed: { ...typed, description: replacementFor(question.description) } });
    }
    const changed = changeTyped(typed, action);
    if (changed) return render(stored, changed);
    const target = { structure: stored.structure, stored: question, order: opened.order };
    const checked = checkQuestion(context, typed, target);
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
      contentHash: ({ structure }: Edited) => hashQuestion(requireFound(findQuestion(structure, questionId)).question),
      listOverwritten: ({ structure }: Edited) => {
        const current = findQuestion(structure, questionId)?.question;
        return current ? listOverwritten(context, structure, { question: current, typed }) : [];
      },
      reload: () => reloadEdited(app, gate.formId),
      render,
      explain: (problem) => explainEdit(context, problem, texts.refused),
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
);

type Edited = Pick<StoredStructure, 'structure'>;
