/** Asks before a view is deleted. */
import { openViews, requireView } from '#core/views/views.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { memberOfView } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';

export const page = definePage({
  name: 'deleteView',
  audience: 'reviewers',
  path: '/review/{formId}/views/{viewId}/delete',
  access: memberOfView,
  needs: ['table:read', 'table:list'],
  open: openViews,
  show: async ({ gate, views, params, context }) => {
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
  },
});
