/** Returns a view of a form. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { showView } from '#core/views/model.ts';
import { openViews, requireView } from '#core/views/views.ts';

export const handler = operation(declared.getView, openViews, async ({ views, structure, params }) => ({
  body: showView(views, requireView(views, params.viewId), structure),
  etag: views.version,
}));
