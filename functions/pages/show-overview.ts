/** Shows what a form has and what it lacks. */
import { builderPages } from '#core/api/builder-pages.ts';
import { keys } from '#core/db/keys.ts';
import { openFormWithStructure } from '#core/forms/open.ts';
import { overviewPage } from '#core/pages/builder/overview.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  builderPages.showOverview,
  openFormWithStructure,
  async ({ app, form, structure, roles, context }) => {
    const [head, [changes]] = await Promise.all([loadFormHead(app, form), app.table.read([keys.formChanges(form.id)])]);
    const hasChanges = changes !== undefined;
    return { html: overviewPage(context, head, { form, structure, roles, newId: newFormField(app), hasChanges }) };
  },
);
