/** Deletes a form whose title was typed. */
import { builderPages } from '#core/api/builder-pages.ts';
import { deleteForm } from '#core/deletion/marks.ts';
import { openForm } from '#core/forms/open.ts';
import { loadDeletion, renderFormDeletionPage } from '#core/pages/builder/delete.ts';
import { page } from '#core/pages/shell/page.ts';
import { getBuilderTexts } from '#core/pages/text/builder.ts';

export const handler = page(builderPages.deleteForm, openForm, async ({ app, form, posted, context }) => {
  const deletion = await loadDeletion(app, form);
  if (posted.fields.get('title')?.trim() !== form.title.trim()) {
    return { html: renderFormDeletionPage(context, deletion, getBuilderTexts(context).delete.titleWrong), status: 400 };
  }
  await deleteForm(app, form);
  return { location: `/o/${deletion.head.organization.slug}` };
});
