/** Says what is lost with a form, before it is deleted. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openForm } from '#core/forms/open.ts';
import { loadDeletion, renderFormDeletionPage } from '#core/pages/builder/delete.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.confirmFormDeletion, openForm, async ({ app, form, context }) => ({
  html: renderFormDeletionPage(context, await loadDeletion(app, form)),
}));
