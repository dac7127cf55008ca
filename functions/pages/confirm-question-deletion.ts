/** Says what is lost with a question, before it is deleted. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { questionRemovalPage } from '#core/pages/builder/removal.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireFound } from '#core/problems/problems.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.confirmQuestionDeletion,
  openDraft,
  async ({ app, gate, stored, params, context }) => {
    const placed = requireFound(findQuestion(stored.structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    return { html: questionRemovalPage(context, await loadGateHead(app, gate), { gate, stored, placed }) };
  },
);
