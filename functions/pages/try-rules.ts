/** Shows the path that answers decide. Nothing is stored. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { renderTryRulesPage } from '#core/pages/builder/try-rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.tryRules, openDraft, async ({ app, gate, stored, posted, context }) => ({
  html: renderTryRulesPage(context, await loadGateHead(app, gate), {
    structure: stored.structure,
    fields: posted.fields,
  }),
}));
