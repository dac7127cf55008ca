/** Shows what a form has and what it lacks. */
import { builderPages } from '#core/api/builder-pages.ts';
import { countForList } from '#core/counts/counters.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import { renderOverviewPage } from '#core/pages/builder/overview.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  builderPages.showOverview,
  openFormWithDraft,
  async ({ app, form, structure, hasChanges, roles, context }) => {
    const [head, counts] = await Promise.all([loadFormHead(app, form), countForList(app.table, form.id)]);
    const data = { form, structure, hasChanges, counts, roles, newId: newFormField(app) };
    return { html: renderOverviewPage(context, head, data) };
  },
);
