/** Shows the views of a form, and a form for a new one. */
import { reviewPages } from '#core/api/review-pages.ts';
import { renderViewsPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(reviewPages.showViews, openViews, async ({ app, gate, structure, views, context }) => ({
  html: renderViewsPage(context, await loadGateHead(app, gate), {
    gate,
    structure,
    views: views.views,
    newId: app.uuid(),
  }),
}));
