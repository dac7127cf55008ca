/** Shows the changes of a form that are not published yet. */
import { authorPages } from '#core/api/author-pages.ts';
import { countDirectly } from '#core/counts/counters.ts';
import { openDraft } from '#core/forms/draft.ts';
import { changesPage } from '#core/pages/builder/changes.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { loadBaseIfOutdated } from '#core/structure/publish.ts';

export const handler = page(authorPages.showChanges, openDraft, async ({ app, gate, draft, context }) => {
  const [head, { count }, base] = await Promise.all([
    loadGateHead(app, gate),
    countDirectly(app.table, gate.formId, 'DRAFT'),
    loadBaseIfOutdated(app.table, gate.formId, draft),
  ]);
  return { html: changesPage(context, head, { gate, draft, base, draftCount: count }) };
});
