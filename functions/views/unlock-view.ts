/** Unlocks a view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { lockView, requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(declared.unlockView, formViews, async ({ views, stored, params, ifMatch, app }) => {
  const now = app.now().toISOString();
  const lock = (current: typeof views) => lockView(current, params.viewId, false, now);
  const next = await editViews(app.table, { opened: views, ifMatch }, lock);
  return { body: showView(next, requireView(next, params.viewId), stored.structure), etag: next.version };
});
