/** Shows what follows each section of a form. */
import { authorPages } from '#core/api/pages.ts';
import { openWholeEdit } from '#core/forms/open.ts';
import { loadGateHead } from '#core/pages/builder/frame.ts';
import { rulesPage } from '#core/pages/builder/rules.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showRules, openWholeEdit, async ({ app, gate, stored, context }) => ({
  html: rulesPage(context, await loadGateHead(app, gate), { gate, structure: stored.structure }),
}));
