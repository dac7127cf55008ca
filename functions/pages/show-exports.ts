/** Shows the columns to export and the earlier exports. */
import { reviewPages } from '#core/api/review-pages.ts';
import { loadExportsPage, renderExportsPage } from '#core/pages/review/exports.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showExports,
  openViews,
  async ({ app, gate, structure, views, caller, roles, query, context }) => {
    const viewId = query.get('view') ?? undefined;
    const opened = { gate, structure, views, caller, roles };
    const [head, data] = await Promise.all([
      loadGateHead(app, gate),
      loadExportsPage(app, opened, { viewId, isEmpty: false }),
    ]);
    return { html: renderExportsPage(context, head, data) };
  },
);
