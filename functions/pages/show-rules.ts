/** Shows what follows each section of a form. */
import { builderPages } from '#core/api/pages.ts';
import { openWholeEdit } from '#core/forms/open.ts';
import { loadGateHead } from '#core/pages/builder/frame.ts';
import { rulesPage } from '#core/pages/builder/rules.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.showRules, openWholeEdit, async ({ app, gate, stored, context }) => ({
  html: rulesPage(context, await loadGateHead(app, gate), { gate, structure: stored.structure }),
}));
