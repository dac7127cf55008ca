/** Changes the title, the columns or the place of a view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { patchView, requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(
  declared.updateView,
  formViews,
  async ({ views, stored, params, body, ifMatch, app }) => {
    const now = app.now().toISOString();
    const next = await editViews(app.table, { opened: views, ifMatch }, (current) =>
      patchView(current, params.viewId, body, stored.structure, now),
    );
    return { body: showView(next, requireView(next, params.viewId), stored.structure), etag: next.version };
  },
);
