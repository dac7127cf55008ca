/** Shows a view to change it. */
import { reviewPages } from '#core/api/pages.ts';
import { renderViewPage } from '#core/pages/review/views.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews, requireView } from '#core/views/views.ts';

export const handler = page(reviewPages.showView, openViews, async ({ gate, structure, views, params, context }) => ({
  html: renderViewPage(context, { gate, structure, views: views.views, current: requireView(views, params.viewId) }),
}));
