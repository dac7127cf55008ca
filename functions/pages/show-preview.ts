/** Shows how a form begins for its respondents, in the state that the address names. */
import { authorPages } from '#core/api/author-pages.ts';
import { openForm } from '#core/forms/open.ts';
import { previewLanding } from '#core/pages/builder/preview.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showPreview, openForm, async ({ form, query, context }) => ({
  html: previewLanding(context, form, query.get('as')),
}));
