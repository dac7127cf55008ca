/** Shows a view to change it. */
import { reviewPages } from '#core/api/pages.ts';
import { page } from '#core/pages/page.ts';
import { viewPage } from '#core/pages/review/views.ts';
import { requireView } from '#core/review/view-edits.ts';
import { openViews } from '#core/review/view-open.ts';

export const handler = page(reviewPages.showView, openViews, async ({ gate, structure, views, params, view }) => ({
  html: viewPage(view, { gate, structure, views: views.views, current: requireView(views, params.viewId) }),
}));
