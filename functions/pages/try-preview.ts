/** Shows the next page of a form that an author tries. Nothing is stored. */
import { authorPages } from '#core/api/author-pages.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import { renderPreviewPage } from '#core/pages/builder/preview.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  authorPages.tryPreview,
  openFormWithDraft,
  async ({ form, structure, posted, context }) => ({
    html: renderPreviewPage(context, { form, structure }, posted.fields),
  }),
);
