/** Shows the columns to export and the earlier exports. */
import { reviewPages } from '#core/api/pages.ts';
import { exportsPage, exportsPageOf } from '#core/pages/review/exports.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showExports,
  openViews,
  async ({ app, gate, structure, views, caller, roles, query, context }) => {
    const viewId = query.get('view') ?? undefined;
    const opened = { gate, structure, views, caller, roles };
    return { html: exportsPage(context, await exportsPageOf(app, opened, { viewId, isEmpty: false })) };
  },
);
