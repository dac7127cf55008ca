/**
 * Stores a question (`do=save`), or changes the fields of its form. What somebody else has stored in it meanwhile is shown
 * before it is replaced; a question that somebody else has deleted can be stored as a new one.
 */
import { authorPages } from '#core/api/author-pages.ts';
import { countAnswersTo } from '#core/counts/lost-answers.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { countChoiceRules, countTypeRules, describeRemoved, listRemovedChoices } from '#core/pages/builder/losses.ts';
import { listQuestionConflicts, questionPage } from '#core/pages/builder/question.ts';
import {
  changeChoices,
  checkQuestion,
  parseTypedQuestion,
  toTypedQuestion,
  withType,
} from '#core/pages/builder/question-fields.ts';
import { lockedText, questionsHref } from '#core/pages/builder/questions.ts';
import { replacementFor } from '#core/pages/builder/rich-text-field.ts';
import { questionStamp } from '#core/pages/builder/stamp.ts';
import { type FormHead, loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems, requireFound } from '#core/problems/problems.ts';
import { moveQuestion, replaceQuestion } from '#core/structure/questions.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeQuestion,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId }, posted, context }) => {
    const { edit: texts } = getQuestionsTexts(context);
    const action = posted.fields.get('do') ?? 'save';
    const again = async (
      { structure, answered }: StoredStructure,
      changes: object,
      status = 200,
      loaded?: FormHead,
    ) => {
      const head = loaded ?? (await loadGateHead(app, gate));
      const placed = findQuestion(structure, questionId);
      const typed = parseTypedQuestion(posted.fields, placed?.question);
      if (placed) {
        const { question, section } = placed;
        const isAnswered = answered.ids.has(questionId);
        const seen = posted.fields.get('stamp');
        const data = { gate, structure, sectionId: section.id, typed, question, isAnswered, seen };
        return { html: questionPage(context, head, { ...data, ...changes }), status };
      }
      const postedId = posted.fields.get('section') ?? '';
      const sectionId = requireFound(findSection(structure, postedId) ?? structure.sections[0]).id;
      const asNew = { ...typed, choices: typed.choices.map((choice) => ({ ...choice, id: '' })) };
      const data = { gate, structure, sectionId, typed: asNew, newId: app.uuid(), refusal: texts.deleted };
      return { html: questionPage(context, head, data), status: 409 };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return again(stored, { refusal: locked }, 409);
    const opened = findQuestion(stored.structure, questionId);
    if (!opened) return again(stored, {});
    if (action === 'move') {
      const [sectionId = '', after = ''] = (posted.fields.get('place') ?? '').split(':');
      const place = { sectionId, after: after === '' ? null : after };
      const move = (structure: Structure) => {
        const { section } = requireFound(findQuestion(structure, questionId));
        const next = moveQuestion(structure, { sectionId: section.id, questionId }, place);
        return { next, body: { location: `${withDone(questionsHref(gate.formId), 'questionMoved')}#q-${questionId}` } };
      };
      const result = await tryEditDraft(app, { gate, draft, caller }, move);
      if (result) return result;
      // The place that was chosen was deleted meanwhile.
      const newest = await reloadEdited(app, gate.formId);
      const shown = requireFound(findQuestion(newest.structure, questionId)).question;
      return again(newest, { typed: toTypedQuestion(shown), refusal: texts.refused }, 409);
    }
    const typed = parseTypedQuestion(posted.fields, opened.question);
    if (action === 'preview' || action === 'source') return again(stored, { typed });
    if (action === 'replace') {
      const description = replacementFor(opened.question.description);
      return again(stored, { typed: { ...typed, description } });
    }
    if (action === 'type') return again(stored, { typed: withType(typed) });
    const changed = changeChoices(typed.choices, action);
    if (changed) return again(stored, { typed: { ...typed, choices: changed.choices }, focus: changed.focus });
    const target = { structure: stored.structure, stored: opened.question, order: opened.order };
    const checked = checkQuestion(context, typed, target);
    if ('errors' in checked) return again(stored, { errors: checked.errors }, 400);
    const { question } = opened;
    const isAnswered = stored.answered.ids.has(questionId);
    const removed = listRemovedChoices(question, checked.input.choices ?? []).filter(
      (choice) => isAnswered || countChoiceRules(stored.structure, choice) > 0,
    );
    const rules = countTypeRules(stored.structure, question, checked.input.type);
    const confirmed = [...(rules > 0 ? [checked.input.type] : []), ...removed.map(({ id }) => id)].join(' ');
    if (confirmed !== '' && posted.fields.get('confirmed') !== confirmed) {
      const [head, counts] = await Promise.all([
        loadGateHead(app, gate),
        removed.length > 0 ? countAnswersTo(app.table, stored, questionId) : undefined,
      ]);
      const choices = describeRemoved({ structure: stored.structure, question, counts }, removed);
      return again(stored, { losses: { choices, rules }, confirmed }, 409, head);
    }
    const newId = () => idWithin(gate.formId, app.uuid());
    const now = app.now().toISOString();
    try {
      await editDraft(app, { gate, draft, caller }, (structure, answered) => {
        const { question, section, order } = requireFound(findQuestion(structure, questionId));
        const isUnseen = posted.fields.get('stamp') !== questionStamp(question);
        if (isUnseen && listQuestionConflicts(context, question, typed).length > 0) throw problems.stale();
        const edit = { sectionId: section.id, questionId, input: { ...checked.input, order }, now, newId };
        return { next: replaceQuestion(structure, answered, edit), body: undefined };
      });
      return { location: `${withDone(questionsHref(gate.formId), 'saved')}#q-${questionId}` };
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 413) throw error;
      const newest = await reloadEdited(app, gate.formId);
      const theirs = findQuestion(newest.structure, questionId)?.question;
      const overwritten = theirs && error.code === 'stale_version' ? listQuestionConflicts(context, theirs, typed) : [];
      return again(newest, overwritten.length > 0 ? { overwritten } : { refusal: texts.refused }, 409);
    }
  },
);
