/** Duplicates a view; the unlocked copy follows it. */
import { views as declared } from '#core/api/views.ts';
import { idWithin } from '#core/db/keys.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { duplicateView, editViews, openViews, requireView } from '#core/views/views.ts';

export const handler = operation(declared.duplicateView, openViews, async ({ gate, views, structure, params, app }) => {
  const created = { id: idWithin(gate.formId, app.uuid()), now: app.now().toISOString() };
  return editViews(app, views, (current) => {
    const next = duplicateView(current, params.viewId, created);
    return { next, body: presentView(next, requireView(next, created.id), structure) };
  });
});
