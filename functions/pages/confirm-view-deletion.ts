/** Asks before a view is deleted. */
import { reviewPages } from '#core/api/review-pages.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import { openViews, requireView } from '#core/views/views.ts';

export const handler = page(reviewPages.confirmViewDeletion, openViews, async ({ gate, views, params, context }) => {
  const { edit } = getReviewTexts(context);
  const { id, title } = requireView(views, params.viewId);
  const action = `/review/${gate.formId}/views/${id}`;
  return {
    html: renderConfirmationPage(context, {
      title: edit.deleteTitle(title),
      lead: edit.deleteLead,
      action,
      fields: { do: 'delete' },
      confirm: edit.deleteConfirm,
      cancel: edit.keep,
      cancelHref: action,
    }),
  };
});
