/** Shows how a form is shared. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openFormWithStructure } from '#core/forms/open.ts';
import { renderSharePage } from '#core/pages/builder/share.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  builderPages.showShare,
  openFormWithStructure,
  async ({ app, form, structure, context }) => ({
    html: renderSharePage(context, await loadFormHead(app, form), {
      form,
      structure,
      prefill: { fields: [], leftOut: [] },
    }),
  }),
);
