/** Changes the title, the columns or the order of a view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { editViews, openViews, patchView, requireView } from '#core/views/views.ts';

export const handler = operation(declared.updateView, openViews, async ({ views, structure, params, body, app }) => {
  const now = app.now().toISOString();
  return editViews(app, views, (current) => {
    const next = patchView(current, params.viewId, body, structure, now);
    return { next, body: presentView(next, requireView(next, params.viewId), structure) };
  });
});
