/** Shows how a form begins or ends for its respondents, in the state that the address names. */
import { authorPages } from '#core/api/author-pages.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import { previewState } from '#core/pages/builder/preview.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  authorPages.showPreview,
  openFormWithDraft,
  async ({ form, structure, query, context }) => ({
    html: previewState(context, { form, structure }, query.get('as')),
  }),
);
