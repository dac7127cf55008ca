/**
 * Changes a view: its title and columns, its place, its lock; copies or deletes it. When somebody else has changed the
 * title or the columns meanwhile, both are shown.
 */
import { reviewPages } from '#core/api/pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { withDone } from '#core/pages/review/header.ts';
import { changedViews, typedView, viewError } from '#core/pages/review/view-fields.ts';
import { viewPage } from '#core/pages/review/views.ts';
import { page } from '#core/pages/shell/page.ts';
import { reviewText } from '#core/pages/text/review.ts';
import { editViews, openViews, requireView } from '#core/views/views.ts';

export const handler = page(
  reviewPages.changeView,
  openViews,
  async ({ app, gate, structure, views, params: { viewId }, posted, context }) => {
    const action = posted.fields.get('do') ?? 'save';
    const typed = typedView(posted.fields, structure);
    const { copyOf } = reviewText(context).edit;
    const newId = idWithin(gate.formId, app.uuid());
    const stamp = posted.fields.get('stamp');
    const change = { viewId, action, typed, stamp, newId, now: context.now.toISOString(), copyOf };
    let latest = views;
    const list = `/review/${gate.formId}/views`;
    const stays = action !== 'delete' && action !== 'duplicate';
    const location = withDone(stays ? `${list}/${viewId}` : list, action === 'delete' ? 'viewDeleted' : 'saved');
    try {
      return await editViews(
        app,
        views,
        (current) => {
          latest = current;
          return changedViews(current, structure, change);
        },
        () => ({ location }),
      );
    } catch (error) {
      const failed = { ...typed, error: viewError(error) };
      const current = requireView(latest, viewId);
      const html = viewPage(context, { gate, structure, views: latest.views, current, typed: failed });
      return { html, status: failed.error === 'changedElsewhere' ? 409 : 400 };
    }
  },
);
