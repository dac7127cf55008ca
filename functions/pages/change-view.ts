/**
 * Changes a view: its title and columns, its place, its lock; copies or deletes it. When somebody else has changed the
 * title or the columns meanwhile, both are shown.
 */
import { reviewPages } from '#core/api/review-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { withDone } from '#core/pages/review/header.ts';
import {
  changeViews,
  findTitleError,
  parseTypedView,
  type TypedView,
  toViewError,
} from '#core/pages/review/view-fields.ts';
import { renderViewPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import { editViews, loadViews, openViews, requireView } from '#core/views/views.ts';

export const handler = page(
  reviewPages.changeView,
  openViews,
  async ({ app, gate, structure, views, params: { viewId }, posted, context }) => {
    const action = posted.fields.get('do') ?? 'save';
    const typed = parseTypedView(posted.fields, structure);
    const { copyOf } = getReviewTexts(context).edit;
    const newId = idWithin(gate.formId, app.uuid());
    const viewHash = posted.fields.get('stamp');
    const change = { viewId, action, typed, viewHash, newId, now: context.now.toISOString(), copyOf };
    const listPath = `/review/${gate.formId}/views`;
    const staysOnView = action !== 'delete' && action !== 'duplicate';
    const location = withDone(
      staysOnView ? `${listPath}/${viewId}` : listPath,
      action === 'delete' ? 'viewDeleted' : 'saved',
    );
    const refuse = async (error: TypedView['error']) => {
      const failed = { ...typed, error };
      const [head, latest] = await Promise.all([loadGateHead(app, gate), loadViews(app.table, gate.formId)]);
      const current = requireView(latest, viewId);
      const html = renderViewPage(context, head, { gate, structure, views: latest.views, current, typed: failed });
      return { html, status: error === 'changedElsewhere' ? (409 as const) : (400 as const) };
    };
    const titleError = action === 'save' ? findTitleError(typed.title) : undefined;
    if (titleError) return refuse(titleError);
    try {
      await editViews(app, views, (current) => ({ next: changeViews(current, structure, change), body: undefined }));
      return { location };
    } catch (error) {
      return refuse(toViewError(error));
    }
  },
);
