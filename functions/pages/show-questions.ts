/** Shows all questions of a form by section. */
import { authorPages } from '#core/api/pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { questionsPage } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showQuestions, openDraft, async ({ app, gate, draft, stored, context }) => {
  const head = await loadGateHead(app, gate);
  return { html: questionsPage(context, head, { gate, draft, structure: stored.structure, newId: app.uuid() }) };
});
