/** Replaces the choices of a question by lines of text; choices keep their ids by name. Removals are confirmed first. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { checkChoiceLines, listRemovedChoices, toChoiceLines } from '#core/pages/builder/choice-lines.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { choicesPage } from '#core/pages/builder/question.ts';
import { mayEditQuestions, questionHref, questionsHref } from '#core/pages/builder/questions.ts';
import { questionStamp } from '#core/pages/builder/stamp.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsText } from '#core/pages/text/questions.ts';
import { Problem, problems, requireFound } from '#core/problems/problems.ts';
import { replaceQuestion } from '#core/structure/questions.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeChoices,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId }, posted, context }) => {
    const { choices: texts, edit } = getQuestionsText(context);
    const { question } = requireFound(findQuestion(stored.structure, questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const text = posted.fields.get('choices') ?? '';
    const again = async (changes: object, status: number) => ({
      html: choicesPage(context, await loadGateHead(app, gate), { gate, question, text, ...changes }),
      status,
    });
    const checked = checkChoiceLines(text, question);
    if ('fault' in checked) {
      const errors = { empty: edit.choicesMissing, many: edit.choicesMany(checked.max), invalid: texts.invalid };
      return again({ error: errors[checked.fault] }, 400);
    }
    const removed = listRemovedChoices(question, checked.choices);
    if (removed.length > 0 && posted.fields.get('confirmed') !== JSON.stringify(removed))
      return again({ removed }, 409);
    const newId = () => idWithin(gate.formId, app.uuid());
    const now = app.now().toISOString();
    const save = (structure: Structure, answered: ReadonlySet<string>) => {
      const placed = requireFound(findQuestion(structure, questionId));
      if (posted.fields.get('stamp') !== questionStamp(placed.question)) throw problems.stale();
      const { id: _id, createdAt: _created, updatedAt: _updated, ...content } = placed.question;
      const input = { ...content, choices: checked.choices, order: placed.order };
      const change = { sectionId: placed.section.id, questionId, input, now, newId };
      return replaceQuestion(structure, answered, change);
    };
    try {
      await editDraft(app, { gate, draft, caller }, save);
      return { location: withDone(questionHref(gate.formId, questionId), 'saved') };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'stale_version') throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      const newest = requireFound(findQuestion(structure, questionId)).question;
      const overwritten = [{ label: edit.choices, theirs: toChoiceLines(newest.choices ?? []) }];
      return again({ question: newest, overwritten }, 409);
    }
  },
);
