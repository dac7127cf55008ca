/** Shows the colour, the fonts and the cover of a form. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openForm } from '#core/forms/open.ts';
import { lookOfAddress, lookPage } from '#core/pages/builder/look.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.showLook, openForm, async ({ app, form, query, context }) => ({
  html: lookPage(context, await loadFormHead(app, form), lookOfAddress(context, form, query)),
}));
