/** Creates a view and shows the table with it. */
import { reviewPages } from '#core/api/review-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { parseTypedView, requireValidTitle, toViewError } from '#core/pages/review/view-fields.ts';
import { renderViewsPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import { findFreeTitle } from '#core/views/model.ts';
import { addView, editViews, openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.createView,
  openViews,
  async ({ app, gate, structure, views, posted, context }) => {
    const { title, columns } = parseTypedView(posted.fields, structure);
    const created = { id: idWithin(gate.formId, app.uuid()), now: context.now.toISOString() };
    try {
      await editViews(app, views, (current) => {
        const viewTitle =
          title === '' ? findFreeTitle(current.views, getReviewTexts(context).edit.untitled) : requireValidTitle(title);
        return { next: addView(current, { title: viewTitle, columns }, structure, created), body: undefined };
      });
      return { location: `/review/${gate.formId}?view=${created.id}` };
    } catch (error) {
      const typed = { title, columns, error: toViewError(error) };
      const head = await loadGateHead(app, gate);
      return { html: renderViewsPage(context, head, { gate, structure, views: views.views, typed }), status: 400 };
    }
  },
);
