/** Shows all questions of a form by section. */
import { authorPages } from '#core/api/pages.ts';
import { openWholeEdit } from '#core/forms/open.ts';
import { loadGateHead } from '#core/pages/builder/frame.ts';
import { questionsPage } from '#core/pages/builder/questions.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showQuestions, openWholeEdit, async ({ app, gate, stored, context }) => {
  const head = await loadGateHead(app, gate);
  return { html: questionsPage(context, head, { gate, structure: stored.structure, newId: app.uuid() }) };
});
