/** Deletes a form whose title was typed. */
import { builderPages } from '#core/api/builder-pages.ts';
import { deleteForm } from '#core/deletion/marks.ts';
import { openForm } from '#core/forms/open.ts';
import { deleteFormPage } from '#core/pages/builder/delete.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { builderText } from '#core/pages/text/builder.ts';

export const handler = page(builderPages.deleteForm, openForm, async ({ app, form, posted, context }) => {
  const head = await loadFormHead(app, form);
  if (posted.fields.get('title')?.trim() !== form.title.trim()) {
    return { html: deleteFormPage(context, head, builderText(context).delete.titleWrong), status: 400 };
  }
  await deleteForm(app, form);
  return { location: `/o/${head.organization.slug}` };
});
