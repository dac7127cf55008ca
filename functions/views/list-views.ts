/** Lists the views of a form in order. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { openViews } from '#core/views/views.ts';

export const handler = operation(declared.listViews, openViews, async ({ views, structure }) => ({
  body: views.views.map((view) => presentView(views, view, structure)),
  etag: views.version,
}));
