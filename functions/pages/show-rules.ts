/** Shows what follows each section of a form. */
import { authorPages } from '#core/api/pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { rulesPage } from '#core/pages/builder/rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showRules, openDraft, async ({ app, gate, draft, stored, context }) => ({
  html: rulesPage(context, await loadGateHead(app, gate), { gate, draft, structure: stored.structure }),
}));
