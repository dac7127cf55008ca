/** Creates a view at the end of the order. */
import { views as declared } from '#core/api/views.ts';
import { idWithin } from '#core/db/keys.ts';
import { operation } from '#core/http/operation.ts';
import { presentView } from '#core/views/model.ts';
import { addView, editViews, openViews, requireView } from '#core/views/views.ts';

export const handler = operation(declared.createView, openViews, async ({ gate, views, structure, body, app }) => {
  const created = { id: idWithin(gate.formId, app.uuid()), now: app.now().toISOString() };
  return editViews(app, views, (current) => {
    const next = addView(current, body ?? {}, structure, created);
    return { next, body: presentView(next, requireView(next, created.id), structure) };
  });
});
