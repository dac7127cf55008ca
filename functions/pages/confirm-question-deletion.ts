/** Says what is lost with a question, before it is deleted. */
import { authorPages } from '#core/api/author-pages.ts';
import { countAnswers, withEntries } from '#core/counts/lost-answers.ts';
import { openDraft } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { renderQuestionRemovalPage } from '#core/pages/builder/removal.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireFound } from '#core/problems/problems.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.confirmQuestionDeletion,
  withEntries(openDraft),
  async ({ app, gate, stored, listed, params, context }) => {
    const placed = requireFound(findQuestion(stored.structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const [head, counts] = await Promise.all([
      loadGateHead(app, gate),
      countAnswers(
        app.table,
        gate.formId,
        listed,
        [params.questionId].filter((id) => stored.answered.ids.has(id)),
      ),
    ]);
    return { html: renderQuestionRemovalPage(context, head, { gate, stored, counts, placed }) };
  },
);
