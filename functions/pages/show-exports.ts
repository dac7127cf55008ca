/** Shows the columns to export and the earlier exports. */
import { reviewPages } from '#core/api/pages.ts';
import { loadExportsPage, renderExportsPage } from '#core/pages/review/exports.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showExports,
  openViews,
  async ({ app, gate, structure, views, caller, roles, query, context }) => {
    const viewId = query.get('view') ?? undefined;
    const opened = { gate, structure, views, caller, roles };
    return { html: renderExportsPage(context, await loadExportsPage(app, opened, { viewId, isEmpty: false })) };
  },
);
