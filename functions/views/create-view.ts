/** Creates a view, the last in order. */
import { views as declared } from '#core/api/views.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { addView, requireView } from '#core/review/view-edits.ts';
import { showView } from '#core/review/view-model.ts';
import { formViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(
  declared.createView,
  formViews,
  async ({ form, views, stored, body, ifMatch, app }) => {
    const made = { id: newIdWithin(app, form.id), now: app.now().toISOString() };
    const next = await editViews(app.table, { opened: views, ifMatch }, (current) =>
      addView(current, body ?? {}, stored.structure, made),
    );
    return { body: showView(next, requireView(next, made.id), stored.structure), etag: next.version };
  },
);
