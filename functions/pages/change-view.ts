/** Changes a view: its title and columns, its place, its lock; copies or deletes it. */
import { reviewPages } from '#core/api/pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { page } from '#core/pages/page.ts';
import { withDone } from '#core/pages/review/header.ts';
import { changedViews, titleError, typedView } from '#core/pages/review/view-fields.ts';
import { viewPage } from '#core/pages/review/views.ts';
import { requireView } from '#core/review/view-edits.ts';
import { openViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = page(
  reviewPages.changeView,
  openViews,
  async ({ app, gate, structure, views, params: { viewId }, posted, view }) => {
    const action = posted.fields.get('do') ?? 'save';
    const typed = typedView(posted.fields, structure);
    const { copyOf } = view.t.review.edit;
    const newId = idWithin(gate.formId, app.uuid());
    const change = { viewId, action, typed, newId, now: view.now.toISOString(), copyOf };
    const list = `/review/${gate.formId}/views`;
    const stays = action !== 'delete' && action !== 'duplicate';
    const location = withDone(stays ? `${list}/${viewId}` : list, action === 'delete' ? 'viewDeleted' : 'saved');
    try {
      return await editViews(
        app,
        views,
        (current) => changedViews(current, structure, change),
        () => ({ location }),
      );
    } catch (error) {
      const current = requireView(views, viewId);
      const failed = { ...typed, error: titleError(error) };
      return { html: viewPage(view, { gate, structure, views: views.views, current, typed: failed }), status: 400 };
    }
  },
);
