/** Locks a view to prevent its deletion. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { editViews, lockView, openViews, requireView } from '#core/views/views.ts';

export const handler = operation(declared.lockView, openViews, async ({ views, structure, params, app }) => {
  const now = app.now().toISOString();
  return editViews(app, views, (current) => {
    const next = lockView(current, params.viewId, true, now);
    return { next, body: presentView(next, requireView(next, params.viewId), structure) };
  });
});
