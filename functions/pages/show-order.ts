/** Shows the order of all questions for editing. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { renderOrderPage } from '#core/pages/builder/order.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showOrder, openDraft, async ({ app, gate, draft, stored, context }) => {
  if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
  return {
    html: renderOrderPage(context, await loadGateHead(app, gate), { gate, draft, structure: stored.structure }),
  };
});
