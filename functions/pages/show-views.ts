/** Shows the views of a form, and a form for a new one. */
import { reviewPages } from '#core/api/pages.ts';
import { renderViewsPage } from '#core/pages/review/views.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(reviewPages.showViews, openViews, async ({ gate, structure, views, context }) => ({
  html: renderViewsPage(context, { gate, structure, views: views.views }),
}));
