/** Shows the colour, the fonts and the cover of a form. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import { lookOfAddress, renderLookPage } from '#core/pages/builder/look.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  builderPages.showLook,
  openFormWithDraft,
  async ({ app, form, structure, query, context }) => ({
    html: renderLookPage(context, await loadFormHead(app, form), lookOfAddress(context, { form, structure }, query)),
  }),
);
