/** A view of a form. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';

export const handler = operation(declared.getView, formViews, async ({ views, stored, params }) => ({
  body: showView(views, requireView(views, params.viewId), stored.structure),
  etag: views.version,
}));
