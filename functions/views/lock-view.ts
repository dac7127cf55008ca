/** Locks a view to prevent its deletion. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { lockView, requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { openViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(declared.lockView, openViews, async ({ views, structure, params, app }) => {
  const now = app.now().toISOString();
  return editViews(
    app,
    views,
    (current) => lockView(current, params.viewId, true, now),
    (next) => ({ body: showView(next, requireView(next, params.viewId), structure), etag: next.version }),
  );
});
