/** Creates a view and shows the table with it. */
import { reviewPages } from '#core/api/pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { typedView, validTitle, viewError } from '#core/pages/review/view-fields.ts';
import { viewsPage } from '#core/pages/review/views.ts';
import { page } from '#core/pages/shell/page.ts';
import { reviewText } from '#core/pages/text/review.ts';
import { findFreeTitle } from '#core/views/model.ts';
import { addView, editViews, openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.createView,
  openViews,
  async ({ app, gate, structure, views, posted, context }) => {
    const { title, columns } = typedView(posted.fields, structure);
    const created = { id: idWithin(gate.formId, app.uuid()), now: context.now.toISOString() };
    try {
      return await editViews(
        app,
        views,
        (current) => {
          const named =
            title === '' ? findFreeTitle(current.views, reviewText(context).edit.untitled) : validTitle(title);
          return addView(current, { title: named, columns }, structure, created);
        },
        () => ({ location: `/review/${gate.formId}?view=${created.id}` }),
      );
    } catch (error) {
      const typed = { title, columns, error: viewError(error) };
      return { html: viewsPage(context, { gate, structure, views: views.views, typed }), status: 400 };
    }
  },
);
