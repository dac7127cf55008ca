/** The views of a form in order. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';

export const handler = operation(declared.listViews, formViews, async ({ views, stored }) => ({
  body: views.views.map((view) => showView(views, view, stored.structure)),
  etag: views.version,
}));
