/** Unlocks a view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { lockView, requireView } from '#core/views/edit.ts';
import { showView } from '#core/views/model.ts';
import { formViews } from '#core/views/open.ts';
import { editViews } from '#core/views/service.ts';

export const handler = operation(declared.unlockView, formViews, async ({ views, stored, params, ifMatch, app }) => {
  const now = app.now().toISOString();
  const lock = (current: typeof views) => lockView(current, params.viewId, false, now);
  const next = await editViews(app.table, { opened: views, ifMatch }, lock);
  return { body: showView(next, requireView(next, params.viewId), stored.structure), etag: next.version };
});
