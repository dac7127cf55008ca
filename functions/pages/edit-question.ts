/** Shows a question for editing. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { renderQuestionPage } from '#core/pages/builder/question.ts';
import { toTypedQuestion } from '#core/pages/builder/question-fields.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireFound } from '#core/problems/problems.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.editQuestion,
  openDraft,
  async ({ app, gate, stored: { structure, answered }, params, context }) => {
    const { question, section } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const typed = toTypedQuestion(question);
    const isAnswered = answered.ids.has(question.id);
    const head = await loadGateHead(app, gate);
    return {
      html: renderQuestionPage(context, head, { gate, structure, sectionId: section.id, typed, question, isAnswered }),
    };
  },
);
