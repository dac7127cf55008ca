/** Creates a view and shows the table with it. */
import { reviewPages } from '#core/api/review-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { findTitleError, parseTypedView, type TypedView, toViewError } from '#core/pages/review/view-fields.ts';
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
    const refuse = async (error: TypedView['error']) => {
      const typed = { title, columns, error };
      const head = await loadGateHead(app, gate);
      return {
        html: renderViewsPage(context, head, { gate, structure, views: views.views, typed }),
        status: 400 as const,
      };
    };
    const titleError = title === '' ? undefined : findTitleError(title);
    if (titleError) return refuse(titleError);
    try {
      await editViews(app, views, (current) => {
        const viewTitle = title || findFreeTitle(current.views, getReviewTexts(context).edit.untitled);
        return { next: addView(current, { title: viewTitle, columns }, structure, created), body: undefined };
      });
      return { location: `/review/${gate.formId}?view=${created.id}` };
    } catch (error) {
      return refuse(toViewError(error));
    }
  },
);
