/** Shows the choices of a question as text, one a line. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { toChoiceLines } from '#core/pages/builder/choice-lines.ts';
import { renderChoicesPage } from '#core/pages/builder/question.ts';
import { mayEditQuestions, questionHref, questionsHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireFound } from '#core/problems/problems.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.editChoices,
  openDraft,
  async ({ app, gate, stored: { structure }, params, context }) => {
    const { question } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    if (!question.choices) return { location: questionHref(gate.formId, question.id) };
    const text = toChoiceLines(question.choices);
    return { html: renderChoicesPage(context, await loadGateHead(app, gate), { gate, question, text }) };
  },
);
