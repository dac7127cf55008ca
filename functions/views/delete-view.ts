/** Deletes an unlocked view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { removeView } from '#core/review/view-edits.ts';
import { formViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(declared.deleteView, formViews, async ({ views, params, ifMatch, app }) => {
  await editViews(app.table, { opened: views, ifMatch }, (current) => removeView(current, params.viewId));
  return { body: undefined };
});
