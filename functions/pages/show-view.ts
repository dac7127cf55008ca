/** Shows a view to change it. */
import { reviewPages } from '#core/api/review-pages.ts';
import { renderViewPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews, requireView } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showView,
  openViews,
  async ({ app, gate, structure, views, params, context }) => {
    const current = requireView(views, params.viewId);
    const head = await loadGateHead(app, gate);
    return { html: renderViewPage(context, head, { gate, structure, views: views.views, current, newId: app.uuid() }) };
  },
);
