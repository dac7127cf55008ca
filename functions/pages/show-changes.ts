/** Shows the changes of a form that are not published yet. */
import { authorPages } from '#core/api/author-pages.ts';
import { withEntries } from '#core/counts/lost-answers.ts';
import { openDraft } from '#core/forms/draft.ts';
import { loadChangesPage, renderChangesPage } from '#core/pages/builder/changes.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showChanges, withEntries(openDraft), async ({ app, context, ...opened }) => {
  const [head, data] = await Promise.all([loadGateHead(app, opened.gate), loadChangesPage(app, opened)]);
  return { html: renderChangesPage(context, head, data) };
});
