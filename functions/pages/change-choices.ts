/** Replaces the choices of a question by lines of text; choices keep their ids by name. Removals are confirmed first. */
import { authorPages } from '#core/api/author-pages.ts';
import { countAnswersTo } from '#core/counts/lost-answers.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { checkChoiceLines, toChoiceLines } from '#core/pages/builder/choice-lines.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { describeRemoved, listRemovedChoices } from '#core/pages/builder/losses.ts';
import { choicesPage } from '#core/pages/builder/question.ts';
import { mayEditQuestions, questionHref, questionsHref } from '#core/pages/builder/questions.ts';
import { questionStamp } from '#core/pages/builder/stamp.ts';
import { type FormHead, loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems, requireFound } from '#core/problems/problems.ts';
import { replaceQuestion } from '#core/structure/questions.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeChoices,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId }, posted, context }) => {
    const { choices: texts, edit } = getQuestionsTexts(context);
    const { question } = requireFound(findQuestion(stored.structure, questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const text = posted.fields.get('choices') ?? '';
    const again = async (changes: object, status: number, head?: FormHead) => ({
      html: choicesPage(context, head ?? (await loadGateHead(app, gate)), {
        gate,
        question,
        text,
        seen: posted.fields.get('stamp'),
        ...changes,
      }),
      status,
    });
    const checked = checkChoiceLines(text, question);
    if ('fault' in checked) {
      const errors = { empty: edit.choicesMissing, many: edit.choicesMany(checked.max), invalid: texts.invalid };
      return again({ error: errors[checked.fault] }, 400);
    }
    const removed = listRemovedChoices(question, checked.choices);
    const confirmed = removed.map(({ id }) => id).join(' ');
    if (confirmed !== '' && posted.fields.get('confirmed') !== confirmed) {
      const [head, counts] = await Promise.all([
        loadGateHead(app, gate),
        countAnswersTo(app.table, stored, questionId),
      ]);
      const losses = { choices: describeRemoved({ structure: stored.structure, question, counts }, removed), rules: 0 };
      return again({ losses, confirmed }, 409, head);
    }
    const newId = () => idWithin(gate.formId, app.uuid());
    const now = app.now().toISOString();
    const save = (structure: Structure, answered: ReadonlySet<string>) => {
      const placed = requireFound(findQuestion(structure, questionId));
      if (posted.fields.get('stamp') !== questionStamp(placed.question)) throw problems.stale();
      const { id: _id, createdAt: _created, updatedAt: _updated, ...content } = placed.question;
      const input = { ...content, choices: checked.choices, order: placed.order };
      const change = { sectionId: placed.section.id, questionId, input, now, newId };
      return { next: replaceQuestion(structure, answered, change), body: undefined };
    };
    try {
      await editDraft(app, { gate, draft, caller }, save);
      return { location: `${withDone(questionHref(gate.formId, questionId), 'saved')}#choice-0` };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'stale_version') throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      const newest = requireFound(findQuestion(structure, questionId)).question;
      const overwritten = [{ label: edit.choices, theirs: toChoiceLines(newest.choices ?? []) }];
      return again({ question: newest, overwritten }, 409);
    }
  },
);
