/** Duplicates a view; the copy stands right after it, unlocked. */
import { views as declared } from '#core/api/views.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { duplicateView, requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(
  declared.duplicateView,
  formViews,
  async ({ form, views, stored, params, ifMatch, app }) => {
    const made = { id: newIdWithin(app, form.id), now: app.now().toISOString() };
    const next = await editViews(app.table, { opened: views, ifMatch }, (current) =>
      duplicateView(current, params.viewId, made),
    );
    return { body: showView(next, requireView(next, made.id), stored.structure), etag: next.version };
  },
);
