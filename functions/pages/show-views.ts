/** Shows the views of a form, and a form for a new one. */
import { reviewPages } from '#core/api/pages.ts';
import { viewsPage } from '#core/pages/review/views.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(reviewPages.showViews, openViews, async ({ gate, structure, views, context }) => ({
  html: viewsPage(context, { gate, structure, views: views.views }),
}));
