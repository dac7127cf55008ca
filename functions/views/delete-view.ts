/** Deletes an unlocked view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { removeView } from '#core/review/view-edits.ts';
import { openViews } from '#core/review/view-open.ts';
import { editViews } from '#core/review/view-service.ts';

export const handler = operation(declared.deleteView, openViews, async ({ views, params, app }) =>
  editViews(
    app,
    views,
    (current) => removeView(current, params.viewId),
    () => ({ body: undefined }),
  ),
);
