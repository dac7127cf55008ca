/** Shows the columns to export and the earlier exports. */
import { reviewPages } from '#core/api/pages.ts';
import { page } from '#core/pages/page.ts';
import { exportsPage } from '#core/pages/review/exports.ts';
import { exportsPageOf } from '#core/pages/review/exports-data.ts';
import { openViews } from '#core/review/view-open.ts';

export const handler = page(
  reviewPages.showExports,
  openViews,
  async ({ app, gate, structure, views, caller, roles, query, view }) => {
    const viewId = query.get('view') ?? undefined;
    const opened = { gate, structure, views, caller, roles };
    return { html: exportsPage(view, await exportsPageOf(app, opened, { viewId, isEmpty: false })) };
  },
);
