/** Returns a view of a form. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { openViews, requireView } from '#core/views/views.ts';

export const handler = operation(declared.getView, openViews, async ({ views, structure, params }) => ({
  body: presentView(views, requireView(views, params.viewId), structure),
  etag: views.version,
}));
