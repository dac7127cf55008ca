/** Returns a view of a form. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { openViews } from '#core/review/view-open.ts';

export const handler = operation(declared.getView, openViews, async ({ views, structure, params }) => ({
  body: showView(views, requireView(views, params.viewId), structure),
  etag: views.version,
}));
