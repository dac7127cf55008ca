/** Deletes an unlocked view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { removeView } from '#core/views/edit.ts';
import { formViews } from '#core/views/open.ts';
import { editViews } from '#core/views/service.ts';

export const handler = operation(declared.deleteView, formViews, async ({ views, params, ifMatch, app }) => {
  await editViews(app.table, { opened: views, ifMatch }, (current) => removeView(current, params.viewId));
  return { body: undefined };
});
